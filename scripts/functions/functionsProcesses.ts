import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../local/build'
import { BUCKET, NAMESPACE, PROJECT } from '../local/localDatabase'
import { LOCAL_MESSAGE_KEYS } from '../local/localMessageKeys'
import { HOST, type Ports } from '../local/ports'
import { getPreloadArguments } from '../preload/preloadArguments'
import type { Urls } from '../local/suiteConfig'

const IGNORED_LOG_LINE = /"message":"(?:call|Callable request verification passed)"/
/** Number of processes. A deployment has more, but this machine has limited capacity. */
const PROCESS_COUNT = 2

export interface FunctionsServer {
  /** Resolves when calls and triggers run; rejects when the functions cannot be started. */
  ready: Promise<void>
  stop(): Promise<void>
}

/**
 * Returns the environment of functions that use a local database. Their tokens are read but not
 * verified, because they come from no real project.
 */
export const createFunctionsEnvironment = (
  databasePort: number,
  features: { enableCors?: boolean } = {},
) => ({
  FUNCTIONS_EMULATOR: 'true',
  FIREBASE_DEBUG_MODE: 'true',
  FIREBASE_DEBUG_FEATURES: JSON.stringify({ skipTokenVerification: true, ...features }),
  GCLOUD_PROJECT: PROJECT,
  FIREBASE_CONFIG: JSON.stringify({
    projectId: PROJECT,
    storageBucket: BUCKET,
    databaseURL: `http://${HOST}:${databasePort}?ns=${NAMESPACE}`,
  }),
  FIREBASE_DATABASE_EMULATOR_HOST: `${HOST}:${databasePort}`,
  MESSAGE_KEYS: JSON.stringify(LOCAL_MESSAGE_KEYS),
})

/**
 * Serves the built functions at the suite's usual address, in a few processes that share all calls;
 * see functionsServer.mjs. They run the triggers too if `hasTriggers`.
 */
export const startFunctions = (
  ports: Ports,
  urls: Urls,
  { log, hasTriggers }: { log: string; hasTriggers: boolean },
): FunctionsServer => {
  const child = spawn(
    process.execPath,
    [
      ...getPreloadArguments('requestGuard'),
      join(ROOT, 'scripts', 'functions', 'functionsServer.mjs'),
      String(ports.functions),
      String(PROCESS_COUNT),
      String(hasTriggers ? ports.triggers : 0),
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: undefined,
        NODE_OPTIONS: undefined,
        TZ: 'UTC',
        ...createFunctionsEnvironment(ports.database, { enableCors: true }),
        FIREBASE_AUTH_EMULATOR_HOST: `${HOST}:${ports.auth}`,
        FIREBASE_STORAGE_EMULATOR_HOST: `${HOST}:${ports.storage}`,
        STORAGE_EMULATOR_HOST: urls.storage,
        // Payment providers and their return pages need our addresses.
        KERBSIDE_FUNCTIONS_URL: urls.functions,
        KERBSIDE_WEB_URL: urls.web,
        KERBSIDE_GUARD_OPEN: String(ports.functions),
      },
    },
  )
  // Not `exit`: the last lines of the processes arrive after it, and the log may be deleted then.
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  // Closing the input of an ended process is not an error.
  child.stdin.on('error', () => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    void exited.then(() =>
      reject(new Error(`The functions could not be started. The log (${log}) says why.`)),
    )
    const onLine = (line: string) => {
      if (line === 'ready') resolve()
      // Skips the line that each of hundreds of thousands of calls would write.
      else if (!IGNORED_LOG_LINE.test(line)) appendFileSync(log, `${line}\n`)
    }
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine)
  })
  // The caller may stop the server before it waits for it.
  ready.catch(() => undefined)
  return {
    ready,
    stop: async () => {
      child.stdin.end()
      await exited
    },
  }
}
