import { randomBytes } from 'node:crypto'
import {
  ADMIN_ACTOR,
  impersonate,
  actorFromIdToken,
  InvalidCredentialError,
  isJsonObject,
  ANONYMOUS_ACTOR,
  parseJson,
} from './auth'
import type { Actor } from './auth'
import { entriesToJson } from './listeners'
import type { Listener } from './listeners'
import type { Namespace } from './namespace'
import { DisconnectWrites } from './disconnectWrites'
import { assertLocalOrigin } from './origin'
import type { SendQueue } from './sendQueue'
import { DataUpdate } from './dataUpdate'
import { isFiltered, parseWireQuery } from './query/query'
import type { Entry } from './query/query'
import { RequestError, toRequestError } from './requestError'
import { hashNode, hashChildren, isWorthHashing } from './tree/nodeHash'
import { nodeToJsonText } from './tree/nodeJson'
import type { Node } from './tree/node'
import { compareKeys } from './tree/order'
import { parseReadPath, splitPath } from './tree/path'
import type { Path } from './tree/path'

export type Frame = string | Buffer

/** The channel of a session's messages: a websocket or long polling. */
export interface Transport {
  /** Sends messages, in order. */
  send(frames: readonly Frame[]): void
  close(): void
}

type Json = Record<string, unknown>

/** Returns the error for a request that does not follow the protocol. */
const malformedRequestError = (message: string) => new RequestError('invalid_request', message, 400)

const MAX_WRITE_CHARACTERS = 16 * 1024 * 1024
/** The assumed travel time of a greeting. */
const GREETING_TIMEOUT_MS = 2
const MAX_HASHED_ROWS = 1000
/** The response to a ping. */
export const PONG = '{"t":"c","d":{"t":"o","d":{}}}'

interface SessionOptions {
  onEnd: () => void
  /** The page from another machine that opened the session, if any. */
  foreignPage: string | null
}

/** A client's connection: its identity, its listeners and its disconnect writes. */
export class Session {
  readonly id = randomBytes(16).toString('base64url')
  private actor: Actor = ANONYMOUS_ACTOR
  private isEnded = false
  private frames: Frame[] = []
  /** The turn of the send queue in which `frames` are sent; any other number starts a new batch. */
  private queueTurn = -1
  private readonly listeners = new Map<string, Listener>()
  private readonly onDisconnect = new DisconnectWrites()

  constructor(
    private readonly namespace: Namespace,
    private readonly outbox: SendQueue,
    private transport: Transport,
    private readonly options: SessionOptions,
  ) {}

  get namespaceName(): string {
    return this.namespace.name
  }

  /** Greets the client, which waits for the greeting. `host` is the address for reconnecting. */
  greet(host: string): void {
    // On one machine the greeting takes no time, so a client's estimate of a server timestamp would
    // often equal the timestamp. Google's own tests expect an event for each.
    const d = { ts: Date.now() - GREETING_TIMEOUT_MS, v: '5', h: host, s: this.id }
    this.send(JSON.stringify({ t: 'c', d: { t: 'h', d } }))
  }

  /** Moves the session to another transport. `last` is the last message on the old one. */
  switchTransport(transport: Transport, last: Frame): void {
    this.send(last)
    this.queueTurn = -1
    this.outbox.add(() => {
      this.transport.close()
      this.transport = transport
    })
  }

  /** Queues one message. */
  send(frame: Frame): void {
    if (this.queueTurn !== this.outbox.turnNumber) {
      this.queueTurn = this.outbox.turnNumber
      const frames: Frame[] = []
      this.frames = frames
      this.outbox.add((lost) => {
        // A write that was not saved gets no acknowledgement, so the client reconnects and sends it
        // again.
        if (lost) this.transport.close()
        else this.transport.send(frames)
      })
    }
    this.frames.push(frame)
  }

  /** Handles one message. A message outside the protocol closes the connection. */
  receive(text: string): void {
    if (this.isEnded) return
    const message = parseJson(text)
    if (!isJsonObject(message) || !isJsonObject(message['d'])) return this.close()
    if (message['t'] === 'c') return this.handleControl(message['d'])
    if (message['t'] !== 'd') return this.close()
    this.handleRequest(message['d'], text.length)
  }

  /** Ends the session and performs its disconnect writes. */
  end(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.options.onEnd()
    for (const handleListen of this.listeners.values()) this.namespace.removeListener(handleListen)
    this.listeners.clear()
    for (const write of this.onDisconnect.takeAll()) {
      try {
        this.namespace.write(write, this.actor)
      } catch (error) {
        // The client is gone, so a refusal has no receiver.
        toRequestError(error)
      }
    }
  }

  close(): void {
    this.end()
    this.outbox.add(() => this.transport.close())
  }

  private handleControl(message: Json): void {
    if (message['t'] === 'p') this.send(PONG)
  }

  private handleRequest({ r, a, b }: Json, size: number): void {
    if (typeof r !== 'number') return this.close()
    const reply = (status: string, text: string) =>
      this.send(`{"t":"d","d":{"r":${r},"b":{"s":"${status}","d":${text}}}}`)
    try {
      if (!isJsonObject(b)) throw malformedRequestError('The request has no body')
      reply('ok', this.executeAction(a, b, size))
    } catch (error) {
      const { status, message } = toRequestError(error)
      reply(status, JSON.stringify(message))
    }
  }

