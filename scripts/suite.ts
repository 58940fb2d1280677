import { spawn, type ChildProcess } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { restoreAccounts } from './accounts'
import { buildChanged, ROOT } from './build'
import { BUCKET, isEmpty, localDatabase, NAMESPACE, PROJECT, type LocalDatabase } from './localDatabase'
import { busyPorts, freePortBase, HOST, portsFrom, type Ports } from './ports'
import { demoTree } from './demoTree'

const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000
const READY = 'All emulators ready'
const BROKEN_FUNCTIONS = 'Failed to load function definition'

export interface SuiteOptions {
  /** The first of its ports, 'free' to look for some, nothing for the usual ones. */
  portBase?: number | 'free'
  /** Everything of one running suite: data/, its configuration, its log. Default: .kerbside/ */
  dataDir?: string
  /** Forget the data first. */
  fresh?: boolean
  /** Say nothing but errors. */
  quiet?: boolean
  /** False when somebody else serves the web app on the hosting port (`npm run dev`). */
  hosting?: boolean
  /** Aborting ends whatever was started so far, and `startSuite` throws. */
  signal?: AbortSignal
}
export interface Urls {
  web: string
  auth: string
  database: string
  functions: string
  storage: string
  hub: string
}
/** What the web app reads at /config.json. */
export interface WebConfig {
  firebase: Record<
    'apiKey' | 'projectId' | 'databaseURL' | 'storageBucket' | 'authDomain' | 'appId',
    string
  >
  emulators: {
    auth: string
    database: { host: string; port: number }
    functions: { host: string; port: number }
    storage: { host: string; port: number }
  } | null
  local: boolean
  functionsUrl: string
}
export interface Suite {
  urls: Urls
  ports: Ports
  webConfig: WebConfig
  database: LocalDatabase
  accounts: number
  log: string
  /** Settles when the suite has ended by itself; never after `stop`. */
  died: Promise<string>
  /** Ends every process of the suite; may be called more than once. */
  stop(): Promise<void>
}

/** What a start leaves in its folder, so that the next one can tell running from left over. */
interface RunRecord {
  owner: number
  group: number
  ports: Ports
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function hubAnswers(ports: Ports): Promise<boolean> {
  try {
    const response = await fetch(`http://${HOST}:${ports.hub}/`, { signal: AbortSignal.timeout(2000) })
    return response.ok && 'pid' in ((await response.json()) as object)
  } catch {
    return false
  }
}

async function untilGone(group: number, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
    if (!alive(-group)) return true
  }
  return !alive(-group)
}

/** Refuses when a suite runs from this folder; cleans up what a start that was cut short has left. */
async function settleEarlierStart(record: string, say: (line: string) => void): Promise<void> {
  if (!existsSync(record)) return
  const { owner, group, ports } = JSON.parse(readFileSync(record, 'utf8')) as RunRecord
  if (alive(-group)) {
    if (alive(owner)) {
      throw new Error(
        `Kerbside already runs from this folder (process ${owner}, http://${HOST}:${ports.hosting}). ` +
          `Press Ctrl-C where it was started, or \`kill ${owner}\`, then start again.`,
      )
    }
    say('An earlier start was cut short; waiting for what it left to end …')
    if (!(await untilGone(group, STOP_TIMEOUT_MS)) && (await hubAnswers(ports))) {
      process.kill(-group, 'SIGKILL')
      await untilGone(group, STOP_TIMEOUT_MS)
    }
  }
  rmSync(record, { force: true })
}

const urlsOf = (ports: Ports): Urls => ({
  web: `http://${HOST}:${ports.hosting}`,
  auth: `http://${HOST}:${ports.auth}`,
  database: `http://${HOST}:${ports.database}`,
  functions: `http://${HOST}:${ports.functions}/${PROJECT}/us-central1`,
  storage: `http://${HOST}:${ports.storage}`,
  hub: `http://${HOST}:${ports.hub}`,
})

