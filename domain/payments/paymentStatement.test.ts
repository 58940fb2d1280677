import { describe, expect, it } from 'vitest'
import { SYSTEM_ACTOR } from '../booking/eventTypes'
import { aBooking, aCardPacket, driver, MINUTE, NOON, rider, ROUTE } from '../testing/builders'
import { createStory } from '../testing/bookingStory'
import { getChargedFare } from './paymentStatement'
import type { EventInput } from '../booking/eventInput'
import type { Booking } from '../booking/types'

const cardPayment = (amount: number): EventInput => ({
  event: 'pay',
  payment: { id: 'pay1', gateway: 'test', amount, currency: 'UYU' },
})
const cancel = { event: 'cancel', reason: 'changed' } as const
const unpaid = aBooking({ status: 'PAYMENT_PENDING' })

describe('the statement of a booking', () => {
  it('says that nothing was charged for a canceled cash booking', () => {
    const story = createStory(unpaid)
    story.apply({ event: 'pay', payment_mode: 'cash' }, rider)
    expect(story.getRows()).toEqual(['receipt_due 43.13'])
    expect(story.getNetPayment()).toBe(0)
    story.apply(cancel, rider)
    expect(story.getNetPayment()).toBe(0)
    expect(story.getLines()).toEqual([])
    expect(story.getRows()).toEqual(['receipt_nothing_charged 0'])
  })

  it('says what a canceled booking returned to the wallet, and tells the rider', () => {
    const story = createStory(unpaid)
    story.apply(cardPayment(43.13), SYSTEM_ACTOR)
    expect(story.getNetPayment()).toBe(43.13)
    const { pushes } = story.apply(cancel, rider)
    expect(story.getNetPayment()).toBe(0)
    expect(story.getLines()).toEqual(['charge card 43.13 booked', 'return wallet 43.13 cancelled'])
    expect(story.getNetPayment('card')).toBe(43.13)
    expect(story.getNetPayment('wallet')).toBe(-43.13)
    expect(story.getNetPayment('cash')).toBe(0)
    expect(pushes).toContainEqual(
      expect.objectContaining({
        to: 'rider',
        title: 'push_returned_title',
        params: { amount: 43.13, reference: unpaid.reference },
        screen: 'Wallet',
      }),
    )
    expect(story.getBalance()).toBe(43.13)
  })

  it('keeps the charge of the card statement after an amendment that returned a part', () => {
    const story = createStory(unpaid)
    story.apply(cardPayment(43.13), SYSTEM_ACTOR)
    const route = { ...ROUTE, distance_in_km: 2 }
    const { pushes } = story.apply(
      { event: 'amend', drop: { lat: -34.88, lng: -56.1, add: 'Nearer' } },
      rider,
      { route, isDriverNearby: true },
    )
    const returned = story.getBalance()
    expect(returned).toBeGreaterThan(0)
    expect(story.getRows()).toEqual([
      'receipt_paid: payment_card 43.13',
      `receipt_returned: payment_wallet payment_cause_amended ${-returned}`,
    ])
    expect(pushes.map(({ title }) => title)).toContain('push_returned_title')
  })

  it('adds the cancellation fee that the wallet paid', () => {
    const accepted = aBooking({ status: 'ACCEPTED', accepted_at: NOON - 10 * MINUTE })
    const story = createStory(accepted, 50)
    story.apply(cancel, rider)
    const fee = story.getBooking().cancellationFee
    expect(fee).toBeGreaterThan(0)
    expect(story.getLines()).toEqual([`charge wallet ${fee} cancellation_fee`])
    expect(story.getRows()).toEqual([
      `receipt_paid: payment_wallet payment_cause_cancellation_fee ${fee}`,
    ])
    expect(getChargedFare(story.getBooking())).toEqual({
      lines: [{ label: 'fare_cancellation', amount: fee }],
      total: fee,
    })
  })

  it.each<[string, number, string[]]>([
    ['an empty wallet', 0, ['receipt_owed payment_cause_cancellation_fee 15']],
    ['a wallet in debt', -5, ['receipt_owed payment_cause_cancellation_fee 15']],
    [
      'a wallet with too little',
      4,
      [
        'receipt_paid: payment_wallet payment_cause_cancellation_fee 4',
        'receipt_owed payment_cause_cancellation_fee 11',
      ],
    ],
  ])('says what is owed of a cancellation fee with %s', (_, balance, rows) => {
    const accepted = aBooking({ status: 'ACCEPTED', accepted_at: NOON - 10 * MINUTE })
    const story = createStory(accepted, balance)
    story.apply(cancel, rider)
    expect(story.getBalance()).toBe(balance - 15)
    expect(story.getRows()).toEqual(rows)
    expect(story.getNetPayment()).toBe(15)
  })

  it('takes the fee from the money that the cancellation returns, also with an empty wallet', () => {
    const accepted = {
      status: 'ACCEPTED',
      accepted_at: NOON - 10 * MINUTE,
      prepaid: true,
      paymentPacket: aCardPacket(),
    } as const
    const story = createStory(aBooking(accepted))
    story.apply(cancel, rider)
    expect(story.getRows()).toContain(
      'receipt_paid: payment_wallet payment_cause_cancellation_fee 15',
    )
  })

  it('charges nothing for a cancellation without a fee, and lists no fare', () => {
    const promo = { discount_amount: 5, promo_details: { id: 'p', promo_name: 'P' } }
    const story = createStory(aBooking(promo))
    expect(getChargedFare(story.getBooking()).lines).toContainEqual({
      label: 'fare_discount',
      amount: -5,
    })
    story.apply(cancel, rider)
    expect(getChargedFare(story.getBooking())).toEqual({ lines: [], total: 0 })
  })

  it('counts cash when the driver has collected it', () => {
    const story = createStory(aBooking({ status: 'PENDING' }))
    expect(story.getRows()).toEqual(['receipt_due 43.13'])
    story.apply({ event: 'collect' }, driver)
    expect(story.getRows()).toEqual(['receipt_paid: payment_cash 43.13'])
  })

  it('shows a refund to the card and a chargeback', () => {
    const story = createStory(unpaid)
    story.apply(cardPayment(43.13), SYSTEM_ACTOR)
    story.apply({ event: 'refund', payment: 'pay1', amount: 10 }, SYSTEM_ACTOR)
    const isChargeback = true
    story.apply({ event: 'refund', payment: 'pay1', amount: 3.13, isChargeback }, SYSTEM_ACTOR)
    expect(story.getRows()).toEqual([
      'receipt_paid: payment_card 43.13',
      'fare_refund -10',
      'receipt_chargeback -3.13',
      'receipt_due 13.13',
    ])
  })
})

