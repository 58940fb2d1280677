import * as v from 'valibot'
import { isTimezone } from '../language/zonedTime'
import { isSameCurrency } from '../money/currencyChange'
import { SHIPPED_LANGUAGES } from '../catalog/languages'
import { getSmallestFareStep, isMultipleOf } from '../payments/fareStep'
import { MAX_DECIMALS } from '../money/money'
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
} from './fieldSchemas'
import { DISPATCH_MODES, type Settings } from '../catalog/types'

/** Number of decimals of the currency, at most the number that any currency has. */
const decimals = v.pipe(wholeAmount, v.maxValue(MAX_DECIMALS, 'field_decimals'))

/** One minute to ten hours; null clears the field. */
const minutes = v.nullish(
  v.pipe(wholeAmount, v.minValue(1, 'field_positive'), v.maxValue(600, 'field_too_large')),
)

/** General settings, without checks across fields. An empty bonus gives proper_bonus. */
export const settingsForm = v.object({
  symbol: requiredText(10, 'line'),
  code: v.pipe(requiredText(3), v.regex(/^[A-Z]{3}$/, 'field_choice')),
  decimal: decimals,
  swipe_symbol: flag,
  otp_secure: flag,
  driver_approval: flag,
  bonus: v.pipe(
    v.number('proper_bonus'),
    v.finite('proper_bonus'),
    v.minValue(0, 'field_not_negative'),
    v.maxValue(1e9, 'field_too_large'),
  ),
  /** Null clears it: bonuses are paid at once. */
  bonusDelayDays: v.nullish(v.pipe(wholeAmount, v.maxValue(90, 'field_too_large'))),
  walletMoneyField: v.optional(optionalText(200)),
  country: requiredText(100, 'line'),
  restrictCountry: v.pipe(requiredText(2), v.regex(/^[A-Z]{2}$/, 'field_country')),
  AllowCountrySelection: flag,
  convert_to_mile: flag,
  CarHornRepeat: flag,
  AllowDeliveryPickupImageCapture: flag,
  AllowFinalDeliveryImageCapture: flag,
  RiderWithDraw: flag,
  horizontal_view: flag,
  showLiveRoute: flag,
  driverRadius: v.pipe(amount, v.maxValue(20_000, 'field_too_large')),
  autoDispatch: flag,
  dispatchMode: v.optional(v.picklist(DISPATCH_MODES, 'field_choice')),
  /** Null clears it and restores the default. */
  dispatchSeconds: v.nullish(
    v.pipe(wholeAmount, v.minValue(5, 'field_seconds'), v.maxValue(3600, 'field_too_large')),
  ),
  /** Null clears it and removes the limit. */
  maxPickupMinutes: minutes,
  /** Null clears it, so that only free drivers are asked. */
  followOnMinutes: minutes,
  /** Null clears it, so that income does not count. */
  fairnessWeight: v.nullish(
    v.pipe(wholeAmount, v.minValue(1, 'field_positive'), v.maxValue(3600, 'field_too_large')),
  ),
  requeueDeclined: v.optional(flag),
  /** Null clears these two and restores the defaults. */
  waitWarnMinutes: minutes,
  waitAlarmMinutes: minutes,
  negativeBalance: flag,
  bank_fields: flag,
  /** Null clears it and restores the default. */
  bankWaitHours: v.nullish(
    v.pipe(wholeAmount, v.minValue(1, 'field_positive'), v.maxValue(720, 'field_too_large')),
  ),
  panic: v.optional(optionalText(40, 'line')),
  FacebookLoginEnabled: flag,
  /** Null clears these two and removes the limit. */
  officeIdleMinutes: minutes,
  officeSessionHours: v.nullish(
    v.pipe(wholeAmount, v.minValue(1, 'field_positive'), v.maxValue(720, 'field_too_large')),
  ),
  appcat: v.picklist(['taxi', 'delivery'], 'field_choice'),
  timezone: v.pipe(requiredText(60), v.check(isTimezone, 'field_timezone')),
  /** Null clears it and restores the step of cash in the currency. */
  fareStep: v.nullish(
    v.pipe(amount, v.gtValue(0, 'field_positive'), v.maxValue(1e6, 'field_too_large')),
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
        (asked) => isSameCurrency(asked, saved) || isCurrencyCode(asked.code),
        'field_currency',
      ),
      ['code'],
    ),
    v.forward(
      v.partialCheck(
        [['code'], ['decimal']],
        (asked) =>
          isSameCurrency(asked, saved) ||
          !isCurrencyCode(asked.code) ||
          asked.decimal === getDecimals(asked.code),
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
        ({ fareStep, ...asked }) =>
          typeof fareStep !== 'number' ||
          isMultipleOf(fareStep, getSmallestFareStep(isSameCurrency(asked, saved) ? saved : asked)),
        'field_fare_step',
      ),
      ['fareStep'],
    ),
  )

const socialHandle = v.optional(social)
export const appInfoForm = v.object({
  appName: requiredText(100, 'line'),
  CompanyName: requiredText(100, 'line'),
  CompanyWebsite: link,
  CompanyTerms: link,
  contact_email: v.union([v.literal(''), email()], 'proper_email'),
  FacebookHandle: socialHandle,
  TwitterHandle: socialHandle,
  InstagramHandle: socialHandle,
  AppleStoreLink: v.optional(link),
  PlayStoreLink: v.optional(link),
})
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
