import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../build'
import {
  bookingIdAt,
  bookings,
  customerAt,
  ROWS_OF_A_CUSTOMER,
  RULES,
  tokenOfBench,
} from './bookings'
import type { Asked, Measured } from './client'
import { against, atLeast, atMost, median, percentile, type Figure } from './figure'
import { installPeers } from './peers'
import {
  bundleStandIn,
  startClient,
  startPeer,
  startStandIn,
  type BenchClient,
  type MeasuredServer,
} from './servers'

const RUNS = 5
const SETTLED_MS = 3000
const MANY = 100_000
const FEW = 10_000
const NS = 'bench'

interface Side {
  server: MeasuredServer
  client: BenchClient
}

const sideOf = async (starting: Promise<MeasuredServer>): Promise<Side> => {
  const server = await starting
  return { server, client: startClient(server) }
}

const endOf = async ({ server, client }: Side): Promise<void> => {
  await client.stop()
  await server.stop()
}

const call = async ({ port }: MeasuredServer, path: string, init: RequestInit): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
  if (!answer.ok) throw new Error(`The stand-in answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

const setRules = (server: MeasuredServer, ns: string): Promise<void> =>
  call(server, `/.settings/rules.json?ns=${ns}`, {
    method: 'PUT',
    headers: { Authorization: 'Bearer owner' },
    body: JSON.stringify(RULES),
  })

const put = (server: MeasuredServer, ns: string, text: string): Promise<void> =>
  call(server, `/bookings.json?print=silent&ns=${ns}&auth=${tokenOfBench()}`, {
    method: 'PUT',
    body: text,
  })

const number = (measured: Measured, name: string): number => {
  const value = measured[name]
  if (typeof value !== 'number') throw new Error(`The client did not measure ${name}.`)
  return value
}

const numbers = (measured: Measured, name: string): number[] => {
  const value = measured[name]
  if (!Array.isArray(value)) throw new Error(`The client did not measure ${name}.`)
  return value
}

/** The medians of what `names` mean, here and on the peer, measured in turn. */
const inTurn = async <Name extends string>(
  here: Side,
  peer: Side | undefined,
  runs: number,
  names: readonly Name[],
  asked: (run: number) => Asked,
): Promise<Record<Name, { here: number; peer: number | undefined }>> => {
  const ours: Measured[] = []
  const theirs: Measured[] = []
  for (let run = 0; run < runs; run++) {
    ours.push(await here.client.measure(asked(run)))
    if (peer !== undefined) theirs.push(await peer.client.measure(asked(run)))
  }
  const entries = names.map((name) => [
    name,
    {
      here: median(ours.map((each) => number(each, name))),
      peer: peer && median(theirs.map((each) => number(each, name))),
    },
  ])
  return Object.fromEntries(entries) as Record<Name, { here: number; peer: number | undefined }>
}

const benchSets = async (here: Side, peer: Side | undefined): Promise<Figure[]> => {
  const count = 2000
  const sets = (listening: boolean) => (run: number) => ({
    scenario: 'sets' as const,
    ns: NS,
    parent: `${listening ? 'heard' : 'alone'}${run}`,
    count,
    listening,
  })
  const alone = await inTurn(here, peer, RUNS, ['perSecond'], sets(false))
  const heard = await inTurn(here, peer, 3, ['perSecond', 'bytes'], sets(true))
  const raw: number[] = []
  let refused = 0
  for (let run = 0; run < RUNS; run++) {
    const measured = await here.client.measure({
      scenario: 'rawSets',
      ns: NS,
      parent: `raw${run}`,
      count: 20_000,
    })
    raw.push(number(measured, 'perSecond'))
    refused += number(measured, 'refused')
  }
  if (refused > 0) throw new Error('The stand-in refused a write of the bench.')
  const inMegabytes = {
    here: heard.bytes.here / 1e6,
    peer: heard.bytes.peer === undefined ? undefined : heard.bytes.peer / 1e6,
  }
  return [
    against('rate', '2,000 pipelined sets', '/s', alone.perSecond, 3),
    atLeast('20,000 sets, raw protocol client', '/s', median(raw), 20_000),
    against('rate', '2,000 sets while listening to the parent', '/s', heard.perSecond, 10),
    against('cost', '  what it received', 'MB', inMegabytes),
  ]
}

const benchQueries = async (peers: boolean, say: (line: string) => void): Promise<Figure[]> => {
  const many = bookings(MANY)
  const text = JSON.stringify(many)
  const folder = join(ROOT, '.cache', 'bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'bookings.json')
  if (peers) writeFileSync(file, `{"bookings":${text}}`)

  say('Importing …')
  const imports: number[] = []
  const memories: number[] = []
  let peak = 0
  for (let run = 0; run < 3; run++) {
    const server = await startStandIn()
    await setRules(server, NS)
    const began = performance.now()
    await put(server, NS, text)
    imports.push((performance.now() - began) / 1000)
    await pause(SETTLED_MS)
    const memory = server.memory()
    memories.push(memory.now)
    peak = Math.max(peak, memory.peak)
    await server.stop()
  }

  say('Querying …')
  const here = await sideOf(startStandIn())
  const peer = peers ? await sideOf(startPeer(file)) : undefined
  try {
    for (const [ns, of] of [
      [NS, text],
      ['few', JSON.stringify(bookings(FEW))],
    ] as const) {
      await setRules(here.server, ns)
      await put(here.server, ns, of)
    }
    await pause(SETTLED_MS)
    const first = (run: number): Asked => ({
      scenario: 'firstResult',
      ns: NS,
      customer: customerAt(10 + run),
    })
    const both = await inTurn(here, peer, 3, ['ms', 'bytes', 'rows'], first)
    if (both.rows.here !== ROWS_OF_A_CUSTOMER) throw new Error('The query missed rows.')
    const times = { many: [] as number[], few: [] as number[] }
    for (let run = 0; run < 21; run++) {
      const customer = customerAt(20 + run)
      const ask = async (ns: string) =>
        number(await here.client.measure({ scenario: 'firstResult', ns, customer }), 'ms')
      times.many.push(await ask(NS))
      times.few.push(await ask('few'))
    }
    const rows = Buffer.byteLength(
      JSON.stringify(
        Object.fromEntries(
          Object.entries(many).filter((_, i) => i % (MANY / ROWS_OF_A_CUSTOMER) === 10),
        ),
      ),
    )
    const live = await here.client.measure({
      scenario: 'liveUpdates',
      ns: NS,
      customer: customerAt(10),
      id: bookingIdAt(10),
      count: 100,
    })
    const scale = median(times.many) / median(times.few)
    const firstMs = { here: median(times.many), peer: both.ms.peer }
    const kilobytes = {
      here: both.bytes.here / 1000,
      peer: both.bytes.peer === undefined ? undefined : both.bytes.peer / 1000,
    }
    return [
      against('cost', 'equalTo over 100,000 records, first result', 'ms', firstMs, 100),
      against('cost', '  what it received', 'kB', kilobytes),
      atMost('  received per byte of the 200 rows', '×', both.bytes.here / rows, 1.3),
      {
        name: '  100,000 records against 10,000',
        unit: '×',
        here: scale,
        bound: '1 ± 20 %',
        met: Math.abs(scale - 1) <= 0.2,
      },
      atMost('live update of one matching row', 'ms', median(numbers(live, 'times')), 5),
      atMost('  what it received', 'bytes', Math.max(...numbers(live, 'sizes')), 1000),
      atMost(`${MANY.toLocaleString('en')} bookings by PUT`, 's', median(imports), 1.5),
      atMost('  resident memory after it', 'MB', median(memories), 250),
      { name: '  resident memory at its largest', unit: 'MB', here: peak },
    ]
  } finally {
    await endOf(here)
    if (peer !== undefined) await endOf(peer)
  }
}

const benchCrowds = async ({ client }: Side): Promise<Figure[]> => {
  const fans: number[][] = []
  for (let run = 0; run < RUNS; run++) {
    const asked = { scenario: 'fanOut' as const, ns: NS, clients: 50, count: 100 }
    fans.push(numbers(await client.measure(asked), 'times'))
  }
  const tail = median(fans.map((times) => percentile(times, 0.95)))
  const crowd = await client.measure({ scenario: 'rawFanOut', ns: NS, clients: 1000, count: 20 })
  const counting = await client.measure({
    scenario: 'transactions',
    ns: NS,
    clients: 20,
    each: 10,
  })
  return [
    atMost('fan-out to 50 clients, the last one, p95', 'ms', tail, 10),
    { name: '  the last one, median', unit: 'ms', here: median(fans.flat()) },
    atMost('fan-out to 1,000 clients, dropped of 20,000', '', number(crowd, 'dropped'), 0),
    { name: '  until all had everything', unit: 'ms', here: number(crowd, 'ms') },
    atMost('200 concurrent transactions, lost', '', 200 - number(counting, 'counted'), 0),
    { name: '  until all were committed', unit: 'ms', here: number(counting, 'ms') },
  ]
}

/** The stand-in beside `firebase-server`: bundled, with its journal and with rules. */
export const benchDatabase = async (say: (line: string) => void): Promise<Figure[]> => {
  const peers = installPeers(say)
  await bundleStandIn()
  const here = await sideOf(startStandIn())
  const peer = peers ? await sideOf(startPeer()) : undefined
  const figures: Figure[] = []
  try {
    await setRules(here.server, NS)
    say('Writing …')
    figures.push(...(await benchSets(here, peer)))
    say('Telling many …')
    figures.push(...(await benchCrowds(here)))
  } finally {
    await endOf(here)
    if (peer !== undefined) await endOf(peer)
  }
  return [...figures, ...(await benchQueries(peers, say))]
}
