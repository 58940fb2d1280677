import type { Booking } from '~/domain/entities'
import { KEPT_PROFILE } from '~/src/features/auth/session'
import { booking, bookingCode, bookings } from '~/src/features/bookings/bookings'
import { messages } from '~/src/features/chats/chats'
import { languageTexts } from '~/src/features/languages/languages'
import { settings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import type { Keepsake } from '~/src/store/kept'

const ofOneBooking = [booking, bookingCode, messages, lastPosition]
const isOf = (name: string, { name: slice }: { name: string }) => name.startsWith(`${slice} `)
/** So many of the newest bookings can be seen without a connection. */
const MOST = 10

/** What a rider finds again without a connection: the newest bookings, and all of the one looked at last. */
export const riderKeepsake: Keepsake = {
  of: (state) => ({
    [KEPT_PROFILE]: selectProfile(state),
    ...settings.answers(state),
    ...languageTexts.answers(state),
    ...bookings.answers(state),
    ...Object.assign({}, ...ofOneBooking.map((slice) => slice.answers(state))),
  }),
  isOver: (name, now) => {
    const looked = Object.entries(now).flatMap(([other, value]) =>
      isOf(other, booking) && value ? [(value as Booking).id] : [],
    )
    return (
      looked.length > 0 &&
      ofOneBooking.some((slice) => isOf(name, slice)) &&
      !looked.some((id) => name.includes(id))
    )
  },
  slimmed: (value, name) =>
    isOf(name, bookings) ? ((value ?? []) as Booking[]).slice(0, MOST) : value,
}
