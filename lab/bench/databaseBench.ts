import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '~/scripts/local/build'
import {
  getBookingId,
  createBookings,
  getCustomerId,
  BOOKINGS_PER_CUSTOMER,
  BENCH_RULES,
  createBenchToken,
} from './benchBookings'
import type { MeasurementRequest, MeasurementResult } from './benchClient'
import {
  compareWithPeer,
  boundBelow,
  boundAbove,
  getMedian,
  getPercentile,
  type Measurement,
} from './measurement'
import { installPeers } from './peerPackages'
import {
  bundleStandIn,
  callRest,
  getNumber,
  setRules,
  startClient,
  startPeer,
  startStandIn,
  type BenchClient,
  type MeasuredServer,
} from './measuredServers'

const RUNS = 5
const SETTLED_MS = 3000
const MANY_ROWS = 100_000
const FEW_ROWS = 10_000
const NAMESPACE = 'bench'

interface MeasuredSide {
  server: MeasuredServer
  client: BenchClient
}

const startSide = async (starting: Promise<MeasuredServer>): Promise<MeasuredSide> => {
  const server = await starting
  return { server, client: startClient(server) }
}

const stopSide = async ({ server, client }: MeasuredSide): Promise<void> => {
  await client.stop()
  await server.stop()
}

const RULES_TEXT = JSON.stringify(BENCH_RULES)

const putJson = (server: MeasuredServer, ns: string, text: string): Promise<void> =>
  callRest(server, `/bookings.json?print=silent&ns=${ns}&auth=${createBenchToken()}`, {
    method: 'PUT',
    body: text,
  })

const getNumbers = (measured: MeasurementResult, name: string): number[] => {
  const value = measured[name]
  if (!Array.isArray(value))
    throw new Error(`The client did not measure ${name}. Run the benchmark again.`)
  return value
}

/** Returns the medians of the measurements in `names`, taken alternately here and on the peer. */
const measureInTurn = async <Name extends string>(
  here: MeasuredSide,
  peer: MeasuredSide | undefined,
  runs: number,
  names: readonly Name[],
  request: (run: number) => MeasurementRequest,
): Promise<Record<Name, { here: number; peer: number | undefined }>> => {
  const ours: MeasurementResult[] = []
  const theirs: MeasurementResult[] = []
  for (let run = 0; run < runs; run++) {
    ours.push(await here.client.measure(request(run)))
    if (peer !== undefined) theirs.push(await peer.client.measure(request(run)))
  }
  const entries = names.map((name) => [
    name,
    {
      here: getMedian(ours.map((each) => getNumber(each, name))),
      peer: peer && getMedian(theirs.map((each) => getNumber(each, name))),
    },
  ])
  return Object.fromEntries(entries) as Record<Name, { here: number; peer: number | undefined }>
}

const benchSets = async (
  here: MeasuredSide,
  peer: MeasuredSide | undefined,
): Promise<Measurement[]> => {
  const count = 2000
  const sets = (listening: boolean) => (run: number) => ({
    scenario: 'sets' as const,
    ns: NAMESPACE,
    parent: `${listening ? 'delivered' : 'alone'}${run}`,
    count,
    listening,
  })
  const alone = await measureInTurn(here, peer, RUNS, ['perSecond'], sets(false))
  const delivered = await measureInTurn(here, peer, 3, ['perSecond', 'bytes'], sets(true))
  const raw: number[] = []
  let refused = 0
  for (let run = 0; run < RUNS; run++) {
    const measured = await here.client.measure({
      scenario: 'rawSets',
      ns: NAMESPACE,
      parent: `raw${run}`,
      count: 20_000,
    })
    raw.push(getNumber(measured, 'perSecond'))
    refused += getNumber(measured, 'refused')
  }
  if (refused > 0)
    throw new Error('The stand-in refused a write of the benchmark. Check its rules.')
  const inMegabytes = {
    here: delivered.bytes.here / 1e6,
    peer: delivered.bytes.peer === undefined ? undefined : delivered.bytes.peer / 1e6,
  }
  return [
    compareWithPeer('rate', '2,000 pipelined sets', '/s', alone.perSecond, 3),
    boundBelow('20,000 sets, raw protocol client', '/s', getMedian(raw), 20_000),
    compareWithPeer(
      'rate',
      '2,000 sets while listening to the parent',
      '/s',
      delivered.perSecond,
      10,
    ),
    compareWithPeer('cost', '  what it received', 'MB', inMegabytes),
  ]
}

/** Returns the seconds of each import of a text, and the megabytes that the server then uses. */
const measureImports = async (
  text: string,
): Promise<{ imports: number[]; memories: number[]; peak: number }> => {
  const imports: number[] = []
  const memories: number[] = []
  let peak = 0
  for (let run = 0; run < 3; run++) {
    const server = await startStandIn()
    await setRules(server, NAMESPACE, RULES_TEXT)
    const began = performance.now()
    await putJson(server, NAMESPACE, text)
    imports.push((performance.now() - began) / 1000)
    await pause(SETTLED_MS)
    const memory = server.readMemory()
    memories.push(memory.now)
    peak = Math.max(peak, memory.peak)
    await server.stop()
  }
  return { imports, memories, peak }
}

/** Returns the milliseconds until the first result among many records and among few, in turn. */
const measureFirstResults = async ({
  client,
}: MeasuredSide): Promise<{ many: number[]; few: number[] }> => {
  const many: number[] = []
  const few: number[] = []
  for (let run = 0; run < 21; run++) {
    const customer = getCustomerId(20 + run)
    const measure = async (ns: string) =>
      getNumber(await client.measure({ scenario: 'firstResult', ns, customer }), 'ms')
    many.push(await measure(NAMESPACE))
    few.push(await measure('few'))
  }
  return { many, few }
}

