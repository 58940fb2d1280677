import type { DatabaseValue } from '~/domain/data/databaseValue'
import { fnv1a } from '~/domain/data/fnv1a'
import { diffValues } from '~/domain/migrations/valueDiff'
import type {
  MigrationContext,
  DerivedDataName,
  Migration,
  RowChange,
  StoredRecord,
} from '~/domain/migrations/migration'
import {
  applyChangesToRow,
  type NamePass,
  planMigrations,
  type MigrationPart,
  type MigrationPass,
  type MigrationPlan,
  type RowPass,
  type TotalsPass,
} from '~/domain/migrations/migrationPlan'
import { MIGRATIONS } from '~/domain/migrations/registry'
import { hashTexts } from '~/domain/data/schemaVersion'
import { readSchema, takeLease, type Lease } from './lease'
import { DEFAULT_LIMITS, readLeaves, readRecords, readRows, type PageLimits } from './databasePages'
import type { RestDatabase } from './restDatabase'

/** Maximum number of paths in one update; Google allows 1,000 and slows down with size. */
const MAX_PATHS = 900
const MAX_BYTES = 1024 * 1024
/** Maximum number of totals in memory, of some 200 bytes each. */
const MAX_TOTALS = 250_000
/** Maximum number of rounds of a count, enough for 64 times as many totals. */
const MAX_ROUNDS = 64
const MAX_SAMPLES = 5

/** The result of one pass: planned changes in a dry run, otherwise completed ones. */
interface PassReport {
  name: string
  /** Numbers of records read, records changed and values written for them. */
  seen: number
  changed: number
  paths: number
  /** Some of the changes: path, value before, value after. */
  sample: [path: string, before: DatabaseValue, after: DatabaseValue][]
}
export interface MigrationReport {
  from: number
  to: number
  /**
   * Number of records and totals that this run changes, by the description of the migration or
   * rebuild, in their order.
   */
  changes: Record<string, number>
  passes: PassReport[]
}

interface MigrateOptions {
  /** The interface texts of this release, by locale. */
  texts: MigrationContext['texts']
  /** Writes nothing and takes no lease. */
  isDryRun?: boolean
  /** Derived data to rebuild, regardless of the version. */
  rebuild?: readonly DerivedDataName[]
  /** Called after every 1,000 records of a pass. */
  progress?: (text: string) => void
  /** Receives the lines about single records, such as each wallet whose balance changes. */
  print?: (line: string) => void
  limits?: PageLimits
  /**
   * The lease of a restore, which the restore releases itself, and the restore's step for this
   * migration. A resumed restore starts the migration again.
   */
  outerLease?: { lease: Lease; step: number }
  /**
   * For tests; the defaults are the release's own migrations, the usual limits and the processes of
   * this host.
   */
  migrations?: readonly Migration[]
  mostPaths?: number
  mostTotals?: number
  isHolderGone?: (holder: string) => boolean
}

