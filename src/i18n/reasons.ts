import type { TFunction } from 'i18next'

/** Why a booking was cancelled: the system's own reasons are keys, a person's are his words, in which nothing is looked up. */
export const reasonOf = (reason: string, t: TFunction): string =>
  t(`reason_${reason}`, { defaultValue: '' }) || reason

/** Why a price is what it is: by the way that was driven, because it was paid, or cancelled for a reason. */
export const causeOf = (cause: string, t: TFunction): string =>
  t(`cause_${cause}`, { defaultValue: '' }) || reasonOf(cause, t)
