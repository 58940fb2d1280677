import { spawn, type ChildProcess } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listPeople, restoreAccounts } from './accounts'
import { buildChanged, ROOT } from './build'
import { requireOfficial, wantsOfficial } from './officialEmulators'
import { isEmpty, localDatabase, PROJECT, type LocalDatabase } from './localDatabase'
import { busyPorts, freePortBase, portsFrom, type Ports } from './ports'
import { endRest, settleEarlierStart, type RunRecord } from './earlierStart'
import {
  configure,
  environment,
  urlsOf,
  webConfigOf,
  type Urls,
  type WebConfig,
} from './suiteConfig'
import { demoTree } from './demoTree'
import { startFunctions, type FunctionsProcesses } from './functionsProcesses'

const START_TIMEOUT_MS = 180_000
const READY = 'All emulators ready'
const BROKEN_FUNCTIONS = 'Failed to load function definition'

interface SuiteOptions {
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
  /**
   * 'processes' runs the functions in few processes, as a deploy does, and leaves out the web app and the pictures: for loads
   * that the emulator's process for each call could not carry. Triggers are not told then.
   */
  functions?: 'emulator' | 'processes'
  /** Aborting ends whatever was started so far, and `startSuite` throws. */
  signal?: AbortSignal
}
export interface Suite {
  urls: Urls
  ports: Ports
  webConfig: WebConfig
  database: LocalDatabase
  accounts: number
  log: string
  /** Whose children run the functions, where not the emulator's own. */
  functionsParent?: number
  /** Settles when the suite has ended by itself; never after `stop`. */
  died: Promise<string>
  /** Ends every process of the suite; may be called more than once. */
  stop(): Promise<void>
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
    child.once('error', (error) =>
      refuse(`The emulator suite could not be started: ${error.message}.`),
    )
    child.once('exit', () => refuse('The emulator suite ended before it was ready.'))
  })
}

/**
 * Builds what changed, starts the whole suite on this machine, fills an empty database with the demo city and makes the
 * accounts. Throws a sentence for a person when it can't. The suite ends with `stop()`, or by itself when this process does.
 */
export async function startSuite(options: SuiteOptions = {}): Promise<Suite> {
  const { fresh = false, quiet = false, functions = 'emulator', signal } = options
  const inProcesses = functions === 'processes'
  const { hosting = !inProcesses } = options
  const say = quiet ? () => undefined : (line: string) => console.log(line)
  if (wantsOfficial()) {
    await requireOfficial()
    say("Google's own emulators are used; they forget their data when they stop.")
  }
  const home = options.dataDir ?? join(ROOT, '.kerbside')
  const record = join(home, 'run.json')
  const pids = join(home, 'pids')
  const log = join(home, 'suite.log')
  mkdirSync(home, { recursive: true })
  await settleEarlierStart({ record, pids }, say)
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
  const only = [
    'auth',
    'database',
    ...(inProcesses ? [] : ['functions', 'storage']),
    ...(hosting ? ['hosting'] : []),
  ].join()
  writeFileSync(log, '')
  writeFileSync(pids, '')
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
    {
      cwd: home,
      detached: true,
      env: {
        ...environment(home, scratch),
        // Payment providers and the pages they send people back to are told where we are.
        KERBSIDE_FUNCTIONS_URL: urls.functions,
        KERBSIDE_WEB_URL: urls.web,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  // Letting go of a leash that is already gone is no failure.
  child.stdin?.on('error', () => undefined)
  const group = child.pid
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (group !== undefined) {
    const run: RunRecord = { owner: process.pid, group, ports }
    writeFileSync(record, JSON.stringify(run))
  }
  let stopping: Promise<void> | undefined
  let processes: FunctionsProcesses | undefined
  const end = async () => {
    await processes?.stop()
    child.stdin?.end()
    await exited
    if (group !== undefined) await endRest(group, pids)
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
      await database.put('', await demoTree(Date.now()))
    } else await listPeople(database)
    if (inProcesses) processes = await startFunctions(ports, urls, log)
    const accounts = await restoreAccounts(database, urls.auth)
    const died = new Promise<string>((resolve) => {
      void exited.then(() => {
        if (!stopping) resolve(tail(readFileSync(log, 'utf8').trimEnd().split('\n')))
      })
    })
    return {
      urls,
      ports,
      webConfig,
      database,
      accounts,
      log,
      died,
      stop,
      ...(processes && { functionsParent: processes.pid }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A suite on free ports, in a folder of its own that is gone when the suite is stopped; `purpose` is in its name. */
export async function startOwnSuite(
  purpose: string,
  options: Omit<SuiteOptions, 'portBase' | 'dataDir'> = {},
): Promise<Suite & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), `kerbside-${purpose}-`))
  // Where it can't start the folder stays: its log says why.
  const suite = await startSuite({ ...options, portBase: 'free', dataDir: folder })
  const stop = async () => {
    await suite.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...suite, folder, stop }
}
