import { domainError, type DomainError } from '../../api/errors'
import type { Settings } from '../../catalog/types'
import type { Booking } from '../types'

/**
 * Refuses with payment_mismatch to move money of a booking from before a change of the currency:
 * wallets and rates have another one now.
 */
export const checkCurrency = (
  { currency }: Pick<Booking, 'currency'>,
  { code }: Pick<Settings, 'code'>,
): DomainError | undefined =>
  currency === undefined || currency === code
    ? undefined
    : domainError('payment_mismatch', 'currency')
