import { expect, test } from 'vitest'
import { dropAuditedWords, dropRefundWords, dropWalletWords, moveEventWords } from './eventWords'
import type { MigrationRow, RowChange, StoredRecord } from './migration'

const context = { settings: {}, texts: {}, now: 0 }
/** Applies a change, and once more to its result, which must stay as it is. */
const migrate = (change: RowChange, row: MigrationRow): MigrationRow => {
  const after = change.apply(row, 'b1', context)
  expect(change.apply(after, 'b1', context)).toEqual(after)
  return after
}

const REQUEST = '-NqZtest0000000000a1'
const log: StoredRecord = {
  create: { event: 'create', by: 'rider', at: 1, status: 'NEW', revision: 1 },
  release: {
    event: 'release',
    by: 'driver',
    at: 2,
    status: 'NEW',
    revision: 2,
    ref: 'driver',
    reason: 'My tire is flat',
  },
  skip_stop_3: {
    event: 'skip_stop',
    by: 'driver',
    at: 3,
    status: 'STARTED',
    revision: 3,
    ref: '0',
    reason: 'Closed',
  },
  rate: {
    event: 'rate',
    by: 'rider',
    at: 4,
    status: 'COMPLETE',
    revision: 4,
    ref: 'friendly',
    reason: 'Carried my bag',
  },
  compensate_5: {
    event: 'compensate',
    by: 'admin',
    at: 5,
    status: 'COMPLETE',
    revision: 5,
    ref: REQUEST,
    reason: 'The detour was ours',
  },
  compensate_6: {
    event: 'compensate',
    by: 'admin',
    at: 6,
    status: 'COMPLETE',
    revision: 6,
    ref: `${REQUEST}x`,
    reason: 'late',
  },
  refund_7: {
    event: 'refund',
    by: 'kerbside-server',
    at: 7,
    status: 'COMPLETE',
    revision: 7,
    ref: 'pay1',
    reason: 'Half the fare',
  },
}
const booking: StoredRecord = {
  customer: 'rider',
  customer_name: 'Ana',
  pickupAddress: 'A street',
  driver: 'driver',
  driver_name: 'Diego',
  revision: 7,
  event_log: log,
  adjustments: {
    [REQUEST]: { at: 5, reason: 'detour', rider: 5 },
    [`${REQUEST}x`]: { at: 6, reason: 'late', rider: 5 },
  },
  fare_history: { r: { kind: 'refund', at: 7, cause: 'wrong_fare', total: -5 } },
}
const toReasons = (row: MigrationRow) => {
  const entries = (row['bookings'] as { event_log: Record<string, { reason?: string }> }).event_log
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, { reason }]) => (reason ? [[key, reason]] : [])),
  )
}

test('moves what people wrote out of the log and keeps the kinds of reasons', () => {
  const after = migrate(moveEventWords, { bookings: booking })
  expect(after['bookings']).toMatchObject({
    revision: 8,
    words: {
      release: 'My tire is flat',
      skip_stop_3: 'Closed',
      rate: 'Carried my bag',
      compensate_5: 'The detour was ours',
      refund_7: 'Half the fare',
    },
  })
  expect(toReasons(after)).toEqual({
    compensate_5: 'detour',
    compensate_6: 'late',
    refund_7: 'wrong_fare',
  })
  const { rate } = (after['bookings'] as { event_log: StoredRecord }).event_log
  expect(rate).toEqual({
    event: 'rate',
    by: 'rider',
    at: 4,
    status: 'COMPLETE',
    revision: 4,
    ref: 'friendly',
  })
})

test.each([
  ['the customer', { customer_name: '', pickupAddress: '' }],
  ['the driver', { driver_name: '' }],
])('removes the words of a booking when the account of %s is deleted', (_, cleared) => {
  const after = migrate(moveEventWords, { bookings: { ...booking, ...cleared } })
  expect(after['bookings']).not.toHaveProperty('words')
  expect(toReasons(after)).toEqual({
    compensate_5: 'detour',
    compensate_6: 'late',
    refund_7: 'wrong_fare',
  })
})

test('leaves a booking without words as it is', () => {
  const bare = { bookings: { ...booking, event_log: { create: log['create'] ?? null } } }
  expect(migrate(moveEventWords, bare)).toBe(bare)
  expect(migrate(moveEventWords, { bookings: null })).toEqual({ bookings: null })
})

test.each([
  ['booking_compensate', { reason: 'late', note: 'The words' }, { reason: 'late' }],
  [
    'payment_refund',
    { amount: 5, reason: 'late', text: 'The words' },
    { amount: 5, reason: 'late' },
  ],
  ['booking_release', { reason: 'The words', driver: 'other' }, { driver: 'other' }],
  ['wallet_credit', { amount: 5, note: 'A bonus' }, { amount: 5, note: 'A bonus' }],
])('keeps no words of %s in the audit', (action, to, kept) => {
  const entry = { by: 'admin', at: 1, action, path: 'bookings/b1' }
  expect(migrate(dropAuditedWords, { audit: { ...entry, to } })).toEqual({
    audit: { ...entry, to: kept },
  })
})

test('keeps no words of complaints in wallets and refunds', () => {
  const credit = { type: 'Credit', amount: 5, date: 1, txRef: 'b1', reason: 'late' }
  const gift = { type: 'Credit', amount: 5, date: 1, txRef: 'AdminCredit', note: 'A bonus' }
  const key = `b1-${REQUEST}-compensation`
  expect(
    migrate(dropWalletWords, {
      users: { walletHistory: { [key]: { ...credit, note: 'The words' }, gift } },
    }),
  ).toEqual({ users: { walletHistory: { [key]: credit, gift } } })
  const refund = { id: 'r1', amount: 5, reason: 'late' }
  expect(
    migrate(dropRefundWords, {
      payments: { id: 'pay1', refund: { ...refund, text: 'The words' } },
    }),
  ).toEqual({ payments: { id: 'pay1', refund } })
})
