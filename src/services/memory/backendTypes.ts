import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Services, SignedInUser } from '../services'

export type Tree = { [key: string]: DatabaseValue }

export type Handler = (input: never, backend: MemoryBackend) => unknown

export interface MemoryBackend {
  services: Services
  /** Returns the whole current database, past the rules. */
  getTree(): Tree
  /** Returns the value at a path, past the rules; null when there is none. */
  at(path: string): DatabaseValue
  /** Writes paths past the rules, as the functions and other programs do. */
  update(changes: Record<string, DatabaseValue>): void
  getUid(): string | null
  signIn(user: SignedInUser | null): void
  setOnline(online: boolean): void
  /** All calls, in order, without those that a test gives no handler because they only read. */
  calls: { name: string; input: unknown }[]
}

export interface MemoryOptions {
  /** The data at the start. Roles, directory and schema version are derived unless given. */
  seed?: Tree
  /** The text of the rules, for tests with paths of their own; the product's by default. */
  rules?: string
  /** The uid that is signed in at the start. */
  as?: string
  /** Data that the device kept from the person's earlier visit. */
  offlineData?: Record<string, unknown>
  /** Callables and endpoints by name; a missing one is refused as not found. */
  handlers?: Record<string, Handler>
  now?: () => number
  /** False for a deployed Kerbside; the backend is local by default. */
  isLocal?: boolean
  /** The only sign-in code that is accepted; `MEMORY_CODE` by default. */
  loginCode?: string
  /** The server's clock minus the device's in ms. */
  serverTimeOffset?: number
}
