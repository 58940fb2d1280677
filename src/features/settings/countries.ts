import { type CountryCode, getCountries } from 'libphonenumber-js/min'
import { getLocalizedNames } from '~/src/i18n/locale'
import type { Settings } from '~/domain/catalog/types'

/** Returns the name of a country as `settings.country` stores it, whatever the user's language. */
export const storedCountry = (code: string): string =>
  getLocalizedNames('en', 'region').of(code) ?? code

/**
 * Returns the platform's country, which phone fields preselect. Falls back to the country of the
 * place search when this browser does not know the name.
 */
export const homeCountry = (
  settings: Pick<Settings, 'country' | 'restrictCountry'> | null,
): CountryCode => {
  const codes = getCountries()
  return (
    codes.find((code) => storedCountry(code) === settings?.country) ??
    codes.find((code) => code === settings?.restrictCountry) ??
    'US'
  )
}
