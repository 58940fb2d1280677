import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { isJsonObject } from './auth'
import type { Actor } from './auth'
import { log } from './log'
import type { CommittedWrite } from './namespace'
import { nodeToJson, setOwnProperty } from './tree/nodeJson'
import { Branch, getChild, getNodeAt } from './tree/node'
import type { Node } from './tree/node'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'

type TriggerKind = 'written' | 'created' | 'updated' | 'deleted'

type PatternSegment =
  | { readonly kind: 'literal'; readonly key: string }
  | { readonly kind: 'one' | 'many'; readonly name: string | null; readonly glob: RegExp | null }

/** A function that subscribes to changes. */
interface Trigger {
  readonly name: string
  /** The original registration, for listing. */
  readonly registered: unknown
  readonly generation: 1 | 2
  readonly project: string
  readonly key: string
  readonly kind: TriggerKind
  readonly segments: readonly PatternSegment[]
  readonly isForNamespace: (namespace: string) => boolean
}

const EVENT_PATTERN =
  /(?:eventTypes\/ref\.|database\.ref\.v1\.)(write|written|create|created|update|updated|delete|deleted)$/

const KINDS: Readonly<Record<string, TriggerKind>> = {
  write: 'written',
  written: 'written',
  create: 'created',
  created: 'created',
  update: 'updated',
  updated: 'updated',
  delete: 'deleted',
  deleted: 'deleted',
}

const globToRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 's')

const parseSegment = (text: string): PatternSegment => {
  const capture = /^\{([^=}]+)(?:=(.+))?\}$/.exec(text)
  const name = capture?.[1] ?? null
  const pattern = capture === null ? text : (capture[2] ?? '*')
  if (pattern === '**') return { kind: 'many', name, glob: null }
  if (pattern === '*') return { kind: 'one', name, glob: null }
  if (pattern.includes('*')) return { kind: 'one', name, glob: globToRegExp(pattern) }
  return { kind: 'literal', key: pattern }
}

/**
 * Parses a registration from the suite. Returns null when it is invalid. `namespace` limits v1
 * triggers.
 */
const parseTrigger = (registered: unknown, namespace: string | null): Trigger | null => {
  if (!isJsonObject(registered)) return null
  const { name, path, event, namespacePattern } = registered
  if (typeof name !== 'string' || typeof path !== 'string' || typeof event !== 'string') return null
  const kind = KINDS[EVENT_PATTERN.exec(event)?.[1] ?? '']
  const [, project = '', key = ''] = /^projects\/([^/]+)\/(?:.*\/)?([^/]+)$/.exec(name) ?? []
  if (kind === undefined || key === '') return null
  const generation = event.startsWith('google.firebase.database') ? 2 : 1
  const pattern = typeof namespacePattern === 'string' ? globToRegExp(namespacePattern) : null
  return {
    name,
    registered,
    generation,
    project,
    key,
    kind,
    segments: splitPath(path).map(parseSegment),
    isForNamespace: (namespaceName) =>
      pattern?.test(namespaceName) ?? (namespace === null || namespace === namespaceName),
  }
}

interface MatchedChange {
  readonly path: Path
  readonly params: Readonly<Record<string, string>>
  readonly before: Node | null
  readonly after: Node | null
}

const isMatchingKey = (segment: PatternSegment, key: string): boolean =>
  segment.kind === 'literal' ? segment.key === key : (segment.glob?.test(key) ?? true)

const captureParam = (
  params: Readonly<Record<string, string>>,
  segment: PatternSegment,
  value: string,
): Record<string, string> => {
  const more = { ...params }
  if (segment.kind !== 'literal' && segment.name !== null) setOwnProperty(more, segment.name, value)
  return more
}

/**
 * Returns the changed places that match a pattern: above the written place, at it, or below it when
 * a whole subtree was replaced. A `**` matches the rest of the path down to the written place.
 */
const findChangedPaths = (
  segments: readonly PatternSegment[],
  { changes, before, root }: CommittedWrite,
): MatchedChange[] => {
  const changesByPath = new Map<string, MatchedChange>()
  for (const { path: written } of changes) {
    const visit = (place: MatchedChange): void => {
      const { path, params, before: old, after: now } = place
      if (old === now) return
      const depth = path.length
      const segment = segments[depth]
      if (segment === undefined) {
        changesByPath.set(path.join('/'), place)
        return
      }
      if (segment.kind === 'many') {
        const rest = written.slice(depth)
        const at = rest.length === 0 ? path : written
        const value = rest.join('/')
        changesByPath.set(at.join('/'), {
          path: at,
          params: captureParam(params, segment, value),
          before: getNodeAt(before, at),
          after: getNodeAt(root, at),
        })
        return
      }
      const on = written[depth]
      const keys =
        segment.kind === 'literal'
          ? [segment.key]
          : on !== undefined
            ? [on]
            : new Set([
                ...(old instanceof Branch ? old.keys() : []),
                ...(now instanceof Branch ? now.keys() : []),
              ])
      for (const key of keys) {
        if ((on !== undefined && on !== key) || !isMatchingKey(segment, key)) continue
        visit({
          path: [...path, key],
          params: captureParam(params, segment, key),
          before: getChild(old, key),
          after: getChild(now, key),
        })
      }
    }
    visit({ path: [], params: {}, before, after: root })
  }
  return [...changesByPath.values()]
}

