import { LOCALE_PATTERN, MAX_CATALOG_TEXT_LENGTH } from '~/domain/catalog/catalogTexts'
import {
  MAX_VEHICLE_TYPE_INFO_LENGTH,
  MAX_VEHICLE_TYPE_NAME_LENGTH,
} from '~/domain/catalog/vehicleTypes'
import {
  all,
  any,
  anyJsonRule,
  isQueryLimitedTo,
  booleanRule,
  collectionRule,
  isNew,
  isRemoved,
  keyRule,
  valueRule,
  arrayRule,
  isMatching,
  numberRule,
  choiceRule,
  makeOptional,
  recordRule,
  isKept,
  textRule,
  timestampRule,
  isUnchanged,
  urlRule,
  withValidation,
  integerRule,
  type FieldsOf,
  type OptionalRule,
  type Rule,
} from '../ruleBuilders'
import { isAdmin, isEditor, isMember, isSelf, isServer } from '../requester'
import { isCurrencyChange, currencyFields } from './currency'
import { SETTING_DEFINITIONS, type SettingDefinition } from '~/domain/catalog/settingDefinitions'
import {
  FEE_TYPES,
  type CancellationFeeTier,
  type CancellationReason,
  type Language,
  type Promo,
  type Settings,
  type TranslatedChoice,
  type VehicleType,
} from '~/domain/catalog/types'
import { APP_SCREENS, type InboxEntry, type PushNotification } from '~/domain/messages/types'
import type {
  AdminFieldOf,
  PROMO_FIELD_OWNERS,
  VEHICLE_TYPE_FIELD_OWNERS,
} from '~/domain/catalog/recordOwners'
import type { AuditEntry } from '~/domain/office/types'

/** Each row's key is its id; some rows also store it as a field. */
type StoredFieldsOf<Entity> = Omit<FieldsOf<Entity>, 'id' | 'createdAt'> & {
  id: OptionalRule
  createdAt: Rule
}

const amount = numberRule(0, 1e9)
// Followed from the public pages, so a scheme that a browser would run is refused.
const WEB_ADDRESS = 'https?:\\/\\/[^\\s]+'
const HANDLE = '@?\\w[\\w.-]*'
const handle = textRule(0, 2000, isMatching(`^(${WEB_ADDRESS}|${HANDLE})?$`))
const companyLink = textRule(0, 2000, isMatching(`^(${WEB_ADDRESS})?$`))
const isOffice = any(isServer, isEditor)

const isChangedOnlyUnderHold = any(isNew, isUnchanged, isCurrencyChange)

/** Returns the rule of a setting's values. */
const settingRule = (definition: SettingDefinition): Rule => {
  switch (definition.kind) {
    case 'switch':
      return booleanRule()
    case 'number':
      // One rule for minutes, hours and seconds: each other pair of limits makes the rules longer.
      return definition.least > 0 ? numberRule(1, 3600) : numberRule(0, definition.most)
    case 'amount':
      return numberRule(definition.least, definition.most)
    case 'choice':
      return choiceRule(...Object.keys(definition.options))
    case 'text': {
      const { least, most, format } = definition
      if (format === 'link') return companyLink
      if (format === 'social') return handle
      return format === 'amounts'
        ? valueRule(all('newData.isString()', isMatching(`^[\\d., ]{${least},${most}}$`)))
        : textRule(least, most)
    }
  }
}
const isSetByServer = any(isServer, 'newData.val() === data.val()')

const settingsFields = {
  ...(Object.fromEntries(
    Object.entries<SettingDefinition>(SETTING_DEFINITIONS).map(([name, definition]) => [
      name,
      definition.isOptional ? makeOptional(settingRule(definition)) : settingRule(definition),
    ]),
  ) as FieldsOf<Settings>),
  symbol: currencyFields.symbol,
  // A change here would change the meaning of amounts in wallets, bookings and payments.
  code: textRule(1, 3, isChangedOnlyUnderHold),
  decimal: integerRule(0, 4, isChangedOnlyUnderHold),
  // The rules read this setting, so an admin cannot unlock what the operator of the installation
  // locked.
  AllowCriticalEditsAdmin: booleanRule(isSetByServer),
  // It follows from the keys of the providers, which only the server knows.
  providerStep: makeOptional(numberRule(0.0001, 1_000_000, isSetByServer)),
} satisfies FieldsOf<Settings>

