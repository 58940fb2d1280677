import * as v from 'valibot'
import { isTimezone } from '../language/zonedTime'
import { isSameCurrency } from '../money/currencyChange'
import { SHIPPED_LANGUAGES } from '../catalog/languages'
import { getSmallestFareStep, isMultipleOf } from '../payments/fareStep'
import { areOffers } from '../money/offeredAmounts'
import { getDecimals, isCurrencyCode } from '../payments/currencyUnits'
import { BUSINESSES } from '../setup/business'
import {
  amount,
  email,
  flag,
  link,
  requiredText,
  social,
  optionalText,
  wholeAmount,
  type FieldMessage,
} from './fieldSchemas'
import {
  SETTING_DEFINITIONS,
  SETTING_NAMES,
  SETTING_SECTIONS,
  type OptionalSetting,
  type SettingDefinition,
  type SettingName,
  type SettingSection,
  type SettingValue,
} from '../catalog/settingDefinitions'
import type { Settings } from '../catalog/types'

/** The messages for numbers outside their limits, where they are not the usual ones. */
const NUMBER_MESSAGES: Readonly<
  Partial<Record<SettingName, [least: FieldMessage, most: FieldMessage]>>
> = {
  decimal: ['field_not_negative', 'field_decimals'],
  dispatchSeconds: ['field_seconds', 'field_too_large'],
}

const createNumberSchema = (
  name: SettingName,
  { kind, least, most }: Extract<SettingDefinition, { kind: 'number' | 'amount' }>,
) => {
  const usual = least > 0 ? 'field_positive' : 'field_not_negative'
  const [tooSmall, tooLarge] = NUMBER_MESSAGES[name] ?? [usual, 'field_too_large']
  return v.pipe(
    kind === 'number' ? wholeAmount : amount,
    v.minValue(least, tooSmall),
    v.maxValue(most, tooLarge),
  )
}

const createTextSchema = ({
  least,
  most,
  format,
}: Extract<SettingDefinition, { kind: 'text' }>) => {
  switch (format) {
    case 'link':
      return link
    case 'social':
      return social
    case 'email':
      return v.union([v.literal(''), email()], 'proper_email')
    default: {
      const words = format === 'line' || format === 'tel' ? 'line' : 'text'
      return least > 0 ? requiredText(most, words) : optionalText(most, words)
    }
  }
}

/** Returns what the office may save as a setting. Null clears an optional number. */
const createSettingSchema = (name: SettingName): v.GenericSchema => {
  const definition: SettingDefinition = SETTING_DEFINITIONS[name]
  const isOptional = definition.isOptional === true
  switch (definition.kind) {
    case 'number':
    case 'amount': {
      const schema = createNumberSchema(name, definition)
      return isOptional ? v.nullish(schema) : schema
    }
    case 'switch':
      return isOptional ? v.optional(flag) : flag
    case 'choice': {
      const schema = v.picklist(Object.keys(definition.options), 'field_choice')
      return isOptional ? v.optional(schema) : schema
    }
    case 'text': {
      const schema = createTextSchema(definition)
      return isOptional ? v.optional(schema) : schema
    }
  }
}

type NamesOfSection<Section> = {
  [Name in SettingName]: (typeof SETTING_DEFINITIONS)[Name]['section'] extends Section
    ? Name
    : never
}[SettingName]
type SchemaOf<Name extends SettingName> = Name extends OptionalSetting
  ? SettingValue<Name> extends number
    ? v.NullishSchema<v.GenericSchema<SettingValue<Name>>, undefined>
    : v.OptionalSchema<v.GenericSchema<SettingValue<Name>>, undefined>
  : v.GenericSchema<SettingValue<Name>>

/** Returns the schemas of the settings in these parts of the office's form. */
const createEntries = <Section extends SettingSection | 'appInfo'>(sections: readonly Section[]) =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => {
      const { section }: SettingDefinition = SETTING_DEFINITIONS[name]
      return section !== null && (sections as readonly string[]).includes(section)
    }).map((name) => [name, createSettingSchema(name)]),
  ) as unknown as { [Name in NamesOfSection<Section>]: SchemaOf<Name> }

/** General settings, without checks across fields. An empty bonus gives proper_bonus. */
export const settingsForm = v.object({
  ...createEntries(SETTING_SECTIONS),
  code: v.pipe(requiredText(3), v.regex(/^[A-Z]{3}$/, 'field_choice')),
  restrictCountry: v.pipe(requiredText(2), v.regex(/^[A-Z]{2}$/, 'field_country')),
  timezone: v.pipe(requiredText(60), v.check(isTimezone, 'field_timezone')),
  bonus: v.pipe(
    v.number('proper_bonus'),
    v.finite('proper_bonus'),
    v.minValue(0, 'field_not_negative'),
    v.maxValue(1e9, 'field_too_large'),
  ),
})
export type SettingsForm = v.InferOutput<typeof settingsForm>

/**
 * Returns the schema of general settings that a platform may save: its current currency unchanged,
 * or another ISO 4217 currency with the decimals of its code. A platform whose decimals never
 * matched can still save everything else. The step of fares is a multiple of the one that the
 * currency and its switched-on providers need.
 */
export const createSettingsForm = (saved: Pick<Settings, 'code' | 'decimal' | 'providerStep'>) =>
  v.pipe(
    settingsForm,
    v.forward(
      v.partialCheck(
        [['code'], ['decimal']],
        (currency) => isSameCurrency(currency, saved) || isCurrencyCode(currency.code),
        'field_currency',
      ),
      ['code'],
    ),
    v.forward(
      v.partialCheck(
        [['code'], ['decimal']],
        (currency) =>
          isSameCurrency(currency, saved) ||
          !isCurrencyCode(currency.code) ||
          currency.decimal === getDecimals(currency.code),
        'field_currency_decimals',
      ),
      ['code'],
    ),
    v.forward(
      v.partialCheck(
        [['decimal'], ['walletMoneyField']],
        ({ decimal, walletMoneyField }) => areOffers(walletMoneyField ?? '', decimal),
        'field_amounts',
      ),
      ['walletMoneyField'],
    ),
    v.forward(
      v.partialCheck(
        [['code'], ['decimal'], ['fareStep']],
        ({ fareStep, ...currency }) =>
          typeof fareStep !== 'number' ||
          isMultipleOf(
            fareStep,
            getSmallestFareStep(isSameCurrency(currency, saved) ? saved : currency),
          ),
        'field_fare_step',
      ),
      ['fareStep'],
    ),
  )

export const appInfoForm = v.object(createEntries(['appInfo']))
export type AppInfoForm = v.InferOutput<typeof appInfoForm>

/** The second step of the setup: the first admin, and what the platform needs to take bookings. */
export const setupForm = v.object({
  companyName: requiredText(100, 'line'),
  country: settingsForm.entries.restrictCountry,
  business: v.picklist(BUSINESSES, 'field_choice'),
  firstName: requiredText(100, 'name'),
  lastName: requiredText(100, 'name'),
  code: v.pipe(requiredText(3), v.check(isCurrencyCode, 'field_currency')),
  timezone: settingsForm.entries.timezone,
  language: v.picklist(
    SHIPPED_LANGUAGES.map(({ locale }) => locale),
    'field_choice',
  ),
  /** The secret that the operator set before the deployment, or empty. */
  secret: v.pipe(v.string(), v.maxLength(200, 'field_too_long')),
})
