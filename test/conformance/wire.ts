import { WebSocket } from 'ws'

export type Json = Record<string, unknown>

export interface Answer {
  readonly s: string
  readonly d: unknown
}

/** What the server said without being asked. */
export interface Pushed {
  readonly a: string
  readonly b: {
    readonly p: string
    readonly d?: unknown
    readonly t?: number
    readonly q?: unknown
  }
}

/** A client that speaks the wire protocol itself, so that tests see what really travels. */
export class WireClient {
  readonly pushes: Pushed[] = []
  /** All that came, in order, as text. */
  readonly frames: string[] = []
  readonly greeted: Promise<Json>
  readonly closed: Promise<number>
  bytes = 0
  private requests = 0
  private readonly waiting = new Map<number, (answer: Answer) => void>()

  constructor(readonly socket: WebSocket) {
    let greet: (greeting: Json) => void = () => undefined
    this.greeted = new Promise((resolve) => {
      greet = resolve
    })
    this.closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    socket.on('message', (payload: Buffer) => {
      const text = payload.toString()
      this.bytes += payload.length
      this.frames.push(text)
      const { t, d } = JSON.parse(text) as { t: string; d: Json }
      if (t === 'c') {
        if (d['t'] === 'h') greet(d['d'] as Json)
        return
      }
      if (typeof d['r'] === 'number') {
        this.waiting.get(d['r'])?.(d['b'] as Answer)
        this.waiting.delete(d['r'])
      } else this.pushes.push(d as unknown as Pushed)
    })
  }

  /** Sends text as it is. */
  raw(text: string | Buffer): void {
    this.socket.send(text)
  }

  /** Makes a request and waits for its answer. */
  request(a: string, b: unknown = {}): Promise<Answer> {
    const r = ++this.requests
    this.raw(JSON.stringify({ t: 'd', d: { r, a, b } }))
    return new Promise((resolve) => this.waiting.set(r, resolve))
  }

  /** Makes a request with its body given as JSON text. */
  requestText(a: string, body: string): Promise<Answer> {
    const r = ++this.requests
    this.raw(`{"t":"d","d":{"r":${r},"a":"${a}","b":${body}}}`)
    return new Promise((resolve) => this.waiting.set(r, resolve))
  }

  end(): void {
    this.socket.terminate()
  }
}

/** Connects to a server's websocket and waits for its greeting. */
export const openWire = async (port: number, ns: string, params = ''): Promise<WireClient> => {
  const client = new WireClient(new WebSocket(`ws://127.0.0.1:${port}/.ws?v=5&ns=${ns}${params}`))
  await client.greeted
  return client
}
