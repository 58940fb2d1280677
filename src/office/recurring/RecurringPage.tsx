import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { SeriesList } from '~/src/widgets/series/SeriesList'
import { useContactsHidden } from '~/src/store/demoMode'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import pages from '~/src/office/recordPages/pages.module.css'
import { getPersonPath } from '../people/personPaths'

/** Lists the recurring bookings of all riders, in the order in which their bookings are due. */
export const RecurringPage = () => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  const arePhonesHidden = useContactsHidden() !== false
  return (
    <div className={pages.page}>
      <h1>{t('menu_recurring')}</h1>
      <SeriesList
        renderRider={({ customer, customer_name }) => (
          <Link to={getPersonPath({ id: customer, usertype: 'rider' })}>{customer_name}</Link>
        )}
        form={{
          addressConfirmation: t('address_confirm_save'),
          isPhoneHidden: arePhonesHidden,
          remembersPlaces: false,
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
