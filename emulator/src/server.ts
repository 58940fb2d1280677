import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { collector } from './collector'
import type { Disk } from './journal/journal'
import { Keeper } from './keeper'
import type { Kept } from './keeper'
import { log, reason } from './log'
import { LongPolls } from './longPoll'
import { Namespace } from './namespace'
import type { NamespaceHooks } from './namespace'
import { Outbox } from './outbox'
import { actorOf, errorReply, jsonReply, preflight, send } from './rest/http'
import type { Call, Reply } from './rest/http'
import { stream, wantsStream } from './rest/stream'
import { answerValue } from './rest/values'
import { invalid, permissionDenied, Refusal } from './refusal'
import { refusalOf, Session } from './session'
import type { Transport } from './session'
import { inspect, Settings } from './settings'
import { Sockets } from './socket'
import { Triggers } from './triggers'
import type { FunctionsAddress } from './triggers'
import { packRows } from './tree/packing'
import { splitPath } from './tree/path'

interface DatabaseOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Where function triggers are delivered; nowhere by default. */
  readonly functions?: FunctionsAddress | undefined
  /** The folder that keeps the data; in memory only by default. */
  readonly folder?: string | undefined
}

export interface Database {
  readonly port: number
  /** Runs what clients left for their disconnection, then stops. */
  close(): Promise<void>
}

const LARGE_BODY = 4 * 1024 * 1024
// `gc` is there when Node was started with --expose-gc, as bin/java does.
const collectAfter = collector(
  () => globalThis.gc?.(),
  () => process.memoryUsage().heapUsed,
)

const DEFAULT_NAMESPACE = 'fake-server'
const NAMESPACE = /^[\w.:-]{1,128}$/

const notKept = () => new Refusal('unavailable', 'The write could not be kept', 503)

/** The server behind one port: its databases and the sessions of its clients. */
class DatabaseServer {
  private readonly namespaces = new Map<string, Namespace>()
  private readonly sessions = new Map<string, Session>()
  private keeper: Keeper | null = null
  private readonly outbox = new Outbox({
    flushed: () => this.keeper?.flushed() ?? null,
  })
  private readonly triggers: Triggers
  private readonly disk: { -readonly [Name in keyof Disk]: Disk[Name] } = { full: false }
  private readonly settings: Settings
  private readonly polls = new LongPolls((request, transport) =>
    this.openSession(request, transport),
  )
  private readonly sockets = new Sockets((request, transport) => {
    const begun = addressOf(request)?.searchParams.get('s')
    return begun ? this.polls.upgrade(begun, transport) : this.openSession(request, transport)
  })
  private readonly http = createServer((request, response) => void this.serve(request, response))

