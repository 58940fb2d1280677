import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlatformContent } from '~/src/app/pageData'

export const ROOT = join(import.meta.dirname, '../..')
const BUILD_RECORD_FILE = join(ROOT, '.kerbside', 'built.json')

const WEB_PART = 'dist/index.html'

interface BuildPart {
  name: string
  /** Files and folders that the output depends on. */
  sources: string[]
  /** Environment variables that the output also depends on. */
  environmentVariables?: string[]
  /** Path that must exist after the build. */
  output: string
  command: string[]
}

const createTsxCommand = (script: string) => [process.execPath, '--import', 'tsx', script]
export const BUILD_PARTS: readonly BuildPart[] = [
  {
    name: 'the map',
    sources: [
      'scripts/maps',
      'functions/src/adapters/maps/bundled/columnFile.ts',
      'functions/src/adapters/maps/bundled/streetGraph.ts',
      'functions/src/adapters/maps/bundled/typoMatching.ts',
      'package-lock.json',
    ],
    output: 'functions/data/maps',
    command: createTsxCommand('scripts/maps/build.ts'),
  },
  {
    name: 'the stand-ins',
    sources: ['emulator/src', 'emulator/build.ts', 'package-lock.json'],
    output: 'emulator/dist',
    command: createTsxCommand('emulator/build.ts'),
  },
  {
    name: 'the functions',
    sources: [
      'functions/src',
      'functions/build.ts',
      'functions/package.json',
      'domain',
      'src/i18n/locales',
      'package-lock.json',
    ],
    output: 'functions/lib/index.js',
    command: createTsxCommand('functions/build.ts'),
  },
  {
    name: 'the web app',
    sources: [
      'src',
      'domain',
      'public',
      'index.html',
      'vite.config.ts',
      'scripts/chunkPlan.ts',
      'tsconfig.base.json',
      'tsconfig.json',
      'tsconfig.web.json',
      'package-lock.json',
    ],
    environmentVariables: ['KERBSIDE_SITE_URL', 'KERBSIDE_PLATFORM', 'KERBSIDE_TOUR'],
    output: WEB_PART,
    command: [process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
]

/**
 * Returns a hash that changes with the name, size or time of any file below the sources, or with an
 * environment variable; ignores file contents.
 */
export function computeSignature(
  { sources, environmentVariables = [] }: Pick<BuildPart, 'sources' | 'environmentVariables'>,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const hash = createHash('sha256')
  const walk = (path: string) => {
    if (!existsSync(path)) return
    const stat = statSync(path)
    if (!stat.isDirectory()) {
      hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`)
      return
    }
    for (const name of readdirSync(path).sort()) {
      if (name !== 'node_modules' && !/\.test\.tsx?$/.test(name)) walk(join(path, name))
    }
  }
  for (const path of sources) walk(join(ROOT, path))
  for (const name of environmentVariables) hash.update(`${name}=${environment[name] ?? ''}\n`)
  return hash.digest('hex')
}

function runPart(
  part: BuildPart,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<void> {
  const [command = '', ...args] = part.command
  return new Promise((resolve, reject) => {
    let printed = ''
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
      ...(signal && { signal }),
    })
    const collect = (chunk: Buffer) => void (printed += chunk.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0 && existsSync(join(ROOT, part.output))) resolve()
      else reject(new Error(`Could not build ${part.name}.\n${printed.trim()}`))
    })
  })
}

export interface BuildOptions {
  web?: boolean
  /** Builds the web app for the demo city, with its tour and its settings. */
  tour?: boolean
  signal?: AbortSignal
}

/** Returns what the demo city shows on its public pages. */
const createDemoContent = async (): Promise<PlatformContent> => ({
  settings: (await import('~/seed/catalog')).DEMO_SETTINGS,
  texts: {},
})

async function build(
  say: (line: string) => void,
  { web = true, tour = false, signal }: BuildOptions,
): Promise<void> {
  const environment = {
    ...process.env,
    // With a test runner's NODE_ENV, the web app would differ from the deployed one.
    NODE_ENV: 'production',
    KERBSIDE_TOUR: tour ? 'yes' : '',
    ...(tour && { KERBSIDE_PLATFORM: JSON.stringify(await createDemoContent()) }),
  }
  const built = existsSync(BUILD_RECORD_FILE)
    ? (JSON.parse(readFileSync(BUILD_RECORD_FILE, 'utf8')) as Record<string, string>)
    : {}
  for (const part of BUILD_PARTS) {
    if (part.output === WEB_PART && !web) continue
    const now = computeSignature(part, environment)
    if (built[part.name] === now && existsSync(join(ROOT, part.output))) continue
    say(`Building ${part.name} …`)
    await runPart(part, environment, signal)
    built[part.name] = now
    mkdirSync(join(ROOT, '.kerbside'), { recursive: true })
    writeFileSync(BUILD_RECORD_FILE, JSON.stringify(built, null, 2))
  }
}

let lastBuild = Promise.resolve()

/**
 * Builds each part whose sources changed since its last build here and reports it through `say`.
 * Waits for a build under way in this process, so that suites that start together build once.
 * Throws with the build's output when a part fails.
 */
export const buildChanged = (
  say: (line: string) => void,
  options: BuildOptions = {},
): Promise<void> => {
  const finished = lastBuild.then(() => build(say, options))
  // A failed or canceled build must not fail the next one.
  lastBuild = finished.catch(() => {})
  return finished
}
