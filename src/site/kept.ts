import type { Booking } from '~/domain/entities'
import { KEPT_PROFILE } from '~/src/features/auth/session'
import { booking, bookingCode, bookings } from '~/src/features/bookings/bookings'
import { messages } from '~/src/features/chats/chats'
import { languageTexts } from '~/src/features/languages/languages'
import { settings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { answersOf, type Keepsake } from '~/src/store/kept'
import { isAnswerOf } from '~/src/store/restored'

const ofOneBooking = [booking, bookingCode, messages, lastPosition]
/** So many of the newest bookings can be seen without a connection. */
const MOST = 10

/** What a rider finds again without a connection: the newest bookings, and all of the one looked at last. */
export const riderKeepsake: Keepsake = {
  of: (state) => ({
    [KEPT_PROFILE]: selectProfile(state),
    ...answersOf(state, [settings, languageTexts, bookings, ...ofOneBooking]),
  }),
  isOver: (name, now) => {
    const looked = Object.entries(now).flatMap(([other, value]) =>
      isAnswerOf(other, booking) && value ? [(value as Booking).id] : [],
    )
    return (
      looked.length > 0 &&
      ofOneBooking.some((slice) => isAnswerOf(name, slice)) &&
      !looked.some((id) => name.includes(id))
    )
  },
  slimmed: (value, name) =>
    isAnswerOf(name, bookings) ? ((value ?? []) as Booking[]).slice(0, MOST) : value,
}
