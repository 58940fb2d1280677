import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs } from './BookingDialogs'
import css from './bookings.module.css'

/** One booking on a page of its own: where links from messages lead. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  return (
    <div className={css.alone}>
      <div className={css.aloneHead}>
        <h1>{t('booking')}</h1>
        <ButtonLink to={screens.bookings} size="small">
          {t('all_bookings')}
        </ButtonLink>
      </div>
      <h2 className={css.id}>{id}</h2>
      <BookingDetail id={id} />
      <BookingDialogs />
    </div>
  )
}
