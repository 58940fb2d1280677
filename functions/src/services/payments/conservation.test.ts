import { expect, test, vi } from 'vitest'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { toMinorUnits } from '~/domain/money/money'
import { getAttemptAccount, getDeliveredRefunds } from '~/domain/payments/attemptAccount'
import { listParked } from '~/domain/payments/parkedMoney'
import { escapeKeyPart } from '~/domain/payments/paymentAttempt'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { findPayerViolations, findPaymentViolations } from '~/domain/payments/paymentViolations'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { chooseLength } from '~/domain/testing/endurance'
import { sumWalletHistory } from '~/domain/money/wallet'
import { getMoneyOut } from '../../testing/bankDouble'
import {
  beginGroup,
  comeToRest,
  createStart,
  runHistories,
  type Group,
} from '../../testing/paymentHistories'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const AT_ONCE = 50
const GROUPS = chooseLength(200, 1000)
const STEPS = 4

const units = (amount = 0): number => toMinorUnits(amount, 2)
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
const toTree = ({ tree }: Group) => tree as unknown as Required<DatabaseTree>

/** Returns payments of which more went back by card, wallet and bank than came in. */
const findDoubleReturns = (group: Group): string[] =>
  group.bank.charges.flatMap((charge) => {
    const attempt = toTree(group).payments[charge.payment]
    if (!attempt || attempt.ref !== charge.ref) return []
    const { card, bank } = getMoneyOut(charge)
    const { returned, chargedBack } = getAttemptAccount(attempt)
    return [
      ...(card + bank + returned > charge.minor
        ? [`${attempt.id}: ${card} card, ${bank} bank, ${returned} wallet of ${charge.minor}`]
        : []),
      ...(getDeliveredRefunds(attempt) + chargedBack < card + bank
        ? [`${attempt.id}: ${card + bank} has left, the account does not know it`]
        : []),
    ]
  })

/** Returns charges that no payment knows, as its own or as parked. */
const findForgottenCharges = (group: Group): string[] =>
  group.bank.charges.flatMap(({ payment, ref }) => {
    const attempt = toTree(group).payments[payment]
    const isKnown =
      attempt && (attempt.ref === ref || listParked(attempt).some((money) => money.ref === ref))
    return isKnown ? [] : [`${payment}: charge ${ref} is forgotten`]
  })

/**
 * Returns parked charges of which more went back, or may still go to the wallet, than came in, and
 * those of which a part is nowhere although the office has dismissed nothing.
 */
const findParkedReturns = (group: Group): string[] =>
  group.bank.charges.flatMap((charge) => {
    const { payment: id, ref } = charge
    const { payments, users } = toTree(group)
    const attempt = payments[id]
    const parked = attempt && listParked(attempt).find((money) => money.ref === ref)
    if (!parked || attempt.ref === ref) return []
    const { card, bank } = getMoneyOut(charge)
    const history = users[attempt.uid]?.walletHistory ?? {}
    const key = `${id}-parked-${parked.at}`
    const disputeKeys = charge.disputes.map((one) => escapeKeyPart(one.id))
    const disputes = disputeKeys.flatMap((one) => attempt.details?.disputes?.[one] ?? [])
    const wallet = sum([
      units(history[key]?.amount),
      ...Object.keys(history)
        .filter((one) => one.startsWith(`${key}-back`))
        .map((one) => -units(history[one]?.amount)),
      ...disputeKeys.map((one) => -units(history[`${id}-dispute-${one}`]?.amount)),
      ...disputes.map(({ credited }) => units(credited)),
    ])
    const waits = sum([
      parked.settled === undefined ? units(parked.amount) : 0,
      ...disputes.map(({ waiting }) => units(waiting)),
    ])
    const isDismissed =
      parked.settled === 'dismissed' ||
      disputes.some(({ won, waiting, credited }) => won && !waiting && !credited)
    const total = card + bank + wallet + waits
    return total > charge.minor || (total < charge.minor && !isDismissed)
      ? [`${id}: ${card} card, ${bank} bank, ${wallet} wallet, ${waits} waits of ${charge.minor}`]
      : []
  })

/** Returns what complaints gave to the customer of a booking, or what tips took. */
const sumAdjustments = ({ adjustments = {} }: Booking, isTip: boolean): number =>
  sum(
    Object.values(adjustments)
      .filter(({ reason }) => (reason === 'tip') === isTip)
      .map(({ rider }) => units(rider)),
  )

/**
 * Returns payers who have, or have used for bookings, more than came from them: their wallet before
 * and their cards' charges, less what went back. Complaints are the platform's gift.
 */
const findGains = (group: Group): string[] => {
  const { users, bookings, payments } = toTree(group)
  return Object.entries(users).flatMap(([uid, { usertype, walletBalance, walletHistory }]) => {
    if (usertype !== 'rider') return []
    const own = Object.values(bookings).filter(({ customer }) => customer === uid)
    const used = own.flatMap((booking) => [
      units(getNetPayment(booking, 2, 'wallet')),
      units(getNetPayment(booking, 2, 'card')),
      -sumAdjustments(booking, false),
      -sumAdjustments(booking, true),
    ])
    const came = group.bank.charges
      .filter(({ payment }) => payments[payment]?.uid === uid)
      .map((charge) => {
        const { card, bank } = getMoneyOut(charge)
        return charge.minor - card - bank
      })
    const start = units(walletHistory?.['start']?.amount)
    const has = units(walletBalance) + sum(used)
    return has > start + sum(came)
      ? [`${uid}: has ${has}, of which ${start + sum(came)} came from them`]
      : []
  })
}

