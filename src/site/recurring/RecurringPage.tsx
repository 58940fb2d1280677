import { useTranslation } from 'react-i18next'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { SeriesList } from '~/src/features/recurring/SeriesList'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { LabeledPlaceField } from '../bookings/LabeledPlaceField'
import css from './RecurringPage.module.css'

/** Lists the rider's recurring bookings. */
export const RecurringPage = () => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  const { cars } = useLive(vehicleTypes)
  const { settings } = useLive(liveSettings)
  const getVehicleName = useVehicleTypeName()
  return (
    <div className={css.page}>
      <h1>{t('menu_recurring')}</h1>
      <SeriesList
        formParts={{
          vehicles: cars.map((car) => ({ id: car.id, name: getVehicleName(car) })),
          hasRecipient: settings?.appcat === 'delivery',
          renderPlace: (props) => <LabeledPlaceField {...props} />,
        }}
        emptyAction={
          <ButtonLink variant="primary" to={screenPaths.home}>
            {t('book_one')}
          </ButtonLink>
        }
      />
    </div>
  )
}
