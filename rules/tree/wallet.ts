import {
  all,
  any,
  collectionRule,
  keyRule,
  valueRule,
  numberRule,
  choiceRule,
  isMatching,
  makeOptional,
  recordRule,
  isKept,
  textRule,
  timestampRule,
  integerRule,
  type Condition,
  type FieldsOf,
  type OptionalRule,
} from '../ruleBuilders'
import { isServer } from '../requester'
import { isCurrencyNotHeld, isPlatformCurrency } from './currency'
import { NOTE_LENGTH, WALLET_SLOTS, type WalletEntry, type WalletMove } from '~/domain/money/types'

/**
 * A wallet is a balance, its history, and a record of the last write. A function that adds an entry
 * writes all three at once:
 *
 * - An entry is new and has a slot in the record. It is never changed or removed.
 * - Every slot of the record names a different entry, which is new in this write, with the same
 *   amount.
 * - The balance after the write is the balance before it plus the slots.
 *
 * The balance therefore changes by exactly the entered amounts. The record uses minor units, which
 * are integers that the rules add without error. A balance or amount is such an integer divided by
 * `scale`, so it has no additional digits. A slot always names an entry of the history, and entries
 * are permanent: a slot with a new entry was written in the same write, so amounts of an earlier
 * write are never counted again.
 */

const settingsDecimals = `root.child('settings/decimal').val()`
// Minor units per unit of the currency. The rules language has no exponentiation.
const scale = [0, 1, 2, 3].reduceRight(
  (more, digits) => `${settingsDecimals} === ${digits} ? ${10 ** digits} : ${more}`,
  '10000',
)

const [first, ...others] = WALLET_SLOTS
const getSlotEntry = (slot: string) => `newData.child('slots/${slot}/entry').val()`
const getSlotUnits = (slot: string) => `newData.child('slots/${slot}/units').val()`
const isSlotEmpty = (slot: string): Condition => `!newData.child('slots/${slot}').exists()`
const isNewEntry = (slot: string): Condition =>
  `!data.parent().child('walletHistory').child(${getSlotEntry(slot)}).exists()`

// Ascending keys are necessarily different, without a comparison of every pair.
const hasOnlyNewEntries: Condition = all(
  isNewEntry(first),
  ...others.map((slot, index) =>
    any(
      isSlotEmpty(slot),
      all(
        `${getSlotEntry(slot)} > ${getSlotEntry(WALLET_SLOTS[index] ?? first)}`,
        isNewEntry(slot),
      ),
    ),
  ),
)
const isSumCorrect: Condition = `newData.child('after').val() === newData.child('before').val() + ${[
  getSlotUnits(first),
  ...others.map((slot) => `(${isSlotEmpty(slot)} ? 0 : ${getSlotUnits(slot)})`),
].join(' + ')}`
const hasScale: Condition = `newData.child('scale').val() === (${scale})`
const isBalance: Condition = `newData.parent().child('walletBalance').val() === newData.child('after').val() / newData.child('scale').val()`
// An older balance may be off by a float's last bits or have more digits than the settings now
// allow. The next write rounds it by at most half a unit; a balance other than the one read differs
// by a whole unit.
const balanceDifference = `data.parent().child('walletBalance').val() * newData.child('scale').val() - newData.child('before').val()`
const isStartingFromBalance: Condition = all(
  `${balanceDifference} < 0.6`,
  `${balanceDifference} > -0.6`,
)

const units = integerRule(-1e13, 1e13)
const slotEntryPath = `newData.parent().parent().parent().child('walletHistory').child(newData.child('entry').val())`
const isEntered: Condition = `${slotEntryPath}.child('amount').val() * (${slotEntryPath}.child('type').val() === 'Credit' ? 1 : -1) === newData.child('units').val() / newData.parent().parent().child('scale').val()`
const slot = recordRule({ entry: keyRule, units })
const walletMoveRecord = recordRule({
  code: valueRule(isPlatformCurrency),
  scale: integerRule(1, 10_000),
  before: units,
  after: units,
  slots: collectionRule('$slot', {
    ...slot,
    validate: all(
      `$slot.matches(/^[${WALLET_SLOTS.join('')}]$/)`,
      slot.validate ?? 'true',
      isEntered,
    ),
  }),
} satisfies FieldsOf<WalletMove>)

export const walletMove: OptionalRule = {
  ...makeOptional(walletMoveRecord),
  write: all(isServer, hasOnlyNewEntries, isStartingFromBalance, isCurrencyNotHeld),
  validate: all(walletMoveRecord.validate ?? 'true', hasScale, isBalance, isSumCorrect),
}

/** Holds when the record of the last write belongs to this write: its first entry is new. */
export const isWalletMoved: Condition = all(
  isServer,
  isKept,
  'data.isNumber()',
  `!data.parent().child('walletHistory').child(newData.parent().child('walletMove/slots/${first}/entry').val()).exists()`,
)

const isInSlot: Condition = any(
  ...WALLET_SLOTS.map(
    (name) => `newData.parent().parent().child('walletMove/slots/${name}/entry').val() === $entry`,
  ),
)
// A cancellation fee, the cash a driver keeps, and a refund that a provider made without us may
// take a wallet below zero. A withdrawal, a payment, a tip or an admin's correction may not, nor
// may the amount we hold for our own refund.
const isAffordable: Condition = any(
  `newData.parent().parent().child('walletBalance').val() >= 0`,
  all(
    `newData.child('type').val() !== 'Withdraw'`,
    any(
      `newData.child('type').val() !== 'Debit'`,
      `!${isMatching('-(wallet|hold|correction|tip)$', '$entry')}`,
    ),
  ),
)
export const walletHistory = collectionRule(
  '$entry',
  recordRule(
    {
      type: choiceRule('Credit', 'Debit', 'Withdraw'),
      amount: numberRule(0, 1e9, 'newData.val() > 0'),
      date: timestampRule(),
      txRef: textRule(1, 200),
      note: makeOptional(textRule(1, NOTE_LENGTH)),
      // Only the functions write an entry, so the same bounds as for the note suffice.
      reason: makeOptional(textRule(1, NOTE_LENGTH)),
    } satisfies FieldsOf<WalletEntry>,
    { create: all(isServer, 'data.parent().parent().exists()', isInSlot, isAffordable) },
  ),
  { indexOn: ['date'] },
)