const getPassName = (pass: MigrationPass): string => {
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

interface UpdateBatch {
  add(updates: readonly [string, DatabaseValue][], cursor?: string): Promise<void>
  flush(): Promise<void>
}

/** Collects changes and writes them in bounded updates, each with the progress so far. */
const createUpdateBatch = (
  db: RestDatabase,
  lease: Lease,
  mostPaths: number,
  progress: (cursor: string | undefined) => Record<string, DatabaseValue>,
): UpdateBatch => {
  let pending: Record<string, DatabaseValue> = {}
  let paths = 0
  let bytes = 0
  let cursor: string | undefined
  const flush = async () => {
    if (paths === 0) return
    await lease.renewIfDue()
    await db.update({ ...pending, ...progress(cursor) })
    pending = {}
    paths = 0
    bytes = 0
  }
  return {
    flush,
    async add(updates, next) {
      const size = updates.reduce(
        (sum, [path, value]) => sum + path.length + JSON.stringify(value).length,
        0,
      )
      if (paths > 0 && (paths + updates.length > mostPaths || bytes + size > MAX_BYTES))
        await flush()
      for (const [path, value] of updates) pending[path] = value
      paths += updates.length
      bytes += size
      cursor = next
    },
  }
}

interface PassContext {
  db: RestDatabase
  context: MigrationContext
  limits: PageLimits
  mostTotals: number
  progress: (pass: string, seen: number) => void
  print: (line: string) => void
  /** Called for each changed record with the parts that change it. */
  countChange: (...parts: MigrationPart[]) => void
  /** Called for each record, so that a lease does not expire while there is nothing to write. */
  renewLease: () => Promise<void>
}

const PROGRESS_EVERY = 1000

/** Compares each row with its expected value and passes on the differences. */
const migrateRows = async (
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

/** Number of records whose names are looked up concurrently and then written together. */
const NAMED_AT_ONCE = 50

/**
 * Gives a name to each record that has none or has another record's, and lists every name in the
 * index. Writes the names of one group before it reads the next group, so that each record sees all
 * earlier names.
 */
const named = async (
  pass: NamePass,
  { db, limits, progress, countChange, renewLease }: PassContext,
  after: string | undefined,
  write: (group: [key: string, updates: [string, DatabaseValue][]][]) => Promise<void>,
): Promise<PassReport> => {
  const { over, field, into, choose } = pass.naming
  const report = createPassReport(pass)
  let group: [key: string, name: DatabaseValue][] = []
  const flush = async () => {
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
    const changes: [key: string, updates: [string, DatabaseValue][]][] = []
    for (const [key, before] of group) {
      const kept = typeof before === 'string' ? await findOwner(before) : undefined
      const isKept = kept === null || kept === key
      const name = typeof before === 'string' && isKept ? before : await choose(key, findOwner)
      const owner = await findOwner(name)
      owners.set(name, Promise.resolve(key))
      const updates: [string, DatabaseValue][] = [
        ...(name === before ? [] : [[`${over}/${key}/${field}`, name] as [string, DatabaseValue]]),
        ...(owner === key ? [] : [[`${into}/${name}`, key] as [string, DatabaseValue]]),
      ]
      recordSample(report, updates, (path) => (path.startsWith(`${over}/`) ? before : null))
      if (updates.length === 0) continue
      countChange(pass.naming)
      changes.push([key, updates])
    }
    if (changes.length > 0) await write(changes)
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
  let seen = 0
  for (const over of counter.collections)
    for await (const [key, record] of readTalliedRows(over, pages, plan)) {
      await pages.renewLease()
      count.add(over, record, key)
      seen += 1
      if (seen % PROGRESS_EVERY !== 0) continue
      if (count.getSize() > mostTotals) return null
      pages.progress(name, seen)
    }
  pages.progress(name, seen)
  return count.getSize() > mostTotals ? null : { seen, totals: count.finish() }
}

/**
 * Counts, compares the result with the stored totals and passes on those that are wrong. When there
 * are more totals than fit into memory, counts them in several rounds.
 */
const migrateTally = async (
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
    for await (const [path, kept] of readLeaves(pages.db, counter.path, pages.limits)) {
      await pages.renewLease()
      if (!isCounted(path)) continue
      const total = totals.get(path) ?? null
      totals.delete(path)
      if (total !== kept) await wrong(path, kept, total)
    }
    for (const [path, total] of totals) await wrong(path, null, total)
  }
  return report
}

/** Returns a one-line summary of the changes. */
export const summarizeMigration = ({ to, passes }: MigrationReport): string => {
  const changes = passes
    .filter(({ changed }) => changed > 0)
    .map(({ name, changed }) => `${changed} changed in ${name}`)
  return `Migrated the data to schema ${to}: ${changes.join('; ') || 'nothing had to change'}.`
}

/**
 * Migrates a database to the schema of this release: first all due changes row by row, then the
 * derived data. Run it again to resume after an interruption; it does nothing on current data.
 * Returns undefined when there was nothing to do. Throws a readable error when the data is newer
 * than this release or another process works on it.
 */
export const migrate = async (
  db: RestDatabase,
  options: MigrateOptions,
): Promise<MigrationReport | undefined> => {
  const { texts, isDryRun = false, rebuild = [], limits = DEFAULT_LIMITS, outerLease } = options
  const { migrations = MIGRATIONS, mostPaths = MAX_PATHS, isHolderGone } = options
  const known = migrations.at(-1)?.version ?? 0
  const { schema, at } = await readSchema(db)
  const from = schema.version ?? 0
  if (from > known)
    throw new Error(
      `The data has schema ${from}, this release knows ${known}. Use the release that wrote it, or a later one.`,
    )
  const interrupted = schema.running?.what === 'save' ? undefined : schema.running
  if (interrupted?.what === 'migrate' && Number.parseInt(interrupted.job, 10) > known)
    throw new Error(
      'A migration to a later release was interrupted. Finish it with that release: `npm run migrate -- --apply`.',
    )
  const settings = (await db.get('settings')) as StoredRecord | null
  // The database was never set up.
  if (!settings && !interrupted) return undefined
  const mark = hashTexts(texts)
  const plan = planMigrations(from, {
    rebuild: schema.texts === mark ? rebuild : [...rebuild, 'texts'],
    migrations,
  })
  if (plan.passes.length === 0 && plan.to === from && !interrupted) return undefined
  const currency = (await db.get('currency')) as MigrationContext['currency'] | null
  const context: MigrationContext = {
    settings: settings ?? {},
    ...(currency && { currency }),
    texts,
    now: at,
  }
  const descriptions = [
    ...plan.migrations.map(({ description }) => description),
    ...plan.descriptions.values(),
  ]
  const report: MigrationReport = {
    from,
    to: plan.to,
    changes: Object.fromEntries(descriptions.map((description) => [description, 0])),
    passes: [],
  }
  const pages: PassContext = {
    db,
    context,
    limits,
    mostTotals: options.mostTotals ?? MAX_TOTALS,
    progress: (pass, seen) => options.progress?.(`${pass}: ${seen}`),
    print: options.print ?? (() => undefined),
    countChange(...parts) {
      for (const description of new Set(parts.map((part) => plan.descriptions.get(part) ?? '')))
        report.changes[description] = (report.changes[description] ?? 0) + 1
    },
    renewLease: () => Promise.resolve(),
  }
  if (isDryRun) {
    const nothing = () => Promise.resolve()
    for (const pass of plan.passes)
      switch (pass.kind) {
        case 'rows':
          report.passes.push(await migrateRows(pass, pages, undefined, nothing))
          break
        case 'names':
          report.passes.push(await named(pass, pages, undefined, nothing))
          break
        case 'tally':
          report.passes.push(await migrateTally(pass, pages, plan, nothing))
      }
    return report
  }
  const job = [plan.to, mark, ...plan.passes.map(getPassName)].join('; ')
  const lease =
    outerLease?.lease ??
    (await takeLease(db, {
      what: 'migrate',
      job,
      closes: 'all',
      ...(isHolderGone && { isHolderGone }),
    }))
  pages.renewLease = () => lease.renewIfDue()
  pages.context = { ...context, now: lease.job.at }
  const done = outerLease ? { step: 0, cursor: undefined } : lease.job
  for (const [step, pass] of plan.passes.entries()) {
    if (step < done.step) continue
    const updates = createUpdateBatch(db, lease, mostPaths, (cursor) =>
      outerLease ? lease.toProgressPaths(outerLease.step) : lease.toProgressPaths(step, cursor),
    )
    const after = step === done.step ? done.cursor : undefined
    switch (pass.kind) {
      case 'rows':
        report.passes.push(
          await migrateRows(pass, pages, after, (changes, key) => updates.add(changes, key)),
        )
        break
      case 'names':
        report.passes.push(
          await named(pass, pages, after, async (group) => {
            for (const [key, changes] of group) await updates.add(changes, key)
            await updates.flush()
          }),
        )
        break
      case 'tally':
        report.passes.push(await migrateTally(pass, pages, undefined, (one) => updates.add(one)))
    }
    await updates.flush()
  }
  if (!outerLease) await lease.release({ version: plan.to, texts: mark })
  return report
}