describe('the statement of a booking of an earlier release', () => {
  const prepaid = aBooking({
    status: 'NEW',
    prepaid: true,
    paymentPacket: aCardPacket(),
    cardPaymentAmount: 43.13,
  })

  it.each([
    ['an active one', prepaid, ['charge card 43.13 booked']],
    [
      'a canceled one',
      { ...prepaid, status: 'CANCELLED', cancelled_at: NOON, cancellationFee: 5 },
      [
        'charge card 43.13 booked',
        'return wallet 43.13 cancelled',
        'charge wallet 5 cancellation_fee',
      ],
    ],
    [
      'one paid in cash',
      aBooking({
        status: 'PAID',
        cashPaymentAmount: 43.13,
      }),
      ['charge cash 43.13 collected'],
    ],
    [
      'one that promised cash and was canceled',
      aBooking({
        status: 'CANCELLED',
        cashPaymentAmount: 43.13,
      }),
      [],
    ],
  ] as const)('follows from its fields: %s', (_, booking, lines) => {
    expect(createStory(booking as Booking).getLines()).toEqual(lines)
  })

  it('counts a refund of prepaid card money once', () => {
    const story = createStory(prepaid)
    story.apply({ event: 'refund', payment: 'pay1', amount: 10 }, SYSTEM_ACTOR)
    expect(story.getRows()).toEqual([
      'receipt_paid: payment_card 43.13',
      'fare_refund -10',
      'receipt_due 10',
    ])
    story.apply(cancel, rider)
    const lines = [
      'charge card 43.13 booked',
      'return card 10 refund',
      'return wallet 33.13 cancelled',
    ]
    expect(story.getLines()).toEqual(lines)
    expect([story.getNetPayment(), story.getBalance()]).toEqual([0, 33.13])
    // The earlier release canceled it, so that nothing but the refund was recorded.
    const { fare_history = {}, ...booking } = story.getBooking()
    const refunds = Object.entries(fare_history).filter(([, { kind }]) => kind === 'refund')
    const canceled = { ...booking, fare_history: Object.fromEntries(refunds) }
    expect(createStory(canceled).getLines()).toEqual(lines)
  })

  it('keeps its charge when the first new entry is written', () => {
    const story = createStory(prepaid)
    story.apply(cancel, rider)
    expect(story.getLines()).toEqual(['charge card 43.13 booked', 'return wallet 43.13 cancelled'])
  })
})
