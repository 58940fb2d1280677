import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { getBookedChoiceText } from '~/domain/catalog/catalogTexts'
import { useLive } from '~/src/store/live/liveSlice'
import { liveVehicleTypes } from './vehicleTypes'
import type { Booking } from '~/domain/booking/types'
import type { ChoiceOption } from '~/domain/catalog/types'

interface BookedExtras {
  parcelType: string | undefined
  option: string | undefined
}

/**
 * Returns a function that returns the parcel type and the option of a booking in the user's
 * language; undefined for one that the booking does not have.
 */
export const useBookedExtras = () => {
  const { language } = useTranslation().i18n
  const { cars } = useLive(liveVehicleTypes)
  return useCallback(
    ({
      carTypeId,
      parcelTypeSelected,
      optionSelected,
    }: Pick<Booking, 'carTypeId' | 'parcelTypeSelected' | 'optionSelected'>): BookedExtras => {
      const type = cars.find(({ id }) => id === carTypeId)
      const translate = (list: 'parcelTypes' | 'options', choice: ChoiceOption | undefined) =>
        choice && getBookedChoiceText(type?.[list], choice.description, language)
      return {
        parcelType: translate('parcelTypes', parcelTypeSelected),
        option: translate('options', optionSelected),
      }
    },
    [cars, language],
  )
}
