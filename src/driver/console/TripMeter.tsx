import { useTranslation } from 'react-i18next'
import { getPlannedRoute } from '~/domain/booking/trip/route'
import { measureTrackKm } from '~/domain/booking/trip/track'
import { toDistanceUnit } from '~/domain/geo/geo'
import { liveTrack } from '~/src/features/tracking/tracking'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { formatElapsed, useServerNow } from '../serverTime'
import css from './CurrentBooking.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Returns the times (ms) between which the meter counts, and the key of its label. */
const getMeter = ({ accepted_at, driver_arrive_time, startTime, endTime }: Booking) => {
  if (startTime !== undefined)
    return { label: 'meter_trip', since: startTime, until: endTime } as const
  if (driver_arrive_time !== undefined)
    return { label: 'meter_waiting', since: driver_arrive_time } as const
  return accepted_at === undefined
    ? null
    : ({ label: 'meter_approach', since: accepted_at } as const)
}

/** Shows the elapsed time and the distance of the current part of the booking. */
export const TripMeter = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useServerNow()
  const { trail } = useLive(liveTrack, booking.startTime && !booking.endTime ? booking.id : null)
  const meter = getMeter(booking)
  if (!meter) return null
  const ms = (meter.until ?? now) - meter.since
  const km = measureTrackKm(trail, getPlannedRoute(booking, settings))
  return (
    <span className={css.meter} role="timer" aria-label={t(meter.label)}>
      <small>{t(meter.label)}</small>
      <b>{formatElapsed(ms)}</b>
      {km > 0 && <small>{format.distance(toDistanceUnit(km, settings))}</small>}
    </span>
  )
}
