import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookingTexts } from '~/src/features/bookings/bookingColumns'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { getProviderName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useBookedExtras } from '~/src/features/vehicleTypes/useBookedExtras'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'

/** Returns the texts of the office's lists on a booking in the user's language. */
export const useBookingTexts = (): BookingTexts => {
  const getTypeName = useBookedVehicleTypeName()
  const getExtras = useBookedExtras()
  const getReason = useReasonText()
  usePaymentTexts()
  const { t } = useTranslation()
  return useMemo(
    () => ({
      getTypeName,
      getExtras,
      getReason,
      getProvider: (gateway) => getProviderName(gateway, t),
    }),
    [getTypeName, getExtras, getReason, t],
  )
}
