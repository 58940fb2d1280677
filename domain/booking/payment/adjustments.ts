import { adjustmentDelta, buildDriverRowLabels } from '../../money/stats'
import type { Adjustment } from '../../money/types'
import type { Draft } from '../changeDraft'
import type { TransitionArgs } from '../eventArgs'

/**
 * Records money that moves after the price of a booking was agreed, such as a tip or a
 * compensation: on the booking, in the totals of the day, and in the driver's earnings. `id` names
 * it among the adjustments of the booking; the wallets have entries of their own.
 */
export const recordAdjustment = (
  draft: Draft,
  { booking, context: { settings }, now }: TransitionArgs,
  id: string,
  adjustment: Adjustment,
) => {
  draft.addAdjustment(id, adjustment)
  draft.addDelta(adjustmentDelta(booking, adjustment, settings))
  if (adjustment.driver !== undefined)
    draft.setAll(buildDriverRowLabels(booking, settings.timezone, now))
}
