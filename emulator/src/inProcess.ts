import { ADMIN_ACTOR } from './auth'
import type { Actor } from './auth'
import { Namespace } from './namespace'
import {
  createBound,
  getIndex,
  KEY_INDEX,
  PRIORITY_INDEX,
  UNFILTERED_QUERY,
  VALUE_INDEX,
} from './query/query'
import type { Query, RangeBound } from './query/query'
import { RequestError, toRequestError } from './requestError'
import { compileRules } from './rules/compiler'
import type { Auth, CompiledRules } from './rules/compiler'
import { buildNode, ValueError } from './tree/nodeBuilder'
import { getNodeAt } from './tree/node'
import type { Node, Scalar } from './tree/node'
import { hashNode } from './tree/nodeHash'
import { nodeToJsonText } from './tree/nodeJson'
import { MAX_KEY, MIN_KEY } from './tree/order'
import { parseReadPath, splitPath } from './tree/path'

export { RequestError }

/** A value of the bound's index, or that value with the key among the rows that share it. */
type QueryBound = Scalar | null | { readonly value: Scalar | null; readonly key: string }

/** The selection of a list: an order, at most one bound per end, and at most one limit. */
export interface ListQuery {
  /** A child's path, or one of these names. */
  readonly orderBy: '$key' | '$value' | '$priority' | (string & {})
  readonly equalTo?: QueryBound
  readonly startAt?: QueryBound
  readonly startAfter?: QueryBound
  readonly endAt?: QueryBound
  readonly endBefore?: QueryBound
  readonly limitToFirst?: number
  readonly limitToLast?: number
}

/**
 * The database as one person or as an admin. All methods are synchronous and throw a `RequestError`
 * with the status of the wire protocol, such as `permission_denied`.
 */
export interface DatabaseClient {
  /** Returns the value at a path as the SDKs return it, or null. */
  get(path: string): unknown
  /**
   * Returns the rows of a query in its order. Refuses a query that the rules do not index, as REST
   * does.
   */
  list(path: string, query: ListQuery): [key: string, value: unknown][]
  /** Replaces the value at a path. Null removes it. */
  set(path: string, value: unknown): void
  /** Writes several paths below a path atomically. */
  update(path: string, values: Readonly<Record<string, unknown>>): void
  /**
   * Writes what `change` returns for the current value, and returns the new value. `undefined` from
   * `change` writes nothing.
   */
  transaction(path: string, change: (value: unknown) => unknown): unknown
  /**
   * Calls `onValue` now and after each write that changes the value, before that write returns.
   * Calls `onRevoked` and ends when the rules no longer allow the read. Returns the function that
   * stops it.
   */
  listen(path: string, onValue: (value: unknown) => void, onRevoked?: () => void): () => void
  /** Does the same for the rows of a query. */
  listenToList(
    path: string,
    query: ListQuery,
    onRows: (rows: [key: string, value: unknown][]) => void,
    onRevoked?: () => void,
  ): () => void
}

export interface InProcessOptions {
  /** The text of the rules. Without rules, everything is allowed. */
  readonly rules?: string
  /** The data at the start. It is not checked against the rules. */
  readonly data?: unknown
  /** Returns the time in ms since 1970, for `now` in the rules and for server timestamps. */
  readonly now?: () => number
}

/** A database in this process, without sockets, files and function triggers. */
export interface InProcessDatabase {
  /** Returns the client that bypasses the rules. */
  asAdmin(): DatabaseClient
  /** Returns the client of a signed-in user. `claims` are in `auth.token`. */
  asUser(uid: string, claims?: Readonly<Record<string, unknown>>): DatabaseClient
  /** Returns the client whose `auth` in the rules is this object, or null for a signed-out one. */
  as(auth: Auth | null): DatabaseClient
}

// Tests create a database each, and compiling the rules of a product takes longer than a test.
const compiledRules = new Map<string, CompiledRules>()

const compileOnce = (text: string): CompiledRules => {
  const cachedRules = compiledRules.get(text)
  if (cachedRules !== undefined) return cachedRules
  const compiled = compileRules(text)
  compiledRules.set(text, compiled)
  return compiled
}

const INDEXES = new Map([
  ['$key', KEY_INDEX],
  ['$value', VALUE_INDEX],
  ['$priority', PRIORITY_INDEX],
])

const toQuery = (list: ListQuery): Query => {
  const index = INDEXES.get(list.orderBy) ?? getIndex(list.orderBy)
  const bound = (
    at: QueryBound,
    isInclusive: boolean,
    open: typeof MIN_KEY | typeof MAX_KEY,
  ): RangeBound =>
    typeof at === 'object' && at !== null
      ? createBound(index, at, isInclusive, open)
      : createBound(index, { value: at }, isInclusive, open)
  const { equalTo, startAt = equalTo, startAfter, endAt = equalTo, endBefore } = list
  return {
    index,
    start:
      startAfter !== undefined
        ? bound(startAfter, false, MAX_KEY)
        : startAt !== undefined
          ? bound(startAt, true, MIN_KEY)
          : null,
    end:
      endBefore !== undefined
        ? bound(endBefore, false, MIN_KEY)
        : endAt !== undefined
          ? bound(endAt, true, MAX_KEY)
          : null,
    limit: list.limitToFirst ?? list.limitToLast ?? null,
    limitEnd: list.limitToLast === undefined ? 'first' : 'last',
  }
}