// Settings are public before sign-in. The back office can change them, except in demo mode.
export const settings: Rule = recordRule(settingsFields, {
  read: 'true',
  create: isServer,
  update: isOffice,
})

// The version of the data. Setup writes the first one; only migrations change it, and they bypass
// the rules.
const isFirstVersion = all(isServer, isNew, `!root.child('settings').exists()`)
export const schema: Rule = {
  children: {
    version: { ...integerRule(1, 1e6), write: all(isFirstVersion, isKept) },
    texts: { ...textRule(1, 40), write: all(isFirstVersion, isKept) },
    $other: { validate: 'false' },
  },
}

// A language cannot be removed while it is the default.
export const languages: Rule = collectionRule(
  '$language',
  recordRule(
    {
      id: makeOptional(keyRule),
      langName: textRule(1, 100),
      langLocale: textRule(1, 20),
      dateLocale: textRule(1, 20),
      default: booleanRule(),
      createdAt: makeOptional(textRule(1, 40)),
      // A language without its own texts uses the default texts.
      keyValuePairs: makeOptional(collectionRule('$key', textRule(0, 5000))),
    } satisfies Omit<StoredFieldsOf<Language>, 'keyValuePairs'> & { keyValuePairs: OptionalRule },
    {
      create: isOffice,
      update: isOffice,
      remove: all(isOffice, `data.child('default').val() !== true`),
    },
  ),
  { read: 'true', indexOn: ['default', 'langLocale'] },
)

/** Returns a rule for a text in other languages, by locale. */
const translationsOf = (maxLength: number) =>
  makeOptional(
    collectionRule(
      '$locale',
      withValidation(isMatching(LOCALE_PATTERN, '$locale'), textRule(1, maxLength)),
    ),
  )
const choice = recordRule({
  description: textRule(1, MAX_CATALOG_TEXT_LENGTH),
  names: translationsOf(MAX_CATALOG_TEXT_LENGTH),
  amount,
} satisfies FieldsOf<TranslatedChoice>)
// The owners of the fields say which of them the office may write. A field that functions own does
// not compile here.
export const carTypes: Rule = collectionRule(
  '$carType',
  recordRule(
    {
      id: makeOptional(keyRule),
      name: textRule(1, MAX_VEHICLE_TYPE_NAME_LENGTH),
      names: translationsOf(MAX_VEHICLE_TYPE_NAME_LENGTH),
      image: makeOptional(urlRule),
      base_fare: amount,
      rate_per_unit_distance: amount,
      rate_per_hour: amount,
      min_fare: amount,
      convenience_fees: amount,
      convenience_fee_type: choiceRule(...FEE_TYPES),
      extra_info: makeOptional(textRule(0, MAX_VEHICLE_TYPE_INFO_LENGTH)),
      infos: translationsOf(MAX_VEHICLE_TYPE_INFO_LENGTH),
      createdAt: makeOptional(timestampRule()),
      parcelTypes: makeOptional(arrayRule(choice)),
      options: makeOptional(arrayRule(choice)),
      cancelSlab: makeOptional(
        arrayRule(
          recordRule({
            minsDelayed: numberRule(0, 100_000),
            amount,
          } satisfies FieldsOf<CancellationFeeTier>),
        ),
      ),
    } satisfies StoredFieldsOf<Pick<VehicleType, AdminFieldOf<typeof VEHICLE_TYPE_FIELD_OWNERS>>>,
    { create: isOffice, update: isOffice, remove: isOffice },
  ),
  { read: 'true', indexOn: ['name'] },
)

// The list is written as a whole, because its values are positions and are renumbered when one is
// removed.
export const cancelReasons: Rule = {
  ...arrayRule(
    recordRule({
      label: textRule(1, MAX_CATALOG_TEXT_LENGTH),
      names: translationsOf(MAX_CATALOG_TEXT_LENGTH),
      value: valueRule(`newData.isNumber() && newData.val() + '' === $index`),
    } satisfies FieldsOf<CancellationReason>),
  ),
  read: isMember,
  write: isOffice,
}

