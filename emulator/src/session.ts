import { randomBytes } from 'node:crypto'
import {
  ADMIN,
  actingAs,
  actorOfToken,
  CredentialError,
  isJsonObject,
  NOBODY,
  parseJson,
} from './auth'
import type { Actor } from './auth'
import { entriesText } from './listens'
import type { Listen } from './listens'
import type { Namespace } from './namespace'
import { OnDisconnect } from './onDisconnect'
import type { Outbox } from './outbox'
import { Push } from './push'
import { isFiltered, QueryError, queryFromWire } from './query/query'
import type { Entry } from './query/query'
import { Refusal } from './refusal'
import { ValueError } from './tree/build'
import { hashOf, hashOfChildren, isWorthHashing } from './tree/hash'
import { jsonText } from './tree/json'
import type { Node } from './tree/node'
import { compareKeys } from './tree/order'
import { PathError, placeOf, splitPath } from './tree/path'
import type { Path } from './tree/path'

export type Frame = string | Buffer

/** What carries a session's messages: a websocket or long polling. */
export interface Transport {
  /** Sends messages, in order. */
  send(frames: readonly Frame[]): void
  close(): void
}

type Json = Record<string, unknown>

/** A request that does not follow the protocol. */
const malformed = (message: string) => new Refusal('invalid_request', message, 400)

const MAX_WRITE_CHARACTERS = 16 * 1024 * 1024
/** How long a greeting is taken to be on its way. */
const GREETING_MS = 2
const MAX_HASHED_ROWS = 1000
/** Answers a ping. */
export const PONG = '{"t":"c","d":{"t":"o","d":{}}}'

/** The refusal an error stands for; anything unforeseen stays an error. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  if (error instanceof PathError) return new Refusal('invalid_path', error.message, 400)
  if (error instanceof ValueError) return new Refusal('invalid_data', error.message, 400)
  if (error instanceof QueryError) return new Refusal('invalid_query', error.message, 400)
  if (error instanceof CredentialError) return new Refusal('invalid_token', error.message, 401)
  throw error
}

/** One client's connection: its identity, its listens, and what it leaves behind. */
export class Session {
  readonly id = randomBytes(16).toString('base64url')
  private actor: Actor = NOBODY
  private ended = false
  private transport: Transport
  private frames: Frame[] = []
  /** The turn of the outbox `frames` leave in; any other number starts a new batch. */
  private turn = -1
  private readonly listens = new Map<string, Listen>()
  private readonly onDisconnect = new OnDisconnect()

  constructor(
    private readonly namespace: Namespace,
    private readonly outbox: Outbox,
    transport: Transport,
    private readonly onEnd: () => void,
  ) {
    this.transport = transport
  }

  get namespaceName(): string {
    return this.namespace.name
  }

  /** Greets the client, who speaks only after it. `host` is where it should reconnect to. */
  greet(host: string): void {
    // On one machine the greeting takes no time at all, and a client's estimate of a server timestamp
    // would often be the timestamp itself. Google's own tests rely on hearing of both.
    const d = { ts: Date.now() - GREETING_MS, v: '5', h: host, s: this.id }
    this.send(JSON.stringify({ t: 'c', d: { t: 'h', d } }))
  }

  /** Goes on over another transport; `last` is the old one's last message. */
  moveTo(transport: Transport, last: Frame): void {
    this.send(last)
    this.turn = -1
    this.outbox.add(() => {
      this.transport.close()
      this.transport = transport
    })
  }

  /** Queues one message. */
  send(frame: Frame): void {
    if (this.turn !== this.outbox.turn) {
      this.turn = this.outbox.turn
      const frames: Frame[] = []
      this.frames = frames
      this.outbox.add((lost) => {
        // What could not be kept is not acknowledged: the client reconnects and sends it again.
        if (lost) this.transport.close()
        else this.transport.send(frames)
      })
    }
    this.frames.push(frame)
  }

  /** Does what one message asks. A message that is no protocol at all closes the connection. */
  receive(text: string): void {
    if (this.ended) return
    const message = parseJson(text)
    if (!isJsonObject(message) || !isJsonObject(message['d'])) return this.close()
    if (message['t'] === 'c') return this.control(message['d'])
    if (message['t'] !== 'd') return this.close()
    this.answer(message['d'], text.length)
  }

  /** Ends the session: its last writes happen now. */
  end(): void {
    if (this.ended) return
    this.ended = true
    this.onEnd()
    for (const listen of this.listens.values()) this.namespace.unlisten(listen)
    this.listens.clear()
    for (const write of this.onDisconnect.take()) {
      try {
        this.namespace.write(write, this.actor)
      } catch (error) {
        // Nobody is left to be told that it was refused.
        refusalOf(error)
      }
    }
  }

  close(): void {
    this.end()
    this.outbox.add(() => this.transport.close())
  }

  private control(message: Json): void {
    if (message['t'] === 'p') this.send(PONG)
  }

  private answer({ r, a, b }: Json, size: number): void {
    if (typeof r !== 'number') return this.close()
    const reply = (status: string, text: string) =>
      this.send(`{"t":"d","d":{"r":${r},"b":{"s":"${status}","d":${text}}}}`)
    try {
      if (!isJsonObject(b)) throw malformed('The request has no body')
      reply('ok', this.perform(a, b, size))
    } catch (error) {
      const { status, message } = refusalOf(error)
      reply(status, JSON.stringify(message))
    }
  }

