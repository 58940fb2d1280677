import { createClaims, createUnsignedToken } from '~/scripts/local/tokens'

/** The user of the benchmark; not an admin, so that the rules are evaluated every time. */
export const BENCH_UID = 'bench'

/**
 * Returns a token of the benchmark's user or of another user; emulators do not require a signature.
 */
export const createBenchToken = (uid = BENCH_UID): string => createUnsignedToken(createClaims(uid))

const isOwnCondition = `auth.uid === '${BENCH_UID}'`
const smallRecordRule = {
  '.validate': "newData.hasChildren(['n', 's'])",
  n: { '.validate': 'newData.isNumber()' },
  s: { '.validate': 'newData.isString() && newData.val().length <= 20' },
  $other: { '.validate': false },
}

/** The rules for every read and write of the benchmark. */
export const BENCH_RULES = {
  rules: {
    sets: { $parent: { '.read': isOwnCondition, '.write': isOwnCondition, $key: smallRecordRule } },
    fan: { '.read': isOwnCondition, '.write': isOwnCondition, ...smallRecordRule },
    counter: {
      '.read': isOwnCondition,
      '.write': isOwnCondition,
      '.validate': 'newData.isNumber() && newData.val() > (data.exists() ? data.val() : 0)',
    },
    bookings: {
      '.read': `${isOwnCondition} && query.orderByChild === 'customer' && query.equalTo !== null`,
      '.write': isOwnCondition,
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

export const BOOKINGS_PER_CUSTOMER = 200

export const getCustomerId = (at: number): string => `customer-${String(at).padStart(4, '0')}`

export const getBookingId = (at: number): string => `-Nbench${String(at).padStart(13, '0')}`

/** Returns `count` bookings of about 180 bytes, 200 for each customer. */
export const createBookings = (count: number): Record<string, object> => {
  const customers = count / BOOKINGS_PER_CUSTOMER
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      getBookingId(i),
      {
        customer: getCustomerId(i % customers),
        status: ['NEW', 'ACCEPTED', 'STARTED', 'PAID'][i % 4],
        pickup: { add: `Street ${i % 977}, no. ${i % 89}`, lat: -34.9 + i / 1e6, lng: -56.1 },
        estimate: 100 + (i % 700),
        tripdate: 1_760_000_000_000 + i * 1000,
      },
    ]),
  )
}
