import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { createBenchToken } from './benchBookings'

/** A client that speaks the wire protocol with minimal work. */
interface RawClient {
  /** Returns the text of a request; the body is JSON text. */
  createRequest(action: string, body: string): string
  /**
   * Sends requests at once and resolves, when all have responses, with the number that were not
   * `ok`.
   */
  send(requests: readonly string[]): Promise<number>
  /** Returns the number of change events received. */
  countUpdates(): number
  close(): void
}

const RESPONSE_PREFIX = '{"t":"d","d":{"r":'
const UPDATE_PREFIX = '{"t":"d","d":{"a":'

/** Connects and signs in as the benchmark's user or another user. */
export const openRawClient = async (port: number, ns: string, uid?: string): Promise<RawClient> => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/.ws?v=5&ns=${ns}`, {
    perMessageDeflate: false,
  })
  let requests = 0
  let pushes = 0
  let missing = 0
  let refused = 0
  let settled: () => void = () => undefined
  let failed: (error: Error) => void = () => undefined
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve())
    socket.once('error', reject)
  })
  socket.on('close', () =>
    failed(new Error('The server closed the connection. Run the benchmark again.')),
  )
  socket.on('message', (payload: Buffer) => {
    const text = payload.toString('latin1')
    if (text.startsWith(UPDATE_PREFIX)) pushes++
    if (!text.startsWith(RESPONSE_PREFIX)) return
    if (!text.includes('"s":"ok"')) refused++
    missing--
    if (missing === 0) settled()
  })
  await greeted
  const client: RawClient = {
    createRequest: (action, body) => {
      requests++
      return `{"t":"d","d":{"r":${requests},"a":"${action}","b":${body}}}`
    },
    send: (texts) =>
      new Promise((resolve, reject) => {
        missing = texts.length
        refused = 0
        settled = () => resolve(refused)
        failed = reject
        const stream = (socket as unknown as { _socket: Duplex })._socket
        stream.cork()
        for (const text of texts) socket.send(text)
        stream.uncork()
      }),
    countUpdates: () => pushes,
    close: () => socket.terminate(),
  }
  await client.send([client.createRequest('auth', JSON.stringify({ cred: createBenchToken(uid) }))])
  return client
}
