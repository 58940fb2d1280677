import { useMemo } from 'react'
import type { BookingTexts } from '~/src/features/bookings/bookingColumns'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useBookedExtras } from '~/src/features/vehicleTypes/useBookedExtras'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'

/** Returns the texts of the office's lists on a booking in the user's language. */
export const useBookingTexts = (): BookingTexts => {
  const getTypeName = useBookedVehicleTypeName()
  const getExtras = useBookedExtras()
  const getReason = useReasonText()
  return useMemo(() => ({ getTypeName, getExtras, getReason }), [getTypeName, getExtras, getReason])
}
