import { CUSTOMER_CONTACT_FIELDS } from '~/domain/booking/contactAccess'
import type { EndpointOutput } from '~/domain/api/api'
import type { HelpCase } from '~/domain/help/helpCase'
import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabasePort, FunctionsPort } from '~/src/services/services'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** Everything stored about one person, in the form they may read. */
interface MyData {
  made: string
  profile: unknown
  bookings: unknown
  /** The bookings that they drove. */
  driven: unknown
  recurring: unknown
  payments: unknown
  /** Their questions to the office about bookings, with the answers. */
  help: readonly HelpCase[]
  /** The optional messages that they have turned off. */
  messagesOff: readonly string[]
  /** Contacts that the rider entered: their own phone and e-mail, and the recipient's phone. */
  contacts: Record<string, unknown>
  chats: Record<string, unknown>
  inbox: unknown
  withdraws: unknown
  /** A driver's trips and earnings by month. */
  earnings: unknown
}

/** Rows of a list in one read. */
const ROWS = 1000

/** Returns all rows of a list that has no other limit. */
const readWhole = async (database: DatabasePort, path: string) => {
  const all: Record<string, unknown> = {}
  for (let last: string | undefined; ;) {
    const page: unknown = await database.read({
      path,
      orderBy: 'key',
      ...(last !== undefined && { startAfter: last }),
      limitToFirst: ROWS,
    })
    const rows = Object.entries((page ?? {}) as Record<string, unknown>)
    Object.assign(all, Object.fromEntries(rows))
    last = rows
      .map(([key]) => key)
      .sort()
      .at(-1)
    if (rows.length < ROWS || last === undefined) return all
  }
}

/** Returns the person's questions to the office, with the answers. */
const readHelpCases = async (functions: FunctionsPort): Promise<HelpCase[]> => {
  const all: HelpCase[] = []
  let after: string | null = null
  do {
    const { cases, next }: EndpointOutput<'list_help'> = await functions.call('list_help', {
      ...(after !== null && { after }),
    })
    all.push(...cases)
    after = next
  } while (after !== null)
  return all
}

/** Returns the contacts of a booking that its customer entered. */
const readContacts = async (database: DatabasePort, booking: string) => {
  const parts = await Promise.all(
    CUSTOMER_CONTACT_FIELDS.map(async (part) => [
      part,
      await database
        .read({ path: `${dbPaths.bookingContacts(booking)}/${part}` })
        .catch(() => null),
    ]),
  )
  return Object.fromEntries(parts.filter(([, value]) => value !== null)) as Record<string, unknown>
}

/** Returns the chats of bookings, without empty ones. */
const readChats = async (database: DatabasePort, bookings: readonly string[]) => {
  const chats: Record<string, unknown> = {}
  for (const id of bookings) {
    const messages = await readWhole(database, dbPaths.chat(id))
      // One unreadable chat must not block the rest.
      .catch(() => null)
    if (messages !== null && Object.keys(messages).length > 0) chats[id] = messages
  }
  return chats
}

/** Returns everything about the signed-in person that they may read. */
export const collectMyData = createServiceThunk<Pick<User, 'id' | 'usertype'>, MyData>(
  'auth/gatherMyData',
  async ({ id: uid, usertype }, { database, functions }) => {
    const ofUid = (path: string, child: string) =>
      database.read({ path, orderBy: { child }, equalTo: uid })
    const isDriver = usertype === 'driver'
    const [
      profile,
      bookings,
      driven,
      earnings,
      recurring,
      payments,
      { off },
      help,
      inbox,
      withdraws,
    ] = await Promise.all([
      database.read({ path: dbPaths.user(uid) }),
      ofUid('bookings', 'customer'),
      isDriver ? ofUid('bookings', 'driver') : null,
      isDriver ? readWhole(database, `stats/driver_earnings/${uid}`) : null,
      usertype === 'rider' ? functions.call('list_recurring', {}) : null,
      ofUid('payments', 'uid'),
      functions.call('message_preferences', {}),
      usertype === 'rider' ? readHelpCases(functions) : [],
      readWhole(database, `inbox/${uid}`),
      ofUid('withdraws', 'uid'),
    ])
    const own = Object.entries((bookings ?? {}) as Record<string, Booking>)
    const contacts: Record<string, unknown> = {}
    for (const [id] of own) contacts[id] = await readContacts(database, id)
    const withDriver = [
      ...own.filter(([, { driver }]) => driver),
      ...Object.entries((driven ?? {}) as Record<string, Booking>),
    ]
    const chats = await readChats(
      database,
      withDriver.map(([id]) => id),
    )
    return {
      made: new Date().toISOString(),
      ...{
        profile,
        bookings,
        driven,
        earnings,
        recurring: recurring?.series ?? [],
        payments,
        help,
        messagesOff: off,
      },
      ...{ contacts, chats, inbox, withdraws },
    }
  },
)
