import {
  buildPendingBonus,
  getBonusDelayMs,
  getBonusEntryKey,
  REFERRAL_REF,
} from '../../bonuses/pendingBonus'
import { findOpenQuestion } from '../../bonuses/bonusDecision'
import { roundAmount, toMinorUnits } from '../../money/money'
import { dbPaths } from '../../data/databasePaths'
import { internalPaths } from '../../data/internalPaths'
import { buildDriverRowLabels, paidDelta } from '../../money/stats'
import type { BookingFieldUpdates, Draft } from '../changeDraft'
import { isTripAmongTied } from '../../accounts/ties'
import { getDriverPayout } from './driverPayout'
import { toPacketFields } from './paymentPacket'
import type { TransitionArgs } from '../eventArgs'
import type { Booking, PaymentPacket } from '../types'
import type { User } from '../../accounts/types'

/** Share of the planned road that a trip whose price follows the track must have driven. */
const MIN_DRIVEN_SHARE = 0.5

/**
 * Returns true when a car has driven only a small part of the planned road, so that the trip proves
 * no new customer: two people can begin and end it at the pickup for the lowest fare.
 */
const isCutShort = ({
  driven_distance,
  estimateDistance,
}: Pick<Booking, 'driven_distance' | 'estimateDistance'>): boolean =>
  driven_distance !== undefined && driven_distance < MIN_DRIVEN_SHARE * estimateDistance

/**
 * Gives both sides of a referral the bonus once, for the referred person's first paid booking that
 * was driven and whose rider, driver and referrer are strangers to one another. With a delay the
 * bonuses wait, those of a flagged trip until the office has reviewed it, and those of a deleted or
 * blocked party for `decideBonus`, which has one rule for them with and without a delay.
 */
const rewardReferral = (
  draft: Draft,
  { booking, context: { settings, customer, driver }, now }: TransitionArgs<'customer' | 'driver'>,
  referred: User | null,
  referrer: User | null,
) => {
  if (!referred?.signupViaReferral || referred.referralRewarded) return
  // No bonus exists yet, so the next trip with a stranger earns it. One that is dropped later is
  // not earned again.
  if (isTripAmongTied(customer, driver, referrer) || isCutShort(booking)) return
  draft.set(`${dbPaths.user(referred.id)}/referralRewarded`, true)
  const bonus = roundAmount(settings.bonus, settings.decimal)
  if (bonus <= 0) return
  const parties = referrer && referrer.id !== referred.id ? [referred, referrer] : [referred]
  const people = { referred, referrer, customer, driver }
  const isWaiting = getBonusDelayMs(settings) > 0 || findOpenQuestion(booking, people) !== undefined
  for (const party of parties)
    if (isWaiting) {
      const earned = { uid: party.id, referred: referred.id, booking: booking.id, amount: bonus }
      draft.setAll(buildPendingBonus({ ...earned, at: now }, settings))
    } else {
      const key = getBonusEntryKey(referred.id)
      draft.addWalletEntry(party, key, { type: 'Credit', amount: bonus, txRef: REFERRAL_REF })
      draft.notify('referral', 'account', party.id, { amount: bonus })
    }
}

/** Tells the driver what the share less the cash that they kept moves in their wallet. */
const notifyDriver = (
  draft: Draft,
  { booking, context: { driver, settings } }: TransitionArgs<'driver'>,
  { cashPaymentAmount }: PaymentPacket,
) => {
  if (!driver) return
  const change = getDriverPayout({ ...booking, cashPaymentAmount }, settings.decimal)
  if (change > 0) draft.notify('earned', 'driver', driver.id, { amount: change })
  if (change < 0)
    draft.notify('kept_cash', 'driver', driver.id, {
      amount: -change,
      reference: booking.reference,
    })
}

/**
 * Applies all effects of a change to PAID, whichever event caused it: the packet, the driver share
 * and the collected cash, totals, the final fare, the referral bonus, pushes. It does not change
 * the `queue` flag, because after PENDING the driver may already have the next booking.
 */
export const settleBooking = (
  draft: Draft,
  args: TransitionArgs<'driver' | 'customer' | 'referrer' | 'driverReferrer'>,
  packet: PaymentPacket,
) => {
  const { booking, context, now } = args
  const { driver, settings } = context
  const fields = { ...toPacketFields(packet), paid_at: now } satisfies BookingFieldUpdates
  draft.setFields(fields)
  const paid = { ...booking, ...fields } as Booking

  if (driver) {
    draft.addWalletEntry(driver, `${booking.id}-share`, {
      type: 'Credit',
      amount: booking.driver_share,
    })
    draft.addWalletEntry(driver, `${booking.id}-cash`, {
      type: 'Debit',
      amount: packet.cashPaymentAmount,
    })
    notifyDriver(draft, args, packet)
    // Matching compares drivers by the income of their shift.
    draft.addDelta({
      [`${internalPaths.driverShift(driver.id)}/income`]: toMinorUnits(
        booking.driver_share,
        settings.decimal,
      ),
      [`${internalPaths.driverShift(driver.id)}/revision`]: 1,
    })
  }
  draft.addDelta(paidDelta(paid, settings))
  for (const [path, label] of Object.entries(buildDriverRowLabels(paid, settings.timezone)))
    draft.set(path, label)
  draft.addFareEntry({
    kind: 'final',
    cause: `paid_${packet.payment_mode}`,
    lines: [
      ...getLastFareLines(booking),
      ...(packet.discount_amount > 0
        ? [{ label: 'fare_discount', amount: -packet.discount_amount }]
        : []),
    ],
    total: packet.customer_paid,
  })
  draft.notifyCustomer('paid', booking, { amount: packet.customer_paid })
  if (context.customer?.email)
    draft.notifyCustomer('receipt', booking, { reference: booking.reference })
  rewardReferral(draft, args, context.customer, context.referrer)
  rewardReferral(draft, args, driver, context.driverReferrer)
}

/** Returns the fare lines of the last estimate or revision. */
const getLastFareLines = ({ fare_history = {} }: Booking) =>
  Object.values(fare_history)
    .filter(({ kind }) => kind === 'estimate' || kind === 'revision')
    .sort((a, b) => b.at - a.at)[0]?.lines ?? []