  /** Handles one request and returns the JSON text of the response. */
  private executeAction(action: unknown, body: Json, size: number): string {
    switch (action) {
      case 'p':
      case 'm':
        return this.handlePut(body, action === 'm', size)
      case 'q':
        return this.listen(body)
      case 'n':
        return this.handleUnlisten(body)
      case 'g':
        return this.handleGet(body)
      case 'o':
      case 'om':
        return this.handleOnDisconnect(body, action === 'om', size)
      case 'oc':
        this.onDisconnect.cancel(splitPath(getPathText(body)))
        return '{}'
      case 'auth':
      case 'gauth':
        return this.handleAuth(body, action)
      case 'unauth':
        this.changeActor(ANONYMOUS_ACTOR)
        return '{}'
      case 's':
      case 'appcheck':
      case 'unappeck':
        return '{}'
      default:
        throw new RequestError('no_such_method', 'Unknown request', 400)
    }
  }

  private handlePut(body: Json, merge: boolean, size: number): string {
    if (size > MAX_WRITE_CHARACTERS) throw dataTooLargeError()
    const { d: json, h: hash } = body
    if (hash !== undefined && typeof hash !== 'string')
      throw malformedRequestError('A hash must be a string')
    const path = splitPath(getPathText(body))
    this.namespace.write({ path, isMerge: merge, json }, this.actor, { hash })
    return '""'
  }

  private handleOnDisconnect(body: Json, merge: boolean, size: number): string {
    if (size > MAX_WRITE_CHARACTERS) throw dataTooLargeError()
    const write = { path: splitPath(getPathText(body)), isMerge: merge, json: body['d'] }
    this.namespace.assertWriteAllowed(write, this.actor)
    this.onDisconnect.add(write)
    return '""'
  }

  private handleGet(body: Json): string {
    const path = parseReadPath(splitPath(getPathText(body)))
    const query = parseWireQuery(body['q'])
    const node = this.namespace.read(path, query, this.actor)
    if (!isFiltered(query)) return nodeToJsonText(node, 'export')
    return entriesToJson(this.namespace.select(path, query))
  }

  private listen(body: Json): string {
    const path = parseReadPath(splitPath(getPathText(body)))
    const query = parseWireQuery(body['q'])
    const { t: tag, h: hash } = body
    if (tag !== undefined && typeof tag !== 'number')
      throw malformedRequestError('A tag must be a number')
    const name = toListenerKey(path, tag)
    const previous = this.listeners.get(name)
    if (previous !== undefined) this.removeListener(name, previous)
    const node = this.namespace.read(path, query, this.actor)

    const entries = isFiltered(query) ? this.namespace.select(path, query) : null
    const clientHash = typeof hash === 'string' ? hash : ''
    const nothing = entries === null ? node === null : entries.length === 0
    // A query rarely selects many rows, whatever the size of its collection.
    const isCheap = entries === null ? isWorthHashing(node) : entries.length < MAX_HASHED_ROWS
    const hasIt = clientHash === '' ? nothing : isCheap && hashEntries(node, entries) === clientHash
    if (!hasIt) {
      const text = entries === null ? nodeToJsonText(node, 'export') : entriesToJson(entries)
      this.send(DataUpdate.put(path, text).toFrame(tag ?? null))
    }

    const listen: Listener = {
      path,
      query,
      getActor: () => this.actor,
      sendUpdate: (push) => this.send(push.toFrame(tag ?? null)),
      onRevoked: () => this.notifyRevoked(name, path, tag === undefined ? undefined : body['q']),
    }
    this.listeners.set(name, listen)
    this.namespace.listen(listen)
    return this.namespace.isIndexed(path, query) ? '{}' : '{"w":["no_index"]}'
  }

  private handleUnlisten(body: Json): string {
    const { t: tag } = body
    const name = toListenerKey(
      splitPath(getPathText(body)),
      typeof tag === 'number' ? tag : undefined,
    )
    const listen = this.listeners.get(name)
    if (listen !== undefined) this.removeListener(name, listen)
    return '{}'
  }

  private removeListener(name: string, listen: Listener): void {
    this.listeners.delete(name)
    this.namespace.removeListener(listen)
  }

  private notifyRevoked(name: string, path: Path, query: unknown): void {
    this.listeners.delete(name)
    const p = path.join('/')
    const b = query === undefined ? { p } : { p, q: [query] }
    this.send(JSON.stringify({ t: 'd', d: { a: 'c', b } }))
  }

  private handleAuth(body: Json, action: 'auth' | 'gauth'): string {
    const { cred, authvar, noauth } = body
    if (typeof cred !== 'string') throw new InvalidCredentialError()
    assertLocalOrigin(this.options.foreignPage)
    const actor = action === 'gauth' ? ADMIN_ACTOR : actorFromIdToken(cred)
    this.changeActor(impersonate(actor, noauth === true ? null : authvar))
    return JSON.stringify({ auth: this.actor.auth })
  }

  private changeActor(actor: Actor): void {
    this.actor = actor
    this.namespace.revokeForbidden([...this.listeners.values()])
  }
}

const dataTooLargeError = () => new RequestError('too_big', 'The write is larger than 16 MB', 413)

const getPathText = ({ p }: Json): string => {
  if (typeof p !== 'string') throw malformedRequestError('The request has no path')
  return p
}

const hashEntries = (node: Node | null, entries: readonly Entry[] | null): string =>
  entries === null ? hashNode(node) : hashChildren(sortByKey(entries))

const sortByKey = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(([a], [b]) => compareKeys(a, b))

const toListenerKey = (path: Path, tag: number | undefined): string =>
  `${tag ?? ''}/${path.join('/')}`
