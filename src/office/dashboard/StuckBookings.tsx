import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { isTripStep } from '~/domain/booking/transitions'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { liveBooking, stuckBookings } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useOpenBookingDialog } from '../bookings/BookingDialogs'
import { RouteText } from '../bookings/row/RouteText'
import { useOfficeSession } from '../useOfficeSession'
import css from './dashboard.module.css'
import type { StuckBooking } from '~/domain/booking/types'

/** Maximum number of bookings counted and read; each booking is read whole. */
const MAX_COUNTED = 100
const MAX_LISTED = 6

/** The actions for a stuck booking, in the order in which they are offered. */
const ACTIONS = ['assign', 'release', 'step', 'cancel'] as const
const ACTION_TEXTS = {
  assign: 'assign',
  release: 'release_booking',
  cancel: 'cancel_booking',
} as const

const StuckBookingRow = ({
  found: { id, status, since },
}: {
  found: StuckBooking & { id: string }
}) => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const ask = useOpenBookingDialog()
  const { booking } = useLive(liveBooking, id)
  const events =
    booking && profile && settings
      ? getAvailableEvents(booking, { uid: profile.id, role: 'admin' }, settings)
      : []
  const tripStep = events.find(isTripStep)
  const action = ACTIONS.find((one) => (one === 'step' ? tripStep : events.includes(one)))
  const label = action && t(action === 'step' ? `step_${tripStep}` : ACTION_TEXTS[action])
  return (
    <li>
      <div>
        {booking?.pickupAddress ? (
          <RouteText booking={booking} to={`${screenPaths.bookings}?open=${id}`} />
        ) : (
          <Link to={`${screenPaths.bookings}?open=${id}`}>
            <BookingReference id={id} />
          </Link>
        )}
        <small>
          <BookingStatus status={status} /> <RelativeTime at={since} />
        </small>
      </div>
      {booking && action && (
        <Button
          size="small"
          aria-label={`${label}: ${booking.pickupAddress}`}
          onClick={() => ask(action, id)}
        >
          {label}
        </Button>
      )}
    </li>
  )
}

/**
 * Lists the bookings in which nothing has happened for too long, each with the action that helps
 * most. The booking itself has the others.
 */
export const StuckBookings = () => {
  const { t } = useTranslation()
  const { stuck, loading } = useLive(stuckBookings, MAX_COUNTED)
  return (
    <section className={css.box} aria-labelledby="stuck">
      <h2 id="stuck">
        {t('stuck')} <span className={css.count}>{stuck.length}</span>
      </h2>
      {loading && stuck.length === 0 ? (
        <SkeletonLines lines={2} />
      ) : stuck.length === 0 ? (
        <p className={css.none}>{t('stuck_none')}</p>
      ) : (
        <ul role="list" className={css.waiting}>
          {stuck.slice(0, MAX_LISTED).map((stuckBooking) => (
            <StuckBookingRow key={stuckBooking.id} found={stuckBooking} />
          ))}
        </ul>
      )}
    </section>
  )
}
