import { CURRENCY_HOLD_MS } from '~/domain/money/currencyChange'
import {
  all,
  any,
  beforeWrite,
  collectionRule,
  isNew,
  isRemoved,
  recordRule,
  textRule,
  timestampRule,
  integerRule,
  type Condition,
  type FieldsOf,
  type Rule,
} from '../ruleBuilders'
import { isAdmin, isServer } from '../requester'
import type { Currency } from '~/domain/catalog/types'

/**
 * A currency change has two steps: a function blocks all new amounts, checks for remaining amounts
 * in the old currency, and then changes it. A write that was decided before the change and arrives
 * after it names the old currency and is refused.
 */

const hold = `${beforeWrite('currency/hold')}`
/** Holds when no currency change is in progress. An abandoned hold expires automatically. */
export const isCurrencyNotHeld: Condition = any(
  `!${hold}.exists()`,
  `${hold}.val() < now - ${CURRENCY_HOLD_MS}`,
)
/** Holds for the function that changes the currency while all other writes are still blocked. */
export const isCurrencyChange: Condition = all(
  isServer,
  `${hold}.val() > now - ${CURRENCY_HOLD_MS / 2}`,
)
/** Holds for the code of the current currency. */
export const isPlatformCurrency: Condition = `newData.val() === ${beforeWrite('settings/code')}.val()`

/** The parts of a currency, for the settings and for earlier currencies. */
export const currencyFields = {
  code: textRule(1, 3),
  decimal: integerRule(0, 4),
  symbol: textRule(1, 10),
} satisfies FieldsOf<Currency>

export const currency: Rule = {
  read: isAdmin,
  children: {
    hold: {
      ...timestampRule('newData.val() <= now + 60000'),
      // Only one change at a time. An interrupted change blocks the next for one minute.
      write: all(isServer, any(isNew, isRemoved, `data.val() < now - ${CURRENCY_HOLD_MS}`)),
    },
    // A currency ends once and remains stored for its amounts.
    ended: collectionRule('$ended', recordRule(currencyFields, { create: isServer })),
    $other: { validate: 'false' },
  },
}
