import { claimsOf, unsigned } from '../tokens'

/** Who does everything here: no admin, so that rules are asked each time. */
export const UID = 'bench'

/** His token; emulators ask for no signature. */
export const tokenOfBench = (): string => unsigned(claimsOf(UID))

const mine = `auth.uid === '${UID}'`
const small = {
  '.validate': "newData.hasChildren(['n', 's'])",
  n: { '.validate': 'newData.isNumber()' },
  s: { '.validate': 'newData.isString() && newData.val().length <= 20' },
  $other: { '.validate': false },
}

/** Every read and write of the bench is judged by these. */
export const RULES = {
  rules: {
    sets: { $parent: { '.read': mine, '.write': mine, $key: small } },
    fan: { '.read': mine, '.write': mine, ...small },
    counter: {
      '.read': mine,
      '.write': mine,
      '.validate': 'newData.isNumber() && newData.val() > (data.exists() ? data.val() : 0)',
    },
    bookings: {
      '.read': `${mine} && query.orderByChild === 'customer' && query.equalTo !== null`,
      '.write': mine,
      '.indexOn': ['customer', 'status'],
      $booking: {
        '.validate': "newData.hasChildren(['customer', 'status', 'pickup', 'estimate'])",
        customer: { '.validate': 'newData.isString()' },
        status: { '.validate': 'newData.isString() && newData.val().matches(/^[A-Z]{3,20}$/)' },
        estimate: { '.validate': 'newData.isNumber() && newData.val() >= 0' },
      },
    },
  },
}

export const ROWS_OF_A_CUSTOMER = 200

export const customerAt = (at: number): string => `customer-${String(at).padStart(4, '0')}`

export const bookingIdAt = (at: number): string => `-Nbench${String(at).padStart(13, '0')}`

/** So many bookings of about 180 bytes, each customer with 200 of them. */
export const bookings = (count: number): Record<string, object> => {
  const customers = count / ROWS_OF_A_CUSTOMER
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      bookingIdAt(i),
      {
        customer: customerAt(i % customers),
        status: ['NEW', 'ACCEPTED', 'STARTED', 'PAID'][i % 4],
        pickup: { add: `Street ${i % 977}, no. ${i % 89}`, lat: -34.9 + i / 1e6, lng: -56.1 },
        estimate: 100 + (i % 700),
        tripdate: 1_760_000_000_000 + i * 1000,
      },
    ]),
  )
}
