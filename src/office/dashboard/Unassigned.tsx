import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Booking } from '~/domain/entities'
import { bookings as liveBookings } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { EmptyState, SkeletonLines } from '~/src/ui/states'
import { officeActions } from '../bookings/actions'
import { AssignDialog } from '../bookings/AssignDialog'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

/** Bookings that still have no driver, the longest waiting first. */
export const Unassigned = () => {
  const { t } = useTranslation()
  const { profile, settings, allowed } = useOffice()
  const { bookings, loading } = useLive(liveBookings, { status: 'NEW', size: 50 })
  const [assigning, setAssigning] = useState<Booking | null>(null)
  const waiting = [...bookings].sort((a, b) => a.tripdate - b.tripdate)
  return (
    <section className={css.box} aria-labelledby="unassigned">
      <h2 id="unassigned">
        {t('unassigned')} <span className={css.count}>{waiting.length}</span>
      </h2>
      {loading && waiting.length === 0 ? (
        <SkeletonLines lines={4} />
      ) : waiting.length === 0 ? (
        <EmptyState title={t('unassigned_none')} />
      ) : (
        <ul role="list" className={css.waiting}>
          {waiting.map((b) => (
            <li key={b.id}>
              <div>
                <Link to={`${screens.bookings}?open=${b.id}`} title={b.pickupAddress} dir="auto">
                  {b.pickupAddress}
                </Link>
                <small>
                  <bdi>{b.carType}</bdi> ·{' '}
                  <DateTime at={b.bookLater ? b.tripdate : b.bookingDate} />
                </small>
              </div>
              {officeActions(b, profile, settings).assign && (
                <Button
                  size="small"
                  aria-label={t('assign_booking', { place: b.pickupAddress })}
                  onClick={() => allowed('booking_assign') && setAssigning(b)}
                >
                  {t('assign')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {assigning && settings && (
        <AssignDialog booking={assigning} settings={settings} onClose={() => setAssigning(null)} />
      )}
    </section>
  )
}
