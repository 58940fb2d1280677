import { WebSocket } from 'ws'

export type Json = Record<string, unknown>

export interface WireResponse {
  readonly s: string
  readonly d: unknown
}

/** A message that the server sent without a request. */
export interface WireUpdate {
  readonly a: string
  readonly b: {
    readonly p: string
    readonly d?: unknown
    readonly t?: number
    readonly q?: unknown
  }
}

/** A client that speaks the wire protocol directly, so that tests see the actual frames. */
export class WireClient {
  readonly updates: WireUpdate[] = []
  /** All received frames as text, oldest first. */
  readonly frames: string[] = []
  readonly whenGreeted: Promise<Json>
  readonly whenClosed: Promise<number>
  bytes = 0
  private requests = 0
  private readonly waiting = new Map<number, (answer: WireResponse) => void>()

  constructor(readonly socket: WebSocket) {
    let greet: (greeting: Json) => void = () => undefined
    this.whenGreeted = new Promise((resolve) => {
      greet = resolve
    })
    this.whenClosed = new Promise((resolve) => socket.on('close', resolve))
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
        this.waiting.get(d['r'])?.(d['b'] as WireResponse)
        this.waiting.delete(d['r'])
      } else this.updates.push(d as unknown as WireUpdate)
    })
  }

  /** Sends text unchanged. */
  sendRaw(text: string | Buffer): void {
    this.socket.send(text)
  }

  /** Sends a request and resolves with its response. */
  request(a: string, b: unknown = {}): Promise<WireResponse> {
    const r = ++this.requests
    this.sendRaw(JSON.stringify({ t: 'd', d: { r, a, b } }))
    return new Promise((resolve) => this.waiting.set(r, resolve))
  }

  /** Sends a request whose body is JSON text, and resolves with its response. */
  requestWithJson(a: string, body: string): Promise<WireResponse> {
    const r = ++this.requests
    this.sendRaw(`{"t":"d","d":{"r":${r},"a":"${a}","b":${body}}}`)
    return new Promise((resolve) => this.waiting.set(r, resolve))
  }

  close(): void {
    this.socket.terminate()
  }
}

/** Connects to a server's WebSocket and waits for its handshake. */
export const openWireClient = async (
  port: number,
  ns: string,
  params = '',
): Promise<WireClient> => {
  const client = new WireClient(new WebSocket(`ws://127.0.0.1:${port}/.ws?v=5&ns=${ns}${params}`))
  await client.whenGreeted
  return client
}
