import { translateCatalogText } from './catalogTexts'
import type { VehicleType } from './types'

export const MAX_VEHICLE_TYPE_NAME_LENGTH = 100

/** Returns the name of a vehicle type in a locale. */
export const getVehicleTypeName = (
  { name, names }: Pick<VehicleType, 'name' | 'names'>,
  locale: string,
): string => translateCatalogText(name, names, locale)
