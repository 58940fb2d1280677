import type { TFunction } from 'i18next'
import { translateAmendedFields } from '~/src/i18n/reasonTexts'
import { screenPaths } from '~/src/store/screenPaths'
import type { Format } from '~/src/ui/format/format'
import type { InboxEntry } from '~/domain/messages/types'

/** Returns the path of a push's screen in this app. */
export const getPushPath = ({ screen, booking_id }: InboxEntry): string => {
  switch (screen) {
    case 'BookedCab':
      return booking_id ? screenPaths.booking(booking_id) : screenPaths.bookings
    case 'onlineChat':
      return booking_id ? screenPaths.chat(booking_id) : screenPaths.bookings
    case 'Wallet':
      return screenPaths.wallet
    case 'DriverTrips':
      return screenPaths.trips
    case 'Profile':
      return screenPaths.profile
    default:
      return screenPaths.home
  }
}

/** The params of a push that hold a text of the office's catalogs, as it is stored. */
export const CATALOG_PARAMS = ['reason', 'carType'] as const
export type CatalogParam = (typeof CATALOG_PARAMS)[number]

/** The texts of the office's catalogs: as stored, and in the reader's language. */
export type CatalogNames = Record<CatalogParam, readonly { value: string; text: string }[]>

/** Returns a stored text of a catalog in the reader's language. */
export type GetCatalogName = (param: CatalogParam, stored: string) => string

/** Returns true for the key of a platform text. */
const isKey = (text: string) => /^push_[a-z_]+$/.test(text)

/**
 * Returns a push in the reader's language, with amounts as money; `getName` returns a text of the
 * office's catalogs in that language. Text that a person wrote stays unchanged.
 */
export const translatePush = (
  { title, msg, params = {} }: InboxEntry,
  t: TFunction,
  format: Format,
  getName: GetCatalogName,
): { title: string; msg: string } => {
  const { amount, fee, reason, carType, changes, ...rest } = params
  const read = {
    ...rest,
    ...(amount !== undefined && { amount: format.money(Number(amount)) }),
    ...(fee !== undefined && { fee: format.money(Number(fee)) }),
    ...(reason !== undefined && { reason: getName('reason', String(reason)) }),
    ...(carType !== undefined && { carType: getName('carType', String(carType)) }),
    ...(changes !== undefined && { changes: translateAmendedFields(String(changes), t) }),
  }
  const translateText = (text: string) => (isKey(text) ? t(text, read) : text)
  return { title: translateText(title), msg: translateText(msg) }
}