  constructor(private readonly options: DatabaseOptions) {
    this.triggers = new Triggers(options.functions ?? null)
    this.settings = new Settings(this.triggers, this.disk)
    this.http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      if (addressOf(request)?.pathname === '/.ws') this.sockets.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    })
    // A slow client may take its time over hundreds of megabytes.
    this.http.requestTimeout = 0
  }

  private readonly hooks: NamespaceHooks = {
    record: (namespace, committed) => this.kept(() => this.keeper?.record(namespace, committed)),
    recordRules: (namespace, rules) => this.kept(() => this.keeper?.recordRules(namespace, rules)),
    trigger: (namespace, committed) => {
      for (const deliver of this.triggers.deliveries(namespace, committed)) {
        this.outbox.add((lost) => {
          if (!lost) deliver()
        })
      }
    },
  }

  private kept(record: () => void): void {
    try {
      record()
    } catch (error) {
      log(`a write could not be kept: ${reason(error)}`)
      throw notKept()
    }
  }

  private async recover(folder: string): Promise<void> {
    const restore = (all: ReadonlyMap<string, Kept>) => {
      for (const [name, { root, rules }] of all) this.namespace(name).restore(root, rules)
    }
    const current = () =>
      new Map(
        [...this.namespaces].map(([name, { root, rulesText }]) => [
          name,
          { root, rules: rulesText },
        ]),
      )
    // Sessions start anew, as after a restart: what they show and wait for hung on what is no more.
    const takeBack = (all: ReadonlyMap<string, Kept>) => {
      for (const session of [...this.sessions.values()]) session.close()
      for (const [name, namespace] of this.namespaces)
        namespace.takeBack(all.get(name) ?? { root: null, rules: null })
      this.outbox.spoil()
    }
    this.keeper = await Keeper.open(folder, { restore, current, takeBack, disk: this.disk })
  }

  async listen(): Promise<number> {
    const { host, port, folder } = this.options
    if (folder !== undefined) await this.recover(folder)
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject)
      this.http.listen({ host, port, backlog: 4096 }, resolve)
    })
    const address = this.http.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  async close(): Promise<void> {
    for (const session of this.sessions.values()) session.end()
    await this.outbox.drained()
    this.sockets.close()
    this.polls.close()
    await new Promise<void>((resolve) => {
      this.http.close(() => resolve())
      this.http.closeAllConnections()
    })
    await this.keeper?.close()
  }

  /** The database of a request; throws a refusal for a name that can't be one. */
  private namespaceOf(params: URLSearchParams): Namespace {
    const name = params.get('ns') ?? DEFAULT_NAMESPACE
    if (!NAMESPACE.test(name)) throw invalid('Invalid namespace')
    return this.namespace(name)
  }

  private namespace(name: string): Namespace {
    const known = this.namespaces.get(name)
    if (known !== undefined) return known
    const namespace = new Namespace(name, this.hooks)
    this.namespaces.set(name, namespace)
    return namespace
  }

  private openSession(request: IncomingMessage, transport: Transport): Session | null {
    const params = addressOf(request)?.searchParams
    if (params === undefined) return null
    let namespace: Namespace
    try {
      namespace = this.namespaceOf(params)
    } catch (error) {
      refusalOf(error)
      return null
    }
    // A client that comes back names its dead session. That one's last writes must not come after
    // the new one registered its own.
    const last = this.sessions.get(params.get('ls') ?? '')
    if (last?.namespaceName === namespace.name) last.close()
    const session = new Session(namespace, this.outbox, transport, () =>
      this.sessions.delete(session.id),
    )
    this.sessions.set(session.id, session)
    // Clients reconnect to the host they are told, so it must be the one they reached us by.
    session.greet(request.headers.host ?? `${this.options.host}:${this.options.port}`)
    return session
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => response.destroy())
    const address = addressOf(request)
    if (address?.pathname === '/.lp') {
      this.polls.answer(request, response, address.searchParams)
      return
    }
    const call = callOf(request, response)
    if (call === null) {
      response.writeHead(400, { 'Content-Type': 'application/json' })
      response.end('{"error":"Invalid path"}')
      return
    }
    if (call.method === 'OPTIONS') {
      preflight(call)
      return
    }
    let reply: Reply | null
    try {
      reply = await this.answer(call)
    } catch (error) {
      reply = failureReply(error)
    }
    if (reply === null) return
    const answer = reply
    this.outbox.add((lost) => {
      try {
        send(call, lost ? errorReply(notKept()) : answer)
      } catch (error) {
        send(call, failureReply(error))
      }
      const bytes = Number(request.headers['content-length'] ?? 0)
      if (bytes > LARGE_BODY) collectAfter(bytes)
    })
  }

  private async answer(call: Call): Promise<Reply | null> {
    if (call.keys[0] === '.inspect') {
      if (!actorOf(call).admin && call.keys[1] === 'databases') throw permissionDenied()
      return inspect(call, () => this.namespaceOf(call.params), [...this.namespaces.keys()])
    }
    const namespace = this.namespaceOf(call.params)
    if (call.keys[0] === '.settings') return this.settings.answer(call, namespace)
    if (wantsStream(call)) {
      stream(call, namespace, this.outbox)
      return null
    }
    return answerValue(call, namespace)
  }
}

const failureReply = (error: unknown): Reply => {
  try {
    return errorReply(refusalOf(error))
  } catch {
    log(`a request failed: ${reason(error)}`)
    return jsonReply({ error: 'Internal server error' }, 500)
  }
}

const addressOf = ({ url }: IncomingMessage): URL | null => {
  try {
    // A leading `//` would be read as a host.
    return new URL(`http://localhost${(url ?? '/').replace(/^\/+/, '/')}`)
  } catch {
    return null
  }
}

const JSON_SUFFIX = /\.json$/

const callOf = (request: IncomingMessage, response: ServerResponse): Call | null => {
  const address = addressOf(request)
  if (address === null) return null
  const raw = (request.url ?? '').split('?', 1)[0] ?? ''
  const inspecting = raw.startsWith('/.inspect/')
  if (!JSON_SUFFIX.test(raw) && !inspecting && request.method !== 'OPTIONS') return null
  const method = request.method ?? 'GET'
  const override = request.headers['x-http-method-override']
  try {
    const keys = splitPath(raw.replace(JSON_SUFFIX, '')).map(decodeURIComponent)
    return {
      request,
      response,
      method: method === 'POST' && typeof override === 'string' ? override.toUpperCase() : method,
      keys,
      params: address.searchParams,
    }
  } catch {
    return null
  }
}

/** Starts a Realtime Database stand-in; resolves when it accepts connections. */
export const startDatabase = async (options: DatabaseOptions): Promise<Database> => {
  packRows()
  const server = new DatabaseServer(options)
  const port = await server.listen()
  return { port, close: () => server.close() }
}
