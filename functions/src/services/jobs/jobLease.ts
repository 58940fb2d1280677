import { internalPaths } from '~/domain/data/internalPaths'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import type { Milliseconds } from '~/domain/language/units'

/** The right to run a job until a time (ms); of two concurrent takers, the rules refuse one. */
interface JobLease {
  until: number
  revision: number
}

/** Writes the lease with the next revision. Returns false when another run wrote it first. */
const writeLease = async (db: DatabasePort, job: string, lease: JobLease): Promise<boolean> => {
  try {
    await db.update({ [internalPaths.job(job)]: { ...lease } })
    return true
  } catch (error) {
    if (error instanceof WriteConflictError) return false
    throw error
  }
}

/**
 * Runs `work` while no other run of the job does. Returns null when one does. The lease ends with
 * the work, or after `ms` when the process is killed, so that a killed run blocks no other for
 * long. Work that outlives its lease may overlap with the next run, so it must be safe to run
 * twice.
 */
export const runWithLease = async <Result>(
  db: DatabasePort,
  { job, now, ms }: { job: string; now: number; ms: Milliseconds },
  work: () => Promise<Result>,
): Promise<Result | null> => {
  const held = await db.read<JobLease>(internalPaths.job(job))
  if (held && held.until > now) return null
  const revision = (held?.revision ?? 0) + 1
  if (!(await writeLease(db, job, { until: now + ms, revision }))) return null
  try {
    return await work()
  } finally {
    // A run that took over an expired lease keeps it, because its revision is higher.
    await writeLease(db, job, { until: 0, revision: revision + 1 })
  }
}
