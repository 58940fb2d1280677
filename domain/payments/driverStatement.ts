import { isPaidOut } from '../booking/payment/paidOut'
import { getCauseText, getDue, type PaymentRow, type Translate } from './paymentStatement'
import type { Adjustment } from '../money/types'
import type { Booking } from '../booking/types'
import type { Settings } from '../catalog/types'

type Row = PaymentRow & { at: number }

const toAdjustmentRow = ({ at, reason, driver = 0 }: Adjustment, translate: Translate): Row => {
  const compensation = driver < 0 ? 'push_taken_back_title' : 'compensation'
  return {
    label: translate(reason === 'tip' ? 'tip_for_driver' : compensation),
    cause: getCauseText(reason, translate),
    at,
    amount: driver,
  }
}

/**
 * Returns the rows about what a booking moved in its driver's wallet, oldest first, with the cash
 * that they kept as a negative amount, and at the end what their customer still has to pay.
 */
export const getDriverRows = (
  booking: Booking,
  settings: Pick<Settings, 'decimal'>,
  translate: Translate,
): PaymentRow[] => {
  const { paid_at: paidAt = 0, paymentPacket, distance_review: review } = booking
  const isPaid = isPaidOut(booking)
  const rows: Row[] = [
    { label: translate('driver_share'), at: paidAt, amount: isPaid ? booking.driver_share : 0 },
    {
      label: translate('payment_row_cash_kept'),
      at: paidAt,
      amount: isPaid ? -(paymentPacket?.cashPaymentAmount ?? 0) : 0,
    },
    {
      label: translate('payment_row_review'),
      at: review?.decided_at ?? 0,
      amount: review?.credited ?? 0,
    },
    ...Object.values(booking.adjustments ?? {}).map((one) => toAdjustmentRow(one, translate)),
  ]
  const due = getDue(booking, settings)
  return [
    ...rows.filter(({ amount }) => amount !== 0).sort((a, b) => a.at - b.at),
    ...(due > 0 ? [{ label: translate('receipt_due'), amount: due }] : []),
  ]
}
