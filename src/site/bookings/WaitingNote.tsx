import { useTranslation } from 'react-i18next'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import { liveSettings } from '~/src/features/settings/settings'
import waitingTexts from '~/src/i18n/locales/en/waiting.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { useNow } from '~/src/ui/useNow'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './BookingPage.module.css'
import { isLeftToOffice } from '~/domain/booking/offers/waitingBooking'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const getTextKey = (booking: Booking, settings: Pick<Settings, 'autoDispatch'>): string => {
  const isReleased = Object.values(booking.event_log).some(({ event }) => event === 'release')
  if (isLeftToOffice(booking, settings)) return isReleased ? 'released_office' : 'no_driver_office'
  return isReleased ? 'push_released_msg' : 'no_driver_yet'
}

/** Milliseconds between updates of the estimated time. */
const TICK_MS = 15_000

/** Says when a driver can be there at the earliest, and asks after a while whether to go on. */
const WaitQuestion = ({ booking, until }: { booking: Booking; until: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { busy, run } = useSingleRun()
  const now = useNow(TICK_MS)
  const left = (booking.expected_at ?? 0) - now
  if (now < until)
    return left > 0 ? (
      <p className={css.muted}>{t('soonest_pickup', { time: format.duration(left / 1000) })}</p>
    ) : null
  const keepWaiting = () =>
    run(() =>
      dispatch(advanceBooking({ booking_id: booking.id, event: 'keep_waiting', asked_at: until })),
    )
  return (
    <div className={css.question} role="status">
      <p>{t('wait_question')}</p>
      <Button busy={busy} onClick={() => void keepWaiting()}>
        {t('keep_waiting')}
      </Button>
    </div>
  )
}

/** Says who searches for the driver of a waiting booking: drivers are asked, or the office is. */
export const WaitingNote = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  useAddedTexts(waitingTexts)
  useInboxTexts()
  const key = getTextKey(booking, settings ?? { autoDispatch: true })
  const isWaiting = booking.wait_until !== undefined && key === 'no_driver_yet'
  return (
    <>
      <p className={css.searching}>
        <Icon name="search" />
        {t(isWaiting ? 'waits_for_driver' : key)}
      </p>
      {booking.wait_until !== undefined && (
        <WaitQuestion booking={booking} until={booking.wait_until} />
      )}
    </>
  )
}
