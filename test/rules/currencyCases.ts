import { toJson } from '~/domain/data/databaseValue'
import { buildCurrencyUpdates } from '~/domain/money/currencyChange'
import { aPaymentAttempt } from '~/domain/testing/builders'
import { allow, deny, type AccessCase } from './accessCase'
import {
  createBooking,
  LONG_AGO,
  createFreshUpdate,
  settings,
  type TestPerson,
} from './rulesFixtures'

const DOLLAR = { code: 'USD', decimal: 2, symbol: '$' }
const NOW = 1_750_000_000_000
const createCurrencyChange = (more: object = {}) => ({
  does: 'update' as const,
  at: '',
  value: { ...buildCurrencyUpdates(settings, DOLLAR, NOW), ...more },
})
const bookingWrite = {
  does: 'update' as const,
  at: '',
  value: createFreshUpdate(createBooking('fresh', 'PAYMENT_PENDING', { revision: 1 })),
}
const createBookingWrite = (currency: string) => ({
  ...bookingWrite,
  value: createFreshUpdate(createBooking('fresh', 'PAYMENT_PENDING', { revision: 1, currency })),
})
const paymentWrite = {
  does: 'set' as const,
  at: 'payments/fresh',
  value: toJson(aPaymentAttempt({ id: 'fresh', createdAt: LONG_AGO })),
}

const createPaymentWrite = (currency: string) => ({
  ...paymentWrite,
  value: toJson(aPaymentAttempt({ id: 'fresh', createdAt: LONG_AGO, currency })),
})

// A hold expires by the clock, which the rows do not have, so this one ends in the far future.
const WITH_HOLD = { 'currency/hold': 4_000_000_000_000 }
/** A hold of a change that was aborted long ago. */
const WITH_STALE_HOLD = { 'currency/hold': LONG_AGO }
const whileHeld = (row: AccessCase): AccessCase => ({ ...row, given: WITH_HOLD })
const afterHold = (row: AccessCase): AccessCase => ({ ...row, given: WITH_STALE_HOLD })

const CLIENTS: TestPerson[] = ['admin', 'rider', 'visitor']

/**
 * Rows for currency changes: a function makes them in one write while it blocks all other writes.
 */
export const currencyCases: AccessCase[] = [
  whileHeld(
    allow('server', createCurrencyChange(), 'one write changes the code, decimals, and symbol'),
  ),
  ...CLIENTS.map((who) =>
    whileHeld(deny(who, createCurrencyChange(), 'only a function changes the currency')),
  ),
  deny('server', createCurrencyChange(), 'a change requires a hold on new bookings and payments'),
  afterHold(deny('server', createCurrencyChange(), 'a change must finish before its hold expires')),
  whileHeld(
    deny(
      'server',
      { does: 'set', at: 'currency/hold', value: { '.sv': 'timestamp' } },
      'a running change blocks a second one',
    ),
  ),
  afterHold(
    allow(
      'server',
      { does: 'set', at: 'currency/hold', value: { '.sv': 'timestamp' } },
      'a change may start after the hold of an aborted change has expired',
    ),
  ),
  whileHeld(
    allow('server', { does: 'remove', at: 'currency/hold' }, 'a function may give up its change'),
  ),
  whileHeld(
    deny(
      'admin',
      { does: 'remove', at: 'currency/hold' },
      'only the function that set the hold releases it',
    ),
  ),
  {
    ...deny(
      'server',
      { does: 'set', at: 'currency/ended/1', value: DOLLAR },
      'an earlier currency is recorded only once',
    ),
    given: { 'currency/ended/1': { ...DOLLAR } },
  },
  allow('server', bookingWrite, 'a function may create a booking'),
  allow('server', createBookingWrite('UYU'), 'a booking may use the current currency'),
  deny('server', createBookingWrite('USD'), 'a booking must use the current currency'),
  deny('server', createPaymentWrite('USD'), 'a payment must use the current currency'),
  whileHeld(deny('server', bookingWrite, 'a hold blocks new bookings')),
  afterHold(allow('server', bookingWrite, 'an expired hold does not block new bookings')),
  allow('server', paymentWrite, 'a function may start a payment'),
  whileHeld(deny('server', paymentWrite, 'a hold blocks new payments')),
  afterHold(allow('server', paymentWrite, 'an expired hold does not block new payments')),
]
