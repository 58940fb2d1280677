import { isJsonObject } from './auth'
import { openJournal } from './journal/journal'
import type { DiskState, Journal, RecoverySummary } from './journal/journal'
import { log, errorMessage } from './log'
import type { Durability } from './sendQueue'
import { buildNode } from './tree/nodeBuilder'
import { nodeToJsonText } from './tree/nodeJson'
import {
  Branch,
  LargeBranch,
  getNodeAt,
  PackedBranch,
  reuseUnchanged,
  replaceNodeAt,
} from './tree/node'
import type { Node } from './tree/node'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'
import type { WritePlan } from './writePlan'

/** The stored state of one database. */
export interface StoredDatabase {
  root: Node | null
  rules: string | null
}

interface PersistenceOptions {
  /** Receives the recovered contents of the folder. */
  readonly restore: (databases: ReadonlyMap<string, StoredDatabase>) => void
  /** Returns the state that a snapshot must contain. */
  readonly currentDatabases: () => ReadonlyMap<string, StoredDatabase>
  /** Receives the state on disk after a failed write; the rest must be discarded. */
  readonly rollback: (databases: ReadonlyMap<string, StoredDatabase>) => void
  /** Bytes of records after which a snapshot is due. */
  readonly snapshotAfterBytes?: number
  readonly disk?: DiskState
}

const CHUNK_BYTES = 1 << 18
const RESUME_DELAY_MS = 500

const toPutsRecord = (namespace: string, puts: readonly string[]): string =>
  `{"n":${JSON.stringify(namespace)},"c":[${puts.join(',')}]}`

const toPutText = (path: Path, json: string): string =>
  `[${JSON.stringify(path.join('/'))},${json}]`

const toRulesRecord = (namespace: string, rules: string): string =>
  JSON.stringify({ n: namespace, r: rules })

/** Yields the tree as small puts, so that no string contains a whole database. */
function* putChunks(node: Node, path: Path): Iterable<string> {
  // A branch with a priority stays whole, because its priority is written with it.
  if (!(node instanceof Branch) || node.priority !== null || !isOverChunkSize(node)) {
    yield toPutText(path, nodeToJsonText(node, 'export'))
    return
  }
  for (const key of node.keys()) yield* putChunks(node.get(key) as Node, [...path, key])
}

const isOverChunkSize = (branch: Branch): boolean => {
  if (branch instanceof PackedBranch) return false
  if (branch instanceof LargeBranch) return true
  for (const key of branch.keys()) {
    const child = branch.get(key)
    if (child instanceof Branch && isOverChunkSize(child)) return true
  }
  return false
}

function* snapshotRecords(databases: ReadonlyMap<string, StoredDatabase>): Iterable<string> {
  for (const [namespace, { root, rules }] of databases) {
    if (rules !== null) yield toRulesRecord(namespace, rules)
    let puts: string[] = []
    let length = 0
    for (const put of root === null ? [] : putChunks(root, [])) {
      puts.push(put)
      length += put.length
      if (length < CHUNK_BYTES) continue
      yield toPutsRecord(namespace, puts)
      puts = []
      length = 0
    }
    if (puts.length > 0) yield toPutsRecord(namespace, puts)
  }
}

/** Applies one record of a snapshot or the journal to the state recovered so far. */
const applyRecord = (databases: Map<string, StoredDatabase>, record: Buffer): void => {
  const json: unknown = JSON.parse(record.toString())
  if (!isJsonObject(json) || typeof json['n'] !== 'string') throw new Error('Unknown record')
  const { n: name, c: puts, r: rules } = json
  const state = databases.get(name) ?? { root: null, rules: null }
  databases.set(name, state)
  if (typeof rules === 'string') state.rules = rules
  if (!Array.isArray(puts)) return
  for (const [path, value] of puts as [string, unknown][]) {
    const keys = splitPath(path)
    const existing = getNodeAt(state.root, keys)
    const node = buildNode(value, { now: 0, existing: null, depth: keys.length })
    state.root = replaceNodeAt(state.root, keys, reuseUnchanged(existing, node))
  }
}

