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
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { restoreAccounts } from '../database/authAccounts'
import { buildChanged, ROOT } from './build'
import { requireOfficial, isOfficialRequested } from '../official/officialEmulators'
import { isDatabaseEmpty, openLocalDatabase, PROJECT, type LocalDatabase } from './localDatabase'
import { describeBusyPorts, findFreePortBase, createPorts, type Ports } from './ports'
import { getPreloadArguments } from '../preload/preloadArguments'
import { killLeftovers, cleanUpStaleRun, type RunRecord } from './staleRun'
import {
  writeFirebaseJson,
  createEnvironment,
  createUrls,
  createWebConfig,
  type Urls,
  type WebConfig,
} from './suiteConfig'
import { createDemoDatabase } from './demoDatabase'
import { readInterfaceTexts } from '../database/interfaceTexts'
import { InterruptedJobError } from '../database/lease'
import { migrate, summarizeMigration } from '../database/migrationRunner'
import { startFunctions, type FunctionsServer } from '../functions/functionsProcesses'

const START_TIMEOUT_MS = 180_000
const READY_PATTERN = 'All emulators ready'
const BROKEN_FUNCTIONS_PATTERN = 'Failed to load function definition'

interface SuiteOptions {
  /** First port; 'free' searches for free ones, undefined uses the defaults. */
  portBase?: number | 'free'
  /** Folder of one running suite: data/, its configuration, its log. Default: .kerbside/ */
  dataDir?: string
  /** Deletes the data first. */
  isFresh?: boolean
  /** Prints only errors. */
  isQuiet?: boolean
  /** False when another server serves the web app on the hosting port (`npm run dev`). */
  hasHosting?: boolean
  /** Offers the demo tour on the site. */
  hasTour?: boolean
  /** For load tests: no web app, no file storage, and no triggers, which would be the limit. */
  isForLoad?: boolean
  /** Aborting stops everything started so far, and `startSuite` throws. */
  signal?: AbortSignal
}
export interface Suite {
  urls: Urls
  ports: Ports
  webConfig: WebConfig
  database: LocalDatabase
  accounts: number
  log: string
  /** Resolves when the suite has ended on its own; never after `stop`. */
  whenExited: Promise<string>
  /** Stops every process of the suite; safe to call more than once. */
  stop(): Promise<void>
}

/** Returns the last output of firebase-tools. */
const formatLastLines = (lines: string[]) => lines.slice(-30).join('\n')

function waitUntilReady(child: ChildProcess, log: string): Promise<void> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => refuse('The emulator suite was not ready after three minutes.'),
      START_TIMEOUT_MS,
    )
    const refuse = (sentence: string) => {
      clearTimeout(timer)
      reject(new Error(`${sentence} The end of its log (${log}):\n${formatLastLines(lines)}`))
    }
    const onLine = (line: string) => {
      lines.push(line)
      appendFileSync(log, `${line}\n`)
      if (line.includes(BROKEN_FUNCTIONS_PATTERN)) refuse('The functions could not be loaded.')
      if (line.includes(READY_PATTERN)) {
        clearTimeout(timer)
        resolve()
      }
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', onLine)
    }
    child.once('error', (error) =>
      refuse(`The emulator suite could not be started: ${error.message}.`),
    )
    child.once('exit', () => refuse('The emulator suite ended before it was ready.'))
  })
}

/** Migrates data that an earlier release left here and reports it. */
const migrateEarlierData = async (database: LocalDatabase, say: (line: string) => void) => {
  try {
    const report = await migrate(database, { texts: readInterfaceTexts(), print: say })
    if (report) say(summarizeMigration(report))
  } catch (error) {
    // A restore needs a running Kerbside, so this one has to start.
    if (!(error instanceof InterruptedJobError)) throw error
    say(error.message)
  }
}

/**
 * Returns the id of the demo tour of the data in `home`. New data has a new tour, which the browser
 * offers again even if the person closed the one before it.
 */
const getTourId = (home: string, isFresh: boolean): string => {
  const file = join(home, 'tour')
  if (isFresh || !existsSync(file)) writeFileSync(file, String(Date.now()))
  return readFileSync(file, 'utf8')
}

/** The files of a running suite. */
interface SuiteFiles {
  home: string
  /** The suite's processes, for a later start that finds them left over. */
  record: string
  pids: string
  log: string
}

/** Prepares the folder of a suite, and ends what an earlier one left. */
const prepareHome = async (home: string, say: (line: string) => void): Promise<SuiteFiles> => {
  const files = {
    home,
    record: join(home, 'run.json'),
    pids: join(home, 'pids'),
    log: join(home, 'suite.log'),
  }
  mkdirSync(home, { recursive: true })
  await cleanUpStaleRun({ record: files.record, pids: files.pids }, say)
  return files
}

/** Returns the suite's ports. Throws when another program uses one. */
const choosePorts = async (portBase: SuiteOptions['portBase']): Promise<Ports> => {
  const ports = createPorts(portBase === 'free' ? await findFreePortBase() : portBase)
  const busy = await describeBusyPorts(ports)
  if (busy.length === 0) return ports
  throw new Error(
    `${busy.join('\n')}\nStop that program, or start Kerbside on other ports: KERBSIDE_PORT_BASE=7400 npm start`,
  )
}

/** Copies the built site into the suite's folder, with its configuration. */
const writeSite = (home: string, webConfig: WebConfig): void => {
  const site = join(home, 'site')
  rmSync(site, { recursive: true, force: true })
  cpSync(join(ROOT, 'dist'), site, { recursive: true })
  writeFileSync(join(site, 'config.json'), JSON.stringify(webConfig, null, 2))
}

