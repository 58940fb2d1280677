import { ADMIN_CREDIT_REF, ADMIN_DEBIT, BOOKING_ENTRY_KEY } from '~/domain/money/wallet'
import type { WalletEntry } from '~/domain/money/types'
import wallet from '~/src/i18n/locales/en/wallet.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'

/** Adds the English texts of wallet entries before the component renders. */
export const useWalletTexts = (): void => useAddedTexts(wallet)

/** Suffixes of the keys of entries that belong to no booking. */
const OTHER_ENTRY_KEY = /-(topup|admin|correction|referral|withdraw|unpaid)$/

/** Returns the translation key for what moved the money of an entry. */
export const getEntryLabelKey = (
  key: string,
  { type, txRef }: Pick<WalletEntry, 'type' | 'txRef'>,
): string => {
  const end = (BOOKING_ENTRY_KEY.exec(key) ?? OTHER_ENTRY_KEY.exec(key))?.[1]
  if (end) return `entry_${end.replace('rest-', '').replace('-', '_')}`
  if (txRef === ADMIN_CREDIT_REF) return 'entry_admin'
  if (txRef === ADMIN_DEBIT) return 'entry_correction'
  return `entry_type_${type}`
}
