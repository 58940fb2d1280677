import { dbPaths } from '~/domain/data/databasePaths'
import type { ListRecurringInput } from '~/domain/api/inputs/recurring'
import type { RecurringRecord } from '~/domain/recurring/series'
import type { SeriesView } from '~/domain/recurring/view'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { toCallersSeriesView } from '../../services/bookings/demoContacts'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { authorizeRecurring } from '../../services/recurring/recurringRecords'
import type { DatabasePort } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import type { UserRequestContext } from '../../ports/requestContext'
import type { DirectoryEntry } from '~/domain/accounts/types'

/** Customers per page. */
const PAGE_SIZE = 25

interface RecurringPage {
  rows: [customer: string, record: RecurringRecord][]
  next: string | null
}

/** Lists the recurring bookings of one rider, or of all riders page by page. */
export const list_recurring = defineUserEndpoint({
  name: 'list_recurring',
  summary:
    "Returns the caller's recurring bookings with their next trips, and the reasons for which trips were not booked. An admin gets those of `customer`, or of all riders, 25 riders at a time in the order in which bookings are due; `next` is the `cursor` of the following page.",
  allow: ['rider', 'admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle(input, context) {
    const { actor, db } = context
    const settings = await readSettings(db)
    const { rows, next } = await readPage(input, context)
    const views = rows.flatMap(([customer, { series }]) =>
      Object.values(series ?? {})
        .sort((a, b) => a.created_at - b.created_at)
        .map((one) => toCallersSeriesView(customer, one, settings, context)),
    )
    return { series: actor.role === 'admin' ? await addNames(db, views) : views, next }
  },
})

const readPage = async (
  { customer, cursor }: ListRecurringInput,
  context: UserRequestContext,
): Promise<RecurringPage> => {
  const { actor, db } = context
  if (actor.role === 'rider' || customer !== undefined) {
    const { customer: uid } = await authorizeRecurring(customer, context)
    const record = await db.read<RecurringRecord>(dbPaths.recurringFor(uid))
    return { rows: record ? [[uid, record]] : [], next: null }
  }
  const [due, after] = cursor?.split('.') ?? []
  const rows = await db.list<RecurringRecord>(dbPaths.recurring, {
    by: 'due',
    // Records without a series have no due time and sort before 1.
    startAt: 1,
    first: PAGE_SIZE,
    ...(after !== undefined && { afterKey: after, afterValue: Number(due) }),
  })
  const last = rows.at(-1)
  const hasMore = rows.length === PAGE_SIZE && last !== undefined
  return { rows, next: hasMore ? `${last[1].due ?? 0}.${last[0]}` : null }
}

/** Adds the names of the riders, which the list keeps only by their ids. */
const addNames = async (db: DatabasePort, views: SeriesView[]): Promise<SeriesView[]> => {
  const uids = [...new Set(views.map(({ customer }) => customer))]
  const names = new Map(
    await Promise.all(
      uids.map(async (uid): Promise<[string, string]> => {
        const person = await db.read<DirectoryEntry>(dbPaths.directoryEntry(uid))
        return [uid, person ? formatFullName(person) : '']
      }),
    ),
  )
  return views.map((view) => ({ ...view, customer_name: names.get(view.customer) ?? '' }))
}
