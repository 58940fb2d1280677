import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { isJsonObject } from './auth'
import type { Actor } from './auth'
import { log } from './log'
import type { Committed } from './namespace'
import { jsonOf, putOwn } from './tree/json'
import { Branch, childOf, nodeAt } from './tree/node'
import type { Node } from './tree/node'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'

type Kind = 'written' | 'created' | 'updated' | 'deleted'

type Segment =
  | { readonly kind: 'literal'; readonly key: string }
  | { readonly kind: 'one' | 'many'; readonly name: string | null; readonly glob: RegExp | null }

/** A function that wants to hear of changes. */
interface Trigger {
  readonly name: string
  /** As it was registered, to list it. */
  readonly registered: unknown
  readonly generation: 1 | 2
  readonly project: string
  readonly key: string
  readonly kind: Kind
  readonly segments: readonly Segment[]
  readonly hears: (namespace: string) => boolean
}

const EVENT =
  /(?:eventTypes\/ref\.|database\.ref\.v1\.)(write|written|create|created|update|updated|delete|deleted)$/

const KINDS: Readonly<Record<string, Kind>> = {
  write: 'written',
  written: 'written',
  create: 'created',
  created: 'created',
  update: 'updated',
  updated: 'updated',
  delete: 'deleted',
  deleted: 'deleted',
}

const globOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 's')

const segmentOf = (text: string): Segment => {
  const capture = /^\{([^=}]+)(?:=(.+))?\}$/.exec(text)
  const name = capture?.[1] ?? null
  const pattern = capture === null ? text : (capture[2] ?? '*')
  if (pattern === '**') return { kind: 'many', name, glob: null }
  if (pattern === '*') return { kind: 'one', name, glob: null }
  if (pattern.includes('*')) return { kind: 'one', name, glob: globOf(pattern) }
  return { kind: 'literal', key: pattern }
}

/** Reads a registration of the suite; null when it is none. `namespace` is where v1 is heard. */
const triggerFrom = (registered: unknown, namespace: string | null): Trigger | null => {
  if (!isJsonObject(registered)) return null
  const { name, path, event, namespacePattern } = registered
  if (typeof name !== 'string' || typeof path !== 'string' || typeof event !== 'string') return null
  const kind = KINDS[EVENT.exec(event)?.[1] ?? '']
  const [, project = '', key = ''] = /^projects\/([^/]+)\/(?:.*\/)?([^/]+)$/.exec(name) ?? []
  if (kind === undefined || key === '') return null
  const generation = event.startsWith('google.firebase.database') ? 2 : 1
  const pattern = typeof namespacePattern === 'string' ? globOf(namespacePattern) : null
  return {
    name,
    registered,
    generation,
    project,
    key,
    kind,
    segments: splitPath(path).map(segmentOf),
    hears: (heard) => pattern?.test(heard) ?? (namespace === null || namespace === heard),
  }
}

interface Found {
  readonly path: Path
  readonly params: Readonly<Record<string, string>>
  readonly before: Node | null
  readonly after: Node | null
}

const accepts = (segment: Segment, key: string): boolean =>
  segment.kind === 'literal' ? segment.key === key : (segment.glob?.test(key) ?? true)

const captured = (
  params: Readonly<Record<string, string>>,
  segment: Segment,
  value: string,
): Record<string, string> => {
  const more = { ...params }
  if (segment.kind !== 'literal' && segment.name !== null) putOwn(more, segment.name, value)
  return more
}

/**
 * The places a pattern names that a write changed: above the place written, at it, or below it where
 * a whole subtree was replaced. A `**` stands for the rest of the path down to the place written.
 */
