import { ACTIVE_STATUSES, type Booking } from '~/domain/entities'
import { KEPT_PROFILE } from '~/src/features/auth/session'
import { booking, bookings } from '~/src/features/bookings/bookings'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { messages } from '~/src/features/chats/chats'
import { languageTexts } from '~/src/features/languages/languages'
import { settings } from '~/src/features/settings/settings'
import { trail } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { answersOf, type Keepsake } from '~/src/store/kept'
import { isAnswerOf } from '~/src/store/restored'

/** A booking whose money is settled is no work any more: its rider's name and places leave the device. */
const isWork = ({ status, paid_at }: Booking): boolean =>
  paid_at === undefined && (ACTIVE_STATUSES as readonly string[]).includes(status)

const ofOneBooking = [trail, booking, messages]

/** What the driver's screens need to go on where they were. What he did since is in the outbox. */
export const driverKeepsake: Keepsake = {
  of: (state) => ({
    [KEPT_PROFILE]: selectProfile(state),
    ...answersOf(state, [settings, languageTexts, cancelReasons, bookings, ...ofOneBooking]),
  }),
  // Where a booking led, and what was said on the way, is nobody's business after it.
  isOver: (name, now) =>
    ofOneBooking.some((slice) => isAnswerOf(name, slice)) &&
    !Object.entries(now).some(
      ([other, rows]) => isAnswerOf(other, bookings) && (rows as Booking[]).some(isWork),
    ),
  slimmed: (value, name) => {
    if (value === null) return null
    if (isAnswerOf(name, bookings)) return (value as Booking[]).filter(isWork)
    if (isAnswerOf(name, booking)) return isWork(value as Booking) ? value : null
    return value
  },
}
