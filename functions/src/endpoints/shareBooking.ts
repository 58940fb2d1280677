import { shareBooking, type SHARE_LEVELS } from '~/domain/api'
import type { Booking } from '~/domain/entities'
import { at } from '~/domain/paths'
import { ANY_USER, forUsers } from '../definition'
import { refuse } from '../refused'

type ShareLevel = (typeof SHARE_LEVELS)[number]
const HOUR = 3_600_000

/** One public link to a booking: what it shows, and until when. */
export interface Share {
  booking: string
  by: string
  level: ShareLevel
  at: number
  expires: number
  revoked?: boolean
}

/** Makes, or takes back, a public link to a booking. */
export const share_booking = forUsers({
  name: 'share_booking',
  summary:
    'Makes a public tracking link (`status`: where it stands; `live`: also where the driver is), or takes one back with `revoke`.',
  input: shareBooking,
  allow: ANY_USER,
  limit: 60,
  answers: '{token, expires} | {token, revoked: true}',
  refuses: ['not_found', 'not_allowed', 'event_not_possible'],
  async handle({ booking_id, level, hours, revoke }, { actor, db, now, random }) {
    const booking = await db.read<Booking>(at.booking(booking_id))
    if (!booking) return refuse('not_found', 'booking_id')
    if (actor.role !== 'admin' && booking.customer !== actor.uid) refuse('not_allowed')
    if (revoke !== undefined) {
      const share = await db.read<Share>(at.share(revoke))
      if (share?.booking !== booking_id) return refuse('not_found', 'revoke')
      if (!share.revoked) await db.update({ [`${at.share(revoke)}/revoked`]: true })
      return { token: revoke, revoked: true }
    }
    if (booking.status === 'COMPLETE' || booking.status === 'CANCELLED') {
      refuse('event_not_possible', undefined, { status: booking.status })
    }
    const token = random.token()
    const expires = now + hours * HOUR
    await db.update({
      [at.share(token)]: { booking: booking_id, by: actor.uid, level, at: now, expires },
    })
    return { token, expires }
  },
})
