import {
  NEXT_REFUND_STATES,
  NEXT_PAYMENT_STATUSES,
  UNMATCHED_OUTCOMES,
  PAYMENT_PROBLEMS,
  PAYMENT_STATUSES,
  REFUND_OUTCOMES,
  REFUND_STATES,
  type OpenRefund,
  type UnmatchedPayment,
  type PaymentAttempt,
  type SettledRefund,
} from '~/domain/payments/paymentAttempt'
import {
  afterWrite,
  all,
  isAmong,
  any,
  anyJsonRule,
  isQueryLimitedTo,
  isQueryOfOwnRows,
  beforeWrite,
  booleanRule,
  collectionRule,
  isNextState,
  hasRecord,
  isNew,
  isRemoved,
  keyRule,
  isMatching,
  numberRule,
  choiceRule,
  makeOptional,
  editablePartsRule,
  recordRule,
  textRule,
  valueRule,
  timestampRule,
  trueRule,
  isUnchanged,
  withValidation,
  integerRule,
  withWriteCondition,
  type Condition,
  type FieldsOf,
  type RequiredRule,
  type Rule,
} from '../ruleBuilders'
import { isRevisionRaised, revisionRule } from '../revision'
import { isAdmin, isMember, hasRole, isSelf, isServer, requesterRole } from '../requester'
import { isCurrencyNotHeld, isPlatformCurrency } from './currency'
import {
  DRIVER_TOTAL_FIELDS,
  MONEY_TOTAL_FIELDS,
  NOTE_LENGTH,
  type StatsRow,
} from '~/domain/money/types'
import { STATUSES } from '~/domain/booking/types'

const amount = numberRule(0, 1e9)

// Only the functions' clock writes it, so the file spends no bytes on its range.
const serverTime = valueRule('newData.isNumber()')

// Functions create, pay and return withdrawals and hold the amount back from the wallet. A paid or
// returned withdrawal stays so. Bank details have their limits in the profile.
export const withdraws: Rule = collectionRule(
  '$withdraw',
  editablePartsRule(
    {
      id: keyRule,
      uid: keyRule,
      name: withWriteCondition(isServer, textRule(0, 300)),
      amount: numberRule(0, 1e9, 'newData.val() > 0'),
      date: serverTime,
      bankName: withWriteCondition(isServer, makeOptional(textRule(0, 100))),
      bankCode: withWriteCondition(isServer, makeOptional(textRule(0, 100))),
      bankAccount: withWriteCondition(isServer, makeOptional(textRule(0, 100))),
      payable_at: withWriteCondition(isServer, makeOptional(serverTime)),
      processed: withWriteCondition(all(isServer, 'data.val() !== true'), booleanRule()),
      procesDate: withWriteCondition(all(isServer, isNew), makeOptional(serverTime)),
      returned_at: withWriteCondition(all(isServer, isNew), makeOptional(serverTime)),
    },
    {
      read: any(all(`data.child('uid').val() === auth.uid`, isMember), isAdmin),
      create: isServer,
    },
  ),
  {
    read: any(isQueryOfOwnRows('uid', isMember), all(isAdmin, isQueryLimitedTo(1000))),
    indexOn: ['uid', 'processed', 'date'],
  },
)

// One use of a promo by one rider. A second use is refused until the first is returned, and so is a
// use by a rider who used the promo with a deleted account.
export const promoUses: Rule = collectionRule(
  '$promo',
  collectionRule('$uid', {
    ...makeOptional(keyRule),
    write: all(
      isServer,
      any(isRemoved, all(isNew, `!${beforeWrite('users/$uid/formerPromos/$promo')}.exists()`)),
    ),
  }),
)

const isAttemptRevised = isRevisionRaised(1)
const isNextStatus = isNextState(PAYMENT_STATUSES, (from) => NEXT_PAYMENT_STATUSES[from])
const isNewAttempt = all(
  isServer,
  `newData.child('revision').val() === 1`,
  `newData.child('status').val() === 'created'`,
  isCurrencyNotHeld,
)
const isWrittenOnce = all(isAttemptRevised, any(isNew, isUnchanged))

