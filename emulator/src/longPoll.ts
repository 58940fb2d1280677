import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, parseJson } from './auth'
import { log, reason } from './log'
import { PONG } from './session'
import type { Frame, Session, Transport } from './session'
import type { Receiver } from './socket'

/** Clients ask again after 25 s at the latest; one that has been silent this long is gone. */
const SILENCE_MS = 60_000
const MAX_PENDING = 16 * 1024 * 1024
/** A client that has not come for so many characters of what it was told before is let go, as one behind a websocket is. */
const MAX_UNHEARD = 64 * 1024 * 1024
/** What a piece takes beside its text, so that empty ones are not for nothing. */
const PIECE_OVERHEAD = 100
const SWITCHED = '{"t":"c","d":{"t":"a","d":{}}}'
const END = '{"t":"c","d":{"t":"n","d":{}}}'

const controlOf = (text: string): unknown => {
  const message = parseJson(text)
  if (!isJsonObject(message) || message['t'] !== 'c' || !isJsonObject(message['d'])) return null
  return message['d']['t']
}

const answer = (response: ServerResponse, type: string, body: string, status = 200): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': '*',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** One client that polls: a session whose messages travel in scripts and addresses. */
class LongPoll implements Transport {
  readonly password = randomBytes(16).toString('base64url')
  session: Session | null = null
  private readonly queue: string[] = []
  /** Characters in `queue`. */
  private unheard = 0
  private held: ServerResponse | null = null
  private packets = 0
  private closing = false
  /** What the next script begins with. */
  private greeting = ''
  private silence: NodeJS.Timeout | undefined
  /** Pieces of messages by number, until all of a message are there. */
  private readonly pieces = new Map<number, { readonly of: number; readonly text: string }>()
  private pending = 0
  private nextPiece = 0
  /** The websocket that waits for this client's last words over polling. */
  successor: Upgrade | null = null

  constructor(
    private readonly callback: string,
    private readonly onOver: () => void,
  ) {
    this.heard()
  }

  send(frames: readonly Frame[]): void {
    if (this.unheard > MAX_UNHEARD) {
      this.queue.length = 0
      this.close()
      return
    }
    for (const frame of frames) {
      const text = frame.toString()
      this.queue.push(text)
      this.unheard += text.length
    }
    this.flush()
  }

  close(): void {
    this.closing = true
    this.session?.end()
    this.flush()
  }

  /** Lets the session go on elsewhere. */
  release(): void {
    this.session = null
  }

  /** Holds the first request, which tells the client how to go on. */
  start(response: ServerResponse, id: string): void {
    const args = ['start', id, this.password].map((arg) => JSON.stringify(arg))
    this.greeting = `parent.window["pLPCommand${this.callback}"](${args.join(',')});`
    this.hold(response)
  }

  /** Holds a request until there is something to say. */
  hold(response: ServerResponse): void {
    this.heard()
    if (this.held !== null) answer(this.held, 'application/javascript', '')
    this.held = response
    response.on('close', () => {
      if (this.held === response) this.held = null
    })
    this.flush()
  }

  /** Takes in the pieces of messages a poll carries. */
  take(params: URLSearchParams): void {
    for (let i = 0; params.has(`seg${i}`); i++) {
      const piece = { of: Number(params.get(`ts${i}`)), text: params.get(`d${i}`) ?? '' }
      const number = Number(params.get(`seg${i}`))
      const isWhole = Number.isSafeInteger(number) && Number.isSafeInteger(piece.of) && piece.of > 0
      if (!isWhole || number < this.nextPiece || this.pieces.has(number)) continue
      this.pieces.set(number, piece)
      this.pending += piece.text.length + PIECE_OVERHEAD
    }
    if (this.pending > MAX_PENDING) {
      this.close()
      return
    }
    this.assemble()
  }

  private assemble(): void {
    for (;;) {
      const first = this.pieces.get(this.nextPiece)
      if (first === undefined) return
      const texts: string[] = []
      for (let i = 0; i < first.of; i++) {
        const piece = this.pieces.get(this.nextPiece + i)
        if (piece === undefined) return
        texts.push(piece.text)
      }
      for (let i = 0; i < first.of; i++) this.pieces.delete(this.nextPiece + i)
      this.nextPiece += first.of
      const encoded = texts.join('')
      this.pending -= encoded.length + first.of * PIECE_OVERHEAD
      // The SDK pads its base64 with dots.
      const text = Buffer.from(encoded.replaceAll('.', ''), 'base64url').toString()
      if (controlOf(text) === 'n' && this.successor !== null) this.successor.takeOver()
      else this.session?.receive(text)
    }
  }

