import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { SeriesList } from '~/src/features/recurring/SeriesList'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useContactsHidden } from '~/src/store/demoMode'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import pages from '~/src/office/recordPages/pages.module.css'
import { PlacePicker } from '../addBooking/PlacePicker'
import { getPersonPath } from '../people/personPaths'
import { useOfficeSession } from '../useOfficeSession'

/** Lists the recurring bookings of all riders, in the order in which their bookings are due. */
export const RecurringPage = () => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  const { cars } = useLive(vehicleTypes)
  const arePhonesHidden = useContactsHidden() !== false
  const { settings } = useOfficeSession()
  const getVehicleName = useVehicleTypeName()
  return (
    <div className={pages.page}>
      <h1>{t('menu_recurring')}</h1>
      <SeriesList
        renderRider={({ customer, customer_name }) => (
          <Link to={getPersonPath({ id: customer, usertype: 'rider' })}>{customer_name}</Link>
        )}
        formParts={{
          addressConfirmation: t('address_confirm_save'),
          vehicles: cars.map((car) => ({ id: car.id, name: getVehicleName(car) })),
          hasRecipient: settings?.appcat === 'delivery',
          isPhoneHidden: arePhonesHidden,
          renderPlace: (props) => <PlacePicker {...props} />,
        }}
        emptyAction={
          <ButtonLink variant="primary" to={screenPaths.addBooking}>
            {t('menu_add_booking')}
          </ButtonLink>
        }
      />
    </div>
  )
}
