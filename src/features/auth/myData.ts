import type { Booking } from '~/domain/entities'
import { at } from '~/domain/paths'
import { operation } from '~/src/store/operation'

/** All that is kept of one person, as he may read it himself. */
interface MyData {
  made: string
  profile: unknown
  bookings: unknown
  chats: Record<string, unknown>
  inbox: unknown
  withdraws: unknown
}

/** Gathers what is kept of the signed-in person: profile, bookings, messages, pushes, withdraws. */
export const gatherMyData = operation<{ uid: string; quiet?: boolean }, MyData>(
  'auth/gatherMyData',
  async ({ uid }, { database }) => {
    const ofUid = (path: string, child: string) =>
      database.once({ path, orderBy: { child }, equalTo: uid })
    const [profile, bookings, inbox, withdraws] = await Promise.all([
      database.once({ path: at.user(uid) }),
      ofUid('bookings', 'customer'),
      database.once({ path: `inbox/${uid}`, orderBy: 'key', limitToLast: 1000 }),
      ofUid('withdraws', 'uid'),
    ])
    const chats: Record<string, unknown> = {}
    const driven = Object.entries((bookings ?? {}) as Record<string, Booking>).filter(
      ([, { driver }]) => driver,
    )
    for (const [id] of driven) {
      const messages = await database
        .once({ path: at.chat(id), orderBy: 'key', limitToLast: 1000 })
        // One chat that cannot be read keeps nobody from the rest.
        .catch(() => null)
      if (messages !== null) chats[id] = messages
    }
    return { made: new Date().toISOString(), profile, bookings, chats, inbox, withdraws }
  },
)
