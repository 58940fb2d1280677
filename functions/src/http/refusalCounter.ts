import { isErrorKey } from '~/domain/api/errorKeys'
import { countRefusals } from '~/domain/access/refusals'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { logError } from '../logs'
import type { DatabasePort } from '../ports/database'
import type { RefusalCounter } from '../ports/refusals'

/** Creates the counter of a process. */
export const createRefusalCounter = (db: Pick<DatabasePort, 'update'>): RefusalCounter => {
  let counts = new Map<string, number>()
  let writtenAt = -Infinity
  return {
    async count(outcome, now) {
      if (isErrorKey(outcome)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (counts.size === 0 || now - writtenAt < MINUTE_MS) return
      const written = counts
      counts = new Map()
      writtenAt = now
      try {
        await db.update(countRefusals(written, now))
      } catch (error) {
        logError('refusal_counter', error)
      }
    },
  }
}
