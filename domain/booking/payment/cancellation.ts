import { roundToFareStep, type StepSettings } from '../../payments/fareStep'
import { subtractAmount, sumAmounts } from '../../money/money'
import { dbPaths } from '../../data/databasePaths'
import { canceledDelta } from '../../money/stats'
import { answerOpenOffers } from '../offers/offers'
import type { Draft } from '../changeDraft'
import { recordPayment } from './paymentHistory'
import { MINUTE_MS } from '../../language/timeUnits'
import type { TransitionArgs } from '../eventArgs'
import type { Booking } from '../types'
import type { CancellationFeeTier } from '../../catalog/types'

/** The stored reason of every booking that ends before it is paid, regardless of the actor. */
export const UNPAID_REASON = 'incomplete_booking'

/**
 * Returns the cancellation fee: the highest tier reached by the minutes since the driver accepted,
 * zero before that and while the driver finishes another booking. The rider sees this amount before
 * canceling and pays it when canceling.
 */
export const calculateCancellationFee = (
  { accepted_at, follows }: Pick<Booking, 'accepted_at' | 'follows'>,
  slabs: readonly CancellationFeeTier[] | undefined,
  now: number,
  settings: StepSettings,
): number => {
  if (accepted_at === undefined || follows !== undefined) return 0
  const minutes = (now - accepted_at) / MINUTE_MS
  const passed = Object.values(slabs ?? [])
    .filter(({ minsDelayed }) => minsDelayed <= minutes)
    .sort((a, b) => b.minsDelayed - a.minsDelayed)[0]
  return passed ? roundToFareStep(passed.amount, settings) : 0
}

interface CancellationDetails {
  reason: string
  cancelledBy: string
  fee: number
}

/** Tells the customer in one message what went back to the wallet, and the fee. */
const notifyMoney = (
  draft: Draft,
  { booking }: TransitionArgs,
  { paid, fee }: { paid: number; fee: number },
) => {
  const { reference } = booking
  if (paid > 0 && fee > 0)
    draft.notifyCustomer('returned_less_fee', booking, { amount: paid, reference, fee })
  else if (paid > 0) draft.notifyCustomer('returned', booking, { amount: paid, reference })
  else if (fee > 0) draft.notifyCustomer('fee_charged', booking, { amount: fee, reference })
}

/** Returns the wallet and card money that a customer has paid for a booking. */
const getPaidBefore = ({ booking, context }: TransitionArgs): number =>
  sumAmounts(
    [booking.paymentPacket?.usedWalletMoney ?? 0, booking.paymentPacket?.cardPaymentAmount ?? 0],
    context.settings.decimal,
  )

/** Returns the part of a fee that the customer's wallet pays at once; the rest is owed. */
export const getCoveredFee = (args: TransitionArgs<'customer'>, fee: number): number => {
  const { customer, settings } = args.context
  if (!customer) return 0
  const balance = sumAmounts([customer.walletBalance ?? 0, getPaidBefore(args)], settings.decimal)
  return Math.min(fee, Math.max(0, balance))
}

/**
 * Refunds wallet and card money to the wallet and charges the fee: two entries, one balance change.
 * The part of the fee that the wallet cannot pay makes its balance negative, and is owed.
 */
const refundAndChargeFee = (draft: Draft, args: TransitionArgs<'customer'>, fee: number) => {
  const { booking, context } = args
  const { customer, settings } = context
  const paid = getPaidBefore(args)
  draft.addWalletEntry(customer, `${booking.id}-refund`, { type: 'Credit', amount: paid })
  draft.addWalletEntry(customer, `${booking.id}-cancel-fee`, { type: 'Debit', amount: fee })
  // A deleted account has no wallet to which the money could go back.
  if (!customer) return
  recordPayment(draft, args, { kind: 'return', cause: 'cancelled', amounts: { wallet: paid } })
  const wallet = getCoveredFee(args, fee)
  const amounts = { wallet, owed: subtractAmount(fee, wallet, settings.decimal) }
  recordPayment(draft, args, { kind: 'charge', cause: 'cancellation_fee', amounts })
  notifyMoney(draft, args, { paid, fee })
}

const releasePromo = (draft: Draft, { booking, context }: TransitionArgs<'promo'>) => {
  const promo = booking.promo_details?.id
  if (!promo) return
  draft.set(dbPaths.promoUse(promo, booking.customer), null)
  // Adding to a deleted promo would create a partial record.
  if (context.promo) draft.add(`${dbPaths.promo(promo)}/user_avail`, -1)
}

/** Applies what each cancellation does; only `cancel` and `no_show` end one that has a driver. */
export const finishCancellation = (
  draft: Draft,
  args: TransitionArgs<'offers' | 'customer' | 'promo'>,
  { reason, cancelledBy, fee }: CancellationDetails,
) => {
  const { booking, context, now } = args
  const cancelled: Booking = { ...booking, cancelled_at: now, cancellationFee: fee }
  draft.setFields({
    reason,
    cancelledBy,
    cancelled_at: now,
    cancellationFee: fee,
    requestedDrivers: null,
    askedDrivers: null,
  })
  for (const uid of Object.keys(booking.requestedDrivers ?? {}))
    draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, args, () => 'withdrawn')
  refundAndChargeFee(draft, args, fee)
  releasePromo(draft, args)
  draft.addDelta(canceledDelta(cancelled, context.settings))
  if (fee > 0)
    draft.addFareEntry({
      kind: 'cancellation',
      cause: reason,
      lines: [{ label: 'fare_cancellation', amount: fee }],
      total: fee,
    })
}

/** Cancels a booking without a fee. */
export const cancelWithoutFee = (
  draft: Draft,
  args: TransitionArgs<'offers' | 'customer' | 'promo'>,
  ending: Omit<CancellationDetails, 'fee'>,
) => finishCancellation(draft, args, { ...ending, fee: 0 })
