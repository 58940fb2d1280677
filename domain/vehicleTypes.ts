import type { VehicleType } from './entities'

/** The form of a locale such as de or pt-BR, as a regular expression. */
export const LOCALE_PATTERN = '^[A-Za-z][\\w-]{1,34}$'
export const MAX_VEHICLE_TYPE_NAME_LENGTH = 100

/**
 * Returns the name of a vehicle type in a locale, else in its language without the region, else the
 * default name.
 */
export const getVehicleTypeName = (
  { name, names = {} }: Pick<VehicleType, 'name' | 'names'>,
  locale: string,
): string => {
  const [language = locale] = locale.split(/[-_]/)
  const byLocale = new Map(Object.entries(names))
  return byLocale.get(locale) ?? byLocale.get(language) ?? name
}
