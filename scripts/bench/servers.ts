import { fork, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildEmulator } from '~/emulator/build'
import { ROOT } from '../build'
import { PEERS } from './peers'
import type { Asked, Measured } from './client'

const BUNDLE = join(ROOT, '.cache', 'bench', 'emulator.cjs')
const PATIENCE_MS = 120_000

/** One measured server in a process of its own. */
export interface MeasuredServer {
  readonly port: number
  /** Resident memory now and at its largest, in megabytes (10⁶ bytes). */
  memory(): { now: number; peak: number }
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

const untilListening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const lines: string[] = []
    const timer = setTimeout(() => reject(new Error('A server did not start.')), PATIENCE_MS)
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
      reject(new Error(`A server ended before it listened.\n${lines.slice(-10).join('\n')}`))
    })
  })

const megabytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 976.5625

const measured = async (
  child: ChildProcess,
  port: number,
  folder?: string,
): Promise<MeasuredServer> => {
  await untilListening(child)
  return {
    port,
    memory() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
        return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM') }
      } catch {
        // Only Linux tells.
        return { now: Number.NaN, peak: Number.NaN }
      }
    },
    async stop() {
      child.kill('SIGKILL')
      await endOf(child)
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Bundles the stand-in the way a suite runs it. */
export const bundleStandIn = (): Promise<void> => buildEmulator(BUNDLE)

/** Starts the bundled stand-in with a journal. */
export const startStandIn = async (): Promise<MeasuredServer> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-bench-'))
  const child = spawn(
    join(ROOT, 'emulator', 'bin', 'java'),
    ['-jar', 'database', '--host', '127.0.0.1', '--port', String(port)],
    {
      env: { ...process.env, KERBSIDE_EMULATOR_BUNDLE: BUNDLE, KERBSIDE_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return measured(child, port, folder)
}

/** Starts the peer, with what `file` holds if one is named. */
export const startPeer = async (file?: string): Promise<MeasuredServer> => {
  const port = await freePort()
  const script = join(import.meta.dirname, 'peerServer.mjs')
  const child = spawn(
    process.execPath,
    [script, PEERS, String(port), ...(file === undefined ? [] : [file])],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return measured(child, port)
}

/** The client script in a process of its own, talking to one server. */
export interface BenchClient {
  /** Does one measurement; throws with the script's own words when it fails. */
  measure(asked: Asked): Promise<Measured>
  stop(): Promise<void>
}

/** Starts the client script for a server. */
export const startClient = ({ port }: MeasuredServer): BenchClient => {
  const child = fork(join(import.meta.dirname, 'client.ts'), [String(port)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    measure: (asked) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error('The client ended before it answered.'))
        child.once('exit', gone)
        child.once('message', (answer: Measured | { error: string }) => {
          child.off('exit', gone)
          if ('error' in answer) reject(new Error(String(answer.error)))
          else resolve(answer)
        })
        child.send(asked)
      }),
    async stop() {
      child.kill('SIGKILL')
      await endOf(child)
    },
  }
}
