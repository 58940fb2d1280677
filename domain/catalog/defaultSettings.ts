import { getDecimals } from '../payments/currencyUnits'
import { SETTING_DEFINITIONS, type SettingDefinition } from './settingDefinitions'
import type { Settings } from './types'

/** The settings that a platform must choose; all others have defaults. */
export type SetupSettings = Pick<
  Settings,
  'country' | 'restrictCountry' | 'symbol' | 'code' | 'appcat' | 'timezone'
>

/** The values that a new platform has without a choice. */
const INITIAL_SETTINGS = Object.fromEntries(
  Object.entries<SettingDefinition>(SETTING_DEFINITIONS).flatMap(([name, { initial }]) =>
    initial === undefined ? [] : [[name, initial]],
  ),
) as Omit<Settings, keyof SetupSettings | 'decimal'>

/** Returns the settings of a new platform. Amounts have the decimals of its currency. */
export const createSettings = ({
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
}: SetupSettings): Settings => ({
  ...INITIAL_SETTINGS,
  // Listed one by one, because setup also receives the admin's phone number and a secret, and
  // everyone can read the settings.
  country,
  restrictCountry,
  symbol,
  code,
  appcat,
  timezone,
  decimal: getDecimals(code),
})
