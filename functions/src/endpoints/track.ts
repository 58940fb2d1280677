import * as v from 'valibot'
import { id } from '~/domain/api'
import type { Booking, Status, TrackingPoint } from '~/domain/entities'
import { TRACKED_STATUSES } from '~/domain/entities'
import { at } from '~/domain/paths'
import { forAnyone } from '../definition'
import { refuse } from '../refused'
import type { Share } from './shareBooking'

const isTracked = (status: Status) => (TRACKED_STATUSES as readonly Status[]).includes(status)

/** Shows a booking to whoever holds a link to it. */
export const track = forAnyone({
  name: 'track',
  summary:
    'What a shared link shows: no contact, no code, no price. The driver by first name and number plate. GET.',
  input: v.object({ token: id }),
  allow: ['anyone'],
  limit: 120,
  answers:
    '{status, carType, pickup, drop, level, expires, driver?: {name, vehicle, image?}, location?: {lat, lng, at}}',
  refuses: ['not_found'],
  async handle({ token }, { db, now }) {
    const share = await db.read<Share>(at.share(token))
    // One answer for unknown, expired and taken back: a guesser learns nothing.
    if (!share || share.revoked || share.expires <= now) return refuse('not_found', 'token')
    const booking = await db.read<Booking>(at.booking(share.booking))
    if (!booking) return refuse('not_found', 'token')
    const { status, carType, pickup, drop, driver, driver_name, vehicle_number } = booking
    const live = share.level === 'live' && isTracked(status)
    const [last] = live
      ? await db.list<TrackingPoint>(at.tracking(share.booking), { by: '$key', last: 1 })
      : []
    return {
      status,
      carType,
      pickup,
      drop,
      level: share.level,
      expires: share.expires,
      ...(driver && {
        driver: {
          name: (driver_name ?? '').split(' ')[0] ?? '',
          vehicle: vehicle_number ?? '',
          ...(booking.driver_image && { image: booking.driver_image }),
        },
      }),
      ...(last && { location: { lat: last[1].lat, lng: last[1].lng, at: last[1].at } }),
    }
  },
})
