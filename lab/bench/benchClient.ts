// Measures a server through the SDK, as its users reach it, with one script for both servers. The
// benchmark forks it once per server and requests one measurement at a time.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectDatabaseEmulator,
  equalTo,
  get,
  getDatabase,
  onValue,
  orderByChild,
  query,
  ref,
  runTransaction,
  set,
  type Database,
} from 'firebase/database'
import { BENCH_UID } from './benchBookings'
import { openRawClient } from './rawClient'

/** A measurement to run in the namespace `ns`. */
export type MeasurementRequest =
  | { scenario: 'sets'; ns: string; parent: string; count: number; listening: boolean }
  | { scenario: 'rawSets'; ns: string; parent: string; count: number }
  | { scenario: 'updates'; ns: string; uid: string; updates: readonly object[] }
  | { scenario: 'firstResult'; ns: string; customer: string }
  | { scenario: 'liveUpdates'; ns: string; customer: string; id: string; count: number }
  | { scenario: 'fanOut'; ns: string; clients: number; count: number }
  | { scenario: 'rawFanOut'; ns: string; clients: number; count: number }
  | { scenario: 'transactions'; ns: string; clients: number; each: number }

/** Named numbers: milliseconds, bytes or counts. */
export type MeasurementResult = Record<string, number | number[]>

const HOST = '127.0.0.1'
const port = Number(process.argv[2])

const openSockets = new Set<Socket>()
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket }
  openSockets.add(socket)
  socket.once('close', () => openSockets.delete(socket))
})
const countReceivedBytes = (): number =>
  [...openSockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0)

let appCount = 0
const connect = async (ns: string): Promise<{ database: Database; end(): Promise<void> }> => {
  const app = initializeApp(
    { projectId: ns, databaseURL: `http://${HOST}:1?ns=${ns}` },
    `${appCount++}`,
  )
  const database = getDatabase(app)
  connectDatabaseEmulator(database, HOST, port, { mockUserToken: { sub: BENCH_UID } })
  await new Promise<void>((resolve) => {
    const off = onValue(ref(database, '.info/connected'), (snapshot) => {
      if (snapshot.val() !== true) return
      setImmediate(() => off())
      resolve()
    })
  })
  return { database, end: () => deleteApp(app) }
}

/** Calls back for every event and resolves after the first one. */
const listenUntilFirst = (database: Database, path: string, on: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    onValue(
      ref(database, path),
      () => {
        resolve()
        on()
      },
      reject,
    )
  })

