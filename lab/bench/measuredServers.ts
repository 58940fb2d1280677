import { fork, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildEmulator } from '~/emulator/build'
import { ROOT } from '~/scripts/local/build'
import { PEERS_FOLDER } from './peerPackages'
import type { MeasurementRequest, MeasurementResult } from './benchClient'

const BUNDLE = join(ROOT, '.cache', 'bench', 'emulator.cjs')
const TIMEOUT_MS = 120_000

/** A measured server in a separate process. */
export interface MeasuredServer {
  readonly port: number
  readonly pid: number
  /** Returns the current and the peak resident memory in megabytes (10⁶ bytes). */
  readMemory(): { now: number; peak: number }
  stop(): Promise<void>
}

export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

export const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

const waitUntilListening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const lines: string[] = []
    const timer = setTimeout(
      () => reject(new Error('A server did not start. Run the benchmark again.')),
      TIMEOUT_MS,
    )
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        if (!line.includes('listening')) return
        clearTimeout(timer)
        resolve()
      })
    }
    child.once('exit', () => {
      clearTimeout(timer)
      reject(
        new Error(
          `A server ended before it listened. The end of its output:\n${lines.slice(-10).join('\n')}`,
        ),
      )
    })
  })

const readMegabytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 976.5625

const createMeasuredServer = async (
  child: ChildProcess,
  port: number,
  folder?: string,
): Promise<MeasuredServer> => {
  await waitUntilListening(child)
  return {
    port,
    pid: child.pid ?? 0,
    readMemory() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
        return { now: readMegabytes(status, 'VmRSS'), peak: readMegabytes(status, 'VmHWM') }
      } catch {
        // Only Linux reports it.
        return { now: Number.NaN, peak: Number.NaN }
      }
    },
    async stop() {
      child.kill('SIGKILL')
      await waitForExit(child)
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Bundles the stand-in as a suite runs it. */
export const bundleStandIn = (): Promise<void> => buildEmulator(BUNDLE)

/** Starts the bundled stand-in with a journal. */
export const startStandIn = async (): Promise<MeasuredServer> => {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-bench-'))
  const child = spawn(
    join(ROOT, 'emulator', 'bin', 'java'),
    ['-jar', 'database', '--host', '127.0.0.1', '--port', String(port)],
    {
      env: { ...process.env, STAND_IN_BUNDLE: BUNDLE, STAND_IN_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return createMeasuredServer(child, port, folder)
}

/** Starts the peer, with the data in `file` if given. */
export const startPeer = async (file?: string): Promise<MeasuredServer> => {
  const port = await findFreePort()
  const script = join(import.meta.dirname, 'peerServer.mjs')
  const child = spawn(
    process.execPath,
    [script, PEERS_FOLDER, String(port), ...(file === undefined ? [] : [file])],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return createMeasuredServer(child, port)
}

/** Calls a server's REST API. Throws with the server's message when it refuses. */
export const callRest = async (
  { port }: MeasuredServer,
  path: string,
  init: RequestInit,
): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  if (!response.ok)
    throw new Error(`The stand-in returned status ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Sets the rules of a namespace, as a deployment does. */
export const setRules = (server: MeasuredServer, ns: string, rules: string): Promise<void> =>
  callRest(server, `/.settings/rules.json?ns=${ns}`, {
    method: 'PUT',
    headers: { Authorization: 'Bearer owner' },
    body: rules,
  })

/** Returns one of the numbers that a client measured. */
export const getNumber = (measured: MeasurementResult, name: string): number => {
  const value = measured[name]
  if (typeof value !== 'number')
    throw new Error(`The client did not measure ${name}. Run the benchmark again.`)
  return value
}

/** The client script in a separate process, connected to one server. */
export interface BenchClient {
  /** Runs one measurement. Throws with the script's message when it fails. */
  measure(request: MeasurementRequest): Promise<MeasurementResult>
  stop(): Promise<void>
}

/** Starts the client script for a server. */
export const startClient = ({ port }: MeasuredServer): BenchClient => {
  const child = fork(join(import.meta.dirname, 'benchClient.ts'), [String(port)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    measure: (request) =>
      new Promise((resolve, reject) => {
        const gone = () =>
          reject(
            new Error('The client ended before it returned a result. Run the benchmark again.'),
          )
        child.once('exit', gone)
        child.once('message', (message: MeasurementResult | { error: string }) => {
          child.off('exit', gone)
          if ('error' in message) reject(new Error(String(message.error)))
          else resolve(message)
        })
        child.send(request)
      }),
    async stop() {
      child.kill('SIGKILL')
      await waitForExit(child)
    },
  }
}
