import { getOwn } from '../data/ownValue'
import { SHIPPED_LANGUAGES } from '../catalog/languages'
import type { Settings } from '../catalog/types'
import { getDisplayNames } from '../language/intlFormats'
import type { HomeArea } from './shortAddress'

/** The city whose map is installed. */
export interface InstalledCity {
  city: string
  /** The two-letter code of its country. */
  country?: string | undefined
}

/** Names that addresses have and the directory of country names does not. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  US: ['USA'],
  SA: ['السعودية'],
}

/** Returns the names of a country in all languages of the product, also the short ones. */
const listCountryNames = (code: string): string[] => {
  if (!/^[A-Z]{2}$/.test(code)) return []
  const names = SHIPPED_LANGUAGES.flatMap(({ locale }) =>
    (['long', 'short'] as const).map((style) =>
      getDisplayNames(locale, { type: 'region', style }).of(code),
    ),
  )
  return [...names.filter((name) => name !== undefined), ...(getOwn(OTHER_NAMES, code) ?? [])]
}

/**
 * Returns the operator's place: the country of the settings, and the city of the installed map when
 * it lies in that country. A map of another country says that the operator uses other services.
 */
export const getHomeArea = (
  { country, restrictCountry }: Pick<Settings, 'country' | 'restrictCountry'>,
  installed: InstalledCity | null,
): HomeArea => {
  const names = listCountryNames(restrictCountry.toUpperCase())
  const installedNames = listCountryNames(installed?.country ?? '')
  const isAtHome =
    installed?.country === restrictCountry.toUpperCase() || installedNames.includes(country)
  return {
    countries: [...new Set([country, ...names, ...(isAtHome ? installedNames : [])])].filter(
      Boolean,
    ),
    city: isAtHome ? (installed?.city ?? null) : null,
  }
}
