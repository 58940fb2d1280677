import { DEFAULT_APP_NAME } from './appName'

/** The parts of the office's form, in their order. */
export const SETTING_SECTIONS = ['currency', 'security', 'wallet', 'platform', 'driver'] as const
export type SettingSection = (typeof SETTING_SECTIONS)[number]

interface SettingDetails {
  /** The text below the field. It may contain `standard`. */
  hint?: string
  /** The kind of company whose office sees the setting. */
  category?: 'taxi' | 'delivery'
  /** True when a platform may be without it. */
  isOptional?: true
  /** Its writer, when it is not the office. */
  owner?: 'functions'
  /** The value in effect while the setting is absent. */
  standard?: boolean | number | string
  /** The value on a new platform, when the setup does not choose it. */
  initial?: boolean | number | string
}
interface CommonDefinition extends SettingDetails {
  /** The text that names the setting; null for one that the office does not see. */
  label: string | null
  /** The part of the office's form, the page of the app's information, or none of them. */
  section: SettingSection | 'appInfo' | null
}
interface SwitchDefinition extends CommonDefinition {
  kind: 'switch'
}
/** A number within limits. The office clears an optional one with an empty field. */
interface NumberDefinition extends CommonDefinition {
  kind: 'number' | 'amount'
  least: number
  most: number
}
/** A text of `least` to `most` characters. */
interface TextDefinition extends CommonDefinition {
  kind: 'text'
  least: number
  most: number
  format?: 'line' | 'link' | 'social' | 'email' | 'amounts' | 'tel'
}
/** One of several values, each with its text. */
interface ChoiceDefinition extends CommonDefinition {
  kind: 'choice'
  options: Readonly<Record<string, string>>
}
export type SettingDefinition =
  SwitchDefinition | NumberDefinition | TextDefinition | ChoiceDefinition

type Section = CommonDefinition['section']

const defineSwitch = <const In extends Section, const Details extends SettingDetails>(
  section: In,
  label: string | null,
  details: Details,
) => ({ kind: 'switch' as const, section, label, ...details })

/** Defines a whole number. */
const defineNumber = <const In extends Section, const Details extends SettingDetails>(
  section: In,
  label: string | null,
  [least, most]: readonly [least: number, most: number],
  details: Details,
) => ({ kind: 'number' as const, section, label, least, most, ...details })

/** Defines a number that may have decimals. */
const defineAmount = <const In extends Section, const Details extends SettingDetails>(
  section: In,
  label: string | null,
  [least, most]: readonly [least: number, most: number],
  details: Details,
) => ({ kind: 'amount' as const, section, label, least, most, ...details })

const defineText = <
  const In extends Section,
  const Details extends SettingDetails & Pick<TextDefinition, 'format'>,
>(
  section: In,
  label: string | null,
  [least, most]: readonly [least: number, most: number],
  details: Details,
) => ({ kind: 'text' as const, section, label, least, most, ...details })

const defineChoice = <
  const In extends Section,
  const Options extends ChoiceDefinition['options'],
  const Details extends SettingDetails,
>(
  section: In,
  label: string | null,
  options: Options,
  details: Details,
) => ({ kind: 'choice' as const, section, label, options, ...details })

const OPTIONAL = { isOptional: true } as const

/** Minutes of one to ten hours. */
const MINUTES = [1, 600] as const
/** Hours of up to a month. */
const HOURS = [1, 720] as const

/**
 * Every setting, in the order of the office's form. The type `Settings`, the form, the rules of the
 * database, the values of a new platform and the texts of the audit follow from it.
 */
