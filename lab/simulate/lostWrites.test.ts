import { expect, it } from 'vitest'
import { aRider } from '~/domain/testing/builders'
import { findLostWrites } from './lostWrites'
import type { Booking } from '~/domain/booking/types'

const log = { create: { event: 'create', by: 'ana', at: 1, status: 'NEW', revision: 1 } } as const
const tree = {
  bookings: { b1: { event_log: log } as unknown as Booking },
  users: {
    ana: {
      ...aRider({ id: 'ana' }),
      walletHistory: { 'p1-topup': { type: 'Credit', amount: 20, date: 1, txRef: 'p1' } as const },
    },
  },
}

it('finds acknowledged events and entries in the database', () => {
  const event = { booking: 'b1', event: 'create', by: 'ana', revision: 1 }
  expect(findLostWrites(tree, [event], [{ uid: 'ana', key: 'p1-topup', amount: 20 }])).toEqual([])
})

it('names a lost event or entry', () => {
  const event = { booking: 'b1', event: 'cancel', by: 'ana', revision: 2 }
  expect(findLostWrites(tree, [event], [{ uid: 'ana', key: 'p1-topup', amount: 40 }])).toEqual([
    'cancel of b1, done at revision 2, is not in its log',
    "p1-topup of users/ana, 40, is not in the wallet's history",
  ])
})
