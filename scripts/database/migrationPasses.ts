import { fnv1a } from '~/domain/data/fnv1a'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { MigrationContext, RowChange, StoredRecord } from '~/domain/migrations/migration'
import {
  applyChangesToRow,
  type MigrationPart,
  type MigrationPass,
  type MigrationPlan,
  type NamePass,
  type RowPass,
  type TotalsPass,
} from '~/domain/migrations/migrationPlan'
import { diffValues } from '~/domain/migrations/valueDiff'
import { readLeaves, readRecords, readRows, type PageLimits } from './databasePages'
import type { RestDatabase } from './restDatabase'

/** Maximum number of rounds of a count, enough for 64 times as many totals. */
const MAX_ROUNDS = 64
const MAX_SAMPLES = 5

/** The result of one pass: planned changes in a dry run, otherwise completed ones. */
export interface PassReport {
  name: string
  /** Numbers of records read, records changed and values written for them. */
  seen: number
  changed: number
  paths: number
  /** Some of the changes: path, value before, value after. */
  sample: [path: string, before: DatabaseValue, after: DatabaseValue][]
}
export const getPassName = (pass: MigrationPass): string => {
  switch (pass.kind) {
    case 'rows':
      return pass.collections.join(', ')
    case 'names':
      return `${pass.naming.into} for ${pass.naming.over}`
    case 'tally':
      return `${pass.counter.path} from ${pass.counter.collections.join(', ')}`
  }
}

const createPassReport = (pass: MigrationPass): PassReport => ({
  name: getPassName(pass),
  seen: 0,
  changed: 0,
  paths: 0,
  sample: [],
})

const getValueAt = (value: DatabaseValue | undefined, path: string[]): DatabaseValue =>
  path.reduce<DatabaseValue>(
    (at, key) =>
      typeof at === 'object' && at !== null ? ((at as StoredRecord)[key] ?? null) : null,
    value ?? null,
  )

export interface PassContext {
  db: RestDatabase
  context: MigrationContext
  limits: PageLimits
  mostTotals: number
  progress: (pass: string, recordCount: number) => void
  print: (line: string) => void
  /** Called for each changed record with the parts that change it. */
  countChange: (...parts: MigrationPart[]) => void
  /** Called for each record, so that a lease does not expire while there is nothing to write. */
  renewLease: () => Promise<void>
}

const PROGRESS_EVERY = 1000

/** Compares each row with its expected value and passes on the differences. */
export const migrateRows = async (
  pass: RowPass,
  { db, context, limits, progress, print, countChange, renewLease }: PassContext,
  after: string | undefined,
  write: (updates: [string, DatabaseValue][], key: string) => Promise<void>,
): Promise<PassReport> => {
  const report = createPassReport(pass)
  for await (const [key, row] of readRows(db, pass.collections, after, limits)) {
    await renewLease()
    const effective: RowChange[] = []
    const next = applyChangesToRow(
      pass.changes,
      { row, key },
      context,
      (change, before, changed) => {
        effective.push(change)
        if (change.describeRow) print(change.describeRow(before, changed, key))
      },
    )
    countChange(...effective)
    const updates = pass.collections.flatMap((name) =>
      diffValues(row[name], next[name], `${name}/${key}`),
    )
    recordSample(report, updates, (path) => {
      const name = pass.collections.find((one) => path.startsWith(`${one}/`)) ?? ''
      return getValueAt(
        row[name],
        path
          .slice(name.length + 1)
          .split('/')
          .slice(1),
      )
    })
    if (updates.length > 0) await write(updates, key)
    if (report.seen % PROGRESS_EVERY === 0) progress(report.name, report.seen)
  }
  progress(report.name, report.seen)
  return report
}

const recordSample = (
  report: PassReport,
  updates: readonly [string, DatabaseValue][],
  before: (path: string) => DatabaseValue,
) => {
  report.seen += 1
  if (updates.length === 0) return
  report.changed += 1
  report.paths += updates.length
  for (const [path, value] of updates.slice(0, MAX_SAMPLES - report.sample.length))
    report.sample.push([path, before(path), value])
}

/** A record and its name, if it has one. */
type NamedRecord = [key: string, name: DatabaseValue]

/** Returns the changes that give each record of a group a name of its own. */
const nameGroup = async (
  { naming: { over, field, into, choose } }: NamePass,
  db: RestDatabase,
  group: readonly NamedRecord[],
): Promise<{ key: string; before: DatabaseValue; updates: [string, DatabaseValue][] }[]> => {
  const owners = new Map<string, Promise<string | null>>()
  const findOwner = (name: string): Promise<string | null> => {
    const owner = owners.get(name) ?? (db.get(`${into}/${name}`) as Promise<string | null>)
    owners.set(name, owner)
    return owner
  }
  // Starts the lookups of the whole group; `owners` caches the results.
  await Promise.all(
    group.map(([key, name]) =>
      typeof name === 'string' ? findOwner(name) : choose(key, findOwner),
    ),
  )
  const changes: { key: string; before: DatabaseValue; updates: [string, DatabaseValue][] }[] = []
  for (const [key, before] of group) {
    const keeper = typeof before === 'string' ? await findOwner(before) : undefined
    const isKept = keeper === null || keeper === key
    const name = typeof before === 'string' && isKept ? before : await choose(key, findOwner)
    const owner = await findOwner(name)
    owners.set(name, Promise.resolve(key))
    changes.push({
      key,
      before,
      updates: [
        ...(name === before ? [] : [[`${over}/${key}/${field}`, name] as [string, DatabaseValue]]),
        ...(owner === key ? [] : [[`${into}/${name}`, key] as [string, DatabaseValue]]),
      ],
    })
  }
  return changes
}

