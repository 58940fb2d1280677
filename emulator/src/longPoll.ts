import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, parseJson } from './auth'
import { log, errorMessage } from './log'
import { createCorsHeaders } from './origin'
import { PONG } from './clientSession'
import type { Frame, Session, Transport } from './clientSession'
import type { MessageReceiver } from './webSocketEndpoint'

/** Clients poll again within 25 s; a client that is silent this long is gone. */
const CLIENT_TIMEOUT_MS = 60_000
const MAX_PENDING_CHARACTERS = 16 * 1024 * 1024
/**
 * Maximum characters of undelivered messages. Beyond it the server disconnects the client, as it
 * does with websockets.
 */
const MAX_UNDELIVERED_CHARACTERS = 64 * 1024 * 1024
/** Overhead of each part besides its text, so that empty parts also count. */
const PART_OVERHEAD = 100
const TRANSPORT_SWITCHED = '{"t":"c","d":{"t":"a","d":{}}}'
const END_OF_TRANSPORT = '{"t":"c","d":{"t":"n","d":{}}}'

const parseControl = (text: string): unknown => {
  const message = parseJson(text)
  if (!isJsonObject(message) || message['t'] !== 'c' || !isJsonObject(message['d'])) return null
  return message['d']['t']
}

const sendResponse = (response: ServerResponse, type: string, body: string, status = 200): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    ...createCorsHeaders(response.req),
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** A polling client: a session whose messages travel in scripts and URLs. */
class LongPollTransport implements Transport {
  readonly password = randomBytes(16).toString('base64url')
  session: Session | null = null
  private readonly queue: string[] = []
  /** Characters in `queue`. */
  private undeliveredCharacters = 0
  private heldResponse: ServerResponse | null = null
  private sentPackets = 0
  private isClosing = false
  /** The start of the next script. */
  private scriptPrefix = ''
  private timeout: NodeJS.Timeout | undefined
  /** Message parts by number, until a message is complete. */
  private readonly messageParts = new Map<number, { readonly of: number; readonly text: string }>()
  private pending = 0
  private nextPart = 0
  /** The websocket that waits for this client's last polled messages. */
  successor: PendingUpgrade | null = null

  constructor(
    private readonly callback: string,
    private readonly onOver: () => void,
  ) {
    this.restartTimeout()
  }

  send(frames: readonly Frame[]): void {
    if (this.undeliveredCharacters > MAX_UNDELIVERED_CHARACTERS) {
      this.queue.length = 0
      this.close()
      return
    }
    for (const frame of frames) {
      const text = frame.toString()
      this.queue.push(text)
      this.undeliveredCharacters += text.length
    }
    this.flush()
  }

  close(): void {
    this.isClosing = true
    this.session?.end()
    this.flush()
  }

  /** Releases the session to another transport. */
  detachSession(): void {
    this.session = null
  }

  /** Holds the first request, which tells the client how to continue. */
  start(response: ServerResponse, id: string): void {
    const args = ['start', id, this.password].map((arg) => JSON.stringify(arg))
    this.scriptPrefix = `parent.window["pLPCommand${this.callback}"](${args.join(',')});`
    this.holdRequest(response)
  }

  /** Holds a request until a message is available. */
  holdRequest(response: ServerResponse): void {
    this.restartTimeout()
    if (this.heldResponse !== null) sendResponse(this.heldResponse, 'application/javascript', '')
    this.heldResponse = response
    response.on('close', () => {
      if (this.heldResponse === response) this.heldResponse = null
    })
    this.flush()
  }

  /** Receives the message parts in a poll. */
  receiveParts(params: URLSearchParams): void {
    for (let i = 0; params.has(`seg${i}`); i++) {
      const piece = { of: Number(params.get(`ts${i}`)), text: params.get(`d${i}`) ?? '' }
      const number = Number(params.get(`seg${i}`))
      const isWhole = Number.isSafeInteger(number) && Number.isSafeInteger(piece.of) && piece.of > 0
      if (!isWhole || number < this.nextPart || this.messageParts.has(number)) continue
      this.messageParts.set(number, piece)
      this.pending += piece.text.length + PART_OVERHEAD
    }
    if (this.pending > MAX_PENDING_CHARACTERS) {
      this.close()
      return
    }
    this.assembleMessages()
  }

  private assembleMessages(): void {
    for (;;) {
      const first = this.messageParts.get(this.nextPart)
      if (first === undefined) return
      const texts: string[] = []
      for (let i = 0; i < first.of; i++) {
        const piece = this.messageParts.get(this.nextPart + i)
        if (piece === undefined) return
        texts.push(piece.text)
      }
      for (let i = 0; i < first.of; i++) this.messageParts.delete(this.nextPart + i)
      this.nextPart += first.of
      const encoded = texts.join('')
      this.pending -= encoded.length + first.of * PART_OVERHEAD
      // The SDK pads its base64 with dots.
      const text = Buffer.from(encoded.replaceAll('.', ''), 'base64url').toString()
      if (parseControl(text) === 'n' && this.successor !== null) this.successor.takeOver()
      else this.session?.receive(text)
    }
  }

