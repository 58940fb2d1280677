import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
const RECORD = join(ROOT, '.kerbside', 'built.json')

const WEB = 'dist/index.html'

interface Part {
  name: string
  /** Files and folders the result depends on. */
  from: string[]
  /** Variables of the environment that it depends on too. */
  told?: string[]
  /** Must be there afterwards. */
  makes: string
  command: string[]
}

const tsx = (script: string) => [process.execPath, '--import', 'tsx', script]
export const PARTS: readonly Part[] = [
  {
    name: 'the map',
    from: [
      'scripts/maps',
      'functions/src/maps/pack.ts',
      'functions/src/maps/streetGraph.ts',
      'functions/src/maps/words.ts',
      'package-lock.json',
    ],
    makes: 'functions/data/maps',
    command: tsx('scripts/maps/build.ts'),
  },
  {
    name: 'the stand-ins',
    from: ['emulator/src', 'emulator/build.ts', 'package-lock.json'],
    makes: 'emulator/dist',
    command: tsx('emulator/build.ts'),
  },
  {
    name: 'the functions',
    from: [
      'functions/src',
      'functions/build.ts',
      'functions/package.json',
      'domain',
      'src/i18n/locales',
      'package-lock.json',
    ],
    makes: 'functions/lib/index.js',
    command: tsx('functions/build.ts'),
  },
  {
    name: 'the web app',
    from: [
      'src',
      'domain',
      'public',
      'index.html',
      'vite.config.ts',
      'tsconfig.json',
      'package-lock.json',
    ],
    told: ['KERBSIDE_SITE_URL'],
    makes: WEB,
    command: [process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
]

/** Changes whenever a file below one of its paths does: names, sizes and times, not contents; and with what it is told. */
export function signature({ from, told = [] }: Pick<Part, 'from' | 'told'>): string {
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
  for (const path of from) walk(join(ROOT, path))
  for (const name of told) hash.update(`${name}=${process.env[name] ?? ''}\n`)
  return hash.digest('hex')
}

function run(part: Part, signal?: AbortSignal): Promise<void> {
  const [command = '', ...args] = part.command
  return new Promise((resolve, reject) => {
    let said = ''
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A test runner's own NODE_ENV would make another web app than the one that is deployed.
      env: { ...process.env, NODE_ENV: 'production' },
      ...(signal && { signal }),
    })
    const hear = (chunk: Buffer) => void (said += chunk.toString())
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0 && existsSync(join(ROOT, part.makes))) resolve()
      else reject(new Error(`Could not build ${part.name}.\n${said.trim()}`))
    })
  })
}

/**
 * Builds each part whose sources changed since it was last built here, and says so through `say`.
 * Throws with the build's own words when one fails.
 */
export async function buildChanged(
  say: (line: string) => void,
  { web = true, signal }: { web?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const built = existsSync(RECORD)
    ? (JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, string>)
    : {}
  for (const part of PARTS) {
    if (part.makes === WEB && !web) continue
    const now = signature(part)
    if (built[part.name] === now && existsSync(join(ROOT, part.makes))) continue
    say(`Building ${part.name} …`)
    await run(part, signal)
    built[part.name] = now
    mkdirSync(join(ROOT, '.kerbside'), { recursive: true })
    writeFileSync(RECORD, JSON.stringify(built, null, 2))
  }
}
