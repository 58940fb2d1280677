import type { DatabaseTree } from '~/domain/invariants'
import { toMinor } from '~/domain/money'
import type { DoneEntry, DoneEvent } from './observed'

const DECIMALS = 2

/** One sentence for each thing that the functions said was done and that is not in the database. */
export const lostIn = (
  { bookings = {}, users = {} }: DatabaseTree,
  events: readonly DoneEvent[],
  entries: readonly DoneEntry[],
): string[] => [
  ...events.flatMap(({ booking, event, by, revision }) => {
    const logged = Object.values(bookings[booking]?.event_log ?? {}).some(
      (entry) => entry.event === event && entry.by === by && entry.revision === revision,
    )
    return logged ? [] : [`${event} of ${booking}, done at revision ${revision}, is not in its log`]
  }),
  ...entries.flatMap(({ uid, key, amount }) => {
    const entry = users[uid]?.walletHistory?.[key]
    return entry && toMinor(entry.amount - amount, DECIMALS) === 0
      ? []
      : [`${key} of users/${uid}, ${amount}, is not in the wallet's history`]
  }),
]