// Only one refund can be in progress. It starts as held, follows the state table, and leaves its
// place only in the write that records its outcome.
const isNextRefundState = `(data.child('state').val() + '>' + newData.child('state').val()).matches(/^(${REFUND_STATES.map(
  (from) => `${from}>(${NEXT_REFUND_STATES[from].join('|')})`,
).join('|')})$/)`
const isRefundChangeAllowed = all(
  isAttemptRevised,
  any(
    all(
      isRemoved,
      `newData.parent().child('refunds').child(data.child('id').val()).child('state').exists()`,
    ),
    all(
      isNew,
      `newData.child('state').val() === 'held'`,
      `!newData.parent().child('refunds').child(newData.child('id').val()).exists()`,
    ),
    all('data.exists()', 'newData.exists()', isNextRefundState),
  ),
)
const refundId = valueRule(all('newData.isString()', isMatching('^r\\d{1,11}$')))
/** A field of an open refund that keeps its first value. */
const fixed = (rule: RequiredRule) => withValidation(any(isNew, isUnchanged), rule)
const openRefund = recordRule({
  id: fixed(refundId),
  amount: fixed(numberRule(0, 1e9, 'newData.val() > 0')),
  by: fixed(keyRule),
  at: fixed(timestampRule()),
  state: choiceRule(...REFUND_STATES),
  from_wallet: fixed(booleanRule()),
  // Only the functions write it, so the bounds of any text suffice.
  reason: makeOptional(textRule(0, NOTE_LENGTH)),
} satisfies FieldsOf<OpenRefund>)
/** The outcome of a refund. A completed refund may be returned later. */
const settledRefunds = collectionRule(
  '$refund',
  recordRule(
    {
      amount: numberRule(0, 1e9, 'newData.val() > 0'),
      by: keyRule,
      at: timestampRule(),
      state: withWriteCondition(
        all(isRevisionRaised(3), `data.val() === 'confirmed'`, `newData.val() === 'returned'`),
        choiceRule(...REFUND_OUTCOMES),
      ),
      from_wallet: booleanRule(),
      settled_at: timestampRule(),
      settled_by: keyRule,
      has_failed: makeOptional(trueRule),
    } satisfies FieldsOf<SettledRefund>,
    {
      create: all(
        isRevisionRaised(2),
        `data.parent().parent().child('refund').child('id').val() === $refund`,
        `newData.child('state').val() !== 'returned'`,
        `newData.child('amount').val() === data.parent().parent().child('refund').child('amount').val()`,
      ),
    },
  ),
)

// The amount has a maximum of its own.
const partOfAttempt = valueRule(
  all(
    'newData.isNumber()',
    'newData.val() >= 0',
    `newData.val() <= newData.parent().child('amount').val()`,
  ),
)
const paymentFields = {
  id: keyRule,
  /** The payer. */
  uid: keyRule,
  /** The purpose of the payment. */
  kind: choiceRule('booking', 'wallet'),
  booking: makeOptional(keyRule),
  gateway: textRule(1, 60),
  amount: numberRule(0, 1e9, 'newData.val() > 0'),
  currency: textRule(3, 3, isPlatformCurrency),
  createdAt: timestampRule(),
  promo: makeOptional(keyRule),
  revision: revisionRule,
  status: withWriteCondition(all(isAttemptRevised, isNextStatus), choiceRule(...PAYMENT_STATUSES)),
  updatedAt: withWriteCondition(isAttemptRevised, makeOptional(timestampRule())),
  /** The provider's own numbers for the checkout and the payment. */
  checkout_ref: withWriteCondition(isAttemptRevised, makeOptional(textRule(1, 300))),
  ref: withWriteCondition(isWrittenOnce, makeOptional(textRule(1, 300))),
  applied_to: withWriteCondition(isWrittenOnce, makeOptional(choiceRule('booking', 'wallet'))),
  applied_because: withWriteCondition(isWrittenOnce, makeOptional(textRule(1, 60))),
  refunded: withWriteCondition(isAttemptRevised, makeOptional(partOfAttempt)),
  returned: withWriteCondition(isAttemptRevised, makeOptional(partOfAttempt)),
  charged_back: withWriteCondition(isAttemptRevised, makeOptional(partOfAttempt)),
  problem: withWriteCondition(isAttemptRevised, makeOptional(choiceRule(...PAYMENT_PROBLEMS))),
  parked: withWriteCondition(
    isAttemptRevised,
    makeOptional(
      recordRule({
        amount: numberRule(0, 1e9),
        currency: textRule(3, 3),
        ref: textRule(1, 300),
        at: timestampRule(),
        settled: makeOptional(choiceRule(...UNMATCHED_OUTCOMES)),
      } satisfies FieldsOf<UnmatchedPayment>),
    ),
  ),
  refund: withWriteCondition(isRefundChangeAllowed, makeOptional(openRefund)),
  refund_due: withWriteCondition(isAttemptRevised, makeOptional(timestampRule())),
  refunds: makeOptional(settledRefunds),
  details: withWriteCondition(isServer, makeOptional(anyJsonRule)),
} satisfies FieldsOf<PaymentAttempt>
// One payment attempt with a provider. Payer, purpose and amount are fixed from the start.
export const payments: Rule = collectionRule(
  '$payment',
  editablePartsRule(paymentFields, {
    read: any(all(`data.child('uid').val() === auth.uid`, isMember), isAdmin),
    create: isNewAttempt,
  }),
  {
    read: any(isQueryOfOwnRows('uid', isMember), all(isAdmin, isQueryLimitedTo(1000))),
    indexOn: ['uid', 'booking', 'status', 'createdAt', 'problem', 'refund_due'],
  },
)

