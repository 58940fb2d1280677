import { useTranslation } from 'react-i18next'
import type { Booking, VehicleType } from '~/domain/entities'
import { getVehicleTypeName } from '~/domain/vehicleTypes'
import { useLive } from '~/src/store/liveSlice'
import { vehicleTypes } from './vehicleTypes'

/** Returns a function that returns the name of a vehicle type in the user's language. */
export const useVehicleTypeName = () => {
  const { i18n } = useTranslation()
  return (type: Pick<VehicleType, 'name' | 'names'>): string =>
    getVehicleTypeName(type, i18n.language)
}

/**
 * Returns a function that returns the vehicle type of a booking in the user's language. A booking
 * keeps the name under which it was booked, so only a translation replaces it.
 */
export const useBookedVehicleTypeName = () => {
  const { cars } = useLive(vehicleTypes)
  const getName = useVehicleTypeName()
  return ({ carType, carTypeId }: Pick<Booking, 'carType' | 'carTypeId'>): string => {
    const names = cars.find(({ id }) => id === carTypeId)?.names
    return getName({ name: carType, ...(names && { names }) })
  }
}
