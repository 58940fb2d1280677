import { describe, expect, test } from 'vitest'
import { aBooking, aCardPacket, driver, MINUTE, NOON, rider, ROUTE } from '../testing/builders'
import { createStory } from '../testing/bookingStory'
import { SYSTEM_ACTOR } from './eventTypes'
import type { EventInput } from './eventInput'
import type { Booking } from './types'

const unpaid = aBooking({ status: 'PAYMENT_PENDING' })
const { reference } = unpaid
const cardPayment = (amount: number, usedWalletMoney?: number): EventInput => ({
  event: 'pay',
  payment: { id: 'pay1', gateway: 'test', amount, currency: 'UYU' },
  usedWalletMoney,
})
const toFarther = (estimateFare: number) =>
  ({ event: 'amend', drop: { lat: -34.88, lng: -56.1, add: 'Farther' }, estimateFare }) as const
const farther = { route: { ...ROUTE, distance_in_km: 10.2 }, isDriverNearby: true }
const FARTHER = 71.88

/** Accepts, drives and finishes the booking of a story. */
const drive = ({ apply, getBooking }: ReturnType<typeof createStory>) => {
  apply({ event: 'assign', driver: 'driver' }, { uid: 'admin', role: 'admin' })
  apply({ event: 'accept' }, driver)
  apply({ event: 'arrive', ...getBooking().pickup }, driver)
  apply({ event: 'start', otp: 12345 }, driver)
  apply({ event: 'reach', ...getBooking().drop }, driver)
  apply({ event: 'finish' }, driver)
}

describe('the message that a payment is due', () => {
  test.each<[string, number, EventInput, string]>([
    ['nothing was paid', 0, { event: 'pay', payment_mode: 'cash' }, '71.88'],
    ['the card paid a part', 0, cardPayment(43.13), '28.75'],
    ['card and wallet paid a part', 10, cardPayment(33.13, 10), '28.75'],
    ['the wallet paid a part', 50, { event: 'pay', payment_mode: 'wallet' }, '28.75'],
  ])('names what is still due when %s', (_, balance, payment, due) => {
    const story = createStory(unpaid, balance)
    story.apply(payment, 'payment' in payment ? SYSTEM_ACTOR : rider)
    story.apply(toFarther(FARTHER), rider, farther)
    drive(story)
    expect(story.getRows().at(-1)).toBe(`receipt_due ${due}`)
    expect(story.getInbox('rider')).toContain(`payment_due ${due}`)
    story.apply({ event: 'collect' }, driver)
    expect(story.getInbox('rider')).toContain('paid 71.88')
    expect(story.getNetPayment()).toBe(FARTHER)
  })
})

describe('the messages about the money of a cancellation', () => {
  const cancel = { event: 'cancel', reason: 'changed' } as const
  const accepted = { status: 'ACCEPTED', accepted_at: NOON - 10 * MINUTE } as const
  const paid = { prepaid: true, paymentPacket: aCardPacket() }
  const getMoney = (story: ReturnType<typeof createStory>) =>
    story.getInbox('rider').filter((line) => /\d/.test(line))

  test.each<[string, Partial<Booking>, string[]]>([
    [
      'what went back and the fee, together',
      { ...accepted, ...paid },
      [`returned_less_fee 43.13 ${reference} 15`],
    ],
    ['what went back, without a fee', paid, [`returned 43.13 ${reference}`]],
    ['the fee, when nothing was paid', accepted, [`fee_charged 15 ${reference}`]],
    ['nothing, when no money moved', {}, []],
  ])('name %s', (_, over, messages) => {
    const story = createStory(aBooking(over))
    story.apply(cancel, rider)
    expect(getMoney(story)).toEqual(messages)
  })
})

describe('an amendment that costs more', () => {
  test('tells the rider what it took from the wallet', () => {
    const story = createStory(unpaid, 100)
    story.apply({ event: 'pay', payment_mode: 'wallet' }, rider)
    story.apply(toFarther(FARTHER), rider, farther)
    expect(story.getBalance()).toBe(28.12)
    expect(story.getInbox('rider')).toEqual([`amendment_charged 28.75 ${reference}`])
  })

  test('says nothing about the wallet when the rest is due later', () => {
    const story = createStory(unpaid, 50)
    story.apply({ event: 'pay', payment_mode: 'wallet' }, rider)
    story.apply(toFarther(FARTHER), rider, farther)
    expect(story.getInbox('rider')).toEqual([])
  })
})

describe('the message about the earnings of a booking', () => {
  const getDriverMessages = (payment: EventInput, balance: number) => {
    const story = createStory(unpaid, balance)
    story.apply(payment, 'payment' in payment ? SYSTEM_ACTOR : rider)
    drive(story)
    if (story.getBooking().status === 'PENDING') story.apply({ event: 'collect' }, driver)
    return story.getInbox('driver').filter((line) => /^(earned|kept_cash)/.test(line))
  }

  test.each<[string, EventInput, number, string[]]>([
    ['rises by the share', cardPayment(43.13), 0, ['earned 37.5']],
    [
      'falls by the fee after a trip in cash',
      { event: 'pay', payment_mode: 'cash' },
      0,
      [`kept_cash 5.63 ${reference}`],
    ],
    [
      'rises by the share less the cash',
      { event: 'pay', payment_mode: 'cash', usedWalletMoney: 10 },
      10,
      ['earned 4.37'],
    ],
    ['stays as it is', { event: 'pay', payment_mode: 'cash', usedWalletMoney: 5.63 }, 10, []],
  ])('says that the wallet %s', (_, payment, balance, messages) => {
    expect(getDriverMessages(payment, balance)).toEqual(messages)
  })
})