/** Returns a node as the SDKs do: without priorities, and dense integer keys as an array. */
const toValue = (node: Node | null): unknown =>
  typeof node === 'object' ? (JSON.parse(nodeToJsonText(node, 'arrays')) as unknown) : node

const assertDefined = (value: unknown, place: string): void => {
  if (value === undefined) {
    throw new ValueError(`Invalid data; ${place || 'the value'} is undefined. Write null instead.`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) assertDefined(child, `${place}/${key}`)
}

const createClient = (namespace: Namespace, actor: Actor): DatabaseClient => {
  const attempt = <Result>(run: () => Result): Result => {
    try {
      return run()
    } catch (error) {
      throw toRequestError(error)
    }
  }
  const parsePath = (path: string) => parseReadPath(splitPath(path))
  const write = (path: string, json: unknown, isMerge: boolean, hash?: string) => {
    assertDefined(json, path)
    const request = { path: splitPath(path), isMerge, json }
    try {
      namespace.write(request, actor, { hash })
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 'permission_denied') throw error
      const places = namespace.listForbiddenPaths(request, actor).map((keys) => keys.join('/'))
      throw new RequestError(
        error.status,
        `${error.message}: the rules forbid the write of ${places.map((place) => `/${place}`).join(', ')}`,
        error.http,
      )
    }
  }
  const select = (path: string, query: Query): [string, unknown][] =>
    namespace.select(parsePath(path), query).map(([key, node]) => [key, toValue(node)])
  const checkList = (path: string, list: ListQuery): Query => {
    const query = toQuery(list)
    namespace.read(parsePath(path), query, actor)
    if (namespace.rulesText !== null && !namespace.isIndexed(parsePath(path), query)) {
      throw new RequestError(
        'invalid_query',
        `Index not defined, add ".indexOn": "${query.index.name}", for path "/${path}", to the rules`,
        400,
      )
    }
    return query
  }
  const subscribe = (path: string, query: Query, send: () => void, onRevoked = () => {}) => {
    const listener = {
      path: parsePath(path),
      query,
      getActor: () => actor,
      sendUpdate: send,
      onRevoked,
    }
    namespace.listen(listener)
    send()
    return () => namespace.removeListener(listener)
  }
  const get = (path: string) => toValue(namespace.read(parsePath(path), UNFILTERED_QUERY, actor))
  return {
    get: (path) => attempt(() => get(path)),
    list: (path, list) => attempt(() => select(path, checkList(path, list))),
    set: (path, value) => attempt(() => write(path, value, false)),
    update: (path, values) => attempt(() => write(path, values, true)),
    transaction: (path, change) =>
      attempt(() => {
        const node = namespace.read(parsePath(path), UNFILTERED_QUERY, actor)
        const next = change(toValue(node))
        if (next === undefined) return toValue(node)
        // `change` may write by itself, so the value can have changed.
        write(path, next, false, hashNode(node))
        return get(path)
      }),
    listen: (path, onValue, onRevoked) =>
      attempt(() => {
        namespace.read(parsePath(path), UNFILTERED_QUERY, actor)
        const send = () => onValue(toValue(getNodeAt(namespace.root, parsePath(path))))
        return subscribe(path, UNFILTERED_QUERY, send, onRevoked)
      }),
    listenToList: (path, list, onRows, onRevoked) =>
      attempt(() => {
        const query = checkList(path, list)
        return subscribe(path, query, () => onRows(select(path, query)), onRevoked)
      }),
  }
}

/** Creates a database in this process, for tests that need the real rules in milliseconds. */
export const createDatabase = ({
  rules,
  data,
  now = Date.now,
}: InProcessOptions = {}): InProcessDatabase => {
  const nothing = () => {}
  const namespace = new Namespace(
    'in-process',
    { recordWrite: nothing, recordRules: nothing, deliverTriggers: nothing },
    { now, defer: (run) => run() },
  )
  if (rules !== undefined) namespace.setRules(rules, compileOnce(rules))
  namespace.restore(buildNode(data, { now: now(), existing: null, depth: 0 }), null)
  const admin = createClient(namespace, ADMIN_ACTOR)
  const as = (auth: Auth | null) => createClient(namespace, { admin: false, auth })
  return {
    asAdmin: () => admin,
    asUser: (uid, claims = {}) =>
      as({ uid, provider: 'custom', token: { sub: uid, user_id: uid, ...claims } }),
    as,
  }
}
