import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createGcScheduler } from './gcScheduler'
import type { DiskState } from './journal/journal'
import { Persistence } from './persistence'
import type { StoredDatabase } from './persistence'
import { log, errorMessage } from './log'
import { LongPollEndpoint } from './longPoll'
import { Namespace } from './namespace'
import type { NamespaceHooks } from './namespace'
import { findForeignOrigin } from './origin'
import { SendQueue } from './sendQueue'
import {
  authenticate,
  errorResponse,
  jsonResponse,
  handlePreflight,
  sendResponse,
} from './rest/restHttp'
import type { RestRequest, RestResponse } from './rest/restHttp'
import { streamValue, isStreamRequest } from './rest/eventStream'
import { handleValueRequest } from './rest/valueHandler'
import {
  invalidDataError,
  permissionDeniedError,
  RequestError,
  toRequestError,
} from './requestError'
import { Session } from './clientSession'
import type { Transport } from './clientSession'
import { handleInspect, SettingsEndpoint } from './settingsEndpoint'
import { WebSocketEndpoint } from './webSocketEndpoint'
import { TriggerRegistry } from './triggers'
import type { FunctionsAddress } from './triggers'
import { enableRowPacking } from './tree/rowPacking'
import { splitPath } from './tree/path'

interface DatabaseOptions {
  readonly host: string
  /** Port number; 0 selects a free port. */
  readonly port: number
  /** The address that receives function triggers; none by default. */
  readonly functions?: FunctionsAddress | undefined
  /** The folder for the data. By default data is in memory only. */
  readonly dataFolder?: string | undefined
}

export interface RunningDatabase {
  readonly port: number
  /** Performs the disconnect writes of all clients, then stops. */
  close(): Promise<void>
}

const LARGE_BODY_CHARACTERS = 4 * 1024 * 1024
// `gc` exists when Node was started with --expose-gc, as bin/java does.
const scheduleCollection = createGcScheduler(
  () => globalThis.gc?.(),
  () => process.memoryUsage().heapUsed,
)

const DEFAULT_NAMESPACE = 'fake-server'
const NAMESPACE_PATTERN = /^[\w.:-]{1,128}$/

const notPersistedError = () => new RequestError('unavailable', 'The write could not be kept', 503)

/** The server on one port, with its databases and client sessions. */
class DatabaseServer {
  private readonly namespaces = new Map<string, Namespace>()
  private readonly sessions = new Map<string, Session>()
  private persistence: Persistence | null = null
  private readonly sendQueue = new SendQueue({
    whenFlushed: () => this.persistence?.whenFlushed() ?? null,
  })
  private readonly triggers: TriggerRegistry
  private readonly disk: { -readonly [Name in keyof DiskState]: DiskState[Name] } = { full: false }
  private readonly settings: SettingsEndpoint
  private readonly polls = new LongPollEndpoint((request, transport) =>
    this.openSession(request, transport),
  )
  private readonly sockets = new WebSocketEndpoint((request, transport) => {
    const begun = parseAddress(request)?.searchParams.get('s')
    return begun ? this.polls.createUpgrade(begun, transport) : this.openSession(request, transport)
  })
  private readonly http = createServer(
    (request, response) => void this.handleRequest(request, response),
  )

