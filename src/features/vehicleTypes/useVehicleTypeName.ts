import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getVehicleTypeName } from '~/domain/catalog/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { liveVehicleTypes } from './vehicleTypes'
import type { Booking } from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'

/** Returns a function that returns the name of a vehicle type in the user's language. */
export const useVehicleTypeName = () => {
  const { language } = useTranslation().i18n
  return useCallback(
    (type: Pick<VehicleType, 'name' | 'names'>): string => getVehicleTypeName(type, language),
    [language],
  )
}

/** Returns the names of the vehicle types: as stored, and in the user's language. */
export const useVehicleTypeChoices = (): readonly { value: string; text: string }[] => {
  const { cars } = useLive(liveVehicleTypes)
  const getName = useVehicleTypeName()
  return useMemo(
    () => cars.map((type) => ({ value: type.name, text: getName(type) })),
    [cars, getName],
  )
}

/**
 * Returns a function that returns the vehicle type of a booking in the user's language. A booking
 * keeps the name under which it was booked, so only a translation replaces it.
 */
export const useBookedVehicleTypeName = () => {
  const { cars } = useLive(liveVehicleTypes)
  const getName = useVehicleTypeName()
  return useCallback(
    ({ carType, carTypeId }: Pick<Booking, 'carType' | 'carTypeId'>): string => {
      const names = cars.find(({ id }) => id === carTypeId)?.names
      return getName({ name: carType, ...(names && { names }) })
    },
    [cars, getName],
  )
}

/**
 * Returns a function that returns the name of the vehicle type with an id in the user's language;
 * undefined when there is none.
 */
export const useVehicleTypeNameById = () => {
  const { cars } = useLive(liveVehicleTypes)
  const getName = useVehicleTypeName()
  return useCallback(
    (carTypeId: string): string | undefined => {
      const type = cars.find(({ id }) => id === carTypeId)
      return type && getName(type)
    },
    [cars, getName],
  )
}
