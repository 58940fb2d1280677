import type { Settings } from '~/domain/catalog/types'

// Loaded when needed, because most functions never do.
const loadNumbers = () => import('libphonenumber-js/min')

/**
 * Returns a phone number in E.164 format, or null. People type the recipient's number as they dial
 * it in the platform's country.
 */
export const toE164 = async (
  typed: string,
  { restrictCountry }: Pick<Settings, 'restrictCountry'>,
): Promise<string | null> => {
  const { parsePhoneNumberFromString, isSupportedCountry } = await loadNumbers()
  const country = isSupportedCountry(restrictCountry) ? restrictCountry : undefined
  const number = parsePhoneNumberFromString(typed, country)
  return number?.isPossible() ? number.number : null
}

/**
 * Returns true when a number in E.164 format belongs to one of the countries (ISO 3166-1 alpha-2).
 * Countries can share a calling code: a number that belongs to none of them counts by its code.
 */
export const isInCountries = async (
  number: string,
  countries: readonly string[],
): Promise<boolean> => {
  const { parsePhoneNumberFromString, isSupportedCountry, getCountryCallingCode } =
    await loadNumbers()
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed) return false
  if (parsed.country !== undefined) return countries.includes(parsed.country)
  return countries.some(
    (code) => isSupportedCountry(code) && getCountryCallingCode(code) === parsed.countryCallingCode,
  )
}
