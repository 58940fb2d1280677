import { PROFILE_CACHE_KEY } from '~/src/features/auth/session'
import { liveBooking, tripCode, liveBookings } from '~/src/features/bookings/bookings'
import { liveMessages } from '~/src/features/chats/chats'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { liveSettings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { collectLoadedValues, type OfflineCachePolicy } from '~/src/store/live/offlineCache'
import { isCacheKeyFor } from '~/src/store/live/hydratedCache'
import type { Booking } from '~/domain/booking/types'

const singleBookingSlices = [liveBooking, tripCode, liveMessages, lastPosition]
/** Number of newest bookings available offline. */
const MAX_BOOKINGS = 10

/** Keeps the newest bookings, and all data of the last opened one, for offline use. */
export const riderCachePolicy: OfflineCachePolicy = {
  collect: (state) => ({
    [PROFILE_CACHE_KEY]: selectProfile(state),
    ...collectLoadedValues(state, [
      liveSettings,
      languageTexts,
      liveBookings,
      ...singleBookingSlices,
    ]),
  }),
  isExpired: (name, now) => {
    const openedIds = Object.entries(now).flatMap(([other, value]) =>
      isCacheKeyFor(other, liveBooking) && value ? [(value as Booking).id] : [],
    )
    return (
      openedIds.length > 0 &&
      singleBookingSlices.some((slice) => isCacheKeyFor(name, slice)) &&
      !openedIds.some((id) => name.includes(id))
    )
  },
  trim: (value, name) =>
    isCacheKeyFor(name, liveBookings) ? ((value ?? []) as Booking[]).slice(0, MAX_BOOKINGS) : value,
}
