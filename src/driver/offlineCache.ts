import { PROFILE_CACHE_KEY } from '~/src/features/auth/session'
import { liveBooking, liveBookings } from '~/src/features/bookings/bookings'
import { bookingContacts } from '~/src/features/bookings/bookingContacts'
import { liveCancellationReasons } from '~/src/features/cancellationReasons/cancellationReasons'
import { liveMessages } from '~/src/features/chats/chats'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { liveSettings } from '~/src/features/settings/settings'
import { liveTrack } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { collectLoadedValues, type OfflineCachePolicy } from '~/src/store/live/offlineCache'
import { isCacheKeyFor } from '~/src/store/live/hydratedCache'
import { ACTIVE_STATUSES, type Booking } from '~/domain/booking/types'

/**
 * Returns true until the booking's money is settled; after that, the rider's name and places leave
 * the device.
 */
const isUnfinished = ({ status, paid_at }: Booking): boolean =>
  paid_at === undefined && (ACTIVE_STATUSES as readonly string[]).includes(status)

const perBookingSlices = [liveTrack, liveBooking, bookingContacts, liveMessages]

/** Keeps what the driver's screens need after a reload. Unsent events are in the outbox. */
export const driverCachePolicy: OfflineCachePolicy = {
  collect: (state) => ({
    [PROFILE_CACHE_KEY]: selectProfile(state),
    ...collectLoadedValues(state, [
      liveSettings,
      languageTexts,
      liveCancellationReasons,
      liveBookings,
      ...perBookingSlices,
    ]),
  }),
  // Places and messages of a finished booking are private and leave the device.
  isExpired: (name, now) =>
    perBookingSlices.some((slice) => isCacheKeyFor(name, slice)) &&
    !Object.entries(now).some(
      ([other, rows]) =>
        isCacheKeyFor(other, liveBookings) && (rows as Booking[]).some(isUnfinished),
    ),
  trim: (value, name) => {
    if (value === null) return null
    if (isCacheKeyFor(name, liveBookings)) return (value as Booking[]).filter(isUnfinished)
    if (isCacheKeyFor(name, liveBooking)) return isUnfinished(value as Booking) ? value : null
    return value
  },
}
