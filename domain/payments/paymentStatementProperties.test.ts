import { expect, test } from 'vitest'
import { findViolations } from '../data/invariants'
import type { DatabaseTree } from '../data/databaseTree'
import { MAX_DECIMALS, sumAmounts } from '../money/money'
import { createSeededRandom } from '../data/seededRandom'
import { chooseLength } from '../testing/endurance'
import { createRandomPayments } from '../testing/randomPayments'
import { BOOKING_ENTRY_KEY, toSignedAmount } from '../money/wallet'
import { getDriverRows } from './driverStatement'
import type { PaymentAttempt } from './paymentAttempt'
import { getNetPayment, getPaymentLines, getPaymentRows } from './paymentStatement'
import type { Booking, PaymentMode } from '../booking/types'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'

const HISTORIES = chooseLength(40, 200)
const STEPS = 200

const sum = (amounts: readonly number[]) => sumAmounts(amounts, MAX_DECIMALS)

const listBookingEntries = ({ id }: Booking, { walletHistory = {} }: Pick<User, 'walletHistory'>) =>
  Object.entries(walletHistory).filter(
    ([key, { txRef }]) => BOOKING_ENTRY_KEY.test(key) && txRef === id,
  )

/** Returns what left a wallet for a booking, less what came back. */
const sumWalletPayments = (booking: Booking, users: Record<string, User>): number =>
  -sum(
    listBookingEntries(booking, users[booking.customer] ?? {})
      .filter(([, { reason }]) => reason === undefined)
      .map(([, entry]) => toSignedAmount(entry)),
  )

/** Returns what complaints about a booking gave to its customer, or what tips took. */
const sumAdjustments = (booking: Booking, users: Record<string, User>, isTip: boolean): number =>
  sum(
    listBookingEntries(booking, users[booking.customer] ?? {})
      .filter(([, { reason }]) => reason !== undefined && (reason === 'tip') === isTip)
      .map(([, entry]) => toSignedAmount(entry)),
  )

/** Returns what a booking has moved in its driver's wallet. */
const sumDriverEntries = (booking: Booking, users: Record<string, User>): number =>
  sum(
    listBookingEntries(booking, users[booking.driver ?? ''] ?? {}).map(([, entry]) =>
      toSignedAmount(entry),
    ),
  )

/** Returns the cash that drivers owe for a booking. */
const sumCash = ({ id }: Booking, users: Record<string, User>): number =>
  -sum(
    Object.values(users)
      .flatMap(({ walletHistory = {} }) => walletHistory[`${id}-cash`] ?? [])
      .map(toSignedAmount),
  )

/**
 * Returns what the attempts that paid for a booking have brought, less what went back to the card.
 * Money that went from the wallet to the card, or was parked, is not the booking's.
 */
const sumCard = (
  { id }: Booking,
  users: Record<string, User>,
  payments: Record<string, PaymentAttempt>,
): number =>
  sum(
    Object.values(payments)
      .filter(({ applied_to, booking }) => applied_to === 'booking' && booking === id)
      .flatMap(({ id: payment, uid, amount, refunded = 0, charged_back = 0, refund, details }) => [
        amount,
        -refunded,
        // A refund that could not be delivered is not the booking's again.
        -(details?.undelivered ?? 0),
        -charged_back,
        // The held amount of an open refund has left the wallet and is not refunded yet.
        refund?.from_wallet ? -refund.amount : 0,
        ...Object.entries(users[uid]?.walletHistory ?? {})
          .filter(
            ([key, { txRef, reason }]) =>
              txRef === payment && (!key.includes('-parked-') || reason === 'card_refund_failed'),
          )
          .map(([, entry]) => -toSignedAmount(entry)),
      ]),
  )

/** Returns the amount that a booking has cost its customer so far, with what is still due. */
const getPrice = (booking: Booking): number => {
  const { status, trip_cost, cancellationFee = 0, refunded = 0, paymentPacket } = booking
  if (status === 'CANCELLED') return cancellationFee
  return sum([trip_cost, -(paymentPacket?.discount_amount ?? 0), -refunded])
}

/** An amount of the statement, and the same amount according to its source. */
interface Comparison {
  name: string
  stated: number
  source: number
}

