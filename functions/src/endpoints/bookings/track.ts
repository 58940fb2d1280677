import { getTripEnd } from '~/domain/booking/contactAccess'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { dbPaths } from '~/domain/data/databasePaths'
import { getShareExpiry, type Share } from '~/domain/access/shares'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { isOfCurrentRecipient } from '../../services/bookings/shareLinks'
import {
  TRACKED_STATUSES,
  type Booking,
  type Status,
  type TrackingPoint,
} from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'

const isTrackedStatus = (status: Status) => (TRACKED_STATUSES as readonly Status[]).includes(status)

/** Returns the stops with their states, without times and reasons; nothing without stops. */
const getSharedStops = (booking: Booking) => {
  const stops = getStops(booking).map(({ place: { lat, lng, add }, state }) => ({
    lat,
    lng,
    add,
    state,
  }))
  return stops.length > 0 ? { stops } : {}
}

/** Returns a booking to anyone who has a link to it. */
export const track = defineOpenEndpoint({
  name: 'track',
  summary:
    "Returns what a shared link shows: no contact, no code, no price. It has the driver's first name and number plate, the places and which stops are passed until the trip ends, and no data from one hour later. The link of a recipient ends when their phone number is corrected. GET.",
  allow: ['anyone'],
  limit: 120,
  spends: [],
  errors: ['not_found'],
  async handle({ token }, { db, config, now }) {
    const share = await db.read<Share>(dbPaths.share(token))
    // Unknown, expired and revoked tokens get the same response, so that guessing reveals nothing.
    if (!share || share.revoked || share.expires <= now) return fail('not_found', 'token')
    if (!(await isOfCurrentRecipient({ db, config }, share))) return fail('not_found', 'token')
    const booking = await db.read<Booking>(dbPaths.booking(share.booking))
    const expires = booking ? getShareExpiry(share, booking) : 0
    if (!booking || expires <= now) return fail('not_found', 'token')
    const { status, carType, carTypeId, pickup, drop, driver, driver_name, vehicle_number } =
      booking
    const names = await db.read<VehicleType['names']>(`${dbPaths.carType(carTypeId)}/names`)
    const isOver = getTripEnd(booking) !== undefined
    const live = share.level === 'live' && isTrackedStatus(status)
    const [last] = live
      ? await db.list<TrackingPoint>(dbPaths.tracking(share.booking), { by: '$key', last: 1 })
      : []
    return {
      status,
      carType,
      ...(names && { carTypeNames: names }),
      // After the booking ends, the link must not show where the rider lives or the route there.
      ...(!isOver && { pickup, drop, ...getSharedStops(booking) }),
      level: share.level,
      expires,
      ...(!isOver &&
        share.level === 'live' &&
        booking.route && { route: booking.route, routeSeconds: booking.estimateTime }),
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
