import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from './build'
import { BUCKET, NAMESPACE, PROJECT } from './localDatabase'
import { HOST, type Ports } from './ports'
import type { Urls } from './suiteConfig'

const QUIET = /"message":"(?:call|Callable request verification passed)"/
/** At once; a deploy has more, this machine has not. */
const PROCESSES = 2

export interface FunctionsProcesses {
  /** Whose children run the functions. */
  pid: number
  stop(): Promise<void>
}

/** Serves the built functions at the suite's usual address, in few processes that share all calls; see functionsHost.mjs. */
export const startFunctions = async (
  ports: Ports,
  urls: Urls,
  log: string,
): Promise<FunctionsProcesses> => {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts', 'functionsHost.mjs'), String(ports.functions), String(PROCESSES)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: undefined,
        NODE_OPTIONS: undefined,
        FUNCTIONS_EMULATOR: 'true',
        FIREBASE_DEBUG_MODE: 'true',
        FIREBASE_DEBUG_FEATURES: JSON.stringify({ skipTokenVerification: true, enableCors: true }),
        GCLOUD_PROJECT: PROJECT,
        FIREBASE_CONFIG: JSON.stringify({
          projectId: PROJECT,
          storageBucket: BUCKET,
          databaseURL: `${urls.database}?ns=${NAMESPACE}`,
        }),
        FIREBASE_DATABASE_EMULATOR_HOST: `${HOST}:${ports.database}`,
        FIREBASE_AUTH_EMULATOR_HOST: `${HOST}:${ports.auth}`,
        KERBSIDE_FUNCTIONS_URL: urls.functions,
        KERBSIDE_WEB_URL: urls.web,
      },
    },
  )
  const { pid } = child
  if (pid === undefined) throw new Error('The functions could not be started.')
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    void exited.then(() => reject(new Error('The functions ended before they were ready.')))
    const hear = (line: string) => {
      if (line === 'ready') resolve()
      // A line for each of hundreds of thousands of calls would tell nobody anything.
      else if (!QUIET.test(line)) appendFileSync(log, `${line}\n`)
    }
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear)
  })
  return {
    pid,
    stop: async () => {
      child.stdin.end()
      await exited
    },
  }
}
