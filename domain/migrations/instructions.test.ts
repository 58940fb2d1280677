import { expect, test } from 'vitest'
import { moveInstructions } from './instructions'

const context = { settings: {}, texts: {}, now: 0 }
const contacts = { customer_contact: '+15555550199', customer_email: 'ana@example.com' }
const notes = { pickUpInstructions: 'Ring twice', deliveryInstructions: 'The code is 4711' }
const migrate = (row: Parameters<typeof moveInstructions.apply>[0]) => {
  const after = moveInstructions.apply(row, 'b1', context)
  // A page may be processed twice.
  expect(moveInstructions.apply(after, 'b1', context)).toEqual(after)
  return after
}

test('moves the instructions of a booking to its contacts', () => {
  const booking = { id: 'b1', status: 'STARTED' }
  expect(
    migrate({ bookings: { ...booking, revision: 3, ...notes }, booking_contacts: contacts }),
  ).toEqual({
    bookings: { ...booking, revision: 4 },
    booking_contacts: { ...contacts, ...notes },
  })
})

test('keeps contacts complete when a booking has none, and drops empty instructions', () => {
  expect(
    migrate({
      bookings: { revision: 1, pickUpInstructions: 'Ring', deliveryInstructions: '' },
      booking_contacts: null,
    }),
  ).toEqual({
    bookings: { revision: 2 },
    booking_contacts: { customer_contact: '', customer_email: '', pickUpInstructions: 'Ring' },
  })
})

test('leaves a booking without instructions, and contacts without a booking, as they are', () => {
  const row = { bookings: { revision: 1 }, booking_contacts: contacts }
  expect(migrate(row)).toBe(row)
  const orphan = { bookings: null, booking_contacts: contacts }
  expect(migrate(orphan)).toBe(orphan)
})
