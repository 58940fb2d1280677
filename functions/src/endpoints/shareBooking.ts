import * as v from 'valibot'
import { id } from '~/domain/api'
import type { Booking } from '~/domain/entities'
import { at } from '~/domain/paths'
import { ANY_USER, forUsers } from '../definition'
import { refuse } from '../refused'

export const SHARE_LEVELS = ['status', 'live'] as const
export type ShareLevel = (typeof SHARE_LEVELS)[number]
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
  input: v.object({
    booking_id: id,
    level: v.optional(v.picklist(SHARE_LEVELS), 'live'),
    hours: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(72)), 24),
    /** The token to take back. */
    revoke: v.optional(id),
  }),
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