/** Number of records whose names are looked up concurrently and then written together. */
const NAMED_AT_ONCE = 50

/**
 * Gives a name to each record that has none or has another record's, and lists every name in the
 * index. Writes the names of one group before it reads the next group, so that each record sees all
 * earlier names.
 */
export const migrateNames = async (
  pass: NamePass,
  { db, limits, progress, countChange, renewLease }: PassContext,
  after: string | undefined,
  write: (group: [key: string, updates: [string, DatabaseValue][]][]) => Promise<void>,
): Promise<PassReport> => {
  const { over, field } = pass.naming
  const report = createPassReport(pass)
  let group: NamedRecord[] = []
  const flush = async () => {
    const changes = await nameGroup(pass, db, group)
    for (const { before, updates } of changes) {
      recordSample(report, updates, (path) => (path.startsWith(`${over}/`) ? before : null))
      if (updates.length > 0) countChange(pass.naming)
    }
    const written = changes.filter(({ updates }) => updates.length > 0)
    if (written.length > 0) await write(written.map(({ key, updates }) => [key, updates]))
    group = []
  }
  for await (const [key, record] of readRecords(db, over, after, limits)) {
    await renewLease()
    group.push([key, getValueAt(record, [field])])
    if (group.length >= NAMED_AT_ONCE) await flush()
    if (report.seen % PROGRESS_EVERY === 0 && group.length === 0) progress(report.name, report.seen)
  }
  await flush()
  progress(report.name, report.seen)
  return report
}

/**
 * Yields the records that a tally counts: as stored, or in a dry run as they would be after the
 * migration.
 */
async function* readTalliedRows(
  over: string,
  { db, context, limits }: PassContext,
  plan: MigrationPlan | undefined,
): AsyncGenerator<[key: string, record: DatabaseValue]> {
  const pass = plan?.passes.find(
    (one): one is RowPass => one.kind === 'rows' && one.collections.includes(over),
  )
  if (!pass) {
    yield* readRecords(db, over, undefined, limits)
    return
  }
  for await (const [key, row] of readRows(db, pass.collections, undefined, limits)) {
    const record = applyChangesToRow(pass.changes, { row, key }, context)[over] ?? null
    if (record !== null) yield [key, record]
  }
}

/**
 * Counts the totals whose path `isCounted` accepts. Returns null as soon as there are more of them
 * than `mostTotals`.
 */
const countOnce = async (
  { counter }: TotalsPass,
  pages: PassContext,
  plan: MigrationPlan | undefined,
  { isCounted, mostTotals }: { isCounted: (path: string) => boolean; mostTotals: number },
): Promise<{ seen: number; totals: Map<string, DatabaseValue> } | null> => {
  const count = counter.createCounter(pages.context, isCounted)
  const name = getPassName({ kind: 'tally', counter })
  let recordCount = 0
  for (const over of counter.collections)
    for await (const [key, record] of readTalliedRows(over, pages, plan)) {
      await pages.renewLease()
      count.add(over, record, key)
      recordCount += 1
      if (recordCount % PROGRESS_EVERY !== 0) continue
      if (count.getSize() > mostTotals) return null
      pages.progress(name, recordCount)
    }
  pages.progress(name, recordCount)
  return count.getSize() > mostTotals ? null : { seen: recordCount, totals: count.finish() }
}

/**
 * Counts, compares the result with the stored totals and passes on those that are wrong. When there
 * are more totals than fit into memory, counts them in several rounds.
 */
export const migrateTally = async (
  pass: TotalsPass,
  pages: PassContext,
  plan: MigrationPlan | undefined,
  write: (updates: [string, DatabaseValue][]) => Promise<void>,
): Promise<PassReport> => {
  const { counter } = pass
  const report = createPassReport(pass)
  const wrong = async (path: string, before: DatabaseValue, after: DatabaseValue) => {
    report.changed += 1
    report.paths += 1
    pages.countChange(counter)
    if (report.sample.length < MAX_SAMPLES) report.sample.push([path, before, after])
    await write([[path, after]])
  }
  let rounds = 1
  for (let round = 0; round < rounds; round++) {
    const isCounted = (path: string) =>
      rounds === 1 || fnv1a(path.slice(0, path.lastIndexOf('/'))) % rounds === round
    // The rounds are about equal, so only the first one decides how many there are.
    const isDecided = round > 0 || rounds >= MAX_ROUNDS
    const mostTotals = isDecided ? Infinity : pages.mostTotals
    const counted = await countOnce(pass, pages, plan, { isCounted, mostTotals })
    if (counted === null) {
      rounds *= 2
      round = -1
      continue
    }
    const { seen, totals } = counted
    report.seen = seen
    for await (const [path, storedTotal] of readLeaves(pages.db, counter.path, pages.limits)) {
      await pages.renewLease()
      if (!isCounted(path)) continue
      const total = totals.get(path) ?? null
      totals.delete(path)
      if (total !== storedTotal) await wrong(path, storedTotal, total)
    }
    for (const [path, total] of totals) await wrong(path, null, total)
  }
  return report
}
