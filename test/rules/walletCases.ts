import type { DatabaseValue } from '~/domain/data/databaseValue'
import { buildWalletUpdates } from '~/domain/money/wallet'
import { allow, deny, type AccessCase } from './accessCase'
import { LONG_AGO } from './rulesFixtures'
import type { WalletEntry } from '~/domain/money/types'

const createEntry = (type: WalletEntry['type'], amount: number, txRef: string): WalletEntry => ({
  type,
  amount,
  date: LONG_AGO,
  txRef,
})
const createCredit = (amount: number, txRef = 'riding') => createEntry('Credit', amount, txRef)
const createDebit = (amount: number, txRef = 'riding') => createEntry('Debit', amount, txRef)
const createWithdrawal = (amount: number) => createEntry('Withdraw', amount, 'out')

/** The wallet balances of the initial data. */
const BALANCES: Record<string, number> = { rider: 100, driver: 50 }

interface WalletWriteOptions {
  uid?: string
  code?: string
  decimal?: number
  /** The balance that the function read, if it differs from the database. */
  readBalance?: number
  /** Paths below the user with a different value, or undefined to omit the path. */
  overrides?: Record<string, DatabaseValue | undefined>
}
/** Returns a wallet write as the domain makes it, with the given parts tampered. */
const createWalletWrite = (
  entries: Record<string, WalletEntry>,
  {
    uid = 'rider',
    code = 'UYU',
    decimal = 2,
    readBalance = BALANCES[uid] ?? 0,
    overrides = {},
  }: WalletWriteOptions = {},
) => {
  const honest = buildWalletUpdates({ id: uid, walletBalance: readBalance }, entries, {
    code,
    decimal,
  })
  const tampered = Object.fromEntries(
    Object.entries(overrides).map(([path, value]) => [`users/${uid}/${path}`, value]),
  )
  const written = Object.entries({ ...honest, ...tampered }).filter(
    (one): one is [string, DatabaseValue] => one[1] !== undefined,
  )
  return { does: 'update' as const, at: '', value: Object.fromEntries(written) }
}
const updateOperation = (value: Record<string, DatabaseValue>) => ({
  does: 'update' as const,
  at: '',
  value,
})

type Slot = [entry: string, units: number]
const createBalanceMove = (
  before: number,
  after: number,
  slots: readonly Slot[],
  scale = 100,
): DatabaseValue => ({
  code: 'UYU',
  scale,
  before,
  after,
  slots: Object.fromEntries(
    slots.map(([key, units], index) => ['abcdef'.charAt(index), { entry: key, units }]),
  ),
})

const withExtraSlot = {
  ...(createBalanceMove(10_000, 12_000, [['pay-topup', 2000]]) as Record<string, DatabaseValue>),
  slots: {
    a: { entry: 'pay-topup', units: 2000 },
    z: { entry: 'pay-topup', units: 2000 },
  },
}

const topUp = { 'pay-topup': createCredit(20, 'pay') }
const settled = { 'riding-cash': createDebit(12.5), 'riding-share': createCredit(10) }
const bonus = { 'rider-referral': createCredit(10, 'Referral') }
const rider = 'users/rider'