const isChangeOfKind = (kind: TriggerKind, { before, after }: MatchedChange): boolean => {
  if (kind === 'created') return before === null
  if (kind === 'deleted') return after === null
  return kind === 'written' || (before !== null && after !== null)
}

/** Returns the changes from `before` to `after`, with null for each removed child. */
const computeDelta = (before: Node | null, after: Node | null): unknown => {
  if (!(before instanceof Branch) || !(after instanceof Branch)) return nodeToJson(after)
  const delta: Record<string, unknown> = {}
  after.forEach((key, child) => {
    const old = before.get(key) ?? null
    if (old !== child) setOwnProperty(delta, key, computeDelta(old, child))
  })
  before.forEach((key) => {
    if (after.get(key) === undefined) setOwnProperty(delta, key, null)
  })
  return delta
}

const toIdentityV1 = ({ admin, auth }: Actor) => {
  if (admin) return { admin: true }
  return auth === null ? { admin: false } : { admin: false, variable: auth }
}

const toIdentityV2 = ({ admin, auth }: Actor) => {
  if (admin) return { authtype: 'admin' }
  if (auth === null) return { authtype: 'unauthenticated' }
  const { uid } = auth
  return { authtype: 'app_user', ...(typeof uid === 'string' ? { authid: uid } : {}) }
}

const DOMAIN = 'firebaseio.com'

const createEventV1 = (
  namespace: string,
  { actor, at }: CommittedWrite,
  matched: MatchedChange,
  kind: TriggerKind,
) => ({
  eventId: randomUUID(),
  timestamp: new Date(at).toISOString(),
  eventType: `providers/google.firebase.database/eventTypes/ref.${kind === 'written' ? 'write' : kind.slice(0, -1)}`,
  resource: `projects/_/instances/${namespace}/refs/${matched.path.join('/')}`,
  params: matched.params,
  domain: DOMAIN,
  auth: toIdentityV1(actor),
  data: { data: nodeToJson(matched.before), delta: computeDelta(matched.before, matched.after) },
})

const createEventV2 = (
  namespace: string,
  { actor, at }: CommittedWrite,
  matched: MatchedChange,
  kind: TriggerKind,
) => ({
  specversion: '1.0',
  id: randomUUID(),
  type: `google.firebase.database.ref.v1.${kind}`,
  time: new Date(at).toISOString(),
  datacontenttype: 'application/json',
  source: `//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/${namespace}`,
  subject: `refs/${matched.path.join('/')}`,
  location: 'us-central1',
  firebasedatabasehost: DOMAIN,
  instance: namespace,
  ref: matched.path.join('/'),
  ...toIdentityV2(actor),
  data: {
    '@type': 'type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData',
    data: nodeToJson(matched.before),
    delta: computeDelta(matched.before, matched.after),
  },
})

/** The address of the suite's functions emulator. */
export interface FunctionsAddress {
  readonly host: string
  readonly port: number
}

/** The registered functions and the delivery of events to them. */
export class TriggerRegistry {
  private readonly triggers = new Map<string, Trigger>()

  constructor(private readonly functions: FunctionsAddress | null) {}

  /** Adds or replaces a trigger. Returns false for an invalid registration. */
  register(registered: unknown, namespace: string | null): boolean {
    const trigger = parseTrigger(registered, namespace)
    if (trigger === null) return false
    this.triggers.set(trigger.name, trigger)
    return true
  }

  /** Removes all triggers before a new list replaces them. */
  clear(): void {
    this.triggers.clear()
  }

  listRegistered(): readonly unknown[] {
    return [...this.triggers.values()].map(({ registered }) => registered)
  }

  /** Returns the deliveries of a write, to run when it is durable. */
  createDeliveries(namespace: string, committed: CommittedWrite): (() => void)[] {
    const deliveries: (() => void)[] = []
    for (const trigger of this.triggers.values()) {
      if (!trigger.isForNamespace(namespace)) continue
      for (const matched of findChangedPaths(trigger.segments, committed)) {
        if (!isChangeOfKind(trigger.kind, matched)) continue
        deliveries.push(() => {
          const event = trigger.generation === 1 ? createEventV1 : createEventV2
          this.postEvent(trigger, event(namespace, committed, matched, trigger.kind))
        })
      }
    }
    return deliveries
  }

  private postEvent({ project, key, generation }: Trigger, event: object): void {
    if (this.functions === null) return
    const body = JSON.stringify(event)
    const type = generation === 1 ? 'application/json' : 'application/cloudevents+json'
    const request = httpRequest({
      ...this.functions,
      method: 'POST',
      path: `/functions/projects/${project}/triggers/${key}`,
      headers: {
        'Content-Type': `${type}; charset=UTF-8`,
        'Content-Length': Buffer.byteLength(body),
      },
    })
    const failed = (why: string) => log(`function ${key} did not receive a change: ${why}`)
    request.on('response', (response) => {
      response.resume()
      if ((response.statusCode ?? 500) >= 400) failed(`it returned status ${response.statusCode}`)
    })
    request.on('error', (error) => failed(error.message))
    request.end(body)
  }
}
