// A copy of the repository that can be deployed to the stand-in of Google's APIs: real functions,
// rules and settings, and a small site and map.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '~/scripts/local/build'
import { startGoogleApis, type GoogleApis } from './googleApis'

export const PROJECT_ID = 'city-cabs'
export const SECRETS = [
  'KERBSIDE_SALT',
  'KERBSIDE_SETUP_SECRET',
  'KERBSIDE_GOOGLE_MAPS_KEY',
  'KERBSIDE_CALLER_KEY',
  'PAYMENT_KEYS',
  'MESSAGE_KEYS',
]
const SETTINGS = {
  KERBSIDE_ORIGINS: `https://${PROJECT_ID}.web.app`,
  KERBSIDE_MAPS_BASIC_AUTH: 'kerbside:4f1c0a',
  KERBSIDE_REGION: 'us-central1',
}
const COPIED = [
  'database.rules.json',
  'domain',
  'emulator/src',
  'firebase.json',
  'functions/build.ts',
  'functions/package.json',
  'functions/src',
  'package.json',
  'package-lock.json',
  'scripts',
  'src/i18n/locales',
  'storage.rules',
  'tsconfig.base.json',
  'tsconfig.json',
]
const FIXTURES: Readonly<Record<string, string>> = {
  'dist/app.html': '<!doctype html><title>Kerbside</title>',
  'dist/index.html': '<!doctype html><title>Kerbside</title>',
  'dist/sw.js': 'self.skipWaiting()',
  'dist/assets/index-abc123.js': 'export {}',
  'dist/maps/meta.json': '{}',
  'dist/maps/city/14/5629/9843.pbf': 'tile',
  'dist/maps/city/14/5630/9843.pbf': 'tile',
  ...Object.fromEntries(
    ['gaz.bin', 'graph.bin', 'land.bin', 'world.bin', 'meta.json'].map((name) => [
      `functions/data/maps/${name}`,
      'map',
    ]),
  ),
}

interface DeploymentOptions {
  region?: string
  /** Changes of the settings file; null removes a setting. */
  settings?: Readonly<Record<string, string | null>>
  secrets?: readonly string[]
  /** The address of the project's database; without one the database is empty. */
  databaseURL?: string
  /** Files to remove from the copy. */
  without?: readonly string[]
  /** Parts that the project lacks. */
  lacks?: Parameters<typeof startGoogleApis>[0]['without']
}
interface CommandResult {
  code: number | null
  output: string
}
export interface Deployment {
  root: string
  apis: GoogleApis
  /** Runs `npm run deploy` in the copy. */
  deploy(...args: string[]): Promise<CommandResult>
  /**
   * Runs `npm run deploy`, which must be refused before it changes anything at Google. Returns its
   * output.
   */
  refuse(...args: string[]): Promise<string>
  /** Runs a script of the copy with the project as its `--project`. */
  runScript(script: string, ...args: string[]): Promise<CommandResult>
  /** Runs the check that firebase-tools runs before it uploads a part. */
  predeploy(part: 'functions' | 'hosting'): Promise<CommandResult>
  remove(): Promise<void>
}

/** Prepares a copy and the APIs of an empty project. */
export const createDeployment = async ({
  region = 'us-central1',
  settings = {},
  secrets = SECRETS,
  databaseURL,
  without = [],
  lacks = [],
}: DeploymentOptions = {}): Promise<Deployment> => {
  const root = mkdtempSync(join(tmpdir(), 'kerbside-deploy-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path), { recursive: true })
  for (const [path, text] of Object.entries(FIXTURES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const lines = Object.entries({ ...SETTINGS, KERBSIDE_REGION: region, ...settings })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(root, `functions/.env.${PROJECT_ID}`), lines.join(''))
  for (const path of without) rmSync(join(root, path), { recursive: true })
  const apis = await startGoogleApis({
    id: PROJECT_ID,
    region,
    secrets: new Set(secrets),
    without: lacks,
    ...(databaseURL !== undefined && { databaseURL }),
  })

  const run = (script: string, args: readonly string[]) =>
    new Promise<CommandResult>((resolve, reject) => {
      const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          HOME: root,
          XDG_CONFIG_HOME: join(root, '.config'),
          TMPDIR: tmpdir(),
          CI: 'true',
          NO_UPDATE_NOTIFIER: '1',
          METADATA_SERVER_DETECTION: 'none',
          GCLOUD_PROJECT: PROJECT_ID,
          FIREBASE_TOKEN: 'refresh-token',
          FUNCTIONS_DISCOVERY_TIMEOUT: '120',
          ...apis.environment,
        },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.once('error', reject)
      child.once('exit', (code) => resolve({ code, output }))
    })
  const deploy = (...args: string[]) =>
    run('scripts/deploy.ts', [PROJECT_ID, '--skip-build', '--force', ...args])
  return {
    root,
    apis,
    deploy,
    async refuse(...args) {
      const before = apis.getChanges().length
      const { code, output } = await deploy(...args)
      const changes = apis.getChanges().slice(before)
      expect({ code, changes, output }).toEqual({ code: 1, changes: [], output })
      return output
    },
    runScript: (script, ...args) => run(script, ['--project', PROJECT_ID, ...args]),
    predeploy: (part) => run('scripts/deploy/predeploy.ts', [part]),
    async remove() {
      await apis.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
