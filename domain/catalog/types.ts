export interface ChoiceOption {
  description: string
  amount: number
}

/** A parcel type or an option of a vehicle type. */
export interface TranslatedChoice extends ChoiceOption {
  /** The description in other languages, by locale. */
  names?: Record<string, string>
}

export interface CancellationFeeTier {
  minsDelayed: number
  amount: number
}

export const FEE_TYPES = ['flat', 'percentage'] as const

export type FeeType = (typeof FEE_TYPES)[number]

export interface VehicleType {
  id: string
  name: string
  /** The name in other languages, by locale. */
  names?: Record<string, string>
  image?: string
  base_fare: number
  rate_per_unit_distance: number
  rate_per_hour: number
  min_fare: number
  convenience_fees: number
  convenience_fee_type: FeeType
  extra_info?: string
  createdAt?: number
  parcelTypes?: TranslatedChoice[]
  options?: TranslatedChoice[]
  cancelSlab?: CancellationFeeTier[]
}

export interface Promo {
  id: string
  promo_name: string
  promo_description: string
  promo_discount_type: FeeType
  promo_discount_value: number
  max_promo_discount_value: number
  min_order: number
  promo_validity: number
  promo_usage_limit: number
  user_avail?: number
  createdAt?: number
}

export interface CancellationReason {
  label: string
  /** The label in other languages, by locale. */
  names?: Record<string, string>
  value: number
}

export interface Settings {
  appName: string
  CompanyName: string
  CompanyWebsite: string
  CompanyTerms: string
  contact_email: string
  FacebookHandle?: string
  TwitterHandle?: string
  InstagramHandle?: string
  AppleStoreLink?: string
  PlayStoreLink?: string
  /** The country's label. */
  country: string
  /** The country's two-letter code. */
  restrictCountry: string
  symbol: string
  swipe_symbol: boolean
  /** ISO 4217. */
  code: string
  decimal: number
  convert_to_mile: boolean
  otp_secure: boolean
  driver_approval: boolean
  bonus: number
  /** Days from a first paid booking to the payment of its referral bonuses; absent: at once. */
  bonusDelayDays?: number
  walletMoneyField?: string
  AllowCountrySelection: boolean
  CarHornRepeat: boolean
  AllowDeliveryPickupImageCapture: boolean
  AllowFinalDeliveryImageCapture: boolean
  RiderWithDraw: boolean
  horizontal_view: boolean
  showLiveRoute: boolean
  /** Kilometers, or miles with convert_to_mile. */
  driverRadius: number
  autoDispatch: boolean
  negativeBalance: boolean
  bank_fields: boolean
  /** Hours for which payouts wait after a change of bank details. Default 24. */
  bankWaitHours?: number
  panic?: string
  AllowCriticalEditsAdmin: boolean
  FacebookLoginEnabled: boolean
  /** Minutes without an action after which an office page signs out; absent for no limit. */
  officeIdleMinutes?: number
  /** Hours after which an office sign-in ends; absent for no limit. */
  officeSessionHours?: number
  appcat: 'taxi' | 'delivery'
  /** IANA name. Days and months of all reports use it. */
  timezone: string
  /**
   * Order of offers with autoDispatch: one driver after another by driving time to the pickup, or
   * all within reach at once. `matched` also asks one driver at a time, but decides together for
   * the bookings that compete for drivers, by least total cost. Default 'nearest'.
   */
  dispatchMode?: DispatchMode
  /** Seconds an offer waits for a response. Default 30. */
  dispatchSeconds?: number
  /** Drivers farther than this many minutes from the pickup get no offer. No limit by default. */
  maxPickupMinutes?: number
  /**
   * Drivers whose trip probably ends within this many minutes are asked about their next booking.
   * Off by default, and in mode 'broadcast'.
   */
  followOnMinutes?: number
  /**
   * With `matched`, the seconds of driving time that 100 % more income per active hour than the
   * fleet's mean counts for. No fairness term by default.
   */
  fairnessWeight?: number
  /**
   * True to keep a booking whose only asked driver declines, or whose asked drivers do not answer
   * in time: it is first in the queue, and the back office gets an alert. Default false: a decline
   * cancels it.
   */
  requeueDeclined?: boolean
  /** Minutes without a driver after which the board warns. Default 3. */
  waitWarnMinutes?: number
  /** Minutes without a driver after which the board alarms. Default 8. */
  waitAlarmMinutes?: number
  /**
   * The step of fares in the currency, such as 0.05. Default: the step of cash in the currency.
   * `getFareStep` raises it to what the switched-on providers can charge.
   */
  fareStep?: number
  /** The smallest step that the switched-on providers can charge; the scheduled job writes it. */
  providerStep?: number
  /**
   * The checklist of a new company on the dashboard, from the setup until an admin dismisses it:
   * `priced` once an admin has said that the prices are right.
   */
  setupChecklist?: 'open' | 'priced'
}

export const DISPATCH_MODES = ['nearest', 'matched', 'broadcast'] as const

export type DispatchMode = (typeof DISPATCH_MODES)[number]

/** A currency, its number of decimals and its symbol. */
export type Currency = Pick<Settings, 'code' | 'decimal' | 'symbol'>

/** Earlier currencies, by the time (ms) at which each ended. */
export type EndedCurrencies = Record<string, Currency>

export interface Language {
  id: string
  langName: string
  langLocale: string
  dateLocale: string
  default: boolean
  /** ISO 8601 time. */
  createdAt: string
  /** The texts that the office has changed or added; the others ship with the product. */
  keyValuePairs: Record<string, string>
}
