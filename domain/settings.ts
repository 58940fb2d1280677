import type { Settings } from './entities'
import { exponentOf } from './payments/currency'

/** What a platform can't start without; everything else has a usual value. */
export type Given = Pick<
  Settings,
  'country' | 'restrictCountry' | 'symbol' | 'code' | 'appcat' | 'timezone'
>

/** The settings of a platform that was set up this moment; amounts have the decimals its currency has. */
export const newSettings = ({
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
}: Given): Settings => ({
  appName: 'Kerbside',
  CompanyName: 'Kerbside',
  CompanyWebsite: 'https://example.com',
  CompanyTerms: 'https://example.com/terms',
  contact_email: '',
  // By name: who sets a platform up gives his number and a secret too, and everybody reads the settings.
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
  swipe_symbol: false,
  decimal: exponentOf(code),
  convert_to_mile: false,
  otp_secure: true,
  driver_approval: true,
  bonus: 0,
  walletMoneyField: '',
  AllowCountrySelection: true,
  CarHornRepeat: false,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  RiderWithDraw: false,
  horizontal_view: false,
  showLiveRoute: true,
  driverRadius: 10,
  autoDispatch: true,
  negativeBalance: false,
  bank_fields: true,
  AllowCriticalEditsAdmin: true,
  FacebookLoginEnabled: false,
})