/** Returns the differences between a booking's statement and the sources of its money. */
const findMisstatements = (
  booking: Booking,
  { users = {}, payments = {} }: DatabaseTree,
  { settings, earlier }: { settings: Settings; earlier: ReadonlySet<string> },
): string[] => {
  const lines = getPaymentLines(booking)
  const getStated = (...methods: PaymentMode[]) =>
    sum(
      lines
        .filter(({ method }) => methods.includes(method))
        .map(({ kind, amount }) => (kind === 'charge' ? amount : -amount)),
    )
  const rows = getPaymentRows(booking, settings, (key) => key)
  const [due] = rows.filter(({ label }) => label === 'receipt_due')
  const compensation = rows.filter(({ label }) => label === 'compensation')
  const tips = rows.filter(({ label }) => label === 'tip_for_driver')
  const [wallet, card] = [sumWalletPayments(booking, users), sumCard(booking, users, payments)]
  const comparisons: Comparison[] = [
    // An earlier release did not record which part of the card's money went to the wallet.
    ...(earlier.has(booking.id)
      ? [{ name: 'prepaid', stated: getStated('wallet', 'card'), source: sum([wallet, card]) }]
      : [
          { name: 'wallet', stated: getStated('wallet'), source: wallet },
          { name: 'card', stated: getStated('card'), source: card },
        ]),
    { name: 'cash', stated: getStated('cash'), source: sumCash(booking, users) },
    {
      name: 'driver',
      stated: sum(
        getDriverRows(booking, settings, (key) => key)
          .filter(({ label }) => label !== 'receipt_due')
          .map(({ amount }) => amount),
      ),
      source: sumDriverEntries(booking, users),
    },
    {
      name: 'compensation',
      stated: sum(compensation.map(({ amount }) => -amount)),
      source: sumAdjustments(booking, users, false),
    },
    {
      name: 'tips',
      stated: sum(tips.map(({ amount }) => -amount)),
      source: sumAdjustments(booking, users, true),
    },
    {
      name: 'paid and due',
      stated: sum([getNetPayment(booking, settings.decimal), due?.amount ?? 0]),
      source: getPrice(booking),
    },
  ]
  return comparisons
    .filter(({ stated, source }) => stated !== source)
    .map(
      ({ name, stated, source }) =>
        `${booking.id} ${booking.status}, ${name}: the statement says ${stated}, its source ${source}`,
    )
}

/** Steps that the histories must take; otherwise the test proves nothing about them. */
const REQUIRED_STEPS = [
  ...['rider pay PAYMENT_PENDING: NEW', 'rider pay PENDING: PAID', 'driver collect PENDING: PAID'],
  ...['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'].map(
    (status) => `rider amend ${status}: ${status}`,
  ),
  ...['rider cancel ACCEPTED: CANCELLED', 'admin cancel NEW: CANCELLED'],
  ...['driver decline NEW: CANCELLED', 'system expire PAYMENT_PENDING: CANCELLED'],
  ...['driver release ACCEPTED: NEW', 'driver finish REACHED: PAID', 'upgrade'],
  ...['provider paid: applied', 'provider paid: parked', 'provider refunded: applied'],
  ...['provider chargeback: parked', 'provider refund_failed: parked', 'refund refused'],
  ...['provider chargeback_won: applied', 'provider chargeback_won: parked'],
  ...['office refund, provider refunded: applied', 'refund begun of a booking'],
  ...['compensate PAID: PAID', 'compensate COMPLETE: COMPLETE', 'compensate CANCELLED: CANCELLED'],
  ...['compensate COMPLETE: compensation_too_much', 'tip COMPLETE: COMPLETE'],
  'tip COMPLETE: wallet_too_low',
  ...['parked credit', 'parked dismiss', 'parked, provider refunded: applied'],
]
/** Lines, and sets of methods, that statements must have in the end. */
const REQUIRED_LINES = [
  ...['charge wallet amended', 'return wallet amended', 'return wallet cancelled'],
  ...['charge wallet cancellation_fee', 'charge cash collected', 'return card refund'],
  ...['return card chargeback', 'charge card after_trip', 'charge wallet after_trip'],
  'charge card chargeback_won',
  ...['card and wallet', 'cash and wallet', 'card and cash'],
]

test('states what each source has paid for a booking, after every step of random histories', () => {
  const steps = new Map<string, number>()
  const stated = new Set<string>()
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { tree, settings, earlier, step } = createRandomPayments(createSeededRandom(seed))
    const listBookings = () => Object.values((tree as DatabaseTree).bookings ?? {})
    const story: string[] = []
    for (let count = 0; count < STEPS; count++) {
      const did = step()
      story.push(did)
      steps.set(did, (steps.get(did) ?? 0) + 1)
      const wrong = listBookings().flatMap((booking) =>
        findMisstatements(booking, tree, { settings, earlier }),
      )
      if (wrong.length > 0)
        expect.fail(`seed ${seed}\n${wrong.join('\n')}\n— ${story.slice(-25).join('\n— ')}`)
    }
    expect(findViolations(tree)).toEqual([])
    for (const booking of listBookings()) {
      const lines = getPaymentLines(booking)
      for (const { kind, method, cause } of lines) stated.add(`${kind} ${method} ${cause}`)
      const charges = lines.filter(({ kind, cause }) => kind === 'charge' && cause !== 'amended')
      stated.add([...new Set(charges.map(({ method }) => method))].sort().join(' and '))
    }
  }
  const rare = REQUIRED_STEPS.filter((name) => (steps.get(name) ?? 0) < 3)
  expect(rare).toEqual([])
  expect(REQUIRED_LINES.filter((name) => !stated.has(name))).toEqual([])
})
