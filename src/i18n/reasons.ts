import type { TFunction } from 'i18next'

/** Why a booking was cancelled: the system's own reasons are keys, a person's are his words. */
export const reasonOf = (reason: string, t: TFunction): string =>
  t(`reason_${reason}`, { defaultValue: reason })