  constructor(private readonly options: DatabaseOptions) {
    this.triggers = new TriggerRegistry(options.functions ?? null)
    this.settings = new SettingsEndpoint(this.triggers, this.disk)
    this.http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      if (parseAddress(request)?.pathname === '/.ws') this.sockets.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    })
    // A slow client may need a long time to send hundreds of megabytes.
    this.http.requestTimeout = 0
  }

  private readonly hooks: NamespaceHooks = {
    recordWrite: (getNamespace, committed) =>
      this.isPersisted(() => this.persistence?.record(getNamespace, committed)),
    recordRules: (namespace, rules) =>
      this.isPersisted(() => this.persistence?.recordRules(namespace, rules)),
    deliverTriggers: (namespace, committed) => {
      for (const deliver of this.triggers.createDeliveries(namespace, committed)) {
        this.sendQueue.add((lost) => {
          if (!lost) deliver()
        })
      }
    },
  }

  private isPersisted(record: () => void): void {
    try {
      record()
    } catch (error) {
      log(`a write could not be kept: ${errorMessage(error)}`)
      throw notPersistedError()
    }
  }

  private async recover(folder: string): Promise<void> {
    const restore = (all: ReadonlyMap<string, StoredDatabase>) => {
      for (const [name, { root, rules }] of all) this.namespace(name).restore(root, rules)
    }
    const current = () =>
      new Map(
        [...this.namespaces].map(([name, { root, rulesText }]) => [
          name,
          { root, rules: rulesText },
        ]),
      )
    // Closes all sessions, as a restart does, because their data and pending messages depend on
    // writes that were rolled back.
    const rollback = (all: ReadonlyMap<string, StoredDatabase>) => {
      for (const session of [...this.sessions.values()]) session.close()
      for (const [name, namespace] of this.namespaces)
        namespace.rollback(all.get(name) ?? { root: null, rules: null })
      this.sendQueue.abort()
    }
    this.persistence = await Persistence.open(folder, {
      restore,
      currentDatabases: current,
      rollback,
      disk: this.disk,
    })
  }

  async listen(): Promise<number> {
    const { host, port, dataFolder } = this.options
    if (dataFolder !== undefined) await this.recover(dataFolder)
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject)
      this.http.listen({ host, port, backlog: 4096 }, resolve)
    })
    const address = this.http.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  async close(): Promise<void> {
    for (const session of this.sessions.values()) session.end()
    await this.sendQueue.whenDrained()
    this.sockets.close()
    this.polls.close()
    await new Promise<void>((resolve) => {
      this.http.close(() => resolve())
      this.http.closeAllConnections()
    })
    await this.persistence?.close()
  }

  /** Returns the database of a request. Throws a refusal for an invalid name. */
  private getRequestNamespace(params: URLSearchParams): Namespace {
    const name = params.get('ns') ?? DEFAULT_NAMESPACE
    if (!NAMESPACE_PATTERN.test(name)) throw invalidDataError('Invalid namespace')
    return this.namespace(name)
  }

  private namespace(name: string): Namespace {
    const existing = this.namespaces.get(name)
    if (existing !== undefined) return existing
    const namespace = new Namespace(name, this.hooks)
    this.namespaces.set(name, namespace)
    return namespace
  }

  private openSession(request: IncomingMessage, transport: Transport): Session | null {
    const params = parseAddress(request)?.searchParams
    if (params === undefined) return null
    let namespace: Namespace
    try {
      namespace = this.getRequestNamespace(params)
    } catch (error) {
      toRequestError(error)
      return null
    }
    // A reconnecting client names its dead session. Its disconnect writes must happen before the
    // new session registers its own.
    const last = this.sessions.get(params.get('ls') ?? '')
    if (last?.namespaceName === namespace.name) last.close()
    const session = new Session(namespace, this.sendQueue, transport, {
      onEnd: () => this.sessions.delete(session.id),
      foreignPage: findForeignOrigin(request),
    })
    this.sessions.set(session.id, session)
    // Clients reconnect to the host in the greeting, so it must be the one that they used to reach
    // us.
    session.greet(request.headers.host ?? `${this.options.host}:${this.options.port}`)
    return session
  }

  private async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => response.destroy())
    const address = parseAddress(request)
    if (address?.pathname === '/.lp') {
      this.polls.handleRequest(request, response, address.searchParams)
      return
    }
    const call = toRestRequest(request, response)
    if (call === null) {
      response.writeHead(400, { 'Content-Type': 'application/json' })
      response.end('{"error":"Invalid path"}')
      return
    }
    if (call.method === 'OPTIONS') {
      handlePreflight(call)
      return
    }
    let reply: RestResponse | null
    try {
      reply = await this.answer(call)
    } catch (error) {
      reply = toErrorResponse(error)
    }
    if (reply === null) return
    const routeRequest = reply
    this.sendQueue.add((lost) => {
      try {
        sendResponse(call, lost ? errorResponse(notPersistedError()) : routeRequest)
      } catch (error) {
        sendResponse(call, toErrorResponse(error))
      }
      const bytes = Number(request.headers['content-length'] ?? 0)
      if (bytes > LARGE_BODY_CHARACTERS) scheduleCollection(bytes)
    })
  }

  private async answer(call: RestRequest): Promise<RestResponse | null> {
    if (call.keys[0] === '.inspect') {
      if (!authenticate(call).admin && call.keys[1] === 'databases') throw permissionDeniedError()
      return handleInspect(call, () => this.getRequestNamespace(call.params), [
        ...this.namespaces.keys(),
      ])
    }
    const namespace = this.getRequestNamespace(call.params)
    if (call.keys[0] === '.settings') return this.settings.handleRequest(call, namespace)
    if (isStreamRequest(call)) {
      streamValue(call, namespace, this.sendQueue)
      return null
    }
    return handleValueRequest(call, namespace)
  }
}

const toErrorResponse = (error: unknown): RestResponse => {
  try {
    return errorResponse(toRequestError(error))
  } catch {
    log(`a request failed: ${errorMessage(error)}`)
    return jsonResponse({ error: 'Internal server error' }, 500)
  }
}

const parseAddress = ({ url }: IncomingMessage): URL | null => {
  try {
    // The URL parser would read a leading `//` as a host.
    return new URL(`http://localhost${(url ?? '/').replace(/^\/+/, '/')}`)
  } catch {
    return null
  }
}

const JSON_SUFFIX = /\.json$/

const toRestRequest = (request: IncomingMessage, response: ServerResponse): RestRequest | null => {
  const address = parseAddress(request)
  if (address === null) return null
  const raw = (request.url ?? '').split('?', 1)[0] ?? ''
  const inspecting = raw.startsWith('/.inspect/')
  if (!JSON_SUFFIX.test(raw) && !inspecting && request.method !== 'OPTIONS') return null
  const method = request.method ?? 'GET'
  const name = 'x-http-method-override'
  const override = request.headers[name] ?? address.searchParams.get(name)
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

/** Starts a Realtime Database stand-in. Resolves when it accepts connections. */
export const startDatabase = async (options: DatabaseOptions): Promise<RunningDatabase> => {
  enableRowPacking()
  const server = new DatabaseServer(options)
  const port = await server.listen()
  return { port, close: () => server.close() }
}
