import type { Booking, PaymentPacket } from '../entities'
import { at } from '../paths'
import { driverRowLabels, paidMove } from '../stats'
import type { BookingFields, Draft, Step } from './draft'
import { packetFields } from './packet'

/** Both sides of a referral get the bonus once, when the referred rider's first booking is paid. */
const rewardReferral = (draft: Draft, { world }: Step) => {
  const { customer, referrer, settings } = world
  if (!customer?.signupViaReferral || customer.referralRewarded) return
  draft.set(`${at.user(customer.id)}/referralRewarded`, true)
  if (settings.bonus <= 0) return
  const key = `${customer.id}-referral`
  const parties = referrer && referrer.id !== customer.id ? [customer, referrer] : [customer]
  for (const { id } of parties) {
    draft.entry(id, key, 'Credit', settings.bonus, 'Referral')
    draft.tell(id, 'referral', { amount: settings.bonus }, 'Wallet')
  }
}

/**
 * Everything that happens when a booking becomes PAID, whichever event did it: the packet, the driver's share
 * and the cash he keeps, totals, the final fare, the referral bonus, pushes. The queue flag is not touched here: after
 * PENDING the driver may already be busy with his next booking.
 */
export const settle = (draft: Draft, step: Step, packet: PaymentPacket) => {
  const { booking, world, now } = step
  const { driver, settings } = world
  const fields = { ...packetFields(packet), paid_at: now } satisfies BookingFields
  draft.book(fields)
  const paid = { ...booking, ...fields } as Booking

  if (driver) {
    draft.entry(driver.id, `${booking.id}-share`, 'Credit', booking.driver_share)
    draft.entry(driver.id, `${booking.id}-cash`, 'Debit', packet.cashPaymentAmount)
    draft.tell(driver.id, 'earned', { amount: booking.driver_share }, 'Wallet')
  }
  draft.addAll(paidMove(paid, settings.timezone))
  for (const [path, label] of Object.entries(driverRowLabels(paid, settings.timezone)))
    draft.set(path, label)
  draft.fare({
    kind: 'final',
    cause: `paid_${packet.payment_mode}`,
    lines: [
      ...lastLines(booking),
      ...(packet.discount_amount > 0
        ? [{ label: 'fare_discount', amount: -packet.discount_amount }]
        : []),
    ],
    total: packet.customer_paid,
  })
  draft.tell(booking.customer, 'paid', { amount: packet.customer_paid })
  rewardReferral(draft, step)
}

/** The lines of the last estimate or revision: what the trip cost consists of. */
const lastLines = ({ fare_history = {} }: Booking) =>
  Object.values(fare_history)
    .filter(({ kind }) => kind === 'estimate' || kind === 'revision')
    .sort((a, b) => b.at - a.at)[0]?.lines ?? []