export const SETTING_DEFINITIONS = {
  symbol: defineText('currency', 'currency_symbol', [1, 10], { format: 'line' }),
  /** ISO 4217. `change_currency` decides, because it changes the meaning of every amount. */
  code: defineText('currency', 'currency_code', [1, 3], { owner: 'functions' }),
  decimal: defineNumber('currency', 'decimal_places', [0, 4], { owner: 'functions' }),
  swipe_symbol: defineSwitch('currency', 'swipe_symbol', { initial: false }),
  /**
   * The step of fares in the currency, such as 0.05. Default: the step of cash in the currency.
   * `getFareStep` raises it to what the switched-on providers can charge.
   */
  fareStep: defineAmount('currency', 'fare_step', [0.0001, 1e6], OPTIONAL),
  /** The smallest step that the switched-on providers can charge; the scheduled job writes it. */
  providerStep: defineAmount(null, null, [0.0001, 1e6], {
    ...OPTIONAL,
    owner: 'functions',
  }),

  otp_secure: defineSwitch('security', 'otp_secure', { hint: 'otp_secure_hint', initial: true }),
  driver_approval: defineSwitch('security', 'driver_approval', { initial: true }),
  FacebookLoginEnabled: defineSwitch('security', 'social_login', { initial: false }),
  /** Minutes without an action after which an office page signs out; absent for no limit. */
  officeIdleMinutes: defineNumber('security', 'office_idle_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'office_idle_minutes_hint',
  }),
  /** Hours after which an office sign-in ends; absent for no limit. */
  officeSessionHours: defineNumber('security', 'office_session_hours', HOURS, {
    ...OPTIONAL,
    hint: 'office_session_hours_hint',
  }),
  /** The operator of the installation locks it. */
  AllowCriticalEditsAdmin: defineSwitch(null, null, {
    owner: 'functions',
    initial: true,
  }),

  bonus: defineAmount('wallet', 'referral_bonus', [0, 1e9], { initial: 0 }),
  /** Days from a first paid booking to the payment of its referral bonuses; absent: at once. */
  bonusDelayDays: defineNumber('wallet', 'bonus_delay_days', [0, 90], {
    ...OPTIONAL,
    hint: 'bonus_delay_days_hint',
    initial: 3,
  }),
  walletMoneyField: defineText('wallet', 'wallet_money_field', [0, 200], {
    ...OPTIONAL,
    format: 'amounts',
    hint: 'wallet_money_hint',
    initial: '',
  }),
  RiderWithDraw: defineSwitch('wallet', 'rider_withdraw', { initial: false }),
  bank_fields: defineSwitch('wallet', 'bank_fields', { initial: true }),
  /** Hours for which payouts wait after a change of bank details. */
  bankWaitHours: defineNumber('wallet', 'bank_wait_hours', HOURS, {
    ...OPTIONAL,
    hint: 'bank_wait_hours_hint',
    standard: 24,
  }),

  /** The country's label. */
  country: defineText('platform', 'country', [1, 100], { format: 'line' }),
  /** The country's two-letter code. */
  restrictCountry: defineText('platform', 'restrict_country', [0, 2], {}),
  /** IANA name. Days and months of all reports use it. */
  timezone: defineText('platform', 'timezone', [1, 60], { hint: 'timezone_hint' }),
  appcat: defineChoice(
    'platform',
    'app_category',
    { taxi: 'category_taxi', delivery: 'category_delivery' },
    {},
  ),
  AllowCountrySelection: defineSwitch('platform', 'allow_country_selection', { initial: true }),
  convert_to_mile: defineSwitch('platform', 'convert_to_mile', { initial: false }),
  horizontal_view: defineSwitch('platform', 'horizontal_view', { initial: true }),
  showLiveRoute: defineSwitch('platform', 'show_live_route', { initial: true }),
  AllowDeliveryPickupImageCapture: defineSwitch('platform', 'pickup_image_capture', {
    category: 'delivery',
    initial: false,
  }),
  AllowFinalDeliveryImageCapture: defineSwitch('platform', 'final_image_capture', {
    category: 'delivery',
    initial: false,
  }),
  panic: defineText('platform', 'panic', [0, 40], {
    ...OPTIONAL,
    format: 'tel',
    category: 'taxi',
  }),

  /** Kilometers, or miles with convert_to_mile. */
  driverRadius: defineAmount('driver', 'driver_radius_km', [0, 20_000], { initial: 10 }),
  autoDispatch: defineSwitch('driver', 'auto_dispatch', { initial: true }),
  /**
   * Order of offers with autoDispatch: one driver after another by driving time to the pickup, or
   * all within reach at once. `matched` also asks one driver at a time, but decides together for
   * the bookings that compete for drivers, by least total cost.
   */
  dispatchMode: defineChoice(
    'driver',
    'dispatch_mode',
    { nearest: 'dispatch_one_by_one', matched: 'dispatch_matched', broadcast: 'dispatch_all' },
    { ...OPTIONAL, standard: 'nearest', initial: 'nearest' },
  ),
  /** Seconds an offer waits for a response. Default 30. */
  dispatchSeconds: defineNumber('driver', 'dispatch_seconds', [5, 3600], OPTIONAL),
  /** Drivers farther than this many minutes from the pickup get no offer. No limit by default. */
  maxPickupMinutes: defineNumber('driver', 'max_pickup_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'max_pickup_minutes_hint',
  }),
  /**
   * Drivers whose trip probably ends within this many minutes are asked about their next booking.
   * Off by default, and in mode 'broadcast'.
   */
  followOnMinutes: defineNumber('driver', 'follow_on_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'follow_on_minutes_hint',
  }),
  /**
   * With `matched`, the seconds of driving time that 100 % more income per active hour than the
   * fleet's mean counts for. No fairness term by default.
   */
  fairnessWeight: defineNumber('driver', 'fairness_weight', [1, 3600], {
    ...OPTIONAL,
    hint: 'fairness_weight_hint',
  }),
  /**
   * True to keep a booking whose only asked driver declines, or whose asked drivers do not answer
   * in time: it is first in the queue, and the back office gets an alert. Default: a decline
   * cancels it.
   */
  requeueDeclined: defineSwitch('driver', 'requeue_declined', {
    ...OPTIONAL,
    hint: 'requeue_declined_hint',
    standard: false,
    initial: true,
  }),
  /** Minutes without a driver after which the board warns. */
  waitWarnMinutes: defineNumber('driver', 'wait_warn_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'wait_minutes_hint',
    standard: 3,
  }),
  /** Minutes without a driver after which the board alarms. */
  waitAlarmMinutes: defineNumber('driver', 'wait_alarm_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'wait_minutes_hint',
    standard: 8,
  }),
  /** True when riders may book without a free driver and wait for the next one. */
  allowWaiting: defineSwitch('driver', 'allow_waiting', {
    ...OPTIONAL,
    hint: 'allow_waiting_hint',
    standard: false,
  }),
  /** Minutes after which a customer who waits for a driver is asked whether to go on. */
  waitLimitMinutes: defineNumber('driver', 'wait_limit_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'wait_limit_minutes_hint',
    standard: 15,
  }),
  /** Minutes after the arrival of the driver until a customer who does not come is a no-show. */
  noShowMinutes: defineNumber('driver', 'no_show_minutes', MINUTES, {
    ...OPTIONAL,
    hint: 'no_show_minutes_hint',
    standard: 5,
  }),
  /** The cancellation fee of a no-show. None by default. */
  noShowFee: defineAmount('driver', 'no_show_fee', [0, 1e9], OPTIONAL),
  /** The driver's part of what the customer has paid of that fee, in percent. */
  noShowDriverPart: defineNumber('driver', 'no_show_driver_part', [0, 100], {
    ...OPTIONAL,
    hint: 'no_show_driver_part_hint',
  }),
  negativeBalance: defineSwitch('driver', 'negative_balance', { initial: false }),
  CarHornRepeat: defineSwitch('driver', 'car_horn_repeat', { initial: false }),

  appName: defineText('appInfo', 'app_name', [1, 100], {
    format: 'line',
    initial: DEFAULT_APP_NAME,
  }),
  CompanyName: defineText('appInfo', 'company_name', [1, 100], {
    format: 'line',
    initial: DEFAULT_APP_NAME,
  }),
  CompanyWebsite: defineText('appInfo', 'company_website', [0, 2000], {
    format: 'link',
    initial: '',
  }),
  CompanyTerms: defineText('appInfo', 'company_terms', [0, 2000], { format: 'link', initial: '' }),
  contact_email: defineText('appInfo', 'contact_email', [0, 254], { format: 'email', initial: '' }),
  FacebookHandle: defineText('appInfo', 'facebook_handle', [0, 200], {
    ...OPTIONAL,
    format: 'social',
  }),
  TwitterHandle: defineText('appInfo', 'twitter_handle', [0, 200], {
    ...OPTIONAL,
    format: 'social',
  }),
  InstagramHandle: defineText('appInfo', 'instagram_handle', [0, 200], {
    ...OPTIONAL,
    format: 'social',
  }),
  AppleStoreLink: defineText('appInfo', 'apple_store', [0, 2000], { ...OPTIONAL, format: 'link' }),
  PlayStoreLink: defineText('appInfo', 'play_store', [0, 2000], { ...OPTIONAL, format: 'link' }),

  /**
   * The checklist of a new company on the dashboard, from the setup until an admin dismisses it:
   * `priced` once an admin has said that the prices are right.
   */
  setupChecklist: defineChoice(
    null,
    'checklist',
    { open: 'checklist', priced: 'checklist' },
    OPTIONAL,
  ),
} as const satisfies Readonly<Record<string, SettingDefinition>>

type Definitions = typeof SETTING_DEFINITIONS
export type SettingName = keyof Definitions
export const SETTING_NAMES = Object.keys(SETTING_DEFINITIONS) as SettingName[]

/** The type of a setting's value. */
export type SettingValue<Name extends SettingName> = Definitions[Name] extends { kind: 'switch' }
  ? boolean
  : Definitions[Name] extends { kind: 'number' | 'amount' }
    ? number
    : Definitions[Name] extends { kind: 'choice'; options: infer Options }
      ? keyof Options & string
      : string

/** The settings that a platform may be without. */
export type OptionalSetting = {
  [Name in SettingName]: Definitions[Name] extends { isOptional: true } ? Name : never
}[SettingName]

type Flatten<Type> = { [Key in keyof Type]: Type[Key] }
export type SettingsOfDefinitions = Flatten<
  { [Name in Exclude<SettingName, OptionalSetting>]: SettingValue<Name> } & {
    [Name in OptionalSetting]?: SettingValue<Name>
  }
>
