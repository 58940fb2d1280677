import { translateCatalogText } from './catalogTexts'
import type { VehicleType } from './types'

export const MAX_VEHICLE_TYPE_NAME_LENGTH = 100
export const MAX_VEHICLE_TYPE_INFO_LENGTH = 1000

/** Returns the name of a vehicle type in a locale. */
export const getVehicleTypeName = (
  { name, names }: Pick<VehicleType, 'name' | 'names'>,
  locale: string,
): string => translateCatalogText(name, names, locale)

/** Returns the text below the name of a vehicle type, in a locale; empty when it has none. */
export const getVehicleTypeInfo = (
  { extra_info = '', infos }: Pick<VehicleType, 'extra_info' | 'infos'>,
  locale: string,
): string => translateCatalogText(extra_info, infos, locale)
