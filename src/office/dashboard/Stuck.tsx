import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { eventsFor } from '~/domain/booking/eventsFor'
import type { Booking, StuckBooking } from '~/domain/entities'
import { waysOut } from '~/domain/sweep'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking, stuckBookings } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { EmptyState, SkeletonLines } from '~/src/ui/states'
import { AssignDialog } from '../bookings/AssignDialog'
import { CancelDialog } from '../bookings/CancelDialog'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

const SHOWN = 20
type Deed = { kind: 'assign' | 'cancel'; booking: Booking }

const Standing = ({
  found: { id, status, since },
  onDeed,
}: {
  found: StuckBooking & { id: string }
  onDeed: (deed: Deed) => void
}) => {
  const { t } = useTranslation()
  const { profile, settings, allowed } = useOffice()
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
          <BookingStatus status={status} /> <DateTime at={since} />
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
              onClick={() => allowed(`booking_${kind}`) && onDeed({ kind, booking })}
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
  const { settings } = useOffice()
  const { stuck, loading } = useLive(stuckBookings, SHOWN)
  const [deed, setDeed] = useState<Deed | null>(null)
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
          {stuck.map((found) => (
            <Standing key={found.id} found={found} onDeed={setDeed} />
          ))}
        </ul>
      )}
      {deed?.kind === 'assign' && settings && (
        <AssignDialog booking={deed.booking} settings={settings} onClose={() => setDeed(null)} />
      )}
      {deed?.kind === 'cancel' && (
        <CancelDialog booking={deed.booking} onClose={() => setDeed(null)} />
      )}
    </section>
  )
}
