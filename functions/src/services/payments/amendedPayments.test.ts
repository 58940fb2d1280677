import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toMinorUnits } from '~/domain/money/money'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/paymentAttempt'
import { findPayerViolations, findPaymentViolations } from '~/domain/payments/paymentViolations'
import { aBooking, aCardPacket, aPaymentAttempt, aRider, PICKUP } from '~/domain/testing/builders'
import { refund_payment } from '../../endpoints/payments/refundPayment'
import { createTestPayments } from '../../testing/fakeProvider'
import { createUserContext, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import type { Booking, Status } from '~/domain/booking/types'

type TestPayments = ReturnType<typeof createTestPayments>
const rider = { uid: 'rider', role: 'rider' } as const
const { id: ID } = aBooking()
const PAID = 413.72
const PAYMENT = aPaymentAttempt({
  kind: 'booking',
  booking: ID,
  amount: PAID,
  status: 'paid',
  applied_to: 'booking',
  ref: 'ch_1',
  createdAt: TEST_NOW,
  details: {
    bank: {
      ref: 'ch_1',
      minor: 41_372,
      currency: 'UYU',
      status: 'paid',
      settlesAt: TEST_NOW,
      refunded: 0,
    },
  },
})
const BOOKING = aBooking({
  status: 'ACCEPTED',
  trip_cost: PAID,
  prepaid: true,
  cardPaymentAmount: PAID,
  paymentPacket: aCardPacket({
    customer_paid: PAID,
    cardPaymentAmount: PAID,
    payableAmount: PAID,
  }),
  event_log: {
    pay_PAYMENT_PENDING: {
      event: 'pay',
      by: 'kerbside-server',
      at: TEST_NOW,
      status: 'NEW',
      revision: 2,
      ref: PAYMENT.id,
    },
  },
})
const NEARBY = { lat: PICKUP.lat + 0.02, lng: PICKUP.lng, add: 'Nearby' }

const createPaidBooking = () =>
  createTestPayments({
    bookings: { [ID]: BOOKING },
    payments: { [PAYMENT.id]: PAYMENT },
    payment_events: { 'test-ch_5f_1': { payment: PAYMENT.id } },
    users: {
      rider: aRider({ walletBalance: 0 }),
      admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
    },
  })

const getBooking = ({ db }: TestPayments) => db.at(`bookings/${ID}`) as Booking
const getAttempt = ({ db }: TestPayments) => db.at(`payments/${PAYMENT.id}`) as PaymentAttempt
const setStatus = (testPayments: TestPayments, status: Status) =>
  testPayments.db.put({ [`bookings/${ID}`]: toJson({ ...getBooking(testPayments), status }) })

/** Moves the drop-off near the pickup, for the lower price that the server names. */
const amend = async ({ bookings }: TestPayments) => {
  const input = { event: 'amend', drop: NEARBY } as const
  await bookings.applyEvent(ID, input, rider)
}
const refund = (testPayments: TestPayments, amount?: number) =>
  refund_payment.handle(
    { payment_id: PAYMENT.id, amount },
    createUserContext('admin', 'admin', testPayments),
  )
const receive = (testPayments: TestPayments, event: Partial<PaymentEvent>) =>
  testPayments.payments.applyEvent({
    payment: PAYMENT.id,
    gateway: 'test',
    ref: 'ch_1',
    status: 'refunded',
    minor: 41_372,
    currency: 'UYU',
    ...event,
  })

/** Returns the amounts that went back, in minor units, and the violations of the stored data. */
const getTotals = (testPayments: TestPayments) => {
  const { refunded = 0, charged_back = 0 } = getAttempt(testPayments)
  const tree = testPayments.db.at('') as never
  return {
    wallet: toMinorUnits(testPayments.getBalance(), 2),
    card: toMinorUnits(refunded + charged_back, 2),
    booking: toMinorUnits(getBooking(testPayments).paymentPacket?.cardPaymentAmount ?? 0, 2),
    violations: [...findPaymentViolations(tree), ...findPayerViolations(tree)],
  }
}
/** Every payment's money is in exactly one place. */
const expectConserved = (testPayments: TestPayments) => {
  const { wallet, card, booking, violations } = getTotals(testPayments)
  expect(violations).toEqual([])
  expect(wallet + card + booking).toBe(41_372)
}

describe('card money that an amendment returned to the wallet', () => {
  it('is recorded on the payment', async () => {
    const testPayments = createPaidBooking()
    await amend(testPayments)
    const { wallet, booking } = getTotals(testPayments)
    expect(wallet).toBeGreaterThan(30_000)
    expect(toMinorUnits(getAttempt(testPayments).returned ?? 0, 2)).toBe(wallet)
    expect(booking).toBe(41_372 - wallet)
    expectConserved(testPayments)
  })

  it.each(['STARTED', 'PAID'] as const)(
    'does not go back to the card too when the office refunds a %s booking',
    async (status) => {
      const testPayments = createPaidBooking()
      await amend(testPayments)
      setStatus(testPayments, status)
      const { wallet } = getTotals(testPayments)
      expect(await getErrorKey(refund(testPayments, PAID))).toBe('bad_input')
      await refund(testPayments)
      expect(getTotals(testPayments)).toMatchObject({ wallet, card: 41_372 - wallet })
      expect(await getErrorKey(refund(testPayments))).toBe('event_not_possible')
    },
  )

  it('does not go back to the card when the payment of an earlier release has no record of it', async () => {
    const testPayments = createPaidBooking()
    await amend(testPayments)
    setStatus(testPayments, 'STARTED')
    const { returned, ...legacy } = getAttempt(testPayments)
    testPayments.db.put({ [`payments/${PAYMENT.id}`]: toJson(legacy) })
    await refund(testPayments)
    expect(getAttempt(testPayments).refunded).toBeCloseTo(PAID - (returned ?? 0), 2)
  })

  it.each([
    ['a refund in the provider’s dashboard', { refundId: 're_1' }],
    ['a chargeback', { status: 'chargeback' }],
  ] as const)('leaves the wallet again after %s of the whole payment', async (_, event) => {
    const testPayments = createPaidBooking()
    await amend(testPayments)
    setStatus(testPayments, 'STARTED')
    await receive(testPayments, event)
    expect(getTotals(testPayments)).toMatchObject({ wallet: 0, card: 41_372, booking: 0 })
    expectConserved(testPayments)
    // The repeat changes nothing.
    await receive(testPayments, event)
    expect(await getErrorKey(refund(testPayments))).toBe('event_not_possible')
    expectConserved(testPayments)
  })

  it('stays in the wallet after a chargeback of the part that pays for the booking', async () => {
    const testPayments = createPaidBooking()
    await amend(testPayments)
    const { wallet, booking } = getTotals(testPayments)
    await receive(testPayments, { status: 'chargeback', minor: booking })
    expect(getTotals(testPayments)).toMatchObject({ wallet, card: booking, booking: 0 })
    expect(getAttempt(testPayments).problem).toBe('chargeback')
    // The customer owes the rest in cash, and a cancellation returns nothing more.
    expect(getBooking(testPayments)).toMatchObject({ prepaid: false, payment_mode: 'cash' })
    await testPayments.bookings.applyEvent(ID, { event: 'cancel', reason: 'changed' }, rider)
    expect(getTotals(testPayments)).toMatchObject({ wallet, card: booking })
    expect(getTotals(testPayments).violations).toEqual([])
  })

  it('is refunded from the wallet after a cancellation', async () => {
    const testPayments = createPaidBooking()
    await amend(testPayments)
    await testPayments.bookings.applyEvent(ID, { event: 'cancel', reason: 'changed' }, rider)
    expect(getTotals(testPayments).wallet).toBe(41_372)
    await refund(testPayments)
    expect(getTotals(testPayments)).toMatchObject({ wallet: 0, card: 41_372 })
    expect(getTotals(testPayments).violations).toEqual([])
  })

  it('waits while a refund of the same payment is in progress', async () => {
    const testPayments = createPaidBooking()
    const open = { id: 'r1', amount: 20, by: 'admin', at: TEST_NOW, state: 'held' } as const
    testPayments.db.put({
      [`payments/${PAYMENT.id}`]: toJson({ ...PAYMENT, refund: { ...open, from_wallet: false } }),
    })
    expect(await getErrorKey(amend(testPayments))).toBe('refund_open')
    expect(getTotals(testPayments).wallet).toBe(0)
  })

  it('goes back once when refunds, chargebacks and amendments arrive 50 at a time', async () => {
    const testPayments = createPaidBooking()
    setStatus(testPayments, 'STARTED')
    await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => {
        if (n % 3 === 0) return amend(testPayments)
        return n % 3 === 1
          ? refund(testPayments, 10 + n)
          : receive(testPayments, { status: 'chargeback', refundId: `dp_${n}`, minor: 1000 + n })
      }),
    )
    expectConserved(testPayments)
    expect(getTotals(testPayments).card).toBeGreaterThan(0)
  })
})