const promoFields = {
  id: makeOptional(keyRule),
  promo_name: textRule(1, 200),
  promo_description: textRule(0, 1000),
  promo_discount_type: choiceRule(...FEE_TYPES),
  promo_discount_value: amount,
  max_promo_discount_value: amount,
  min_order: amount,
  promo_validity: timestampRule(),
  promo_usage_limit: integerRule(0, 1e9),
  createdAt: makeOptional(timestampRule()),
} satisfies StoredFieldsOf<Pick<Promo, AdminFieldOf<typeof PROMO_FIELD_OWNERS>>>
// The back office creates promos, but their uses are counted, never entered.
export const promos: Rule = collectionRule(
  '$promo',
  recordRule(
    {
      ...promoFields,
      // Of several riders who request the last use at once, one gets it. Returning a use always
      // succeeds.
      user_avail: {
        ...makeOptional(integerRule(0, 1e9)),
        write: all(
          isServer,
          `newData.parent().child('promo_usage_limit').isNumber()`,
          any(
            `newData.val() <= newData.parent().child('promo_usage_limit').val()`,
            'newData.val() < data.val()',
          ),
        ),
      },
    },
    {
      create: all(any(isServer, isAdmin), isUsageCountUnchanged()),
      update: all(isOffice, isUsageCountUnchanged()),
      remove: isOffice,
    },
  ),
  { read: isMember },
)

function isUsageCountUnchanged() {
  return any(
    `newData.child('user_avail').val() === data.child('user_avail').val()`,
    all(isNew, `newData.child('user_avail').val() === 0`),
  )
}

// Messages to many recipients: the back office writes them, a function sends them.
export const notifications: Rule = collectionRule(
  '$notification',
  recordRule(
    {
      id: makeOptional(keyRule),
      devicetype: choiceRule('All', 'ANDROID', 'IOS'),
      usertype: choiceRule('All', 'rider', 'driver'),
      title: textRule(1, 200),
      body: textRule(1, 1000),
      createdAt: timestampRule(),
    } satisfies StoredFieldsOf<PushNotification>,
    { read: isAdmin, create: isOffice, remove: isOffice },
  ),
  { read: all(isAdmin, isQueryLimitedTo(1000)), indexOn: ['createdAt'] },
)

// Changes with their author, old and new values. Admins can read them; not even a function can
// rewrite them.
export const audit: Rule = collectionRule(
  '$entry',
  recordRule(
    {
      at: timestampRule(),
      by: textRule(1, 128),
      action: textRule(1, 100),
      path: textRule(1, 500),
      from: makeOptional(anyJsonRule),
      to: makeOptional(anyJsonRule),
    } satisfies FieldsOf<AuditEntry>,
    { create: isServer },
  ),
  { read: all(isAdmin, isQueryLimitedTo(1000)), indexOn: ['at', 'by', 'path'] },
)

// Pushes as the recipient sees them in the app. The recipient can only mark them as read.
export const inbox: Rule = collectionRule(
  '$uid',
  collectionRule(
    '$entry',
    recordRule(
      {
        title: textRule(1, 200),
        msg: textRule(0, 1000),
        params: makeOptional(
          collectionRule('$param', valueRule(any('newData.isString()', 'newData.isNumber()'))),
        ),
        screen: choiceRule(...APP_SCREENS),
        booking_id: makeOptional(keyRule),
        at: timestampRule(),
        read: {
          ...makeOptional(valueRule('newData.val() === true')),
          write: all(
            isSelf('$uid'),
            isMember,
            'newData.val() === true',
            `data.parent().child('title').exists()`,
          ),
        },
      } satisfies FieldsOf<InboxEntry>,
      { create: isServer, remove: isServer },
    ),
    {
      read: all(isSelf('$uid'), isMember),
      write: all(isServer, isRemoved),
      indexOn: ['at', 'read'],
    },
  ),
)