/**
 * Returns drivers who have more than their shares of paid bookings, tips and compensations, and
 * canceled bookings whose driver got more than the fee.
 */
const findDriverGains = (group: Group): string[] => {
  const { users, bookings } = toTree(group)
  const sumGifts = ({ adjustments = {} }: Booking) =>
    sum(Object.values(adjustments).map(({ driver }) => units(driver)))
  return Object.entries(users).flatMap(([uid, { usertype, walletBalance }]) => {
    if (usertype !== 'driver') return []
    const own = Object.values(bookings).filter(({ driver }) => driver === uid)
    const shares = own
      .filter(({ status }) => status === 'PAID' || status === 'COMPLETE')
      .map(
        ({ driver_share, paymentPacket }) =>
          units(driver_share) - units(paymentPacket?.cashPaymentAmount),
      )
    const earned = sum([...shares, ...own.map(sumGifts)])
    return [
      ...(units(walletBalance) > earned
        ? [`${uid}: has ${units(walletBalance)}, of which ${earned} was earned`]
        : []),
      ...own
        .filter(({ status, reason }) => status === 'CANCELLED' && reason === 'no_show')
        .filter((booking) => sumGifts(booking) > units(booking.cancellationFee))
        .map(({ id }) => `${id}: the driver got more than the fee`),
    ]
  })
}

/**
 * Returns payments whose refunds by the office took money from a wallet that did not hold it for
 * them. Only a refund in the provider's dashboard may, because its money has left already.
 */
const findUnheldRefunds = (group: Group): string[] =>
  group.bank.charges.flatMap(({ payment, ref, refunds }) => {
    const attempt = toTree(group).payments[payment]
    if (!attempt || attempt.ref !== ref) return []
    const taken = Object.entries(toTree(group).users[attempt.uid]?.walletHistory ?? {})
      .filter(([key]) => key.startsWith(`${payment}-refund-`))
      .map(([, { amount }]) => units(amount))
    const outside = refunds.filter(({ key }) => key === undefined).map(({ minor }) => minor)
    return sum(taken) > sum(outside)
      ? [`${payment}: the office’s refunds took ${sum(taken)} from the wallet without holding it`]
      : []
  })

/** Returns what is wrong in the books alone, while other histories are under way. */
const findUnsoundBooks = (group: Group): string[] => {
  const { users, payments, payment_events } = toTree(group)
  return [
    ...Object.entries(users)
      .filter(
        ([, user]: [string, User]) => user.walletBalance !== sumWalletHistory(user.walletHistory),
      )
      .map(([uid]) => `${uid}: the wallet is not the sum of its entries`),
    ...findPayerViolations({ payments, users }),
    ...findPaymentViolations({ payments, payment_events, bookings: toTree(group).bookings }),
  ]
}

/** Steps that the histories must take; otherwise the test proves nothing about them. */
const REQUIRED_STEPS = [
  ...['message: paid applied', 'message: paid parked', 'message: paid duplicate'],
  ...['message: refunded applied', 'message: refunded duplicate', 'message: refund_failed parked'],
  ...[
    'message: chargeback parked',
    'message: chargeback duplicate',
    'message: chargeback too_early',
  ],
  ...['message: chargeback_won applied', 'message: chargeback_won parked'],
  ...['message: chargeback_won duplicate', 'refund: sent', 'refund: rejected', 'resume: done'],
  ...['refund: refund_open', 'refund: cancel_first', 'office: credit', 'office: dismiss'],
  ...[
    'NEW: done',
    'ARRIVED: done',
    'STARTED: done',
    'PENDING: done',
    'PAID: done',
    'CANCELLED: done',
  ],
]

test('returns no more than came in, in ten thousand random histories of which 50 run at once', async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const steps = new Map<string, number>()
  const start = await createStart(createSeededRandom(0))
  try {
    for (let seed = 1; seed <= GROUPS; seed++) {
      const group = beginGroup(start, createSeededRandom(seed), steps)
      const failures = await runHistories(group, {
        count: AT_ONCE,
        steps: STEPS,
        check: () => expect(findUnsoundBooks(group), `seed ${seed}`).toEqual([]),
      })
      expect(failures, `seed ${seed}`).toEqual([])
      await comeToRest(group)
      const wrong = [
        ...findDoubleReturns(group),
        ...findForgottenCharges(group),
        ...findParkedReturns(group),
        ...findGains(group),
        ...findDriverGains(group),
        ...findUnheldRefunds(group),
        ...findViolations(toTree(group)),
      ]
      expect(wrong, `seed ${seed}`).toEqual([])
    }
  } finally {
    warnings.mockRestore()
  }
  expect(REQUIRED_STEPS.filter((name) => (steps.get(name) ?? 0) < 3)).toEqual([])
})