// The attempt that a payer last started for one booking or for the wallet with one provider. Of two
// requests from the same state, the second is refused and finds the attempt of the first.
export const openPayments: Rule = collectionRule('$uid', {
  ...collectionRule(
    '$purpose',
    collectionRule(
      '$gateway',
      recordRule(
        {
          payment: keyRule,
          n: integerRule(1, 1e9, `newData.val() === (data.exists() ? data.val() + 1 : 1)`),
          since: timestampRule(),
          begun: integerRule(1, 1e6),
        },
        { create: isServer, update: isServer, remove: isServer },
      ),
    ),
  ),
  // Removed with the account.
  write: all(isServer, isRemoved),
})

// One accepted webhook under one key, so that repeated webhooks pay only once.
export const paymentEvents: Rule = collectionRule(
  '$event',
  recordRule(
    {
      payment: keyRule,
      gateway: textRule(1, 60),
      amount,
      currency: textRule(3, 3),
      at: timestampRule(),
      ref: makeOptional(textRule(1, 300)),
      status: makeOptional(textRule(1, 60)),
    },
    { create: isServer },
  ),
  { read: all(isAdmin, isQueryLimitedTo(1000)), indexOn: ['payment', 'at'] },
)

const COUNT_FIELDS = {
  created: true,
  completed: true,
  cancelled: true,
  accepted: true,
  waited: true,
  total_rides: true,
} satisfies Record<keyof Omit<StatsRow, 'minor'>, true>

// Integers within their exact range.
const total = withWriteCondition(isServer, integerRule(-9e15, 9e15))
/** Returns a rule for a total under each of these names, and no other. */
const totalsRule = (variable: `$${string}`, names: readonly string[]) =>
  collectionRule(variable, withValidation(isAmong(names, variable), total))
/** Returns a rule for money in minor units, below the currency and its number of decimals. */
const minorTotalsRule = (names: readonly string[]) =>
  collectionRule('$unit', {
    ...totalsRule('$total', names),
    validate: isMatching('^[A-Za-z]{1,3}[0-4]$', '$unit'),
  })
const totals = editablePartsRule({
  ...Object.fromEntries(Object.keys(COUNT_FIELDS).map((name) => [name, total])),
  minor: minorTotalsRule(MONEY_TOTAL_FIELDS),
})
const day = isMatching('^\\d{4}-\\d{2}-\\d{2}$', '$date')
const month = isMatching('^\\d{4}-\\d{2}$', '$month')
const days = collectionRule('$date', { ...totals, validate: day })
const months = collectionRule('$month', { ...totals, validate: month })
const driverMonth: Rule = {
  ...editablePartsRule({
    year: withWriteCondition(isServer, integerRule(2000, 9999)),
    monthsName: withWriteCondition(isServer, textRule(1, 20)),
    driverName: withWriteCondition(isServer, textRule(0, 300)),
    driverVehicleNo: withWriteCondition(isServer, textRule(0, 30)),
    total_rides: total,
    minor: minorTotalsRule(DRIVER_TOTAL_FIELDS),
  }),
  validate: month,
}

