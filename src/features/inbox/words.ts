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

/** The platform's own texts. */
const isKey = (text: string) => /^push_[a-z_]+$/.test(text)

/** A push as this person reads it, amounts as money. What somebody wrote is his words, in which nothing is looked up. */
export const wordsOf = (
  { title, msg, params = {} }: InboxEntry,
  t: TFunction,
  format: Format,
): { title: string; msg: string } => {
  const { amount, reason, ...rest } = params
  const read = {
    ...rest,
    ...(amount !== undefined && { amount: format.money(Number(amount)) }),
    ...(reason !== undefined && { reason: reasonOf(String(reason), t) }),
  }
  const said = (text: string) => (isKey(text) ? t(text, read) : text)
  return { title: said(title), msg: said(msg) }
}
