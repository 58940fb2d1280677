import type { Value } from '~/domain/booking/change'
import { type Query, ServiceError, type Services, type SignedIn } from '../services'
import { type Tree, answer, read, write } from './tree'

type Handler = (input: never, world: MemoryWorld) => unknown

export interface MemoryWorld {
  services: Services
  /** The whole database as it is now. */
  tree(): Tree
  change(changes: Record<string, Value>): void
  uid(): string | null
  signIn(user: SignedIn | null): void
  setOnline(online: boolean): void
  /** Every call made, in order. */
  calls: { name: string; input: unknown }[]
}

export interface MemoryOptions {
  seed?: Tree
  /** The uid that is signed in from the start. */
  as?: string
  /** What the device kept of him from an earlier visit. */
  kept?: Record<string, unknown>
  /** Callables and endpoints by name; a missing one is refused as not found. */
  handlers?: Record<string, Handler>
  now?: () => number
}

/** The one code the in-browser world accepts. */
export const MEMORY_CODE = '123456'

/** An in-browser world for component tests: the same ports, no network, no rules. */
export const memoryWorld = ({
  seed = {},
  as,
  kept = {},
  handlers = {},
  now = Date.now,
}: MemoryOptions = {}): MemoryWorld => {
  let tree = structuredClone(seed)
  let user: SignedIn | null = as ? { uid: as, phone: null } : null
  let online = true
  let keys = 0
  const device = new Map(as ? [[as, kept]] : [])
  const watchers = new Set<(user: SignedIn | null) => void>()
  const connections = new Set<(online: boolean) => void>()
  const listeners = new Set<{ query: Query; sent: string; tell: (value: unknown) => void }>()

  const change = (changes: Record<string, Value>) => {
    tree = write(tree, changes, now())
    for (const listener of listeners) {
      const value = JSON.stringify(answer(tree, listener.query))
      if (value === listener.sent) continue
      listener.sent = value
      listener.tell(JSON.parse(value))
    }
  }
  const signIn = (next: SignedIn | null) => {
    user = next
    for (const tell of watchers) tell(user)
  }
  const run = async <Answer>(name: string, input: unknown): Promise<Answer> => {
    world.calls.push({ name, input })
    const handler = handlers[name]
    if (!handler) throw new ServiceError('not-found', 'not_found', name)
    return (await handler(input as never, world)) as Answer
  }

  const services: Services = {
    auth: {
      watch(onChange) {
        watchers.add(onChange)
        queueMicrotask(() => onChange(user))
        return () => watchers.delete(onChange)
      },
      requestCode: async (phone) => phone,
      async verifyCode(phone, code) {
        if (code !== MEMORY_CODE) throw new ServiceError('auth/invalid', 'otp_validate_error')
        const users = Object.entries((read(tree, 'users') ?? {}) as Record<string, Tree>)
        const known = users.find(([, profile]) => profile.mobile === phone)
        signIn({ uid: known?.[0] ?? `uid-${phone.replace(/\D/g, '')}`, phone })
        return user as SignedIn
      },
      offeredCode: async () => MEMORY_CODE,
      async signInWith() {
        throw new ServiceError('auth/operation-not-allowed', 'login_error')
      },
      async changePhone(phone, code) {
        if (code !== MEMORY_CODE) throw new ServiceError('auth/invalid', 'otp_validate_error')
        signIn(user && { ...user, phone })
      },
      signOut: async () => signIn(null),
    },
    database: {
      live(query, onValue) {
        const value = JSON.stringify(answer(tree, query))
        const listener = { query, sent: value, tell: onValue }
        listeners.add(listener)
        queueMicrotask(() => listeners.has(listener) && onValue(JSON.parse(listener.sent)))
        return () => listeners.delete(listener)
      },
      once: async (query) => structuredClone(answer(tree, query)),
      update: async (changes) => change(changes),
      newKey: async () => `-Memory${String(++keys).padStart(13, '0')}`,
      connected(onChange) {
        connections.add(onChange)
        onChange(online)
        return () => connections.delete(onChange)
      },
    },
    functions: { call: run, post: run, get: (name) => run(name, undefined) },
    storage: { upload: async (path) => `https://files.example/${path}` },
    device: {
      kept: async (uid) => structuredClone(device.get(uid) ?? {}),
      keep: async (uid, changes) => {
        const all = Object.entries({ ...device.get(uid), ...structuredClone(changes) })
        device.set(uid, Object.fromEntries(all.filter(([, value]) => value !== null)))
      },
      forget: async () => device.clear(),
    },
    isLocal: async () => true,
    maps: async () => undefined,
    report: () => {},
  }
  const world: MemoryWorld = {
    services,
    tree: () => tree,
    change,
    uid: () => user?.uid ?? null,
    signIn,
    setOnline(next) {
      online = next
      for (const tell of connections) tell(online)
    },
    calls: [],
  }
  return world
}
