import { isJsonObject } from './auth'
import { openJournal } from './journal/journal'
import type { Disk, Journal, Recovery } from './journal/journal'
import { log, reason } from './log'
import type { Durability } from './outbox'
import { build } from './tree/build'
import { jsonText } from './tree/json'
import { Branch, LargeBranch, nodeAt, PackedBranch, reuse, withNodeAt } from './tree/node'
import type { Node } from './tree/node'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'
import type { Plan } from './write'

/** What is kept of one database. */
export interface Kept {
  root: Node | null
  rules: string | null
}

interface KeeperOptions {
  /** Is given what the folder held. */
  readonly restore: (kept: ReadonlyMap<string, Kept>) => void
  /** Tells what a snapshot must hold. */
  readonly current: () => ReadonlyMap<string, Kept>
  /** Is given what is on the disk when writing failed: all else is to be forgotten. */
  readonly takeBack: (kept: ReadonlyMap<string, Kept>) => void
  /** A snapshot is due after so many bytes of records. */
  readonly snapshotAfter?: number
  readonly disk?: Disk
}

const CHUNK = 1 << 18
const MEND_AFTER_MS = 500

const putsRecord = (namespace: string, puts: readonly string[]): string =>
  `{"n":${JSON.stringify(namespace)},"c":[${puts.join(',')}]}`

const putText = (path: Path, json: string): string => `[${JSON.stringify(path.join('/'))},${json}]`

const rulesRecord = (namespace: string, rules: string): string =>
  JSON.stringify({ n: namespace, r: rules })

/** The tree as puts that are each small, so that no string holds a whole database. */
function* putsOf(node: Node, path: Path): Iterable<string> {
  // Priorities of branches are written with them, so such branches are not taken apart.
  if (!(node instanceof Branch) || node.priority !== null || !isSpread(node)) {
    yield putText(path, jsonText(node, 'export'))
    return
  }
  for (const key of node.keys()) yield* putsOf(node.get(key) as Node, [...path, key])
}

const isSpread = (branch: Branch): boolean => {
  if (branch instanceof PackedBranch) return false
  if (branch instanceof LargeBranch) return true
  for (const key of branch.keys()) {
    const child = branch.get(key)
    if (child instanceof Branch && isSpread(child)) return true
  }
  return false
}

function* snapshotOf(kept: ReadonlyMap<string, Kept>): Iterable<string> {
  for (const [namespace, { root, rules }] of kept) {
    if (rules !== null) yield rulesRecord(namespace, rules)
    let puts: string[] = []
    let length = 0
    for (const put of root === null ? [] : putsOf(root, [])) {
      puts.push(put)
      length += put.length
      if (length < CHUNK) continue
      yield putsRecord(namespace, puts)
      puts = []
      length = 0
    }
    if (puts.length > 0) yield putsRecord(namespace, puts)
  }
}

/** Applies one record of a snapshot or of the journal to what has been recovered so far. */
const replay = (kept: Map<string, Kept>, record: Buffer): void => {
  const json: unknown = JSON.parse(record.toString())
  if (!isJsonObject(json) || typeof json['n'] !== 'string') throw new Error('Unknown record')
  const { n: name, c: puts, r: rules } = json
  const state = kept.get(name) ?? { root: null, rules: null }
  kept.set(name, state)
  if (typeof rules === 'string') state.rules = rules
  if (!Array.isArray(puts)) return
  for (const [path, value] of puts as [string, unknown][]) {
    const keys = splitPath(path)
    const existing = nodeAt(state.root, keys)
    const node = build(value, { now: 0, existing: null, depth: keys.length })
    state.root = withNodeAt(state.root, keys, reuse(existing, node))
  }
}

/** Keeps all databases of a server in one folder. */
export class Keeper implements Durability {
  /** What is on the disk; trees share what did not change, so it costs little. */
  private readonly durable: Map<string, Kept>
  /** What each record not yet known to be on the disk makes of its database, oldest first. */
  private pending: { readonly namespace: string; readonly made: Partial<Kept> }[] = []
  private settled = 0
  private readonly current: () => ReadonlyMap<string, Kept>
  private readonly takeBack: (kept: ReadonlyMap<string, Kept>) => void
  /** The failure after which memory was brought back to what is on the disk. */
  private gaveUpOn: Error | null = null
  private nextMendAt = 0

  private constructor(
    private readonly journal: Journal,
    kept: Map<string, Kept>,
    { current, takeBack }: KeeperOptions,
  ) {
    this.durable = kept
    this.current = current
    this.takeBack = takeBack
  }

  /** Recovers a folder. */
  static async open(folder: string, options: KeeperOptions): Promise<Keeper> {
    const { restore, snapshotAfter, disk } = options
    const kept = new Map<string, Kept>()
    const onRecord = (record: Buffer) => replay(kept, record)
    const journal = await openJournal(folder, {
      onSnapshot: onRecord,
      onRecord,
      ...(snapshotAfter === undefined ? {} : { snapshotAfter }),
      ...(disk === undefined ? {} : { disk }),
    })
    const { chunks, records, droppedBytes } = journal.recovery
    log(`recovered ${chunks} chunks and ${records} records, dropped ${droppedBytes} torn bytes`)
    restore(kept)
    return new Keeper(journal, kept, options)
  }

  /** Queues a write; throws when the journal has failed. */
  record(namespace: string, { changes, text, root }: Plan): void {
    const puts = changes.map(({ path, after }) => putText(path, text ?? jsonText(after, 'export')))
    this.journal.append(putsRecord(namespace, puts))
    this.pending.push({ namespace, made: { root } })
  }

  /** Queues a change of rules; throws when the journal has failed. */
  recordRules(namespace: string, rules: string): void {
    this.journal.append(rulesRecord(namespace, rules))
    this.pending.push({ namespace, made: { rules } })
  }

  async flushed(): Promise<void> {
    const { failure } = this.journal
    // New writes are refused then, and what is read is true.
    if (failure !== null && failure === this.gaveUpOn) return this.mendSoon()
    try {
      await this.journal.flushed()
      this.settle()
    } catch (error) {
      this.giveUp(error)
      throw error
    } finally {
      this.snapshotWhenDue()
    }
  }

  /** Takes note of what is on the disk by now. */
  private settle(): void {
    const { written } = this.journal
    for (const { namespace, made } of this.pending.splice(0, written - this.settled)) {
      const before = this.durable.get(namespace) ?? { root: null, rules: null }
      this.durable.set(namespace, { ...before, ...made })
    }
    this.settled = written
  }

  /** Everybody was told, or will be, that what is not on the disk was not done; so it must not be seen either. */
  private giveUp(error: unknown): void {
    const { failure } = this.journal
    if (failure === null || failure === this.gaveUpOn) return
    this.gaveUpOn = failure
    log(`the journal failed: ${reason(error)}`)
    this.settle()
    this.pending = []
    this.takeBack(this.durable)
  }

  get recovery(): Recovery {
    return this.journal.recovery
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  /** Looks now and then whether there is room again. */
  private mendSoon(): void {
    if (Date.now() < this.nextMendAt) return
    this.nextMendAt = Date.now() + MEND_AFTER_MS
    // Nobody needs to be told twice that the disk is full.
    this.journal.mend().catch(() => undefined)
  }

  private snapshotWhenDue(): void {
    // A snapshot needs more room than going on.
    if (this.journal.failure !== null || !this.journal.snapshotDue) return
    this.journal
      .snapshot(snapshotOf(this.current()))
      .catch((error: unknown) => log(`no snapshot could be written: ${reason(error)}`))
  }
}
