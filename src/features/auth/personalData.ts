import { CUSTOMER_CONTACT_FIELDS } from '~/domain/booking/contactAccess'
import type { Booking } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Everything stored about one person, in the form they may read. */
interface MyData {
  made: string
  profile: unknown
  bookings: unknown
  /** Contacts that the rider entered: their own phone and e-mail, and the recipient's phone. */
  contacts: Record<string, unknown>
  chats: Record<string, unknown>
  inbox: unknown
  withdraws: unknown
}

/** Returns the signed-in person's profile, bookings, contacts, messages, pushes and withdrawals. */
export const collectMyData = createServiceThunk<{ uid: string }, MyData>(
  'auth/gatherMyData',
  async ({ uid }, { database }) => {
    const ofUid = (path: string, child: string) =>
      database.read({ path, orderBy: { child }, equalTo: uid })
    const [profile, bookings, inbox, withdraws] = await Promise.all([
      database.read({ path: dbPaths.user(uid) }),
      ofUid('bookings', 'customer'),
      database.read({ path: `inbox/${uid}`, orderBy: 'key', limitToLast: 1000 }),
      ofUid('withdraws', 'uid'),
    ])
    const own = Object.entries((bookings ?? {}) as Record<string, Booking>)
    const contacts: Record<string, unknown> = {}
    for (const [id] of own) {
      const parts = await Promise.all(
        CUSTOMER_CONTACT_FIELDS.map(async (part) => [
          part,
          await database.read({ path: `${dbPaths.bookingContacts(id)}/${part}` }).catch(() => null),
        ]),
      )
      contacts[id] = Object.fromEntries(parts.filter(([, value]) => value !== null))
    }
    const chats: Record<string, unknown> = {}
    const driven = own.filter(([, { driver }]) => driver)
    for (const [id] of driven) {
      const messages = await database
        .read({ path: dbPaths.chat(id), orderBy: 'key', limitToLast: 1000 })
        // One unreadable chat must not block the rest.
        .catch(() => null)
      if (messages !== null) chats[id] = messages
    }
    return { made: new Date().toISOString(), profile, bookings, contacts, chats, inbox, withdraws }
  },
)
