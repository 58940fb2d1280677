import { domainError, type DomainError } from '../../api/errors'
import { toMinorUnits } from '../../money/money'
import type { Actor } from '../eventTypes'
import type { User } from '../../accounts/types'
import type { VehicleType } from '../../catalog/types'

/** Without a setting a rider may owe this many times the vehicle type's minimum fare. */
const MINIMUM_FARES = 2

/**
 * Returns debt_limit when a rider owes more than the limit. Cancellation fees of a cash rider would
 * otherwise raise it without end. An admin may still book: they know the rider, and the audit names
 * the admin.
 */
export const checkDebt = (
  {
    customer,
    carType,
    debtLimit,
  }: {
    customer: Pick<User, 'walletBalance'> | null
    carType: Pick<VehicleType, 'min_fare'> | null
    /** The office's limit; null without one. */
    debtLimit: number | null
  },
  { role }: Pick<Actor, 'role'>,
  decimal: number,
): DomainError | undefined => {
  if (role === 'admin' || !customer || !carType) return undefined
  const limit = debtLimit ?? MINIMUM_FARES * carType.min_fare
  const debt = -(customer.walletBalance ?? 0)
  return toMinorUnits(debt, decimal) > Math.max(0, toMinorUnits(limit, decimal))
    ? domainError('debt_limit', undefined, { debt })
    : undefined
}
