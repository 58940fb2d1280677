import type { TFunction } from 'i18next'
import type { InboxEntry } from '~/domain/entities'
import { reasonOf } from '~/src/i18n/reasons'
import { screens } from '~/src/store/screens'
import type { Format } from '~/src/ui/format'

/** Where a push's screen is here. */
export const screenOf = ({ screen, booking_id }: InboxEntry): string => {
  switch (screen) {
    case 'BookedCab':
      return booking_id ? screens.booking(booking_id) : screens.bookings
    case 'onlineChat':
      return booking_id ? screens.chat(booking_id) : screens.bookings
    case 'Wallet':
      return screens.wallet
    case 'DriverTrips':
      return screens.trips
    default:
      return screens.home
  }
}

/** A push's parameters as this person reads them: amounts as money. */
export const paramsOf = (
  { params = {} }: InboxEntry,
  t: TFunction,
  format: Format,
): Record<string, string | number> => {
  const { amount, reason, ...rest } = params
  return {
    ...rest,
    ...(amount !== undefined && { amount: format.money(Number(amount)) }),
    ...(reason !== undefined && { reason: reasonOf(String(reason), t) }),
  }
}
