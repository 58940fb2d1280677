import { useTranslation } from 'react-i18next'
import { getCurrentStop } from '~/domain/booking/stops/bookingStops'
import { OLD_POSITION_MS } from '~/src/features/tracking/tracking'
import { useFormat } from '~/src/ui/format/format'
import { useNow } from '~/src/ui/useNow'
import css from './BookingPage.module.css'
import type { Booking, TrackingPoint } from '~/domain/booking/types'
import type { Seconds } from '~/domain/language/units'

/** Milliseconds between updates of the minutes until the driver is probably there. */
const TICK_MS = 15_000

/** Shows the time until the driver is at the pickup or the drop-off. */
export const ArrivalTime = ({
  booking,
  car,
  seconds,
  isRider,
}: {
  booking: Booking
  /** Until the driver is there; see `useArrivalSeconds`. */
  seconds: Seconds | null
  /** The last known position of the car. */
  car: TrackingPoint | undefined
  isRider: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow(TICK_MS)
  const stop = getCurrentStop(booking)
  if (booking.follows !== undefined) {
    const left = (booking.expected_at ?? 0) - now
    return (
      <p className={css.eta} aria-live="polite">
        {left > 0 && <strong>{format.duration(left / 1000)}</strong>}
        {t(isRider ? 'eta_after_trip' : 'next_booking_hint')}
      </p>
    )
  }
  if (seconds === null || !car) return null
  const isOld = now - car.at > OLD_POSITION_MS
  return (
    <p className={css.eta} aria-live="polite">
      <strong>{format.duration(seconds)}</strong>
      {stop
        ? t('eta_stop', {
            number: format.number(stop.index + 1),
            total: format.number(booking.waypoints?.length ?? 0),
          })
        : t(booking.status !== 'ACCEPTED' ? 'eta_drop' : isRider ? 'eta_pickup' : 'eta_to_pickup')}
      <small>{t('arrives_at', { time: format.time(now + seconds * 1000) })}</small>
      {isOld && <small>{t('eta_position_from', { time: format.time(car.at) })}</small>}
    </p>
  )
}