  private flush(): void {
    if (this.heldResponse === null || (this.queue.length === 0 && !this.isClosing)) return
    let script = this.scriptPrefix
    this.scriptPrefix = ''
    if (this.queue.length > 0) {
      const messages = this.queue.splice(0).join(',')
      this.undeliveredCharacters = 0
      script += `parent.window["pRTLPCB${this.callback}"](${this.sentPackets++},[${messages}]);`
    }
    if (this.isClosing) {
      script += `parent.window["pLPCommand${this.callback}"]("close",${Math.max(0, this.sentPackets - 1)});`
    }
    sendResponse(this.heldResponse, 'application/javascript', script)
    this.heldResponse = null
    if (this.isClosing) this.end()
  }

  private end(): void {
    clearTimeout(this.timeout)
    this.onOver()
  }

  private restartTimeout(): void {
    clearTimeout(this.timeout)
    this.timeout = setTimeout(() => {
      this.close()
      this.end()
    }, CLIENT_TIMEOUT_MS)
    this.timeout.unref()
  }
}

/** A websocket that will replace the polling of a client. */
class PendingUpgrade implements MessageReceiver {
  private taken = false
  private readonly early: string[] = []
  private pending = 0

  constructor(
    private readonly poll: LongPollTransport,
    private readonly session: Session,
    private readonly transport: Transport,
  ) {
    transport.send([TRANSPORT_SWITCHED])
  }

  receive(text: string): void {
    if (this.taken) {
      this.session.receive(text)
      return
    }
    const control = parseControl(text)
    if (control === 'p') this.transport.send([PONG])
    // A message that arrives here may overtake messages still in flight by polling.
    else if (control === null) this.keep(text)
  }

  private keep(text: string): void {
    this.pending += text.length
    if (this.pending <= MAX_PENDING_CHARACTERS) this.early.push(text)
    else this.transport.close()
  }

  /** Takes over after the client's last polled message. */
  takeOver(): void {
    this.taken = true
    this.poll.detachSession()
    this.session.switchTransport(this.transport, END_OF_TRANSPORT)
    for (const text of this.early.splice(0)) this.session.receive(text)
  }

  end(): void {
    if (this.taken) this.session.end()
    else this.poll.successor = null
  }
}

/**
 * The long-polling endpoint of the protocol. A browser starts with it until it trusts websockets.
 */
export class LongPollEndpoint {
  private readonly polls = new Map<string, LongPollTransport>()

  constructor(
    private readonly open: (request: IncomingMessage, transport: Transport) => Session | null,
  ) {}

  /** Handles a request to `/.lp`. */
  handleRequest(request: IncomingMessage, response: ServerResponse, params: URLSearchParams): void {
    if (params.get('start') === 't') {
      this.start(request, response, params.get('cb') ?? '')
      return
    }
    if (params.get('dframe') === 't') {
      sendResponse(response, 'text/html', disconnectPage(params))
      return
    }
    const poll = this.polls.get(params.get('id') ?? '')
    if (poll === undefined || poll.password !== params.get('pw')) {
      sendResponse(response, 'application/javascript', '', 400)
      return
    }
    if (params.get('disconn') === 't') {
      poll.close()
      sendResponse(response, 'application/javascript', '')
      return
    }
    poll.holdRequest(response)
    try {
      poll.receiveParts(params)
    } catch (error) {
      // As with websockets, disconnects only this client.
      log(`poll dropped: ${errorMessage(error)}`)
      poll.close()
    }
  }

  /**
   * Returns the receiver for a websocket that names a polling session, or null when the session
   * does not exist.
   */
  createUpgrade(sessionId: string, transport: Transport): MessageReceiver | null {
    const poll = this.polls.get(sessionId)
    if (poll === undefined || poll.session === null) return null
    const upgrade = new PendingUpgrade(poll, poll.session, transport)
    poll.successor = upgrade
    return upgrade
  }

  close(): void {
    for (const poll of this.polls.values()) poll.close()
  }

  private start(request: IncomingMessage, response: ServerResponse, callback: string): void {
    if (!/^\w{1,64}$/.test(callback)) {
      sendResponse(response, 'application/javascript', '', 400)
      return
    }
    let id = ''
    const poll = new LongPollTransport(callback, () => this.polls.delete(id))
    poll.session = this.open(request, poll)
    if (poll.session === null) {
      sendResponse(response, 'application/javascript', '', 400)
      return
    }
    id = poll.session.id
    this.polls.set(id, poll)
    poll.start(response, id)
  }
}

/** Returns a page that reports its own unloading, which means that the client's page was closed. */
const disconnectPage = (params: URLSearchParams): string => {
  const query = new URLSearchParams({
    disconn: 't',
    id: params.get('id') ?? '',
    pw: params.get('pw') ?? '',
    ns: params.get('ns') ?? '',
  })
  const address = JSON.stringify(`/.lp?${query.toString()}`).replaceAll('<', '\\u003c')
  return `<!doctype html><script>addEventListener("pagehide",()=>navigator.sendBeacon(${address}))</script>`
}
