// Why: a server is measured as its users meet it, through the SDK, by one script for both servers.
// The bench forks this once a server and asks for one measurement after the other.
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
import { UID } from './bookings'
import { openRaw } from './raw'

/** What to measure, in the namespace `ns`. */
export type Asked =
  | { scenario: 'sets'; ns: string; parent: string; count: number; listening: boolean }
  | { scenario: 'rawSets'; ns: string; parent: string; count: number }
  | { scenario: 'firstResult'; ns: string; customer: string }
  | { scenario: 'liveUpdates'; ns: string; customer: string; id: string; count: number }
  | { scenario: 'fanOut'; ns: string; clients: number; count: number }
  | { scenario: 'rawFanOut'; ns: string; clients: number; count: number }
  | { scenario: 'transactions'; ns: string; clients: number; each: number }

/** Named numbers: milliseconds, bytes or counts. */
export type Measured = Record<string, number | number[]>

const HOST = '127.0.0.1'
const port = Number(process.argv[2])

const open = new Set<Socket>()
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket }
  open.add(socket)
  socket.once('close', () => open.delete(socket))
})
const received = (): number => [...open].reduce((sum, { bytesRead }) => sum + bytesRead, 0)

let apps = 0
const connect = async (ns: string): Promise<{ database: Database; end(): Promise<void> }> => {
  const app = initializeApp(
    { projectId: ns, databaseURL: `http://${HOST}:1?ns=${ns}` },
    `${apps++}`,
  )
  const database = getDatabase(app)
  connectDatabaseEmulator(database, HOST, port, { mockUserToken: { sub: UID } })
  await new Promise<void>((resolve) => {
    const off = onValue(ref(database, '.info/connected'), (snapshot) => {
      if (snapshot.val() !== true) return
      setImmediate(() => off())
      resolve()
    })
  })
  return { database, end: () => deleteApp(app) }
}

/** Calls back for each event from now on; resolves when the first has come. */
const listen = (database: Database, path: string, on: () => void): Promise<void> =>
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
  async sets({ ns, parent, count, listening }: Asked & { scenario: 'sets' }) {
    const { database, end } = await connect(ns)
    if (listening) await listen(database, `sets/${parent}`, () => undefined)
    const before = received()
    const began = performance.now()
    const written: Promise<void>[] = []
    for (let i = 0; i < count; i++) {
      written.push(set(ref(database, `sets/${parent}/k${i}`), { n: i, s: 'pipelined' }))
    }
    await Promise.all(written)
    const ms = performance.now() - began
    const bytes = received() - before
    await end()
    return { perSecond: (count / ms) * 1000, bytes }
  },

  async rawSets({ ns, parent, count }: Asked & { scenario: 'rawSets' }) {
    const client = await openRaw(port, ns)
    const texts = Array.from({ length: count }, (_, i) =>
      client.requestText('p', `{"p":"/sets/${parent}/k${i}","d":{"n":${i},"s":"pipelined"}}`),
    )
    const began = performance.now()
    const refused = await client.send(texts)
    const ms = performance.now() - began
    client.end()
    return { perSecond: (count / ms) * 1000, refused }
  },

  async firstResult({ ns, customer }: Asked & { scenario: 'firstResult' }) {
    const { database, end } = await connect(ns)
    const before = received()
    const began = performance.now()
    const of = query(ref(database, 'bookings'), orderByChild('customer'), equalTo(customer))
    const rows = await new Promise<number>((resolve, reject) => {
      onValue(of, (snapshot) => resolve(snapshot.size), reject)
    })
    const ms = performance.now() - began
    const bytes = received() - before
    await end()
    return { ms, bytes, rows }
  },

  async liveUpdates({ ns, customer, id, count }: Asked & { scenario: 'liveUpdates' }) {
    const writer = await connect(ns)
    const reader = await connect(ns)
    const readerOf = [...open].at(-1)
    if (readerOf === undefined) throw new Error('No connection to count the bytes of.')
    const times: number[] = []
    const sizes: number[] = []
    let seen: (value: unknown) => void = () => undefined
    const of = query(ref(reader.database, 'bookings'), orderByChild('customer'), equalTo(customer))
    await new Promise<void>((resolve, reject) => {
      onValue(
        of,
        (snapshot) => {
          resolve()
          seen(snapshot.child(`${id}/estimate`).val())
        },
        reject,
      )
    })
    for (let i = 1; i <= count; i++) {
      const before = readerOf.bytesRead
      const began = performance.now()
      const heard = new Promise<void>((resolve) => {
        seen = (value) => {
          if (value === i) resolve()
        }
      })
      const written = set(ref(writer.database, `bookings/${id}/estimate`), i)
      await heard
      times.push(performance.now() - began)
      sizes.push(readerOf.bytesRead - before)
      await written
    }
    await Promise.all([reader.end(), writer.end()])
    return { times, sizes }
  },

  async fanOut({ ns, clients, count }: Asked & { scenario: 'fanOut' }) {
    const writer = await connect(ns)
    let heard = 0
    let all: () => void = () => undefined
    const readers = await Promise.all(
      Array.from({ length: clients }, async () => {
        const reader = await connect(ns)
        await listen(reader.database, 'fan', () => {
          heard++
          if (heard === clients) all()
        })
        return reader
      }),
    )
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      heard = 0
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

  async rawFanOut({ ns, clients, count }: Asked & { scenario: 'rawFanOut' }) {
    const writer = await openRaw(port, ns)
    await writer.send([writer.requestText('p', '{"p":"/fan","d":{"n":-1,"s":"fan-out"}}')])
    const readers = []
    for (let i = 0; i < clients; i++) {
      const reader = await openRaw(port, ns)
      await reader.send([reader.requestText('q', '{"p":"/fan","h":""}')])
      readers.push(reader)
    }
    const before = readers.map(({ pushes }) => pushes())
    const began = performance.now()
    await writer.send(
      Array.from({ length: count }, (_, i) =>
        writer.requestText('p', `{"p":"/fan","d":{"n":${i},"s":"fan-out"}}`),
      ),
    )
    // A reader's own request is answered behind all that was pushed to it.
    await Promise.all(readers.map((reader) => reader.send([reader.requestText('s', '{"c":{}}')])))
    const ms = performance.now() - began
    const heard = readers.reduce((sum, { pushes }, i) => sum + pushes() - (before[i] ?? 0), 0)
    for (const client of [writer, ...readers]) client.end()
    return { ms, dropped: clients * count - heard }
  },

  async transactions({ ns, clients, each }: Asked & { scenario: 'transactions' }) {
    const all = await Promise.all(Array.from({ length: clients }, () => connect(ns)))
    const began = performance.now()
    const done = await Promise.all(
      all.flatMap(({ database }) =>
        Array.from({ length: each }, () =>
          runTransaction(ref(database, 'counter'), (value: number | null) => (value ?? 0) + 1),
        ),
      ),
    )
    const ms = performance.now() - began
    const committed = done.filter(({ committed }) => committed).length
    const first = all[0]
    const counted: unknown = first && (await get(ref(first.database, 'counter'))).val()
    await Promise.all(all.map(({ end }) => end()))
    return { ms, committed, counted: typeof counted === 'number' ? counted : Number.NaN }
  },
}

const measure = (asked: Asked): Promise<Measured> => {
  const run = scenarios[asked.scenario] as (asked: Asked) => Promise<Measured>
  return run(asked)
}

process.on('message', (asked: Asked) => {
  measure(asked).then(
    (measured) => process.send?.(measured),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  )
})
