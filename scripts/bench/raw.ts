import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { tokenOfBench } from './bookings'

/** A client that speaks the wire protocol with as little work of its own as can be. */
interface RawClient {
  /** The text of a request, ready to be sent; the body is JSON text. */
  requestText(action: string, body: string): string
  /** Sends requests at once; resolves when all are answered with how many were not `ok`. */
  send(requests: readonly string[]): Promise<number>
  /** How often it was told of a change. */
  pushes(): number
  end(): void
}

const ANSWER = '{"t":"d","d":{"r":'
const PUSH = '{"t":"d","d":{"a":'

/** Connects and signs in as the bench's user. */
export const openRaw = async (port: number, ns: string): Promise<RawClient> => {
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
  socket.on('close', () => failed(new Error('The server closed the connection.')))
  socket.on('message', (payload: Buffer) => {
    const text = payload.toString('latin1')
    if (text.startsWith(PUSH)) pushes++
    if (!text.startsWith(ANSWER)) return
    if (!text.includes('"s":"ok"')) refused++
    missing--
    if (missing === 0) settled()
  })
  await greeted
  const client: RawClient = {
    requestText: (action, body) => {
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
    pushes: () => pushes,
    end: () => socket.terminate(),
  }
  await client.send([client.requestText('auth', JSON.stringify({ cred: tokenOfBench() }))])
  return client
}