/** Stores all databases of a server in one folder. */
export class Persistence implements Durability {
  /** The state on disk. Trees share unchanged parts, so the copy costs little. */
  private readonly durable: Map<string, StoredDatabase>
  /** The database state after each record that may not be on disk yet, oldest first. */
  private pending: { readonly namespace: string; readonly change: Partial<StoredDatabase> }[] = []
  private settledRecords = 0
  private readonly currentDatabases: () => ReadonlyMap<string, StoredDatabase>
  private readonly rollback: (databases: ReadonlyMap<string, StoredDatabase>) => void
  /** The failure after which memory was reset to the state on disk. */
  private rolledBackFor: Error | null = null
  private nextResumeAt = 0

  private constructor(
    private readonly journal: Journal,
    databases: Map<string, StoredDatabase>,
    { currentDatabases, rollback }: PersistenceOptions,
  ) {
    this.durable = databases
    this.currentDatabases = currentDatabases
    this.rollback = rollback
  }

  /** Opens a folder and recovers its databases. */
  static async open(folder: string, options: PersistenceOptions): Promise<Persistence> {
    const { restore, snapshotAfterBytes, disk } = options
    const databases = new Map<string, StoredDatabase>()
    const onRecord = (record: Buffer) => applyRecord(databases, record)
    const journal = await openJournal(folder, {
      onSnapshot: onRecord,
      onRecord,
      ...(snapshotAfterBytes === undefined ? {} : { snapshotAfterBytes }),
      ...(disk === undefined ? {} : { disk }),
    })
    const { chunks, records, droppedBytes } = journal.recovery
    log(`recovered ${chunks} chunks and ${records} records, dropped ${droppedBytes} torn bytes`)
    restore(databases)
    return new Persistence(journal, databases, options)
  }

  /** Queues a write. Throws when the journal has failed. */
  record(namespace: string, { changes, text, root }: WritePlan): void {
    const puts = changes.map(({ path, after }) =>
      toPutText(path, text ?? nodeToJsonText(after, 'export')),
    )
    this.journal.append(toPutsRecord(namespace, puts))
    this.pending.push({ namespace, change: { root } })
  }

  /** Queues a change of rules. Throws when the journal has failed. */
  recordRules(namespace: string, rules: string): void {
    this.journal.append(toRulesRecord(namespace, rules))
    this.pending.push({ namespace, change: { rules } })
  }

  async whenFlushed(): Promise<void> {
    const { failure } = this.journal
    // After the rollback, new writes are refused and reads return durable data.
    if (failure !== null && failure === this.rolledBackFor) return this.scheduleResume()
    try {
      await this.journal.whenFlushed()
      this.markDurable()
    } catch (error) {
      this.rollBackAfter(error)
      throw error
    } finally {
      this.writeSnapshotWhenDue()
    }
  }

  /** Updates the state known to be on disk. */
  private markDurable(): void {
    const { writtenRecords } = this.journal
    for (const { namespace, change } of this.pending.splice(
      0,
      writtenRecords - this.settledRecords,
    )) {
      const before = this.durable.get(namespace) ?? { root: null, rules: null }
      this.durable.set(namespace, { ...before, ...change })
    }
    this.settledRecords = writtenRecords
  }

  /** Clients learn that writes not on disk failed, so those writes must not remain visible. */
  private rollBackAfter(error: unknown): void {
    const { failure } = this.journal
    if (failure === null || failure === this.rolledBackFor) return
    this.rolledBackFor = failure
    log(`the journal failed: ${errorMessage(error)}`)
    this.markDurable()
    this.pending = []
    this.rollback(this.durable)
  }

  get recovery(): RecoverySummary {
    return this.journal.recovery
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  /** Checks at intervals whether the disk has space again. */
  private scheduleResume(): void {
    if (Date.now() < this.nextResumeAt) return
    this.nextResumeAt = Date.now() + RESUME_DELAY_MS
    // The log already contains the full disk.
    this.journal.resumeAfterFailure().catch(() => undefined)
  }

  private writeSnapshotWhenDue(): void {
    // A snapshot needs more space than a resume.
    if (this.journal.failure !== null || !this.journal.isSnapshotDue) return
    this.journal
      .replaceHistory(snapshotRecords(this.currentDatabases()))
      .catch((error: unknown) => log(`no snapshot could be written: ${errorMessage(error)}`))
  }
}
