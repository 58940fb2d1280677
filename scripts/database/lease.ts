import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { schemaPaths, type WriteLock, type SchemaNode } from '~/domain/data/schemaVersion'
import { NoResponseError, type RestDatabase, type TaggedValue } from './restDatabase'

/** Milliseconds after the last renewal at which another process may take over. */
const LEASE_MS = 60_000
/**
 * Remaining milliseconds below which the lease is renewed; longer than any write may take
 * (restDatabase.ts).
 */
const RENEW_BELOW_MS = 35_000
/** A time in the year 2286: the database stays closed until the job opens it. */
const NEVER_EXPIRES_AT = 9_999_999_999_999

/** A job with exclusive access to the database, and its progress. */
interface RunningJob {
  what: 'migrate' | 'restore' | 'save'
  /** The process that holds the lease: host, process id and a random part. */
  holder: string
  /** Server time in ms at which another process may take over. */
  lease: number
  /** Server time in ms at which the job started; resuming keeps it. */
  at: number
  /** Identifies the job, for example by target version: only the same job is resumed. */
  job: string
  /** The current step and its last completed key. */
  step: number
  cursor?: string
}
export type Schema = SchemaNode & { running?: RunningJob }

export interface Lease {
  /** The job when the lease was taken, with the step to resume from. */
  readonly job: RunningJob
  /** True when it resumes an interrupted job and the database stayed closed since. */
  readonly isResumed: boolean
  readonly schema: Schema
  /** Renews the lease when it expires soon. Throws when another process has taken over. */
  renewIfDue(): Promise<void>
  /** Returns the paths that store the job's progress, for the same update as the work itself. */
  toProgressPaths(step: number, cursor?: string): Record<string, DatabaseValue>
  /** Ends the job and stores `schema`. */
  release(schema: SchemaNode): Promise<void>
}

interface LeaseOptions {
  what: RunningJob['what']
  job: string
  /** Refuses the writes of all clients and functions, or only of the functions. */
  closes: 'all' | 'functions'
  /**
   * True when the database opens automatically after the lease ends, because the job leaves nothing
   * incomplete.
   */
  opensAgain?: boolean
  holder?: string
  isHolderGone?: (holder: string) => boolean
}

const createHolderName = (): string =>
  `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`