const allowedWrites: AccessCase[] = [
  allow('server', createWalletWrite(topUp), 'an entry moves its amount'),
  allow(
    'server',
    createWalletWrite(settled, { uid: 'driver' }),
    'the share and the cash of one booking may move together',
  ),
  allow(
    'server',
    createWalletWrite({ 'riding-refund': createCredit(12.5), 'riding-cancel-fee': createDebit(5) }),
    'the refund and the fee of one booking may move together',
  ),
  allow(
    'server',
    createWalletWrite({ ...settled, ...bonus }, { uid: 'driver' }),
    'a share, cash, and a referral bonus may move together',
  ),
  allow(
    'server',
    createWalletWrite({ ...settled, ...bonus, 'riding-rest-wallet': createDebit(1) }),
    'one write may have four entries',
  ),
  allow('server', createWalletWrite(bonus), 'a referral bonus moves its amount'),
  allow(
    'server',
    createWalletWrite(
      { 'riding-cash': createDebit(10), 'riding-share': createCredit(10) },
      { uid: 'driver' },
    ),
    'entries that cancel out leave the balance unchanged',
  ),
  allow(
    'server',
    createWalletWrite({ 'riding-wallet': createDebit(100) }),
    'a payment may use the whole balance',
  ),
  deny(
    'server',
    createWalletWrite({ 'riding-wallet': createDebit(100.01) }),
    'a payment cannot exceed the balance',
  ),
  deny(
    'server',
    createWalletWrite({ 'riding-rest-wallet': createDebit(100.01) }),
    'the second payment of a booking cannot exceed the balance',
  ),
  allow(
    'server',
    createWalletWrite({ 'out-withdraw': createWithdrawal(50) }, { uid: 'driver' }),
    'a withdrawal may use the whole balance',
  ),
  deny(
    'server',
    createWalletWrite({ 'out-withdraw': createWithdrawal(50.01) }, { uid: 'driver' }),
    'a withdrawal cannot exceed the balance',
  ),
  allow(
    'server',
    createWalletWrite({ 'pay-r1-hold': createDebit(100, 'pay') }),
    'a card refund may hold the whole balance',
  ),
  deny(
    'server',
    createWalletWrite({ 'pay-r1-hold': createDebit(100.01, 'pay') }),
    'the hold of a card refund cannot exceed the balance',
  ),
  allow(
    'server',
    createWalletWrite({ 'done-request-tip': { ...createDebit(100, 'done'), reason: 'tip' } }),
    'a tip may be the whole balance',
  ),
  deny(
    'server',
    createWalletWrite({ 'done-request-tip': { ...createDebit(100.01, 'done'), reason: 'tip' } }),
    'a tip cannot exceed the balance',
  ),
  allow(
    'server',
    createWalletWrite({
      'done-request-compensation': { ...createDebit(100.01, 'done'), reason: 'detour' },
    }),
    'what the office takes back for a complaint may exceed the balance',
  ),
  allow(
    'server',
    createWalletWrite({
      'twice-correction': { ...createDebit(100, 'AdminDebit'), note: 'Credited twice' },
    }),
    'an admin may debit the whole balance and give a reason',
  ),
  deny(
    'server',
    createWalletWrite({
      'twice-correction': { ...createDebit(100.01, 'AdminDebit'), note: 'Credited twice' },
    }),
    "an admin's debit cannot exceed the balance",
  ),
  allow(
    'server',
    createWalletWrite({
      'gift-admin': { ...createCredit(5, 'AdminCredit'), note: 'x'.repeat(200) },
    }),
    'a note may have 200 characters',
  ),
  deny(
    'server',
    createWalletWrite({
      'gift-admin': { ...createCredit(5, 'AdminCredit'), note: 'x'.repeat(201) },
    }),
    'a note cannot have 201 characters',
  ),
  deny(
    'server',
    createWalletWrite({ 'gift-admin': { ...createCredit(5, 'AdminCredit'), note: '' } }),
    'a note cannot be empty',
  ),
  allow(
    'server',
    createWalletWrite({ 'pay-refund-10001': createDebit(100.01, 'pay') }),
    'a refund that the provider made by itself may leave a debt',
  ),
  allow(
    'server',
    createWalletWrite({ 'riding-cancel-fee': createDebit(150) }),
    'a cancellation fee may leave a debt',
  ),
  allow(
    'server',
    createWalletWrite({ 'riding-cash': createDebit(60) }, { uid: 'driver' }),
    'cash that the driver kept may leave a debt',
  ),
  deny(
    'server',
    createWalletWrite({ 'gone-share': createCredit(5) }, { uid: 'deletedUser' }),
    'a credit cannot recreate a deleted account',
  ),
]

