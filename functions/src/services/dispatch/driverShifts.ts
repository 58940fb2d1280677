import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { addToDriverMonth, splitByMonth } from '~/domain/dispatch/matching/driverMonth'
import { changeDuty } from '~/domain/dispatch/matching/driverShift'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import { readSettings } from '../office/settings'
import type { DriverShift } from '~/domain/dispatch/types'

/** Number of attempts while payments change the shift at the same moment. */
const MAX_ATTEMPTS = 10

/**
 * Records that a driver came on duty or went off, as their profile says now. Safe to repeat and in
 * any order.
 */
export const recordDuty = async (db: DatabasePort, uid: string, now: number): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const [isOnDuty, shift] = await Promise.all([
      db.read<boolean>(`${dbPaths.user(uid)}/driverActiveStatus`),
      db.read<DriverShift>(internalPaths.driverShift(uid)),
    ])
    const changed = changeDuty(shift, isOnDuty === true, now)
    if (!changed) return
    try {
      const { since } = shift ?? {}
      const periods =
        since === undefined ? [] : splitByMonth(since, now, (await readSettings(db)).timezone)
      await db.update({
        [internalPaths.driverShift(uid)]: { ...changed },
        ...Object.fromEntries(
          periods.flatMap(([month, active_s]) =>
            Object.entries(addToDriverMonth(uid, month, { active_s })),
          ),
        ),
      })
      return
    } catch (error) {
      if (!(error instanceof WriteConflictError) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
