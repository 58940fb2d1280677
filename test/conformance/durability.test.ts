import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEmulator } from '../../emulator/build'
import { openWire } from './wire'
import type { WireClient } from './wire'

const ROUNDS = 100
const JAVA = join(import.meta.dirname, '../../emulator/bin/java')

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

/** Starts the stand-in as the suite would; resolves when it listens. */
const start = async (): Promise<ChildProcess> => {
  const child = spawn(
    JAVA,
    ['-jar', 'database.jar', '--host', '127.0.0.1', '--port', String(port)],
    {
      env: {
        ...process.env,
        KERBSIDE_EMULATOR_BUNDLE: join(folder, 'emulator.cjs'),
        KERBSIDE_DATA_DIR: join(folder, 'database'),
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

const gone = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.on('exit', resolve))

interface Kept {
  /** What was acknowledged last at each place. */
  readonly values: Map<string, number>
  /** What was sent since and may or may not have been kept. */
  readonly unsure: Map<string, Set<number>>
  /** Acknowledged and sent increments of the counter. */
  sure: number
  sent: number
}

/** Writes as fast as it can until the connection breaks. */
const load = async (client: WireClient, round: number, kept: Kept): Promise<void> => {
  let ended = false
  void client.closed.then(() => {
    ended = true
  })
  for (let batch = 0; !ended; batch++) {
    const answers = Array.from({ length: 20 }, async (_, i) => {
      const place = `k${(batch * 20 + i) % 500}`
      const value = round * 1_000_000 + batch * 20 + i
      const unsure = kept.unsure.get(place) ?? new Set()
      kept.unsure.set(place, unsure.add(value))
      kept.sent++
      const answer = await client.request('m', {
        p: '/',
        d: { [`values/${place}`]: value, counter: { '.sv': { increment: 1 } } },
      })
      expect(answer.s).toBe('ok')
      kept.values.set(place, value)
      unsure.delete(value)
      kept.sure++
    })
    await Promise.race([Promise.all(answers), client.closed])
  }
}

test(`all that was acknowledged survives ${ROUNDS} kills under load`, async () => {
  const kept: Kept = { values: new Map(), unsure: new Map(), sure: 0, sent: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const child = await start()
    const client = await openWire(port, 'd')
    const { d } = await client.request('g', { p: '/', q: {} })
    const { values = {}, counter = 0 } = (d ?? {}) as {
      values?: Record<string, number>
      counter?: number
    }
    for (const [place, value] of kept.values) {
      const found = values[place] ?? -1
      // A later write of the same place may have been kept though nobody was told.
      const later = found > value && kept.unsure.get(place)?.has(found) === true
      if (found !== value && !later) expect([round, place, found]).toEqual([round, place, value])
      kept.values.set(place, found)
    }
    kept.unsure.clear()
    expect(counter).toBeGreaterThanOrEqual(kept.sure)
    expect(counter).toBeLessThanOrEqual(kept.sent)
    kept.sure = counter
    kept.sent = counter

    const loading = load(client, round, kept)
    // Each round is killed at another moment of its load.
    const enough = kept.sure + 20 + ((round * 37) % 400)
    while (kept.sure < enough) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    await Promise.all([gone(child), loading])
  }
  expect(kept.sure).toBeGreaterThan(ROUNDS * 20)
}, 1_800_000)

test('told to stop, it does what clients left for their disconnection, and keeps it', async () => {
  const child = await start()
  const client = await openWire(port, 'stop')
  await client.request('o', { p: '/left', d: 'behind' })
  child.kill('SIGINT')
  expect(await gone(child)).toBe(0)
  const again = await start()
  const reader = await openWire(port, 'stop')
  expect((await reader.request('g', { p: '/left', q: {} })).d).toBe('behind')
  again.kill('SIGTERM')
  expect(await gone(again)).toBe(0)
})
