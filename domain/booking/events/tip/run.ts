import { domainError, type DomainError } from '../../../api/errors'
import { roundAmount, toMinorUnits } from '../../../money/money'
import { err, ok, type Result } from '../../../api/result'
import { getTipLimit, isTipOpen, TIP_DAYS } from './tipLimits'
import { createEventDraft } from '../../changeDraft'
import { checkCurrency } from '../../payment/bookingCurrency'
import { recordAdjustment } from '../../payment/adjustments'
import type { BookingChange, BookingError } from '../../eventTypes'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import type { Adjustment } from '../../../money/types'

const checkTip = (
  { booking, context, now }: TransitionArgs<'customer' | 'driver'>,
  amount: number,
): DomainError | undefined => {
  const { customer, driver, settings } = context
  const units = (value: number) => toMinorUnits(value, settings.decimal)
  if (!isTipOpen(booking, now)) return domainError('tip_too_late', undefined, { days: TIP_DAYS })
  const refused = checkCurrency(booking, settings)
  if (refused) return refused
  if (!customer || !driver) return domainError('not_found', customer ? 'driver' : 'customer')
  if (units(amount) <= 0) return domainError('bad_input', 'amount')
  const most = getTipLimit(booking, settings)
  if (units(amount) > units(most)) return domainError('tip_too_much', 'amount', { most })
  return units(amount) > units(Math.max(0, customer.walletBalance))
    ? domainError('wallet_too_low', 'amount', { needed: amount })
    : undefined
}

/**
 * Gives the rider's tip to the driver, from wallet to wallet, without a share and a fee. Refused:
 * tip_too_late, payment_mismatch (the booking has an earlier currency), not_found (an account is
 * deleted), bad_input, tip_too_much (`params.most` is the limit), wallet_too_low.
 */
export const tipDriver = (
  args: EventArgs<'tip'>,
  { request_id, ...input }: EventInputFor<'tip'>,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  const { settings } = context
  const amount = roundAmount(input.amount, settings.decimal)
  if (booking.adjustments?.[request_id]) return err(domainError('already_processed', 'request_id'))
  const refused = checkTip(args, amount)
  if (refused) return err(refused)
  const adjustment: Adjustment = { at: now, reason: 'tip', rider: -amount, driver: amount }
  const draft = createEventDraft(args, 'tip', booking.status, { ref: request_id })
  recordAdjustment(draft, args, request_id, adjustment)
  const key = `${booking.id}-${request_id}-tip`
  draft.addWalletEntry(context.customer, key, { type: 'Debit', amount, reason: 'tip' })
  draft.addWalletEntry(context.driver, key, { type: 'Credit', amount, reason: 'tip' })
  draft.notify('tipped', 'driver', booking.driver, { amount, reference: booking.reference })
  return ok(draft.done())
}