const scenarios = {
  async sets({ ns, parent, count, listening }: MeasurementRequest & { scenario: 'sets' }) {
    const { database, end } = await connect(ns)
    if (listening) await listenUntilFirst(database, `sets/${parent}`, () => undefined)
    const before = countReceivedBytes()
    const began = performance.now()
    const written: Promise<void>[] = []
    for (let i = 0; i < count; i++) {
      written.push(set(ref(database, `sets/${parent}/k${i}`), { n: i, s: 'pipelined' }))
    }
    await Promise.all(written)
    const ms = performance.now() - began
    const bytes = countReceivedBytes() - before
    await end()
    return { perSecond: (count / ms) * 1000, bytes }
  },

  async rawSets({ ns, parent, count }: MeasurementRequest & { scenario: 'rawSets' }) {
    const client = await openRawClient(port, ns)
    const texts = Array.from({ length: count }, (_, i) =>
      client.createRequest('p', `{"p":"/sets/${parent}/k${i}","d":{"n":${i},"s":"pipelined"}}`),
    )
    const began = performance.now()
    const refused = await client.send(texts)
    const ms = performance.now() - began
    client.close()
    return { perSecond: (count / ms) * 1000, refused }
  },

  async updates({ ns, uid, updates }: MeasurementRequest & { scenario: 'updates' }) {
    const client = await openRawClient(port, ns, uid)
    const texts = updates.map((update) =>
      client.createRequest('m', JSON.stringify({ p: '/', d: update })),
    )
    const began = performance.now()
    const refused = await client.send(texts)
    const ms = performance.now() - began
    client.close()
    return { microseconds: (ms * 1000) / updates.length, refused }
  },

  async firstResult({ ns, customer }: MeasurementRequest & { scenario: 'firstResult' }) {
    const { database, end } = await connect(ns)
    const before = countReceivedBytes()
    const began = performance.now()
    const of = query(ref(database, 'bookings'), orderByChild('customer'), equalTo(customer))
    const rows = await new Promise<number>((resolve, reject) => {
      onValue(of, (snapshot) => resolve(snapshot.size), reject)
    })
    const ms = performance.now() - began
    const bytes = countReceivedBytes() - before
    await end()
    return { ms, bytes, rows }
  },

  async liveUpdates({ ns, customer, id, count }: MeasurementRequest & { scenario: 'liveUpdates' }) {
    const writer = await connect(ns)
    const reader = await connect(ns)
    const readerSocket = [...openSockets].at(-1)
    if (readerSocket === undefined)
      throw new Error('There is no connection whose bytes can be counted. Connect first.')
    const times: number[] = []
    const sizes: number[] = []
    let handleValue: (value: unknown) => void = () => undefined
    const of = query(ref(reader.database, 'bookings'), orderByChild('customer'), equalTo(customer))
    await new Promise<void>((resolve, reject) => {
      onValue(
        of,
        (snapshot) => {
          resolve()
          handleValue(snapshot.child(`${id}/estimate`).val())
        },
        reject,
      )
    })
    for (let i = 1; i <= count; i++) {
      const before = readerSocket.bytesRead
      const began = performance.now()
      const received = new Promise<void>((resolve) => {
        handleValue = (value) => {
          if (value === i) resolve()
        }
      })
      const written = set(ref(writer.database, `bookings/${id}/estimate`), i)
      await received
      times.push(performance.now() - began)
      sizes.push(readerSocket.bytesRead - before)
      await written
    }
    await Promise.all([reader.end(), writer.end()])
    return { times, sizes }
  },

  async fanOut({ ns, clients, count }: MeasurementRequest & { scenario: 'fanOut' }) {
    const writer = await connect(ns)
    let received = 0
    let all: () => void = () => undefined
    const readers = await Promise.all(
      Array.from({ length: clients }, async () => {
        const reader = await connect(ns)
        await listenUntilFirst(reader.database, 'fan', () => {
          received++
          if (received === clients) all()
        })
        return reader
      }),
    )
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      received = 0
      const last = new Promise<void>((resolve) => {
        all = resolve
      })
      const began = performance.now()
      const written = set(ref(writer.database, 'fan'), { n: i, s: 'fan-out' })
      await last
      times.push(performance.now() - began)
      await written
    }
    await Promise.all([writer, ...readers].map(({ end }) => end()))
    return { times }
  },

  async rawFanOut({ ns, clients, count }: MeasurementRequest & { scenario: 'rawFanOut' }) {
    const writer = await openRawClient(port, ns)
    await writer.send([writer.createRequest('p', '{"p":"/fan","d":{"n":-1,"s":"fan-out"}}')])
    const readers = []
    for (let i = 0; i < clients; i++) {
      const reader = await openRawClient(port, ns)
      await reader.send([reader.createRequest('q', '{"p":"/fan","h":""}')])
      readers.push(reader)
    }
    const before = readers.map(({ countUpdates }) => countUpdates())
    const began = performance.now()
    await writer.send(
      Array.from({ length: count }, (_, i) =>
        writer.createRequest('p', `{"p":"/fan","d":{"n":${i},"s":"fan-out"}}`),
      ),
    )
    // The server answers a reader's own request only after everything it pushed to that reader.
    await Promise.all(readers.map((reader) => reader.send([reader.createRequest('s', '{"c":{}}')])))
    const ms = performance.now() - began
    const received = readers.reduce(
      (sum, { countUpdates }, i) => sum + countUpdates() - (before[i] ?? 0),
      0,
    )
    for (const client of [writer, ...readers]) client.close()
    return { ms, dropped: clients * count - received }
  },

  async transactions({ ns, clients, each }: MeasurementRequest & { scenario: 'transactions' }) {
    const all = await Promise.all(Array.from({ length: clients }, () => connect(ns)))
    const began = performance.now()
    const results = await Promise.all(
      all.flatMap(({ database }) =>
        Array.from({ length: each }, () =>
          runTransaction(ref(database, 'counter'), (value: number | null) => (value ?? 0) + 1),
        ),
      ),
    )
    const ms = performance.now() - began
    const committed = results.filter(({ committed }) => committed).length
    const first = all[0]
    const counted: unknown = first && (await get(ref(first.database, 'counter'))).val()
    await Promise.all(all.map(({ end }) => end()))
    return { ms, committed, counted: typeof counted === 'number' ? counted : Number.NaN }
  },
}

const runMeasurement = (request: MeasurementRequest): Promise<MeasurementResult> => {
  const run = scenarios[request.scenario] as (
    request: MeasurementRequest,
  ) => Promise<MeasurementResult>
  return run(request)
}

process.on('message', (request: MeasurementRequest) => {
  runMeasurement(request).then(
    (measured) => process.send?.(measured),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  )
})
