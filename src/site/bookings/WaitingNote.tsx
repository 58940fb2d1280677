import { useTranslation } from 'react-i18next'
import { isLeftToOffice } from '~/domain/booking/events/requeue'
import type { Booking } from '~/domain/entities'
import waitingTexts from '~/src/i18n/locales/en/waiting.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { Icon } from '~/src/ui/Icon'
import css from './BookingPage.module.css'

const getTextKey = (booking: Booking): string => {
  const isReleased = Object.values(booking.event_log).some(({ event }) => event === 'release')
  if (isLeftToOffice(booking)) return isReleased ? 'released_office' : 'no_driver_office'
  return isReleased ? 'push_released_msg' : 'no_driver_yet'
}

/** Says who searches for the driver of a waiting booking: drivers are asked, or the office is. */
export const WaitingNote = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  useAddedTexts(waitingTexts)
  return (
    <p className={css.searching}>
      <Icon name="search" />
      {t(getTextKey(booking))}
    </p>
  )
}
