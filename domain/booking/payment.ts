import type { Booking, PaymentMode, PaymentPacket } from '../entities'
import { refusal, type Refusal } from '../errors'
import { minus, round, sum, toMinor } from '../money'
import { at } from '../paths'
import { redeem } from '../promo'
import { err, ok, type Result } from '../result'
import type { BookingRefusal, Change, InputOf, World } from './change'
import { draftOf, type Draft, type Step } from './draft'
import { dueOf, isPrepaid, packetFields, packetOf, type Due } from './packet'
import { settle } from './settle'

type Pay = InputOf<'pay'>
type PromoTaken = { id: string; promo_name: string }

/** What there is to pay of a booking now. */
interface Bill {
  /** What has been paid before. */
  paid: Due
  /** The one it has, or the one that is asked for now. */
  discount: number
  promo: PromoTaken | null
  /** Whether the promo is redeemed by this payment. */
  isNew: boolean
  due: number
}

/** The bill of a booking, with the promo its payer names if he does. Refused: promo_already_used, and as `redeem` has it. */
export const billOf = (
  {
    booking,
    world,
    now,
  }: Pick<Step, 'booking' | 'now'> & {
    world: Pick<World, 'settings' | 'promo' | 'promoUsedBefore'>
  },
  asked: string | undefined,
): Result<Bill, Refusal> => {
  const { decimal } = world.settings
  const had = booking.paymentPacket
  const paid = dueOf(booking, decimal)
  const { discount, due } = paid
  if (asked === undefined)
    return ok({ paid, discount, promo: had?.promo_details ?? null, isNew: false, due })
  if (had?.promo_applied) return err(refusal('promo_already_used', 'promo'))
  const redeemed = redeem(world.promo, {
    tripCost: booking.trip_cost,
    usedBefore: world.promoUsedBefore,
    now,
    decimal,
  })
  if (!redeemed.ok) return redeemed
  const { promo, discount: given } = redeemed.value
  return ok({
    paid,
    discount: given,
    promo: { id: promo.id, promo_name: promo.promo_name },
    isNew: true,
    due: minus(due, Math.min(given, due), decimal),
  })
}

/** The packet of a bill of which so much comes from the wallet and by card now; what remains is cash. */
export const packetFor = (
  { paid, discount, promo }: Bill,
  booking: Booking,
  settings: World['settings'],
  { mode, wallet, card }: { mode: PaymentMode; wallet: number; card: number },
): PaymentPacket =>
  packetOf(booking, settings, {
    mode,
    discount,
    promo,
    wallet: sum([paid.wallet, wallet], settings.decimal),
    card: sum([paid.card, card], settings.decimal),
  })

/** How much of what is due comes from the wallet, by card and in cash. */
const sources = (
  input: Pay,
  due: number,
  { booking, world }: Step,
): Result<{ mode: PaymentMode; wallet: number; card: number }, Refusal> => {
  const { decimal, code } = world.settings
  const asked = round(input.usedWalletMoney ?? 0, decimal)
  if (asked < 0 || toMinor(asked, decimal) > toMinor(due, decimal))
    return err(refusal('bad_input', 'usedWalletMoney'))
  if ('payment' in input) {
    const { amount, currency } = input.payment
    const card = minus(due, asked, decimal)
    // Exact, and in our currency: anything else is parked for the office, never applied.
    if (currency !== code || toMinor(amount, decimal) !== toMinor(card, decimal) || card <= 0)
      return err(refusal('payment_mismatch', undefined, { expected: card, paid: amount }))
    return ok({ mode: 'card', wallet: asked, card })
  }
  if (input.payment_mode === 'wallet') return ok({ mode: 'wallet', wallet: due, card: 0 })
  // After the trip cash goes through the driver's hands: he says so with `collect`.
  if (booking.status === 'PENDING') return err(refusal('event_not_possible', 'payment_mode'))
  return ok({ mode: 'cash', wallet: asked, card: 0 })
}

const takePromo = (draft: Draft, booking: Booking, promo: PromoTaken) => {
  draft.add(`${at.promo(promo.id)}/user_avail`, 1)
  draft.set(at.promoUse(promo.id, booking.customer), booking.id)
}

/**
 * PAYMENT_PENDING → NEW or PENDING → PAID. From the wallet or by a verified card payment the money moves now; cash is
 * only promised, and moves with `collect`.
 */
export const pay = (step: Step, input: Pay): Result<Change, BookingRefusal> => {
  const { booking, world } = step
  const { decimal } = world.settings
  const bill = billOf(step, input.promo)
  if (!bill.ok) return bill
  const { promo, isNew, due } = bill.value
  const from = sources(input, due, step)
  if (!from.ok) return from
  const { wallet } = from.value
  if (toMinor(wallet, decimal) > toMinor(Math.max(0, world.customer?.walletBalance ?? 0), decimal))
    return err(refusal('wallet_too_low', 'payment_mode', { needed: wallet }))

  const packet = packetFor(bill.value, booking, world.settings, from.value)
  const later = booking.status === 'PENDING'
  const ref = 'payment' in input ? input.payment.id : undefined
  const draft = draftOf(step, 'pay', later ? 'PAID' : 'NEW', ref)
  // A wallet may pay in two steps, before and after the trip; each has its own key.
  draft.entry(booking.customer, `${booking.id}-${later ? 'rest-' : ''}wallet`, 'Debit', wallet)
  if (isNew && promo) takePromo(draft, booking, promo)
  draft.book({
    prepaid: !later && isPrepaid(packet, decimal),
    ...('payment' in input && { gateway: input.payment.gateway }),
  })
  if (later) settle(draft, step, packet)
  else draft.book(packetFields(packet))
  return ok(draft.done())
}

/** PENDING → PAID: the driver has the rest in cash. */
export const collect = (step: Step): Result<Change, BookingRefusal> => {
  const { booking, world } = step
  const { discount, wallet, card } = dueOf(booking, world.settings.decimal)
  const draft = draftOf(step, 'collect', 'PAID')
  const promo = booking.paymentPacket?.promo_details ?? null
  draft.book({ prepaid: false })
  settle(
    draft,
    step,
    packetOf(booking, world.settings, { mode: 'cash', discount, wallet, card, promo }),
  )
  return ok(draft.done())
}