const webConfigOf = (ports: Ports, urls: Urls): WebConfig => ({
  firebase: {
    apiKey: 'demo-key',
    projectId: PROJECT,
    databaseURL: `${urls.database}?ns=${NAMESPACE}`,
    storageBucket: BUCKET,
    authDomain: `${PROJECT}.firebaseapp.com`,
    appId: '1:0:web:kerbside',
  },
  emulators: {
    auth: urls.auth,
    database: { host: HOST, port: ports.database },
    functions: { host: HOST, port: ports.functions },
    storage: { host: HOST, port: ports.storage },
  },
  local: true,
  functionsUrl: urls.functions,
})

interface FirebaseJson {
  hosting: { headers: { headers: { key: string; value: string }[] }[] } & Record<string, unknown>
  emulators: Record<string, unknown>
  [part: string]: unknown
}

/** The committed firebase.json with this suite's ports, and a content policy that lets the page reach them. */
function configure(home: string, ports: Ports, hosting: boolean): string {
  const config = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseJson
  const here = [ports.auth, ports.database, ports.functions, ports.storage, ports.hosting]
  const origins = here.flatMap((port) => [`http://${HOST}:${port}`, `ws://${HOST}:${port}`]).join(' ')
  const pages = here.map((port) => `http://${HOST}:${port}`).join(' ')
  for (const { headers } of config.hosting.headers) {
    for (const header of headers) {
      if (header.key !== 'Content-Security-Policy') continue
      header.value = header.value
        .replace('connect-src ', `connect-src ${origins} `)
        .replace('img-src ', `img-src ${pages} `)
        .replace('form-action ', `form-action ${pages} `)
        .replace('frame-src ', `frame-src ${pages} `)
    }
  }
  const { hosting: site, functions, ...rest } = config
  const written = {
    ...rest,
    ...(hosting && { hosting: { ...site, public: 'site' } }),
    functions: { ...(functions as object), source: relative(home, join(ROOT, 'functions')) },
    database: { rules: join(ROOT, 'database.rules.json') },
    storage: { rules: join(ROOT, 'storage.rules') },
    emulators: {
      ...config.emulators,
      ...Object.fromEntries(
        Object.entries(ports).map(([name, port]) => [name, { host: HOST, port }]),
      ),
    },
  }
  const file = join(home, 'firebase.json')
  writeFileSync(file, JSON.stringify(written, null, 2))
  return file
}

/** Without any of these firebase-tools would look for a login, news, updates or a cloud machine's metadata. */
function environment(home: string, scratch: string, urls: Urls): NodeJS.ProcessEnv {
  const placeholder = (name: string) => {
    const file = join(home, `${name}.jar`)
    writeFileSync(file, '')
    return file
  }
  const { GOOGLE_APPLICATION_CREDENTIALS: _credentials, FIREBASE_TOKEN: _token, ...inherited } =
    process.env
  const official = process.env.KERBSIDE_OFFICIAL_EMULATORS === '1'
  return {
    ...inherited,
    CI: 'true',
    NO_UPDATE_NOTIFIER: '1',
    METADATA_SERVER_DETECTION: 'none',
    XDG_CONFIG_HOME: join(home, 'config'),
    CLOUDSDK_CONFIG: join(home, 'config'),
    FIREBASE_API_URL: 'http://127.0.0.1:9',
    FIREBASE_HOSTING_API_URL: 'http://127.0.0.1:9',
    FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true',
    FUNCTIONS_DISCOVERY_TIMEOUT: '120',
    // The suite keeps sockets and its “who runs” file here: one folder a suite, so that two never meet.
    TMPDIR: scratch,
    KERBSIDE_LOCAL: 'true',
    KERBSIDE_WEB_URL: urls.web,
    KERBSIDE_FUNCTIONS_URL: urls.functions,
    ...(!official && {
      PATH: [join(ROOT, 'emulator', 'bin'), process.env.PATH].join(delimiter),
      DATABASE_EMULATOR_BINARY_PATH: placeholder('database'),
      STORAGE_EMULATOR_BINARY_PATH: placeholder('storage'),
      KERBSIDE_DATA_DIR: join(home, 'data'),
    }),
  }
}

/** What firebase-tools printed last, without colours. */
const tail = (lines: string[]) => lines.slice(-30).join('\n')

