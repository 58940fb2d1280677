import * as v from 'valibot'
import { id } from '~/domain/api'
import type { Value } from '~/domain/booking/change'
import type { Booking, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { mayManage } from '~/domain/permissions'
import { audited } from '../audits'
import type { ActorContext } from '../definition'
import { ANY_USER, forUsers } from '../definition'
import { Conflict, readUser } from '../ports/database'
import type { DatabasePort } from '../ports/database'
import { refuse } from '../refused'
import { readSettings } from '../settings'

const PAGE = 100
const TRIES = 10

/** Removes a user: his account, his record and his name in the bookings he was part of. */
export const delete_user = forUsers({
  name: 'delete_user',
  summary:
    'Removes a user (admin: anybody but himself; fleet admin: his own drivers; everybody: himself). His bookings stay, without name, contact and picture. May be called again when it was interrupted.',
  input: v.object({ id: v.optional(id) }),
  allow: ANY_USER,
  limit: 30,
  answers: '{id, bookings: how many were made anonymous}',
  refuses: ['not_found', 'not_allowed', 'demo_mode', 'event_not_possible', 'changed_meanwhile'],
  async handle({ id: uid = '' }, context) {
    const { actor, db, now, accounts, files } = context
    const who = uid || actor.uid
    const [user, settings] = await Promise.all([readUser<User>(db, who), readSettings(db)])
    if (!user) return refuse('not_found', 'id')
    await checkMay(user, context)
    if (who !== actor.uid && !settings.AllowCriticalEditsAdmin) refuse('demo_mode')

    const part = user.usertype === 'driver' ? 'driver' : 'customer'
    await refuseWhileActive(db, part, who)
    // The record goes last: as long as it is there, an interrupted removal can be begun again.
    const bookings = await forgetIn(db, part, who)
    await Promise.all([files.removeFolder(`users/${who}/`), accounts.remove(who)])
    const inbox = await db.list<unknown>(`inbox/${who}`, { by: '$key' })
    const tasks = await db.list<unknown>(`driver_tasks/${who}`, { by: '$key' })
    await db.update({
      ...Object.fromEntries(inbox.map(([key]) => [at.inbox(who, key), null])),
      ...Object.fromEntries(tasks.map(([key]) => [at.task(who, key), null])),
      [at.available(who)]: null,
      [at.user(who)]: null,
      ...audited(
        {
          by: actor.uid,
          at: now,
          action: 'user_delete',
          path: at.user(who),
          from: { usertype: user.usertype },
        },
        who,
      ),
    })
    return { id: who, bookings }
  },
})

const checkMay = async (user: User, { actor, db }: ActorContext) => {
  const isSelf = user.id === actor.uid
  const isOffice = mayManage({ uid: actor.uid, usertype: actor.role }, user)
  if (!isSelf && !isOffice) refuse('not_allowed', 'id')
  if (user.usertype !== 'admin') return
  // The last admin who leaves would lock the office.
  const admins = await db.list<User>('users', { by: 'usertype', equalTo: 'admin', first: 2 })
  if (admins.length < 2) refuse('not_allowed', 'id')
}

type Part = 'driver' | 'customer'

const pagesOf = async function* (db: DatabasePort, part: Part, uid: string) {
  let afterKey: string | undefined
  for (;;) {
    const page = await db.list<Booking>('bookings', {
      by: part,
      equalTo: uid,
      ...(afterKey !== undefined && { afterKey }),
      first: PAGE,
    })
    yield page.map(([, booking]) => booking)
    afterKey = page.at(-1)?.[0]
    if (page.length < PAGE) return
  }
}

const ENDED: readonly Booking['status'][] = ['PAID', 'COMPLETE', 'CANCELLED']

const refuseWhileActive = async (db: DatabasePort, part: Part, uid: string) => {
  for await (const page of pagesOf(db, part, uid)) {
    const active = page.find(({ status }) => !ENDED.includes(status))
    if (active) refuse('event_not_possible', 'id', { status: active.status })
  }
}

const NAMELESS: Record<Part, Record<string, Value>> = {
  customer: {
    customer_name: '',
    customer_email: '',
    customer_contact: '',
    customer_token: null,
    customer_image: null,
    deliveryPerson: null,
    deliveryPersonPhone: null,
    pickUpInstructions: null,
    deliveryInstructions: null,
  },
  driver: {
    driver_name: '',
    driver_contact: '',
    driver_token: null,
    driver_image: null,
    vehicle_number: '',
  },
}

/** Takes the person out of every booking; each is one write of its own, so an interruption loses nothing. */
const forgetIn = async (db: DatabasePort, part: Part, uid: string): Promise<number> => {
  let count = 0
  for await (const page of pagesOf(db, part, uid)) {
    await Promise.all(page.map((booking) => forget(db, part, booking)))
    count += page.length
  }
  return count
}

const forget = async (db: DatabasePort, part: Part, found: Booking) => {
  const base = at.booking(found.id)
  let booking: Booking | null = found
  for (let tries = 0; booking && tries < TRIES; tries++) {
    if (part === 'customer' ? booking.customer_name === '' : booking.driver_name === '') return
    try {
      return await db.update({
        [`${base}/revision`]: booking.revision + 1,
        [at.chat(found.id)]: null,
        ...Object.fromEntries(
          Object.entries(NAMELESS[part]).map(([field, value]) => [`${base}/${field}`, value]),
        ),
      })
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      booking = await db.read<Booking>(base)
    }
  }
  refuse('changed_meanwhile')
}
