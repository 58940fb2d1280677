import type { DatabaseTree } from '~/domain/data/databaseTree'
import { toMinorUnits } from '~/domain/money/money'
import type { AcknowledgedEntry, AcknowledgedEvent } from '~/scripts/city/activityRecorder'

const DECIMALS = 2

/** Returns one sentence for each acknowledged write that is missing from the database. */
export const findLostWrites = (
  { bookings = {}, users = {} }: DatabaseTree,
  events: readonly AcknowledgedEvent[],
  entries: readonly AcknowledgedEntry[],
): string[] => [
  ...events.flatMap(({ booking, event, by, revision }) => {
    const logged = Object.values(bookings[booking]?.event_log ?? {}).some(
      (entry) => entry.event === event && entry.by === by && entry.revision === revision,
    )
    return logged ? [] : [`${event} of ${booking}, done at revision ${revision}, is not in its log`]
  }),
  ...entries.flatMap(({ uid, key, amount }) => {
    const entry = users[uid]?.walletHistory?.[key]
    return entry && toMinorUnits(entry.amount - amount, DECIMALS) === 0
      ? []
      : [`${key} of users/${uid}, ${amount}, is not in the wallet's history`]
  }),
]
