import { createSettings } from '../catalog/defaultSettings'
import { isSymbolLast, usesMiles } from './countryConventions'
import type { Business } from './business'
import type { Settings } from '../catalog/types'

/** The choices of a company at its start. */
export interface CompanyChoices extends Pick<
  Settings,
  'country' | 'restrictCountry' | 'symbol' | 'code' | 'timezone'
> {
  companyName: string
  business: Business
}

/** Returns the settings of a new company. Parcels need the delivery mode, which also has rides. */
export const createCompanySettings = ({
  companyName,
  business,
  restrictCountry,
  code,
  ...choices
}: CompanyChoices): Settings => ({
  ...createSettings({
    ...choices,
    restrictCountry,
    code,
    appcat: business === 'rides' ? 'taxi' : 'delivery',
  }),
  appName: companyName,
  CompanyName: companyName,
  swipe_symbol: isSymbolLast(restrictCountry, code),
  convert_to_mile: usesMiles(restrictCountry),
  setupChecklist: 'open',
})