  /** Does one request and gives the JSON text to answer with. */
  private perform(action: unknown, body: Json, size: number): string {
    switch (action) {
      case 'p':
      case 'm':
        return this.put(body, action === 'm', size)
      case 'q':
        return this.listen(body)
      case 'n':
        return this.unlisten(body)
      case 'g':
        return this.get(body)
      case 'o':
      case 'om':
        return this.leave(body, action === 'om', size)
      case 'oc':
        this.onDisconnect.cancel(splitPath(pathText(body)))
        return '{}'
      case 'auth':
      case 'gauth':
        return this.identify(body, action)
      case 'unauth':
        this.become(NOBODY)
        return '{}'
      case 's':
      case 'appcheck':
      case 'unappeck':
        return '{}'
      default:
        throw new Refusal('no_such_method', 'Unknown request', 400)
    }
  }

  private put(body: Json, merge: boolean, size: number): string {
    if (size > MAX_WRITE_CHARACTERS) throw tooBig()
    const { d: json, h: hash } = body
    if (hash !== undefined && typeof hash !== 'string') throw malformed('A hash must be a string')
    const path = splitPath(pathText(body))
    this.namespace.write({ path, merge, json }, this.actor, { hash })
    return '""'
  }

  private leave(body: Json, merge: boolean, size: number): string {
    if (size > MAX_WRITE_CHARACTERS) throw tooBig()
    const write = { path: splitPath(pathText(body)), merge, json: body['d'] }
    this.namespace.check(write, this.actor)
    this.onDisconnect.add(write)
    return '""'
  }

  private get(body: Json): string {
    const path = placeOf(splitPath(pathText(body)))
    const query = queryFromWire(body['q'])
    const node = this.namespace.read(path, query, this.actor)
    if (!isFiltered(query)) return jsonText(node, 'export')
    return entriesText(this.namespace.select(path, query))
  }

  private listen(body: Json): string {
    const path = placeOf(splitPath(pathText(body)))
    const query = queryFromWire(body['q'])
    const { t: tag, h: hash } = body
    if (tag !== undefined && typeof tag !== 'number') throw malformed('A tag must be a number')
    const name = listenName(path, tag)
    const previous = this.listens.get(name)
    if (previous !== undefined) this.forget(name, previous)
    const node = this.namespace.read(path, query, this.actor)

    const entries = isFiltered(query) ? this.namespace.select(path, query) : null
    const known = typeof hash === 'string' ? hash : ''
    const nothing = entries === null ? node === null : entries.length === 0
    // What a query shows is seldom large, whatever it is chosen from.
    const isCheap = entries === null ? isWorthHashing(node) : entries.length < MAX_HASHED_ROWS
    const hasIt = known === '' ? nothing : isCheap && hashOfShown(node, entries) === known
    if (!hasIt) {
      const text = entries === null ? jsonText(node, 'export') : entriesText(entries)
      this.send(Push.put(path, text).frame(tag ?? null))
    }

    const listen: Listen = {
      path,
      query,
      actor: () => this.actor,
      push: (push) => this.send(push.frame(tag ?? null)),
      revoke: () => this.revoked(name, path, tag === undefined ? undefined : body['q']),
    }
    this.listens.set(name, listen)
    this.namespace.listen(listen)
    return this.namespace.isIndexed(path, query) ? '{}' : '{"w":["no_index"]}'
  }

  private unlisten(body: Json): string {
    const { t: tag } = body
    const name = listenName(splitPath(pathText(body)), typeof tag === 'number' ? tag : undefined)
    const listen = this.listens.get(name)
    if (listen !== undefined) this.forget(name, listen)
    return '{}'
  }

  private forget(name: string, listen: Listen): void {
    this.listens.delete(name)
    this.namespace.unlisten(listen)
  }

  private revoked(name: string, path: Path, query: unknown): void {
    this.listens.delete(name)
    const p = path.join('/')
    const b = query === undefined ? { p } : { p, q: [query] }
    this.send(JSON.stringify({ t: 'd', d: { a: 'c', b } }))
  }

  private identify(body: Json, action: 'auth' | 'gauth'): string {
    const { cred, authvar, noauth } = body
    if (typeof cred !== 'string') throw new CredentialError()
    const actor = action === 'gauth' ? ADMIN : actorOfToken(cred)
    this.become(actingAs(actor, noauth === true ? null : authvar))
    return JSON.stringify({ auth: this.actor.auth })
  }

  private become(actor: Actor): void {
    this.actor = actor
    this.namespace.judge([...this.listens.values()])
  }
}

const tooBig = () => new Refusal('too_big', 'The write is larger than 16 MB', 413)

const pathText = ({ p }: Json): string => {
  if (typeof p !== 'string') throw malformed('The request has no path')
  return p
}

const hashOfShown = (node: Node | null, entries: readonly Entry[] | null): string =>
  entries === null ? hashOf(node) : hashOfChildren(inKeyOrder(entries))

const inKeyOrder = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(([a], [b]) => compareKeys(a, b))

const listenName = (path: Path, tag: number | undefined): string => `${tag ?? ''}/${path.join('/')}`
