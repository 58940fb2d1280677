import type { Booking, CancelSlab, Settings } from '../entities'
import { refusal } from '../errors'
import { round, sum } from '../money'
import { at } from '../paths'
import { err, ok, type Result } from '../result'
import { cancelledMove } from '../stats'
import type { BookingRefusal, Change, InputOf } from './change'
import { draftOf, type Draft, type Step } from './draft'

/** An unpaid booking waits so long for its payment. */
export const EXPIRE_MINUTES = 30
/** A later booking without a driver ends so long after its time. */
export const NO_DRIVER_MINUTES = 30
const MINUTE = 60_000

/**
 * What cancelling costs: the largest slab passed, by minutes since the driver accepted; nothing before that. Shown to
 * the rider before he cancels, and charged when he does.
 */
export const cancelFee = (
  { accepted_at }: Pick<Booking, 'accepted_at'>,
  slabs: readonly CancelSlab[] | undefined,
  now: number,
  { decimal }: Pick<Settings, 'decimal'>,
): number => {
  if (accepted_at === undefined) return 0
  const minutes = (now - accepted_at) / MINUTE
  const passed = Object.values(slabs ?? [])
    .filter(({ minsDelayed }) => minsDelayed <= minutes)
    .sort((a, b) => b.minsDelayed - a.minsDelayed)[0]
  return passed ? round(passed.amount, decimal) : 0
}

interface Ending {
  reason: string
  cancelledBy: string
  fee: number
}

/** Wallet and card money goes back to the wallet, the fee is taken from it: two entries, one balance. */
const settleWallet = (draft: Draft, { booking, world }: Step, fee: number) => {
  const { customer, settings } = world
  if (!customer) return
  const packet = booking.paymentPacket
  const paid = sum([packet?.usedWalletMoney ?? 0, packet?.cardPaymentAmount ?? 0], settings.decimal)
  draft.entry(customer.id, `${booking.id}-refund`, 'Credit', paid)
  draft.entry(customer.id, `${booking.id}-cancel-fee`, 'Debit', fee)
}

const giveBackPromo = (draft: Draft, { booking, world }: Step) => {
  const promo = booking.promo_details?.id
  if (!promo) return
  draft.set(at.promoUse(promo, booking.customer), null)
  // A deleted promo stays deleted: adding to it would bring a stump of it back.
  if (world.promo) draft.add(`${at.promo(promo)}/user_avail`, -1)
}

/** Everything that happens when a booking becomes CANCELLED, whichever event did it. */
const end = (draft: Draft, step: Step, { reason, cancelledBy, fee }: Ending) => {
  const { booking, world, now } = step
  const cancelled: Booking = { ...booking, cancelled_at: now, cancellationFee: fee }
  draft.book({
    reason,
    cancelledBy,
    cancelled_at: now,
    cancellationFee: fee,
    requestedDrivers: null,
    askedDrivers: null,
  })
  for (const uid of Object.keys(booking.requestedDrivers ?? {}))
    draft.set(at.task(uid, booking.id), null)
  if (booking.driver) draft.set(at.busy(booking.driver), null)
  if (booking.driver && world.driver) draft.set(`${at.user(booking.driver)}/queue`, false)
  settleWallet(draft, step, fee)
  giveBackPromo(draft, step)
  draft.addAll(cancelledMove(cancelled, world.settings.timezone))
  if (fee > 0)
    draft.fare({
      kind: 'cancellation',
      cause: reason,
      lines: [{ label: 'fare_cancellation', amount: fee }],
      total: fee,
    })
}

/** Ends a booking at nobody's cost. */
export const endWithoutFee = (draft: Draft, step: Step, ending: Omit<Ending, 'fee'>) =>
  end(draft, step, { ...ending, fee: 0 })

/** The rider, the driver on his way, or the office gives the booking up. Only the rider's own change of mind costs. */
export const cancel = (step: Step, input: InputOf<'cancel'>): Result<Change, BookingRefusal> => {
  const { booking, actor, world, now } = step
  const { settings, carType } = world
  if (actor.role !== 'driver' && !settings.AllowCriticalEditsAdmin) return err(refusal('demo_mode'))
  const reason = input.reason.trim()
  if (!reason) return err(refusal('reason_required', 'reason'))
  const fee = actor.role === 'rider' ? cancelFee(booking, carType?.cancelSlab, now, settings) : 0
  const draft = draftOf(step, 'cancel', 'CANCELLED')
  end(draft, step, { reason, cancelledBy: actor.role, fee })
  draft.audit('booking_cancel', { from: { status: booking.status }, to: { reason } })
  draft.tell(booking.customer, 'cancelled', { reason })
  draft.tell(booking.driver, 'cancelled', { reason })
  return ok(draft.done())
}

/** Whether time has ended this booking: unpaid for 30 minutes, or a later one 30 minutes over without a driver. */
export const isOverdue = (
  booking: Pick<Booking, 'status' | 'bookLater' | 'bookingDate' | 'tripdate'>,
  now: number,
): boolean => {
  if (booking.status === 'PAYMENT_PENDING')
    return now - booking.bookingDate >= EXPIRE_MINUTES * MINUTE
  return (
    booking.status === 'NEW' &&
    booking.bookLater &&
    now - booking.tripdate >= NO_DRIVER_MINUTES * MINUTE
  )
}

/** The system ends what time has ended. */
export const expire = (step: Step): Result<Change, BookingRefusal> => {
  const { booking, now } = step
  if (!isOverdue(booking, now)) return err(refusal('event_not_possible'))
  const unpaid = booking.status === 'PAYMENT_PENDING'
  const draft = draftOf(step, 'expire', 'CANCELLED')
  endWithoutFee(draft, step, {
    reason: unpaid ? 'incomplete_booking' : 'no_driver',
    cancelledBy: 'system',
  })
  draft.tell(booking.customer, unpaid ? 'expired' : 'no_driver')
  return ok(draft.done())
}
