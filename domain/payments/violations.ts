import type { Booking, User } from '../entities'
import { eventKey, isPaid, type PaymentAttempt } from './attempt'

/** The parts of the database that payments touch. */
export interface PaymentTree {
  payments?: Record<string, PaymentAttempt>
  payment_events?: Record<string, { payment: string }>
  users?: Record<string, Pick<User, 'walletHistory'>>
  bookings?: Record<string, Pick<Booking, 'event_log'>>
}

const appliedTo = (id: string, attempt: PaymentAttempt, { users, bookings }: PaymentTree) => {
  const { uid, booking = '', applied_to } = attempt
  const payer = users?.[uid]
  const topUp = payer?.walletHistory?.[`${id}-topup`]
  const pays = Object.values(bookings?.[booking]?.event_log ?? {}).some(({ ref }) => ref === id)
  if (!isPaid(attempt.status))
    return topUp || pays ? [`payments/${id} moved money and is ${attempt.status}`] : []
  // Who has left has no wallet any more.
  const inWallet = topUp !== undefined || !payer
  if (applied_to === 'wallet' && inWallet && !pays) return []
  if (applied_to === 'booking' && pays && topUp === undefined) return []
  return [`payments/${id} is ${attempt.status}, and its money is not where it says`]
}

/** What is wrong with payments, in sentences: each paid attempt moved its money exactly once, and its event is remembered. */
export const paymentViolations = (tree: PaymentTree): string[] =>
  Object.entries(tree.payments ?? {}).flatMap(([id, attempt]) => {
    const { gateway, ref = '', amount, currency, refunded = 0 } = attempt
    const event = { payment: id, gateway, ref, status: 'paid', minor: 0, currency } as const
    const isRemembered = tree.payment_events?.[eventKey(event)]?.payment === id
    return [
      ...appliedTo(id, attempt, tree),
      ...(isPaid(attempt.status) && !isRemembered
        ? [`payments/${id}: who paid it is unknown`]
        : []),
      ...(refunded > amount ? [`payments/${id}: more went back than came`] : []),
    ]
  })
