import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { eventsFor } from '~/domain/booking/eventsFor'
import type { StuckBooking } from '~/domain/entities'
import { waysOut } from '~/domain/sweep'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking, stuckBookings } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { Ago } from '~/src/ui/office/Ago'
import { EmptyState, SkeletonLines } from '~/src/ui/states'
import { useBookingDialog } from '../bookings/BookingDialogs'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

/** So many are counted, and so many of them read: a booking is read whole. */
const SHOWN = 100
const READ = 6

const Standing = ({ found: { id, status, since } }: { found: StuckBooking & { id: string } }) => {
  const { t } = useTranslation()
  const { profile, settings } = useOffice()
  const ask = useBookingDialog()
  const { booking } = useLive(liveBooking, id)
  const events =
    booking && profile && settings
      ? eventsFor(booking, { uid: profile.id, role: 'admin' }, settings)
      : []
  const who = (by: readonly string[]) =>
    by.map((one) => t(one === 'system' ? 'by_system' : one === 'rider' ? 'customer' : one))
  return (
    <li>
      <div>
        <Link to={`${screens.bookings}?open=${id}`} title={booking?.pickupAddress} dir="auto">
          {booking?.pickupAddress ?? id}
        </Link>
        <small>
          <BookingStatus status={status} /> <Ago at={since} />
        </small>
        <small>
          {t('ways_out')}{' '}
          {waysOut(status)
            .map(({ event, by }) => `${t(`event_${event}`)} (${who(by).join(', ')})`)
            .join(' · ')}
        </small>
      </div>
      {booking &&
        (['assign', 'cancel'] as const)
          .filter((kind) => events.includes(kind))
          .map((kind) => (
            <Button
              key={kind}
              size="small"
              aria-label={`${t(kind === 'assign' ? 'assign' : 'cancel_booking')}: ${booking.pickupAddress}`}
              onClick={() => ask(kind, id)}
            >
              {t(kind === 'assign' ? 'assign' : 'cancel_booking')}
            </Button>
          ))}
    </li>
  )
}

/** Bookings in which nothing has happened for too long, and what can happen next. */
export const Stuck = () => {
  const { t } = useTranslation()
  const { stuck, loading } = useLive(stuckBookings, SHOWN)
  return (
    <section className={css.box} aria-labelledby="stuck">
      <h2 id="stuck">
        {t('stuck')} <span className={css.count}>{stuck.length}</span>
      </h2>
      {loading && stuck.length === 0 ? (
        <SkeletonLines lines={2} />
      ) : stuck.length === 0 ? (
        <EmptyState title={t('stuck_none')} />
      ) : (
        <ul role="list" className={css.waiting}>
          {stuck.slice(0, READ).map((found) => (
            <Standing key={found.id} found={found} />
          ))}
        </ul>
      )}
    </section>
  )
}
