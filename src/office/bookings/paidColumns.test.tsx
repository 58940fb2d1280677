import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { SYSTEM_ACTOR } from '~/domain/booking/eventTypes'
import { sumAmounts } from '~/domain/money/money'
import { createStory } from '~/domain/testing/bookingStory'
import { aBooking, driver, MINUTE, NOON, rider } from '~/domain/testing/builders'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'
import { readExport, readTable, toNumber, type TableRow } from '../testing/tables'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Booking } from '~/domain/booking/types'

const PRICE = 43.13
const CASH: EventInput = { event: 'pay', payment_mode: 'cash' }
const WALLET: EventInput = { event: 'pay', payment_mode: 'wallet' }
const toCard = (amount: number, usedWalletMoney?: number): EventInput => ({
  event: 'pay',
  payment: { id: 'pay1', gateway: 'test', amount, currency: 'UYU' },
  usedWalletMoney,
})

/** Lets a rider with 50 in the wallet pay, and lets a story go on. */
const tell = (
  payment: EventInput,
  goOn: (story: ReturnType<typeof createStory>) => void = () => {},
): Booking => {
  const story = createStory(aBooking({ status: 'PAYMENT_PENDING' }), 50)
  story.apply(payment, 'payment' in payment ? SYSTEM_ACTOR : rider)
  goOn(story)
  return story.getBooking()
}
const cancel = ({ apply }: ReturnType<typeof createStory>) => {
  apply({ event: 'cancel', reason: 'changed' }, rider)
}
const accept = ({ apply }: ReturnType<typeof createStory>) => {
  apply({ event: 'assign', driver: 'driver' }, { uid: 'admin', role: 'admin' })
  apply({ event: 'accept' }, driver)
}
const drive = (story: ReturnType<typeof createStory>) => {
  const { apply, getBooking } = story
  accept(story)
  apply({ event: 'arrive', ...getBooking().pickup }, driver)
  apply({ event: 'start', otp: 12345 }, driver)
  apply({ event: 'reach', ...getBooking().drop }, driver)
  apply({ event: 'finish' }, driver)
}
const collect = ({ apply }: ReturnType<typeof createStory>) => {
  apply({ event: 'collect' }, driver)
}

const FEE = 15
const RETURNED = 28.13
/** A canceled booking of a driver who accepted long ago, which costs a fee. */
const cancelLate = (payment: EventInput): Booking => {
  const isPrepaid = 'payment' in payment
  const story = createStory(aBooking({ status: 'PAYMENT_PENDING' }), 50)
  story.apply(payment, isPrepaid ? SYSTEM_ACTOR : rider)
  const accepted = { status: 'ACCEPTED', accepted_at: NOON - 10 * MINUTE } as const
  const later = createStory({ ...story.getBooking(), ...accepted, driver: 'driver' }, 50)
  cancel(later)
  return later.getBooking()
}

interface Amounts {
  Cash: number
  Card: number
  Wallet: number
}
const pick = (row: TableRow | undefined): Amounts => ({
  Cash: toNumber(row?.Cash),
  Card: toNumber(row?.Card),
  Wallet: toNumber(row?.Wallet),
})

describe('the columns Cash, Card and Wallet, and their export', () => {
  test.each<[string, Booking, Partial<Amounts>]>([
    ['nothing for a booking that will be paid in cash', tell(CASH), {}],
    ['nothing for a cash booking that a driver has accepted', tell(CASH, accept), {}],
    ['nothing for a cash booking before the driver has the cash', tell(CASH, drive), {}],
    [
      'the cash that the driver collected',
      tell(CASH, (story) => {
        drive(story)
        collect(story)
      }),
      { Cash: PRICE },
    ],
    ['nothing for a canceled cash booking', tell(CASH, cancel), {}],
    ['the fee of a late cancellation, which the wallet paid', cancelLate(CASH), { Wallet: FEE }],
    ['the charge of a card', tell(toCard(PRICE)), { Card: PRICE }],
    [
      'the charge of a card and its return to the wallet after a cancellation',
      tell(toCard(PRICE), cancel),
      { Card: PRICE, Wallet: -PRICE },
    ],
    [
      'the charge of a card, and its return to the wallet less the fee',
      cancelLate(toCard(PRICE)),
      { Card: PRICE, Wallet: -RETURNED },
    ],
    ['both parts of a split payment', tell(toCard(33.13, 10)), { Card: 33.13, Wallet: 10 }],
    ['the payment from a wallet', tell(WALLET), { Wallet: PRICE }],
    ['nothing when a cancellation returned it all to the wallet', tell(WALLET, cancel), {}],
  ])('show %s', async (_, booking, amounts) => {
    localStorage.setItem('kerbside.columns.bookings', '[]')
    const { user } = await renderApp('/bookings', {
      as: 'admin',
      seed: anOfficeSeed({ bookings: [JSON.parse(JSON.stringify(booking)) as Booking] }),
      handlers: { export_bookings: () => ({ rows: [booking], next: null }) },
    })
    const expected = { Cash: 0, Card: 0, Wallet: 0, ...amounts }
    const [exported] = await readExport(user)
    const [row] = readTable()
    const total = sumAmounts(Object.values(expected), 2)
    for (const cells of [row, exported]) {
      expect(pick(cells)).toEqual(expected)
      expect(toNumber(cells?.['Customer paid'])).toBe(total)
    }
  })
})

describe('the line below the price of a booking', () => {
  test.each<[string, Booking, string]>([
    ['how the customer of a booking under way will pay', tell(CASH, accept), 'Cash'],
    ['that a booking with an unpaid trip is not paid', tell(CASH, drive), 'Not paid'],
    [
      'how a paid booking was paid',
      tell(CASH, (story) => {
        drive(story)
        collect(story)
      }),
      'Cash',
    ],
    ['that nothing was paid for a canceled cash booking', tell(CASH, cancel), 'Not paid'],
    ['that a canceled prepaid booking cost nothing', tell(WALLET, cancel), 'Not paid'],
    ['the fee of a canceled cash booking', cancelLate(CASH), 'Charged: $15.00'],
    ['the fee of a canceled card booking', cancelLate(toCard(PRICE)), 'Charged: $15.00'],
  ])('says %s', async (_, booking, text) => {
    await renderApp('/bookings', {
      as: 'admin',
      seed: anOfficeSeed({ bookings: [JSON.parse(JSON.stringify(booking)) as Booking] }),
    })
    const price = await screen.findByRole('cell', { name: /^\$/ })
    expect(price.querySelector('small')).toHaveTextContent(text)
  })
})
