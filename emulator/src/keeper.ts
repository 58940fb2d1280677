import { isJsonObject } from './auth'
import { openJournal } from './journal/journal'
import type { Journal, Recovery } from './journal/journal'
import { log, reason } from './log'
import type { Durability } from './outbox'
import { build } from './tree/build'
import { jsonText } from './tree/json'
import { Branch, LargeBranch, nodeAt, reuse, withNodeAt } from './tree/node'
import type { Node } from './tree/node'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'
import type { Plan } from './write'

/** What is kept of one database. */
export interface Kept {
  root: Node | null
  rules: string | null
}

const CHUNK = 1 << 18

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
  private constructor(
    private readonly journal: Journal,
    private readonly current: () => ReadonlyMap<string, Kept>,
  ) {}

  /**
   * Recovers a folder; `restore` is given what it held, `current` tells what a snapshot must hold. A
   * snapshot is due after `snapshotAfter` bytes of records.
   */
  static async open(
    folder: string,
    restore: (kept: ReadonlyMap<string, Kept>) => void,
    current: () => ReadonlyMap<string, Kept>,
    snapshotAfter?: number,
  ): Promise<Keeper> {
    const kept = new Map<string, Kept>()
    const onRecord = (record: Buffer) => replay(kept, record)
    const journal = await openJournal(folder, {
      onSnapshot: onRecord,
      onRecord,
      ...(snapshotAfter === undefined ? {} : { snapshotAfter }),
    })
    const { chunks, records, droppedBytes } = journal.recovery
    log(`recovered ${chunks} chunks and ${records} records, dropped ${droppedBytes} torn bytes`)
    restore(kept)
    return new Keeper(journal, current)
  }

  /** Queues a write; throws when the journal has failed. */
  record(namespace: string, { changes, text }: Plan): void {
    const puts = changes.map(({ path, after }) => putText(path, text ?? jsonText(after, 'export')))
    this.journal.append(putsRecord(namespace, puts))
  }

  /** Queues a change of rules; throws when the journal has failed. */
  recordRules(namespace: string, rules: string): void {
    this.journal.append(rulesRecord(namespace, rules))
  }

  async flushed(): Promise<void> {
    try {
      await this.journal.flushed()
    } catch (error) {
      log(`the journal failed: ${reason(error)}`)
      throw error
    } finally {
      this.snapshotWhenDue()
    }
  }

  get recovery(): Recovery {
    return this.journal.recovery
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  private snapshotWhenDue(): void {
    if (!this.journal.snapshotDue) return
    this.journal
      .snapshot(snapshotOf(this.current()))
      .catch((error: unknown) => log(`no snapshot could be written: ${reason(error)}`))
  }
}
