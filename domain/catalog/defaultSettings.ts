import { DEFAULT_APP_NAME } from './appName'
import { getDecimals } from '../payments/currencyUnits'
import type { Settings } from './types'

/** The settings that a platform must choose; all others have defaults. */
export type SetupSettings = Pick<
  Settings,
  'country' | 'restrictCountry' | 'symbol' | 'code' | 'appcat' | 'timezone'
>

/** Returns the settings of a new platform. Amounts have the decimals of its currency. */
export const createSettings = ({
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
}: SetupSettings): Settings => ({
  appName: DEFAULT_APP_NAME,
  CompanyName: DEFAULT_APP_NAME,
  CompanyWebsite: '',
  CompanyTerms: '',
  contact_email: '',
  // Listed one by one, because setup also receives the admin's phone number and a secret, and
  // everyone can read the settings.
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
  swipe_symbol: false,
  decimal: getDecimals(code),
  convert_to_mile: false,
  otp_secure: true,
  driver_approval: true,
  bonus: 0,
  bonusDelayDays: 3,
  walletMoneyField: '',
  AllowCountrySelection: true,
  CarHornRepeat: false,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  RiderWithDraw: false,
  horizontal_view: true,
  showLiveRoute: true,
  driverRadius: 10,
  autoDispatch: true,
  dispatchMode: 'nearest',
  requeueDeclined: true,
  negativeBalance: false,
  bank_fields: true,
  AllowCriticalEditsAdmin: true,
  FacebookLoginEnabled: false,
})
