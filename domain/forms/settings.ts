import * as v from 'valibot'
import { isTimezone } from '../clock'
import { amount, email, flag, link, required, text, wholeAmount } from './fields'

/** Number of decimals of the currency; no currency has more than three, and amounts are kept to six. */
const decimals = v.pipe(wholeAmount, v.maxValue(4, 'field_number'))

/** General settings. An empty bonus says proper_bonus. */
export const settingsForm = v.object({
  symbol: required(10),
  code: v.pipe(required(3), v.regex(/^[A-Z]{3}$/, 'field_choice')),
  decimal: decimals,
  swipe_symbol: flag,
  otp_secure: flag,
  driver_approval: flag,
  bonus: v.pipe(
    v.number('proper_bonus'),
    v.finite('proper_bonus'),
    v.minValue(0, 'proper_bonus'),
    v.maxValue(1e9, 'proper_bonus'),
  ),
  walletMoneyField: v.optional(text(200)),
  country: required(100),
  restrictCountry: v.pipe(required(2), v.regex(/^[A-Z]{2}$/, 'field_country')),
  AllowCountrySelection: flag,
  convert_to_mile: flag,
  CarHornRepeat: flag,
  AllowDeliveryPickupImageCapture: flag,
  AllowFinalDeliveryImageCapture: flag,
  RiderWithDraw: flag,
  horizontal_view: flag,
  showLiveRoute: flag,
  driverRadius: amount,
  autoDispatch: flag,
  dispatchMode: v.optional(v.picklist(['one_by_one', 'all'], 'field_choice')),
  dispatchSeconds: v.optional(v.pipe(wholeAmount, v.minValue(5, 'field_number'))),
  negativeBalance: flag,
  bank_fields: flag,
  panic: v.optional(text(40)),
  FacebookLoginEnabled: flag,
  appcat: v.picklist(['taxi', 'delivery'], 'field_choice'),
  timezone: v.pipe(required(60), v.check(isTimezone, 'field_timezone')),
})
export type SettingsForm = v.InferOutput<typeof settingsForm>

const handle = v.optional(text(200))
export const appInfoForm = v.object({
  appName: required(100),
  CompanyName: required(100),
  CompanyWebsite: required(2000),
  CompanyTerms: required(2000),
  contact_email: v.union([v.literal(''), email()], 'proper_email'),
  FacebookHandle: handle,
  TwitterHandle: handle,
  InstagramHandle: handle,
  AppleStoreLink: v.optional(link),
  PlayStoreLink: v.optional(link),
})
export type AppInfoForm = v.InferOutput<typeof appInfoForm>
