import * as v from 'valibot'
import { toMinorUnits } from '../money/money'

/** The rider's form about a tip. */
export const tipForm = ({
  balance,
  limit,
  decimal,
}: {
  balance: number
  limit: number
  decimal: number
}) => {
  const units = (amount: number) => toMinorUnits(amount, decimal)
  return v.object({
    amount: v.pipe(
      v.number('field_positive'),
      v.check((amount) => units(amount) > 0, 'field_positive'),
      v.check((amount) => units(amount) <= units(limit), 'tip_too_much'),
      v.check((amount) => units(amount) <= units(balance), 'wallet_too_low'),
    ),
  })
}