function untilReady(child: ChildProcess, log: string): Promise<void> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => refuse('The emulator suite was not ready after three minutes.'),
      START_TIMEOUT_MS,
    )
    const refuse = (sentence: string) => {
      clearTimeout(timer)
      reject(new Error(`${sentence} The end of its log (${log}):\n${tail(lines)}`))
    }
    const hear = (line: string) => {
      lines.push(line)
      appendFileSync(log, `${line}\n`)
      if (line.includes(BROKEN_FUNCTIONS)) refuse('The functions could not be loaded.')
      if (line.includes(READY)) {
        clearTimeout(timer)
        resolve()
      }
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', hear)
    }
    child.once('error', (error) => refuse(`The emulator suite could not be started: ${error.message}.`))
    child.once('exit', () => refuse('The emulator suite ended before it was ready.'))
  })
}

/**
 * Builds what changed, starts the whole suite on this machine, fills an empty database with the demo city and makes the
 * accounts. Throws a sentence for a person when it can't. The suite ends with `stop()`, or by itself when this process does.
 */
export async function startSuite(options: SuiteOptions = {}): Promise<Suite> {
  const { fresh = false, quiet = false, hosting = true, signal } = options
  const say = quiet ? () => undefined : (line: string) => console.log(line)
  const home = options.dataDir ?? join(ROOT, '.kerbside')
  const record = join(home, 'run.json')
  const log = join(home, 'suite.log')
  mkdirSync(home, { recursive: true })
  await settleEarlierStart(record, say)
  const base = options.portBase === 'free' ? await freePortBase() : options.portBase
  const ports = portsFrom(base)
  const busy = await busyPorts(ports)
  if (busy.length > 0) {
    throw new Error(
      `${busy.join('\n')}\nEnd that program, or start Kerbside on other ports: KERBSIDE_PORT_BASE=7400 npm start`,
    )
  }
  await buildChanged(say, { web: hosting, ...(signal && { signal }) })
  if (fresh) rmSync(join(home, 'data'), { recursive: true, force: true })
  mkdirSync(join(home, 'data'), { recursive: true })

  const urls = urlsOf(ports)
  const webConfig = webConfigOf(ports, urls)
  if (hosting) {
    const site = join(home, 'site')
    rmSync(site, { recursive: true, force: true })
    cpSync(join(ROOT, 'dist'), site, { recursive: true })
    writeFileSync(join(site, 'config.json'), JSON.stringify(webConfig, null, 2))
  }
  const config = configure(home, ports, hosting)
  const scratch = mkdtempSync(join(tmpdir(), 'kerbside-'))
  const firebase = createRequire(import.meta.url).resolve('firebase-tools/lib/bin/firebase.js')
  const only = ['auth', 'functions', 'database', 'storage', ...(hosting ? ['hosting'] : [])].join()
  writeFileSync(log, '')
  say('Starting the emulator suite …')
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'scripts', 'leash.mjs'),
      process.execPath,
      firebase,
      'emulators:start',
      '--project',
      PROJECT,
      '--only',
      only,
      '--config',
      config,
      '--non-interactive',
    ],
    { cwd: home, detached: true, env: environment(home, scratch, urls), stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const group = child.pid
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (group !== undefined) {
    const run: RunRecord = { owner: process.pid, group, ports }
    writeFileSync(record, JSON.stringify(run))
  }
  let stopping: Promise<void> | undefined
  const end = async () => {
    child.stdin?.end()
    await exited
    if (group !== undefined && !(await untilGone(group, 1000))) process.kill(-group, 'SIGKILL')
    rmSync(record, { force: true })
    rmSync(scratch, { recursive: true, force: true })
  }
  const stop = () => (stopping ??= end())
  signal?.addEventListener('abort', () => void stop())

  try {
    signal?.throwIfAborted()
    await untilReady(child, log)
    const database = localDatabase(urls.database)
    if (await isEmpty(database)) {
      say('Filling the database with the demo city …')
      await database.put('', demoTree(Date.now()))
    }
    const accounts = await restoreAccounts(database, urls.auth)
    const died = new Promise<string>((resolve) => {
      void exited.then(() => {
        if (!stopping) resolve(tail(readFileSync(log, 'utf8').trimEnd().split('\n')))
      })
    })
    return { urls, ports, webConfig, database, accounts, log, died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