const listEmulators = (
  isForLoad: boolean,
  hasHosting: boolean,
  runsTriggersInEmulator: boolean,
): string =>
  [
    'auth',
    'database',
    ...(isForLoad ? [] : ['storage']),
    ...(runsTriggersInEmulator ? ['functions'] : []),
    ...(hasHosting ? ['hosting'] : []),
  ].join()

interface EmulatorOptions {
  ports: Ports
  urls: Urls
  config: string
  scratch: string
  only: string
}

/** Starts the emulators as a process group of their own. */
const spawnEmulators = (
  { home, log, pids }: SuiteFiles,
  { ports, urls, config, scratch, only }: EmulatorOptions,
): ChildProcess => {
  const firebase = createRequire(import.meta.url).resolve('firebase-tools/lib/bin/firebase.js')
  writeFileSync(log, '')
  writeFileSync(pids, '')
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'scripts', 'local', 'processGroup.mjs'),
      process.execPath,
      // A page makes this process fill many buffers. V8 would otherwise let the heap of a process
      // that was idle for a while grow by a third only, and collect all of it for every page.
      '--heap-growing-percent=400',
      ...getPreloadArguments('requestGuard', 'lazyValidation'),
      firebase,
      'emulators:start',
      ...['--project', PROJECT, '--only', only, '--config', config, '--non-interactive'],
    ],
    {
      cwd: home,
      detached: true,
      env: {
        ...createEnvironment(home, scratch, ports),
        // Payment providers and their return pages need our addresses.
        KERBSIDE_FUNCTIONS_URL: urls.functions,
        KERBSIDE_WEB_URL: urls.web,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  // Closing the input of an ended process is not an error.
  child.stdin?.on('error', () => undefined)
  return child
}

/** Fills an empty database with the demo city, or migrates what an earlier release left. */
const fillDatabase = async (database: LocalDatabase, say: (line: string) => void) => {
  if (!(await isDatabaseEmpty(database))) return migrateEarlierData(database, say)
  say('Filling the database with the demo city …')
  await database.put('', await createDemoDatabase(Date.now()))
}

/**
 * Builds what changed, starts the whole suite on this machine, fills an empty database with the
 * demo city and creates the accounts. Throws a readable error when it cannot. The suite ends with
 * `stop()` or together with this process.
 */
export async function startSuite(options: SuiteOptions = {}): Promise<Suite> {
  const { isFresh = false, isQuiet = false, isForLoad = false, signal } = options
  const { hasHosting = !isForLoad } = options
  const say = isQuiet ? () => undefined : (line: string) => console.log(line)
  if (isOfficialRequested()) {
    await requireOfficial()
    say("Google's own emulators are used; they forget their data when they stop.")
  }
  const files = await prepareHome(options.dataDir ?? join(ROOT, '.kerbside'), say)
  const { home, record, pids, log } = files
  const ports = await choosePorts(options.portBase)
  await buildChanged(say, { web: hasHosting, tour: true, ...(signal && { signal }) })
  if (isFresh) rmSync(join(home, 'data'), { recursive: true, force: true })
  mkdirSync(join(home, 'data'), { recursive: true })

  const urls = createUrls(ports)
  const webConfig = {
    ...createWebConfig(ports, urls),
    ...(options.hasTour && { tour: getTourId(home, isFresh) }),
  }
  if (hasHosting) writeSite(home, webConfig)
  const config = writeFirebaseJson(home, ports, hasHosting)
  const scratch = mkdtempSync(join(tmpdir(), 'kerbside-'))
  // Google's own database announces its changes only to the functions emulator.
  const runsTriggersInEmulator = isOfficialRequested() && !isForLoad
  const only = listEmulators(isForLoad, hasHosting, runsTriggersInEmulator)
  say('Starting the emulator suite …')
  const child = spawnEmulators(files, { ports, urls, config, scratch, only })
  const group = child.pid
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (group !== undefined) {
    const run: RunRecord = { owner: process.pid, group, ports }
    writeFileSync(record, JSON.stringify(run))
  }
  let stopping: Promise<void> | undefined
  let functions: FunctionsServer | undefined
  const end = async () => {
    await functions?.stop()
    child.stdin?.end()
    await exited
    if (group !== undefined) await killLeftovers(group, pids)
    rmSync(record, { force: true })
    rmSync(scratch, { recursive: true, force: true })
  }
  const stop = () => (stopping ??= end())
  signal?.addEventListener('abort', () => void stop())

  try {
    signal?.throwIfAborted()
    const hasTriggers = !isForLoad && !runsTriggersInEmulator
    functions = startFunctions(ports, urls, { log, hasTriggers })
    await Promise.all([waitUntilReady(child, log), functions.ready])
    const database = openLocalDatabase(urls.database)
    await fillDatabase(database, say)
    const accounts = await restoreAccounts(database, urls.auth)
    const whenExited = new Promise<string>((resolve) => {
      void exited.then(() => {
        if (!stopping) resolve(formatLastLines(readFileSync(log, 'utf8').trimEnd().split('\n')))
      })
    })
    return { urls, ports, webConfig, database, accounts, log, whenExited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts a suite on free ports in a separate folder, which is deleted when the suite stops;
 * `purpose` is part of its name.
 */
export async function startOwnSuite(
  purpose: string,
  options: Omit<SuiteOptions, 'portBase' | 'dataDir'> = {},
): Promise<Suite & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), `kerbside-${purpose}-`))
  // Keeps the folder when the suite cannot start, because its log says why.
  const suite = await startSuite({ ...options, portBase: 'free', dataDir: folder })
  const stop = async () => {
    await suite.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...suite, folder, stop }
}
