import { useTranslation } from 'react-i18next'
import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import { liveSettings } from '~/src/features/settings/settings'
import waitingTexts from '~/src/i18n/locales/en/waiting.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useLive } from '~/src/store/live/liveSlice'
import { Icon } from '~/src/ui/Icon'
import css from './BookingPage.module.css'
import { isLeftToOffice } from '~/domain/booking/offers/waitingBooking'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const getTextKey = (booking: Booking, settings: Pick<Settings, 'autoDispatch'>): string => {
  const isReleased = Object.values(booking.event_log).some(({ event }) => event === 'release')
  if (isLeftToOffice(booking, settings)) return isReleased ? 'released_office' : 'no_driver_office'
  return isReleased ? 'push_released_msg' : 'no_driver_yet'
}

/** Says who searches for the driver of a waiting booking: drivers are asked, or the office is. */
export const WaitingNote = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  useAddedTexts(waitingTexts)
  useInboxTexts()
  return (
    <p className={css.searching}>
      <Icon name="search" />
      {t(getTextKey(booking, settings ?? { autoDispatch: true }))}
    </p>
  )
}