const refusedWrites: AccessCase[] = [
  // Tampered balances.
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletBalance: 120.01 } }),
    'the balance is too high',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletBalance: 119.99 } }),
    'the balance is too low',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletBalance: undefined } }),
    'the balance does not change',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletBalance: '120' } }),
    'the balance is a string',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletBalance: null } }),
    'the balance is removed',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { readBalance: 99.99 }),
    'the balance has changed since it was read',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { readBalance: 120 }),
    'the balance was higher when it was read',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 120.01,
        walletMove: createBalanceMove(10_000, 12_001, [['pay-topup', 2000]]),
      },
    }),
    'the record adds up to more than its entry',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 120.01,
        walletMove: createBalanceMove(10_001, 12_001, [['pay-topup', 2000]]),
      },
    }),
    'the record starts from another balance',
  ),
  deny(
    'server',
    { does: 'set', at: `${rider}/walletBalance`, value: 120 },
    'a balance needs an entry',
  ),
  deny(
    'server',
    { does: 'set', at: `${rider}/walletBalance`, value: 100 },
    'an unchanged balance needs an entry',
  ),
  // Tampered entries.
  deny(
    'server',
    { does: 'set', at: `${rider}/walletHistory/pay-topup`, value: { ...createCredit(20) } },
    'an entry needs a balance',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { 'walletHistory/pay-topup': undefined } }),
    'a balance change needs its entry',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { 'walletHistory/gift': { ...createCredit(5) } } }),
    'an entry is missing from the record',
  ),
  deny(
    'server',
    createWalletWrite({ opening: createCredit(20) }),
    'an entry is written a second time',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { 'walletHistory/opening/amount': 120 } }),
    'an entry is changed',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { 'walletHistory/opening': null } }),
    'an entry is removed',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { 'walletHistory/pay-topup': { ...createDebit(20) } } }),
    'the entry has the opposite direction',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: { 'walletHistory/pay-topup': { ...createCredit(20.01) } },
    }),
    'the entry has a larger amount than was moved',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        'walletHistory/pay-topup': { ...createCredit(0) },
        walletBalance: 100,
        walletMove: createBalanceMove(10_000, 10_000, [['pay-topup', 0]]),
      },
    }),
    'the entry has an amount of zero',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        'walletHistory/pay-topup': { ...createDebit(-20) },
        walletBalance: 120,
        walletMove: createBalanceMove(10_000, 12_000, [['pay-topup', 2000]]),
      },
    }),
    'the entry has a negative amount',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: { 'walletHistory/rider-referral': { ...createCredit(10, 'Referral') } },
    }),
    'a referral bonus does not change the balance',
  ),
  deny(
    'server',
    createWalletWrite(bonus, { overrides: { walletBalance: 120 } }),
    'a referral bonus is paid twice',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        ...Object.fromEntries(
          [...'bcde'].map((key) => [`walletHistory/${key}`, { ...createCredit(1) }]),
        ),
        walletBalance: 124,
        walletMove: createBalanceMove(10_000, 12_400, [
          ['b', 100],
          ['c', 100],
          ['d', 100],
          ['e', 100],
          ['pay-topup', 2000],
        ]),
      },
    }),
    'one write has five entries',
  ),
  // Tampered records of the write.
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletMove: undefined } }),
    'the record of the write is missing',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletMove: null } }),
    'the record of the last write is removed',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: { walletBalance: 100, walletMove: createBalanceMove(10_000, 10_000, []) },
    }),
    'the record has no entries',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 140,
        walletMove: createBalanceMove(10_000, 14_000, [
          ['pay-topup', 2000],
          ['pay-topup', 2000],
        ]),
      },
    }),
    'the record counts an entry twice',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 220,
        walletMove: createBalanceMove(10_000, 22_000, [
          ['opening', 10_000],
          ['pay-topup', 2000],
        ]),
      },
    }),
    'the record counts an earlier entry again',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 125,
        walletMove: createBalanceMove(10_000, 12_500, [
          ['nothing', 500],
          ['pay-topup', 2000],
        ]),
      },
    }),
    'the record counts an entry that does not exist',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        'walletHistory/gift': { ...createCredit(5) },
        walletBalance: 125,
        walletMove: createBalanceMove(10_000, 12_500, [['gift', 2500]]),
      },
    }),
    'one of two entries carries both amounts',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        'walletHistory/gift': { ...createCredit(5) },
        walletBalance: 125,
        walletMove: createBalanceMove(10_000, 12_500, [
          ['pay-topup', 2000],
          ['gift', 500],
        ]),
      },
    }),
    'the entries are not in order',
  ),
  deny(
    'server',
    updateOperation({
      [`${rider}/walletMove`]: createBalanceMove(10_000, 12_000, [['pay-topup', 2000]]),
    }),
    'a record needs its entry and balance',
  ),
  deny(
    'server',
    updateOperation({
      [`${rider}/walletMove`]: createBalanceMove(10_000, 10_000, [['opening', 10_000]]),
    }),
    'the record of the last write is repeated',
  ),
  // A field-by-field write must not count the kept fields of the last record again.
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        walletBalance: 220,
        walletMove: undefined,
        'walletMove/before': 10_000,
        'walletMove/after': 22_000,
        'walletMove/slots/b': { entry: 'pay-topup', units: 2000 },
      },
    }),
    'the last record gets one more entry',
  ),
  {
    ...deny(
      'server',
      createWalletWrite(
        { gift: createCredit(5) },
        {
          overrides: {
            walletBalance: 205,
            walletMove: undefined,
            'walletMove/before': 10_000,
            'walletMove/after': 20_500,
            'walletMove/slots/a': { entry: 'gift', units: 500 },
          },
        },
      ),
      'a new entry is put before one of the last record',
    ),
    given: { [`${rider}/walletMove/slots/b`]: { entry: 'opening', units: 10_000 } },
  },
  deny(
    'server',
    createWalletWrite(
      { 'riding-cash': createDebit(100) },
      {
        overrides: {
          walletBalance: undefined,
          walletMove: createBalanceMove(10_000, 10_000, [
            ['opening', 10_000],
            ['riding-cash', -10_000],
          ]),
        },
      },
    ),
    'an earlier entry offsets the new one',
  ),
  deny(
    'server',
    createWalletWrite(topUp, { overrides: { walletMove: withExtraSlot } }),
    'the record has an unknown slot',
  ),
  deny(
    'server',
    updateOperation({ [`${rider}/walletMove/slots/a/units`]: 5 }),
    'the amount in the last record is changed',
  ),
  deny(
    'server',
    updateOperation({ [`${rider}/walletMove/slots/a`]: null }),
    'a slot of the last record is removed',
  ),
]