const benchQueries = async (
  peers: boolean,
  say: (line: string) => void,
): Promise<Measurement[]> => {
  const many = createBookings(MANY_ROWS)
  const text = JSON.stringify(many)
  const folder = join(ROOT, '.cache', 'bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'bookings.json')
  if (peers) writeFileSync(file, `{"bookings":${text}}`)

  say('Importing …')
  const { imports, memories, peak } = await measureImports(text)

  say('Querying …')
  const here = await startSide(startStandIn())
  const peer = peers ? await startSide(startPeer(file)) : undefined
  try {
    for (const [ns, of] of [
      [NAMESPACE, text],
      ['few', JSON.stringify(createBookings(FEW_ROWS))],
    ] as const) {
      await setRules(here.server, ns, RULES_TEXT)
      await putJson(here.server, ns, of)
    }
    await pause(SETTLED_MS)
    const first = (run: number): MeasurementRequest => ({
      scenario: 'firstResult',
      ns: NAMESPACE,
      customer: getCustomerId(10 + run),
    })
    const both = await measureInTurn(here, peer, 3, ['ms', 'bytes', 'rows'], first)
    if (both.rows.here !== BOOKINGS_PER_CUSTOMER)
      throw new Error('The query returned too few rows. Load the data again.')
    const times = await measureFirstResults(here)
    const rows = Buffer.byteLength(
      JSON.stringify(
        Object.fromEntries(
          Object.entries(many).filter((_, i) => i % (MANY_ROWS / BOOKINGS_PER_CUSTOMER) === 10),
        ),
      ),
    )
    const live = await here.client.measure({
      scenario: 'liveUpdates',
      ns: NAMESPACE,
      customer: getCustomerId(10),
      id: getBookingId(10),
      count: 100,
    })
    const scale = getMedian(times.many) / getMedian(times.few)
    const firstMs = { here: getMedian(times.many), peer: both.ms.peer }
    const kilobytes = {
      here: both.bytes.here / 1000,
      peer: both.bytes.peer === undefined ? undefined : both.bytes.peer / 1000,
    }
    return [
      compareWithPeer('cost', 'equalTo over 100,000 records, first result', 'ms', firstMs, 100),
      compareWithPeer('cost', '  what it received', 'kB', kilobytes),
      boundAbove('  received per byte of the 200 rows', '×', both.bytes.here / rows, 1.3),
      {
        name: '  100,000 records against 10,000',
        unit: '×',
        here: scale,
        bound: '1 ± 20 %',
        met: Math.abs(scale - 1) <= 0.2,
      },
      boundAbove('live update of one matching row', 'ms', getMedian(getNumbers(live, 'times')), 5),
      boundAbove('  what it received', 'bytes', Math.max(...getNumbers(live, 'sizes')), 1000),
      boundAbove(`${MANY_ROWS.toLocaleString('en')} bookings by PUT`, 's', getMedian(imports), 1.5),
      boundAbove('  resident memory after it', 'MB', getMedian(memories), 250),
      { name: '  resident memory at its largest', unit: 'MB', here: peak },
    ]
  } finally {
    await stopSide(here)
    if (peer !== undefined) await stopSide(peer)
  }
}

const benchManyListeners = async ({ client }: MeasuredSide): Promise<Measurement[]> => {
  const fans: number[][] = []
  for (let run = 0; run < RUNS; run++) {
    const request = { scenario: 'fanOut' as const, ns: NAMESPACE, clients: 50, count: 100 }
    fans.push(getNumbers(await client.measure(request), 'times'))
  }
  const tail = getMedian(fans.map((times) => getPercentile(times, 0.95)))
  const concurrent = await client.measure({
    scenario: 'rawFanOut',
    ns: NAMESPACE,
    clients: 1000,
    count: 20,
  })
  const counting = await client.measure({
    scenario: 'transactions',
    ns: NAMESPACE,
    clients: 20,
    each: 10,
  })
  return [
    boundAbove('fan-out to 50 clients, the last one, p95', 'ms', tail, 10),
    { name: '  the last one, median', unit: 'ms', here: getMedian(fans.flat()) },
    boundAbove(
      'fan-out to 1,000 clients, dropped of 20,000',
      '',
      getNumber(concurrent, 'dropped'),
      0,
    ),
    { name: '  until all had everything', unit: 'ms', here: getNumber(concurrent, 'ms') },
    boundAbove('200 concurrent transactions, lost', '', 200 - getNumber(counting, 'counted'), 0),
    { name: '  until all were committed', unit: 'ms', here: getNumber(counting, 'ms') },
  ]
}

/** Compares the stand-in with `firebase-server`: bundled, with its journal and with rules. */
export const benchDatabase = async (say: (line: string) => void): Promise<Measurement[]> => {
  const peers = installPeers(say, 'bench-peers')
  await bundleStandIn()
  const here = await startSide(startStandIn())
  const peer = peers ? await startSide(startPeer()) : undefined
  const figures: Measurement[] = []
  try {
    await setRules(here.server, NAMESPACE, RULES_TEXT)
    say('Writing …')
    figures.push(...(await benchSets(here, peer)))
    say('Notifying many subscribers …')
    figures.push(...(await benchManyListeners(here)))
  } finally {
    await stopSide(here)
    if (peer !== undefined) await stopSide(peer)
  }
  return [...figures, ...(await benchQueries(peers, say))]
}
