import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEmulator } from '../build'
import { openWireClient } from './wireClient'
import type { WireClient } from './wireClient'

/** `npm test -- --endurance` kills it more often. */
const ROUNDS = process.env.KERBSIDE_ENDURANCE === '1' ? 100 : 25
const JAVA_SHIM = join(import.meta.dirname, '../bin/java')

let folder = ''
const children: ChildProcess[] = []
let port = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durability-'))
  await buildEmulator(join(folder, 'emulator.cjs'))
  port = await new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => resolve(free))
    })
  })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Starts the stand-in as the suite does; resolves when it listens. */
const startStandIn = async (): Promise<ChildProcess> => {
  const child = spawn(
    JAVA_SHIM,
    ['-jar', 'database.jar', '--host', '127.0.0.1', '--port', String(port)],
    {
      env: {
        ...process.env,
        STAND_IN_BUNDLE: join(folder, 'emulator.cjs'),
        STAND_IN_DATA_DIR: join(folder, 'database'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error('The stand-in did not start')))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('listening')) resolve()
    })
  })
  return child
}

const waitForExit = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.on('exit', resolve))

interface WriteLog {
  /** The last acknowledged value at each path. */
  readonly values: Map<string, number>
  /** Values sent since then at each path, which the server may or may not have stored. */
  readonly unconfirmed: Map<string, Set<number>>
  /** The number of acknowledged increments of the counter. */
  confirmed: number
  sent: number
}

/** Writes as fast as possible until the connection breaks. */
const writeUntilBroken = async (
  client: WireClient,
  round: number,
  kept: WriteLog,
): Promise<void> => {
  let ended = false
  void client.whenClosed.then(() => {
    ended = true
  })
  for (let batch = 0; !ended; batch++) {
    const answers = Array.from({ length: 20 }, async (_, i) => {
      const place = `k${(batch * 20 + i) % 500}`
      const value = round * 1_000_000 + batch * 20 + i
      const unsure = kept.unconfirmed.get(place) ?? new Set()
      kept.unconfirmed.set(place, unsure.add(value))
      kept.sent++
      const answer = await client.request('m', {
        p: '/',
        d: { [`values/${place}`]: value, counter: { '.sv': { increment: 1 } } },
      })
      expect(answer.s).toBe('ok')
      kept.values.set(place, value)
      unsure.delete(value)
      kept.confirmed++
    })
    await Promise.race([Promise.all(answers), client.whenClosed])
  }
}

test(`all acknowledged writes survive ${ROUNDS} kills under load`, async () => {
  const kept: WriteLog = { values: new Map(), unconfirmed: new Map(), confirmed: 0, sent: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const child = await startStandIn()
    const client = await openWireClient(port, 'd')
    const { d } = await client.request('g', { p: '/', q: {} })
    const { values = {}, counter = 0 } = (d ?? {}) as {
      values?: Record<string, number>
      counter?: number
    }
    for (const [place, value] of kept.values) {
      const found = values[place] ?? -1
      // The server may have stored a later write of the same path without acknowledging it.
      const later = found > value && kept.unconfirmed.get(place)?.has(found) === true
      if (found !== value && !later) expect([round, place, found]).toEqual([round, place, value])
      kept.values.set(place, found)
    }
    kept.unconfirmed.clear()
    expect(counter).toBeGreaterThanOrEqual(kept.confirmed)
    expect(counter).toBeLessThanOrEqual(kept.sent)
    kept.confirmed = counter
    kept.sent = counter

    const loading = writeUntilBroken(client, round, kept)
    // Each round kills the server at another moment of its load.
    const enough = kept.confirmed + 20 + ((round * 37) % 400)
    while (kept.confirmed < enough) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    await Promise.all([waitForExit(child), loading])
  }
  expect(kept.confirmed).toBeGreaterThan(ROUNDS * 20)
}, 1_800_000)

test('on shutdown, the server runs and stores its clients’ onDisconnect writes', async () => {
  const child = await startStandIn()
  const client = await openWireClient(port, 'stop')
  await client.request('o', { p: '/left', d: 'behind' })
  child.kill('SIGINT')
  expect(await waitForExit(child)).toBe(0)
  const again = await startStandIn()
  const reader = await openWireClient(port, 'stop')
  expect((await reader.request('g', { p: '/left', q: {} })).d).toBe('behind')
  again.kill('SIGTERM')
  expect(await waitForExit(again)).toBe(0)
})
