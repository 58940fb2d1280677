import { getTripEnd } from '~/domain/booking/contactAccess'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Share } from '~/domain/access/shares'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { createOrExtendLink } from '../../services/bookings/shareLinks'
import type { Booking } from '~/domain/booking/types'

/** Creates or revokes a public link to a booking. */
export const share_booking = defineUserEndpoint({
  name: 'share_booking',
  summary:
    "Creates a public tracking link (`status`: the booking's status; `live`: also the driver's position), or revokes one with `revoke`. A person has one link of each level to a booking: repeating the request returns the same link with the new expiry. It expires one hour after the trip at the latest.",
  allow: ALL_USER_TYPES,
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed', 'event_not_possible', 'changed_meanwhile'],
  async handle({ booking_id, level, hours, revoke }, context) {
    const { actor, db, now } = context
    const booking = await db.read<Booking>(dbPaths.booking(booking_id))
    if (!booking) return fail('not_found', 'booking_id')
    if (actor.role !== 'admin' && booking.customer !== actor.uid) fail('not_allowed')
    if (revoke !== undefined) {
      const share = await db.read<Share>(dbPaths.share(revoke))
      if (share?.booking !== booking_id) return fail('not_found', 'revoke')
      if (!share.revoked) await db.update({ [`${dbPaths.share(revoke)}/revoked`]: true })
      return { token: revoke, revoked: true }
    }
    const { status } = booking
    const isOver =
      status === 'COMPLETE' || status === 'CANCELLED' || getTripEnd(booking) !== undefined
    if (isOver) fail('event_not_possible', undefined, { status })
    const expires = now + hours * HOUR_MS
    const request = { booking: booking_id, by: actor.uid, level, now, expires }
    return { token: await createOrExtendLink(context, request), expires }
  },
})
