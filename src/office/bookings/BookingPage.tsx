import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs } from './BookingDialogs'
import css from './bookings.module.css'

/** Shows one booking on its own page, which links in messages open. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  return (
    <div className={css.alone}>
      <div className={css.aloneHead}>
        <h1>{t('booking')}</h1>
        <ButtonLink to={screenPaths.bookings} size="small">
          {t('all_bookings')}
        </ButtonLink>
      </div>
      <h2 className={css.id}>
        <BookingReference id={id} />
      </h2>
      <BookingDetail key={id} id={id} />
      <BookingDialogs />
    </div>
  )
}
