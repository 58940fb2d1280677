import { deleteUser } from '~/domain/api'
import type { Booking, User, Withdraw } from '~/domain/entities'
import {
  accountRemoved,
  anonymised,
  deletionRefused,
  isAnonymous,
  namelessRows,
} from '~/domain/deletion'
import { at } from '~/domain/paths'
import { mayManage } from '~/domain/permissions'
import { audited } from '../audits'
import type { ActorContext } from '../definition'
import { ANY_USER, forUsers } from '../definition'
import { emailReleased } from '../emails'
import { Conflict, pagesOf, readUser } from '../ports/database'
import type { DatabasePort } from '../ports/database'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

const PAGE = 100
const TRIES = 10

/** Removes a user: his account, his record and what his bookings say of him. */
export const delete_user = forUsers({
  name: 'delete_user',
  summary:
    'Removes a user (admin: anybody but himself; fleet admin: his own drivers; everybody: himself). His bookings stay, without name, contact, addresses, pictures and chat. Refused while a booking of his is under way or a withdraw unpaid. May be called again when it was interrupted.',
  input: deleteUser,
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

    const withdraws = await withdrawsOf(db, who)
    await refuseWhileOwed(db, who, withdraws)
    // From here on every door is closed to him, so that no booking begins while the others are looked through.
    await db.update({ [`${at.user(who)}/approved`]: false, [at.available(who)]: null })
    try {
      await refuseWhileOwed(db, who, withdraws)
    } catch (refused) {
      await db.update({ [`${at.user(who)}/approved`]: user.approved })
      throw refused
    }
    // The record goes last: as long as it is there, an interrupted removal can be begun again.
    const { bookings, fleets } = await forgetIn(context, who)
    await Promise.all([files.removeFolder(`users/${who}/`), accounts.remove(who)])
    await db.update({
      ...(await earningsWithoutName(db, user, fleets)),
      ...(await emailReleased(db, user)),
      ...accountRemoved(who, withdraws),
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

const withdrawsOf = async (db: DatabasePort, uid: string): Promise<Withdraw[]> =>
  (await db.list<Withdraw>('withdraws', { by: 'uid', equalTo: uid })).map(([id, withdraw]) => ({
    ...withdraw,
    id,
  }))

/** Pages of the bookings somebody is customer or driver of, then those he is asked to drive. */
const bookingsOf = async function* (db: DatabasePort, uid: string): AsyncGenerator<Booking[]> {
  for (const by of ['customer', 'driver'])
    for await (const page of pagesOf<Booking>(db, 'bookings', { by, equalTo: uid }, PAGE))
      yield page.map(([, booking]) => booking)
  const tasks = await db.list<true>(`driver_tasks/${uid}`, { by: '$key' })
  const asked = await Promise.all(tasks.map(([id]) => db.read<Booking>(at.booking(id))))
  yield asked.filter((booking) => booking !== null)
}

const refuseWhileOwed = async (db: DatabasePort, uid: string, withdraws: readonly Withdraw[]) => {
  for await (const page of bookingsOf(db, uid)) refuseIf(deletionRefused(uid, page, withdraws))
}

/** Takes the person out of every booking; each is one write of its own, so an interruption loses nothing. */
const forgetIn = async (
  { db, files }: Pick<ActorContext, 'db' | 'files'>,
  uid: string,
): Promise<{ bookings: number; fleets: Set<string> }> => {
  let bookings = 0
  const fleets = new Set<string>()
  for await (const page of bookingsOf(db, uid)) {
    for (const { driver, fleetadmin } of page)
      if (driver === uid && fleetadmin) fleets.add(fleetadmin)
    await Promise.all(page.map((booking) => forget(db, uid, booking)))
    const photographed = page.filter(
      ({ customer, pickup_image, deliver_image }) =>
        customer === uid && (pickup_image ?? deliver_image),
    )
    await Promise.all(photographed.map(({ id }) => files.removeFolder(`bookings/${id}/`)))
    bookings += page.length
  }
  return { bookings, fleets }
}

const forget = async (db: DatabasePort, uid: string, found: Booking) => {
  let booking: Booking | null = found
  for (let tries = 0; booking && tries < TRIES; tries++) {
    if (isAnonymous(booking, uid)) return
    try {
      return await db.update(anonymised(booking, uid))
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      booking = await db.read<Booking>(at.booking(found.id))
    }
  }
  refuse('changed_meanwhile')
}

const earningsWithoutName = async (
  db: DatabasePort,
  { id, usertype }: User,
  fleets: Set<string>,
) => {
  if (usertype !== 'driver') return {}
  const monthsAt = async (path: string) =>
    (await db.list<unknown>(path, { by: '$key' })).map(([month]) => month)
  const [months, ...ofFleets] = await Promise.all([
    monthsAt(`stats/driver_earnings/${id}`),
    ...[...fleets].map((fleetadmin) => monthsAt(`stats/fleet_driver_earnings/${fleetadmin}/${id}`)),
  ])
  const rows = [...fleets].map((fleetadmin, i) => ({ fleetadmin, months: ofFleets[i] ?? [] }))
  return namelessRows(id, months ?? [], rows)
}