/** Returns true when the holder's process has ended; only its own host can tell. */
const hasProcessEnded = (holder: string): boolean => {
  const [host, pid] = holder.split(':')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Returns the `schema` node with the server's time and the tag for a conditional write. */
export const readSchema = async (
  db: Pick<RestDatabase, 'getTagged'>,
): Promise<Omit<TaggedValue, 'value'> & { schema: Schema }> => {
  const { value, ...rest } = await db.getTagged(schemaPaths.root)
  return { schema: (value ?? {}) as Schema, ...rest }
}

/**
 * Writes `schema` if it still has the tag. Also returns false without a response; read it again in
 * either case.
 */
const writeSchema = async (db: RestDatabase, schema: Schema, tag: string): Promise<boolean> => {
  try {
    return await db.putIf(schemaPaths.root, toJson(schema), tag)
  } catch (error) {
    if (error instanceof NoResponseError) return false
    throw error
  }
}

/** An interrupted job of another kind must be finished first. */
export class InterruptedJobError extends Error {}

const INTERRUPTION_MESSAGES: Record<RunningJob['what'], string> = {
  migrate: 'A migration was interrupted: run `npm run migrate -- --apply` to finish it',
  restore: 'A restore was interrupted: run the same restore again to finish it',
  save: 'A backup was interrupted: run it again',
}

const LOST_MESSAGE =
  'Another process has taken over. This one stopped and lost no data. Wait for the other process.'

/** A lease that was just taken, and how it is kept. */
interface TakenLease {
  holder: string
  schema: Schema
  running: RunningJob
  isResumed: boolean
  opensAgain: boolean
  closedAt: (at: number) => WriteLock
}

/** Returns the lease of a process that holds it. */
const createLease = (db: RestDatabase, lease: TakenLease): Lease => {
  const { holder, schema, running, isResumed, opensAgain, closedAt } = lease
  let renewedAt = Date.now()
  let renewedClock = performance.now()
  // Uses the longer of two measurements: neither a clock that stopped during sleep nor one that was
  // set back may lengthen the lease.
  const getTimeLeft = () =>
    LEASE_MS - Math.max(Date.now() - renewedAt, performance.now() - renewedClock)
  const readOwn = async () => {
    const current = await readSchema(db)
    if (current.schema.running?.holder !== holder) throw new Error(LOST_MESSAGE)
    return { ...current, running: current.schema.running }
  }
  return {
    job: running,
    schema,
    isResumed,
    async renewIfDue() {
      if (getTimeLeft() > RENEW_BELOW_MS) return
      for (;;) {
        const current = await readOwn()
        if (opensAgain && (current.schema.closed?.until ?? 0) <= current.at)
          throw new Error(
            'The database was opened to users meanwhile. Run the command again to start over.',
          )
        const renewed: Schema = {
          ...current.schema,
          closed: closedAt(current.at),
          running: { ...current.running, lease: current.at + LEASE_MS },
        }
        const [wall, clock] = [Date.now(), performance.now()]
        if (!(await writeSchema(db, renewed, current.tag))) continue
        renewedAt = wall
        renewedClock = clock
        return
      }
    },
    toProgressPaths: (step, cursor) => ({
      [`${schemaPaths.running}/step`]: step,
      [`${schemaPaths.running}/cursor`]: cursor ?? null,
    }),
    async release(next) {
      for (let tries = 1; ; tries++) {
        const current = await readSchema(db)
        // The response of an earlier try was lost: the lease is already released.
        if (tries > 1 && !current.schema.running) return
        if (current.schema.running?.holder !== holder) throw new Error(LOST_MESSAGE)
        if (await writeSchema(db, next, current.tag)) return
      }
    },
  }
}

/**
 * Takes the only lease on a database and closes it to others. Throws a readable error when another
 * process holds the lease, or when an interrupted job of another kind must be finished first.
 */
export const takeLease = async (db: RestDatabase, options: LeaseOptions): Promise<Lease> => {
  const { what, job, closes, opensAgain = false } = options
  const { holder = createHolderName(), isHolderGone = hasProcessEnded } = options
  const closedAt = (at: number): WriteLock => ({
    until: opensAgain ? at + LEASE_MS : NEVER_EXPIRES_AT,
    ...(closes === 'all' && { all: true }),
  })
  for (;;) {
    const { schema, tag, at } = await readSchema(db)
    const earlier = schema.running
    if (
      earlier &&
      earlier.lease > at &&
      earlier.holder !== holder &&
      !isHolderGone(earlier.holder)
    ) {
      throw new Error(
        `Another process (${earlier.holder}, ${earlier.what}) is working on this database. Wait for it to end. If it died, try again after ${new Date(earlier.lease).toISOString()}.`,
      )
    }
    // An interrupted backup leaves nothing to finish, and a restore replaces the existing data.
    if (earlier && earlier.what !== what && earlier.what !== 'save' && what !== 'restore')
      throw new InterruptedJobError(`${INTERRUPTION_MESSAGES[earlier.what]}.`)
    const resumes = earlier?.what === what && earlier.job === job
    const running: RunningJob = resumes
      ? { ...earlier, holder, lease: at + LEASE_MS }
      : { what, job, holder, lease: at + LEASE_MS, at, step: 0 }
    if (!(await writeSchema(db, { ...schema, closed: closedAt(at), running }, tag))) continue
    const isResumed = resumes && (schema.closed?.until ?? 0) > at
    return createLease(db, { holder, schema, running, isResumed, opensAgain, closedAt })
  }
}