// Running totals. They can change only in the same write as the value that they count.
export const stats: Rule = {
  children: {
    days: { ...days, read: isAdmin },
    earnings: { ...months, read: isAdmin },
    total: { ...totals, read: isAdmin },
    cartypes: collectionRule(
      '$month',
      { ...collectionRule('$carType', total), validate: month },
      { read: isAdmin },
    ),
    status: { ...totalsRule('$status', STATUSES), read: isAdmin },
    driver_earnings: collectionRule(
      '$driver',
      collectionRule('$month', driverMonth, {
        read: any(
          all(isSelf('$driver'), hasRole('driver')),
          isAdmin,
          all(
            `${beforeWrite('users/$driver/fleetadmin')}.val() === auth.uid`,
            hasRole('fleetadmin'),
          ),
        ),
      }),
      { read: all(isAdmin, isQueryLimitedTo(1000)) },
    ),
    fleet_days: collectionRule('$fleetadmin', {
      ...days,
      read: any(all(isSelf('$fleetadmin'), hasRole('fleetadmin')), isAdmin),
    }),
    fleet_earnings: collectionRule('$fleetadmin', {
      ...months,
      read: any(all(isSelf('$fleetadmin'), hasRole('fleetadmin')), isAdmin),
    }),
    fleet_total: collectionRule('$fleetadmin', {
      ...totals,
      read: any(all(isSelf('$fleetadmin'), hasRole('fleetadmin')), isAdmin),
    }),
    fleet_driver_earnings: collectionRule(
      '$fleetadmin',
      collectionRule('$driver', collectionRule('$month', driverMonth), {
        read: any(all(isSelf('$fleetadmin'), hasRole('fleetadmin')), isAdmin),
      }),
    ),
    $other: { validate: 'false' },
  },
}

// Share links for a trip. A function opens them, so that it can check their expiry and level.
export const shares: Rule = collectionRule(
  '$token',
  editablePartsRule(
    {
      booking: keyRule,
      by: keyRule,
      level: textRule(1, 40),
      at: timestampRule(),
      expires: withWriteCondition(isExistingShareWrite(), timestampRule()),
      revoked: withWriteCondition(
        isExistingShareWrite('data.val() !== true'),
        makeOptional(booleanRule()),
      ),
    },
    { create: isServer, remove: isServer },
  ),
  { indexOn: ['expires'] },
)

/** Holds when the server writes to an existing link. */
function isExistingShareWrite(...conditions: Condition[]) {
  return all(hasRecord, isServer, ...conditions)
}

// The link of one level that a person has for a booking. It can change only when the link is
// removed.
export const shareLinks: Rule = collectionRule(
  '$booking',
  collectionRule(
    '$uid',
    collectionRule('$level', {
      ...keyRule,
      write: all(
        isServer,
        any(isNew, `!${afterWrite(4, 'shares/{data.val()}')}.exists()`),
        any(isRemoved, `${afterWrite(4, 'shares/{newData.val()}')}.exists()`),
      ),
    }),
  ),
)

// Request counts per caller, for the functions' rate limits.
export const rateLimits: Rule = collectionRule(
  '$endpoint',
  collectionRule('$caller', {
    ...collectionRule('$field', numberRule()),
    write: isServer,
  }),
)

// Records of the functions, in any shape. Of two changes from the same state, the whole second one
// is refused.
const revisedRecordRule = collectionRule('$id', {
  write: all(
    isServer,
    any(isNew, isRemoved, `newData.child('revision').val() === data.child('revision').val() + 1`),
  ),
})
// The users of a role read the list that has the role's name; the functions keep `admin` short. No
// client reads the other lists. A record with a revision begins with 1, so that a change of a
// record that another call has removed does not create it again.
export const internal: Rule = collectionRule('$kind', {
  ...collectionRule('$id', {
    write: all(
      isServer,
      any(
        isRemoved,
        all(isNew, `!newData.hasChild('revision')`),
        `newData.child('revision').val() === (data.exists() ? data.child('revision').val() + 1 : 1)`,
      ),
    ),
  }),
  read: `${requesterRole}.val() === $kind`,
  indexOn: ['due', 'token', 'customer', 'uid'],
})
// The number of open bookings of each rider.
export const openBookings: Rule = revisedRecordRule