const changedPlaces = (
  segments: readonly Segment[],
  { changes, before, root }: Committed,
): Found[] => {
  const found = new Map<string, Found>()
  for (const { path: written } of changes) {
    const visit = (
      depth: number,
      path: Path,
      params: Readonly<Record<string, string>>,
      old: Node | null,
      now: Node | null,
    ): void => {
      if (old === now) return
      const segment = segments[depth]
      if (segment === undefined) {
        found.set(path.join('/'), { path, params, before: old, after: now })
        return
      }
      if (segment.kind === 'many') {
        const rest = written.slice(depth)
        const at = rest.length === 0 ? path : written
        const value = rest.join('/')
        found.set(at.join('/'), {
          path: at,
          params: captured(params, segment, value),
          before: nodeAt(before, at),
          after: nodeAt(root, at),
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
        if ((on !== undefined && on !== key) || !accepts(segment, key)) continue
        visit(
          depth + 1,
          [...path, key],
          captured(params, segment, key),
          childOf(old, key),
          childOf(now, key),
        )
      }
    }
    visit(0, [], {}, before, root)
  }
  return [...found.values()]
}

const happened = (kind: Kind, { before, after }: Found): boolean => {
  if (kind === 'created') return before === null
  if (kind === 'deleted') return after === null
  return kind === 'written' || (before !== null && after !== null)
}

/** What to change in `before` to get `after`: with a null for each child that is gone. */
const deltaOf = (before: Node | null, after: Node | null): unknown => {
  if (!(before instanceof Branch) || !(after instanceof Branch)) return jsonOf(after)
  const delta: Record<string, unknown> = {}
  after.forEach((key, child) => {
    const old = before.get(key) ?? null
    if (old !== child) putOwn(delta, key, deltaOf(old, child))
  })
  before.forEach((key) => {
    if (after.get(key) === undefined) putOwn(delta, key, null)
  })
  return delta
}

const identityV1 = ({ admin, auth }: Actor) => {
  if (admin) return { admin: true }
  return auth === null ? { admin: false } : { admin: false, variable: auth }
}

const identityV2 = ({ admin, auth }: Actor) => {
  if (admin) return { authtype: 'admin' }
  if (auth === null) return { authtype: 'unauthenticated' }
  const { uid } = auth
  return { authtype: 'app_user', ...(typeof uid === 'string' ? { authid: uid } : {}) }
}

const DOMAIN = 'firebaseio.com'

const eventV1 = (namespace: string, { actor, at }: Committed, found: Found, kind: Kind) => ({
  eventId: randomUUID(),
  timestamp: new Date(at).toISOString(),
  eventType: `providers/google.firebase.database/eventTypes/ref.${kind === 'written' ? 'write' : kind.slice(0, -1)}`,
  resource: `projects/_/instances/${namespace}/refs/${found.path.join('/')}`,
  params: found.params,
  domain: DOMAIN,
  auth: identityV1(actor),
  data: { data: jsonOf(found.before), delta: deltaOf(found.before, found.after) },
})

const eventV2 = (namespace: string, { actor, at }: Committed, found: Found, kind: Kind) => ({
  specversion: '1.0',
  id: randomUUID(),
  type: `google.firebase.database.ref.v1.${kind}`,
  time: new Date(at).toISOString(),
  datacontenttype: 'application/json',
  source: `//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/${namespace}`,
  subject: `refs/${found.path.join('/')}`,
  location: 'us-central1',
  firebasedatabasehost: DOMAIN,
  instance: namespace,
  ref: found.path.join('/'),
  ...identityV2(actor),
  data: {
    '@type': 'type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData',
    data: jsonOf(found.before),
    delta: deltaOf(found.before, found.after),
  },
})

/** Where the suite's functions emulator listens. */
export interface FunctionsAddress {
  readonly host: string
  readonly port: number
}

/** The registered functions, and the delivery of events to them. */
export class Triggers {
  private readonly triggers = new Map<string, Trigger>()

  constructor(private readonly functions: FunctionsAddress | null) {}

  /** Adds or replaces a trigger; false when the registration makes no sense. */
  register(registered: unknown, namespace: string | null): boolean {
    const trigger = triggerFrom(registered, namespace)
    if (trigger === null) return false
    this.triggers.set(trigger.name, trigger)
    return true
  }

  /** Forgets all triggers before a list of them replaces them. */
  clear(): void {
    this.triggers.clear()
  }

  list(): readonly unknown[] {
    return [...this.triggers.values()].map(({ registered }) => registered)
  }

  /** The deliveries a write causes, ready to be made once it is durable. */
  deliveries(namespace: string, committed: Committed): (() => void)[] {
    const deliveries: (() => void)[] = []
    for (const trigger of this.triggers.values()) {
      if (!trigger.hears(namespace)) continue
      for (const found of changedPlaces(trigger.segments, committed)) {
        if (!happened(trigger.kind, found)) continue
        deliveries.push(() => {
          const event = trigger.generation === 1 ? eventV1 : eventV2
          this.post(trigger, event(namespace, committed, found, trigger.kind))
        })
      }
    }
    return deliveries
  }

  private post({ project, key, generation }: Trigger, event: object): void {
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
    const failed = (why: string) => log(`function ${key} was not told of a change: ${why}`)
    request.on('response', (response) => {
      response.resume()
      if ((response.statusCode ?? 500) >= 400) failed(`it answered ${response.statusCode}`)
    })
    request.on('error', (error) => failed(error.message))
    request.end(body)
  }
}
