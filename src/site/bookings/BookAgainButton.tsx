import { useTranslation } from 'react-i18next'
import { toDetailTexts } from '~/domain/booking/tripDetails'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { navigate } from '~/src/ui/navigation/router'
import { findChoice } from '~/src/widgets/trip/findChoice'
import { EMPTY_DRAFT } from '~/src/widgets/trip/tripDraft'
import { saveDraft } from '../home/bookingDraft'
import type { Booking } from '~/domain/booking/types'

/** Fills the booking form with everything of this booking but its time. */
export const BookAgainButton = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const contacts = useBookingContacts(booking)
  const { cars } = useLive(liveVehicleTypes)
  const { pickup, drop, waypoints = [], carTypeId } = booking
  const vehicleType = cars.find(({ id }) => id === carTypeId)
  const bookAgain = () => {
    saveDraft(
      { pickup, drop, waypoints, carType: carTypeId, selected: 'pickup' },
      {
        ...EMPTY_DRAFT,
        parcelTypeIndex: findChoice(
          vehicleType?.parcelTypes,
          booking.parcelTypeSelected?.description,
        ),
        optionIndex: findChoice(vehicleType?.options, booking.optionSelected?.description),
        ...toDetailTexts({ ...booking, ...contacts }),
        paymentMode: booking.payment_mode,
      },
    )
    navigate(screenPaths.home)
  }
  return (
    <Button variant="primary" onClick={bookAgain}>
      <Icon name="swap" size={18} />
      {t('book_again')}
    </Button>
  )
}