const withDecimals = (decimal: number) => ({ 'settings/decimal': decimal })
/** A wallet from before balances were written whole: increments left its float slightly too low. */
const driftedBalance = { [`${rider}/walletBalance`]: 99.99999999999999 }
/** A wallet with more decimals than the currency now has. */
const tooPreciseBalance = { [`${rider}/walletBalance`]: 100.016 }

const decimalDigitCases: AccessCase[] = [
  {
    ...allow(
      'server',
      createWalletWrite(topUp, { decimal: 0 }),
      'a currency without decimals accepts whole units',
    ),
    given: withDecimals(0),
  },
  {
    ...deny(
      'server',
      createWalletWrite({ cents: createCredit(0.5) }, { decimal: 2 }),
      'a currency without decimals refuses fractions',
    ),
    given: withDecimals(0),
  },
  {
    ...allow(
      'server',
      createWalletWrite({ fine: createCredit(0.0001) }, { decimal: 4 }),
      'a currency with four decimals accepts four',
    ),
    given: withDecimals(4),
  },
  {
    ...deny(
      'server',
      createWalletWrite({ fine: createCredit(0.001) }, { decimal: 3 }),
      'a currency with two decimals refuses three',
    ),
    given: withDecimals(2),
  },
  {
    ...deny(
      'server',
      createWalletWrite(topUp, { decimal: 2 }),
      'a currency with three decimals refuses a record in hundredths',
    ),
    given: withDecimals(3),
  },
  deny(
    'server',
    createWalletWrite(
      { third: createCredit(0.3) },
      { overrides: { walletBalance: 100.30000000000001 } },
    ),
    'the balance has a floating-point error',
  ),
  deny(
    'server',
    createWalletWrite(
      { third: createCredit(0.3) },
      { overrides: { 'walletHistory/third': { ...createCredit(0.1 + 0.2) } } },
    ),
    'the amount has a floating-point error',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: { walletMove: createBalanceMove(10_000.5, 12_000.5, [['pay-topup', 2000]]) },
    }),
    'the record has half a hundredth',
  ),
  deny(
    'server',
    createWalletWrite(topUp, {
      overrides: {
        'walletHistory/pay-topup': { ...createCredit(20.005) },
        walletBalance: 120.005,
        walletMove: createBalanceMove(10_000, 12_000.5, [['pay-topup', 2000.5]]),
      },
    }),
    'the balance, the entry, and the record have half a hundredth',
  ),
  {
    ...allow(
      'server',
      createWalletWrite(topUp, { readBalance: 99.99999999999999 }),
      'a balance with a floating-point error is rounded',
    ),
    given: driftedBalance,
  },
  {
    ...deny(
      'server',
      createWalletWrite(topUp, {
        readBalance: 99.99999999999999,
        overrides: { walletBalance: 119.99999999999999 },
      }),
      'a balance with a floating-point error must be rounded',
    ),
    given: driftedBalance,
  },
  {
    ...deny(
      'server',
      createWalletWrite(topUp, { readBalance: 99.98 }),
      'a balance with a floating-point error is rounded too far',
    ),
    given: driftedBalance,
  },
  {
    ...allow(
      'server',
      createWalletWrite({ 'riding-wallet': createDebit(100.02) }, { readBalance: 100.016 }),
      'a balance with too many digits may be rounded and spent',
    ),
    given: tooPreciseBalance,
  },
  {
    ...deny(
      'server',
      createWalletWrite({ 'riding-wallet': createDebit(100.03) }, { readBalance: 100.03 }),
      'a balance with too many digits is rounded too far',
    ),
    given: tooPreciseBalance,
  },
]

const DURING_CHANGE = { 'currency/hold': 4_000_000_000_000 }
const AFTER_CHANGE = { 'currency/hold': LONG_AGO }
const holdCases: AccessCase[] = [
  {
    ...deny('server', createWalletWrite(topUp), 'a hold blocks wallet writes'),
    given: DURING_CHANGE,
  },
  {
    ...allow('server', createWalletWrite(topUp), 'an expired hold does not block wallet writes'),
    given: AFTER_CHANGE,
  },
  deny(
    'server',
    createWalletWrite(topUp, { code: 'USD' }),
    'a wallet write must use the current currency',
  ),
]

/**
 * Rows of wallet writes: those that functions may make, and those that the rules refuse even to
 * functions.
 */
export const walletCases: AccessCase[] = [
  ...allowedWrites,
  ...refusedWrites,
  ...decimalDigitCases,
  ...holdCases,
]
