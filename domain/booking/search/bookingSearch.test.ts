import { expect, test } from 'vitest'
import { bookingText, hasWords } from './bookingSearch'
import { aBooking } from '../../testing/builders'

test.each(['', 'tres', 'TRES plaza', ' cruces  independencia '])(
  'finds a booking by the words of its places: "%s"',
  (search) => {
    expect(hasWords(bookingText(aBooking()), search)).toBe(true)
  },
)

test.each(['K7M-4QX', 'k7m4qx', 'k7m 4qx', 'pereira'])(
  'finds a parcel by its reference and its recipient: "%s"',
  (search) => {
    const booking = aBooking({ reference: 'K7M-4QX', deliveryPerson: 'Ana Pereira' })
    expect(hasWords(bookingText(booking), search)).toBe(true)
  },
)

test('does not find a booking by a word that it lacks or by the name of a missing value', () => {
  const text = bookingText(aBooking())
  expect(hasWords(text, 'tres airport')).toBe(false)
  expect(hasWords(text, 'undefined')).toBe(false)
})
