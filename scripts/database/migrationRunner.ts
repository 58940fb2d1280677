import type { DatabaseValue } from '~/domain/data/databaseValue'
import { hashTexts } from '~/domain/data/schemaVersion'
import type {
  DerivedDataName,
  Migration,
  MigrationContext,
  StoredRecord,
} from '~/domain/migrations/migration'
import { planMigrations, type MigrationPlan } from '~/domain/migrations/migrationPlan'
import { MIGRATIONS } from '~/domain/migrations/registry'
import { DEFAULT_LIMITS, type PageLimits } from './databasePages'
import { readSchema, takeLease, type Lease } from './lease'
import {
  getPassName,
  migrateNames,
  migrateRows,
  migrateTally,
  type PassContext,
  type PassReport,
} from './migrationPasses'
import type { RestDatabase } from './restDatabase'

/** Maximum number of paths in one update; Google allows 1,000 and slows down with size. */
const MAX_PATHS = 900
const MAX_BYTES = 1024 * 1024
/** Maximum number of totals in memory, of some 200 bytes each. */
const MAX_TOTALS = 250_000

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

/** Returns a one-line summary of the changes. */
export const summarizeMigration = ({ to, passes }: MigrationReport): string => {
  const changes = passes
    .filter(({ changed }) => changed > 0)
    .map(({ name, changed }) => `${changed} changed in ${name}`)
  return `Migrated the data to schema ${to}: ${changes.join('; ') || 'nothing had to change'}.`
}

interface DueMigration {
  from: number
  plan: MigrationPlan
  context: MigrationContext
}

/** Throws a readable error when only a later release can work on the data. */
const checkSchema = (
  { version = 0, running }: Awaited<ReturnType<typeof readSchema>>['schema'],
  newest: number,
): void => {
  if (version > newest)
    throw new Error(
      `The data has schema ${version}, this release knows ${newest}. Use the release that wrote it, or a later one.`,
    )
  if (running?.what === 'migrate' && Number.parseInt(running.job, 10) > newest)
    throw new Error(
      'A migration to a later release was interrupted. Finish it with that release: `npm run migrate -- --apply`.',
    )
}

/** Returns the due migration, if any. Throws when the data is newer than this release. */
const findDueMigration = async (
  db: RestDatabase,
  { texts, rebuild = [], migrations = MIGRATIONS }: MigrateOptions,
): Promise<DueMigration | undefined> => {
  const { schema, at } = await readSchema(db)
  checkSchema(schema, migrations.at(-1)?.version ?? 0)
  const from = schema.version ?? 0
  const isInterrupted = schema.running !== undefined && schema.running.what !== 'save'
  const settings = (await db.get('settings')) as StoredRecord | null
  // The database was never set up.
  if (!settings && !isInterrupted) return undefined
  const plan = planMigrations(from, {
    rebuild: schema.texts === hashTexts(texts) ? rebuild : [...rebuild, 'texts'],
    migrations,
  })
  if (plan.passes.length === 0 && plan.to === from && !isInterrupted) return undefined
  const currency = (await db.get('currency')) as MigrationContext['currency'] | null
  const context = { settings: settings ?? {}, ...(currency && { currency }), texts, now: at }
  return { from, plan, context }
}

const createReport = ({ from, plan }: DueMigration): MigrationReport => {
  const descriptions = [
    ...plan.migrations.map(({ description }) => description),
    ...plan.descriptions.values(),
  ]
  return {
    from,
    to: plan.to,
    changes: Object.fromEntries(descriptions.map((description) => [description, 0])),
    passes: [],
  }
}

/** Runs the passes without writing. */
const planPasses = async (plan: MigrationPlan, pages: PassContext): Promise<PassReport[]> => {
  const reports: PassReport[] = []
  const writeNothing = () => Promise.resolve()
  for (const pass of plan.passes)
    switch (pass.kind) {
      case 'rows':
        reports.push(await migrateRows(pass, pages, undefined, writeNothing))
        break
      case 'names':
        reports.push(await migrateNames(pass, pages, undefined, writeNothing))
        break
      case 'tally':
        reports.push(await migrateTally(pass, pages, plan, writeNothing))
    }
  return reports
}

/** Runs the passes from where the lease's job has got to. */
const runPasses = async (
  { passes }: MigrationPlan,
  pages: PassContext,
  lease: Lease,
  { outerLease, mostPaths = MAX_PATHS }: MigrateOptions,
): Promise<PassReport[]> => {
  const reports: PassReport[] = []
  const progress = outerLease ? { step: 0, cursor: undefined } : lease.job
  for (const [step, pass] of passes.entries()) {
    if (step < progress.step) continue
    const updates = createUpdateBatch(pages.db, lease, mostPaths, (cursor) =>
      outerLease ? lease.toProgressPaths(outerLease.step) : lease.toProgressPaths(step, cursor),
    )
    const after = step === progress.step ? progress.cursor : undefined
    switch (pass.kind) {
      case 'rows':
        reports.push(
          await migrateRows(pass, pages, after, (changes, key) => updates.add(changes, key)),
        )
        break
      case 'names':
        reports.push(
          await migrateNames(pass, pages, after, async (group) => {
            for (const [key, changes] of group) await updates.add(changes, key)
            await updates.flush()
          }),
        )
        break
      case 'tally':
        reports.push(await migrateTally(pass, pages, undefined, (one) => updates.add(one)))
    }
    await updates.flush()
  }
  return reports
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
  const { texts, isDryRun = false, outerLease, isHolderGone } = options
  const due = await findDueMigration(db, options)
  if (!due) return undefined
  const { plan, context } = due
  const report = createReport(due)
  const pages: PassContext = {
    db,
    context,
    limits: options.limits ?? DEFAULT_LIMITS,
    mostTotals: options.mostTotals ?? MAX_TOTALS,
    progress: (pass, recordCount) => options.progress?.(`${pass}: ${recordCount}`),
    print: options.print ?? (() => undefined),
    countChange(...parts) {
      for (const description of new Set(parts.map((part) => plan.descriptions.get(part) ?? '')))
        report.changes[description] = (report.changes[description] ?? 0) + 1
    },
    renewLease: () => Promise.resolve(),
  }
  if (isDryRun) return { ...report, passes: await planPasses(plan, pages) }
  const mark = hashTexts(texts)
  const job = [plan.to, mark, ...plan.passes.map(getPassName)].join('; ')
  const lease =
    outerLease?.lease ??
    (await takeLease(db, {
      what: 'migrate',
      job,
      closes: 'all',
      ...(isHolderGone && { isHolderGone }),
    }))
  const now = lease.job.at
  const locked = { ...pages, context: { ...context, now }, renewLease: () => lease.renewIfDue() }
  const passes = await runPasses(plan, locked, lease, options)
  if (!outerLease) await lease.release({ version: plan.to, texts: mark })
  return { ...report, passes }
}