  private flush(): void {
    if (this.held === null || (this.queue.length === 0 && !this.closing)) return
    let script = this.greeting
    this.greeting = ''
    if (this.queue.length > 0) {
      const messages = this.queue.splice(0).join(',')
      this.unheard = 0
      script += `parent.window["pRTLPCB${this.callback}"](${this.packets++},[${messages}]);`
    }
    if (this.closing) {
      script += `parent.window["pLPCommand${this.callback}"]("close",${Math.max(0, this.packets - 1)});`
    }
    answer(this.held, 'application/javascript', script)
    this.held = null
    if (this.closing) this.over()
  }

  private over(): void {
    clearTimeout(this.silence)
    this.onOver()
  }

  private heard(): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => {
      this.close()
      this.over()
    }, SILENCE_MS)
    this.silence.unref()
  }
}

/** A websocket that is to carry on for a client that began by polling. */
class Upgrade implements Receiver {
  private taken = false
  private readonly early: string[] = []
  private pending = 0

  constructor(
    private readonly poll: LongPoll,
    private readonly session: Session,
    private readonly transport: Transport,
  ) {
    transport.send([SWITCHED])
  }

  receive(text: string): void {
    if (this.taken) {
      this.session.receive(text)
      return
    }
    const control = controlOf(text)
    if (control === 'p') this.transport.send([PONG])
    // What comes here may overtake what is still on its way by polling.
    else if (control === null) this.keep(text)
  }

  private keep(text: string): void {
    this.pending += text.length
    if (this.pending <= MAX_PENDING) this.early.push(text)
    else this.transport.close()
  }

  /** The client has said its last by polling. */
  takeOver(): void {
    this.taken = true
    this.poll.release()
    this.session.moveTo(this.transport, END)
    for (const text of this.early.splice(0)) this.session.receive(text)
  }

  end(): void {
    if (this.taken) this.session.end()
    else this.poll.successor = null
  }
}

/** The long-polling end of the protocol: how a browser begins that does not trust websockets yet. */
export class LongPolls {
  private readonly polls = new Map<string, LongPoll>()

  constructor(
    private readonly open: (request: IncomingMessage, transport: Transport) => Session | null,
  ) {}

  /** Answers a request to `/.lp`. */
  answer(request: IncomingMessage, response: ServerResponse, params: URLSearchParams): void {
    if (params.get('start') === 't') {
      this.start(request, response, params.get('cb') ?? '')
      return
    }
    if (params.get('dframe') === 't') {
      answer(response, 'text/html', leavePage(params))
      return
    }
    const poll = this.polls.get(params.get('id') ?? '')
    if (poll === undefined || poll.password !== params.get('pw')) {
      answer(response, 'application/javascript', '', 400)
      return
    }
    if (params.get('disconn') === 't') {
      poll.close()
      answer(response, 'application/javascript', '')
      return
    }
    poll.hold(response)
    try {
      poll.take(params)
    } catch (error) {
      // As behind a websocket: whoever asked is let go, everybody else is not.
      log(`poll dropped: ${reason(error)}`)
      poll.close()
    }
  }

  /** What a websocket gets that names a session begun by polling; null when there is none. */
  upgrade(sessionId: string, transport: Transport): Receiver | null {
    const poll = this.polls.get(sessionId)
    if (poll === undefined || poll.session === null) return null
    const upgrade = new Upgrade(poll, poll.session, transport)
    poll.successor = upgrade
    return upgrade
  }

  close(): void {
    for (const poll of this.polls.values()) poll.close()
  }

  private start(request: IncomingMessage, response: ServerResponse, callback: string): void {
    if (!/^\w{1,64}$/.test(callback)) {
      answer(response, 'application/javascript', '', 400)
      return
    }
    let id = ''
    const poll = new LongPoll(callback, () => this.polls.delete(id))
    poll.session = this.open(request, poll)
    if (poll.session === null) {
      answer(response, 'application/javascript', '', 400)
      return
    }
    id = poll.session.id
    this.polls.set(id, poll)
    poll.start(response, id)
  }
}

/** A page whose end tells us that the client's page has ended. */
const leavePage = (params: URLSearchParams): string => {
  const query = new URLSearchParams({
    disconn: 't',
    id: params.get('id') ?? '',
    pw: params.get('pw') ?? '',
    ns: params.get('ns') ?? '',
  })
  const address = JSON.stringify(`/.lp?${query.toString()}`).replaceAll('<', '\\u003c')
  return `<!doctype html><script>addEventListener("pagehide",()=>navigator.sendBeacon(${address}))</script>`
}
