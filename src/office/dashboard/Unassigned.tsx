import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { bookings as liveBookings } from '~/src/features/bookings/bookings'
import { statusCounts } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { Ago } from '~/src/ui/office/Ago'
import { EmptyState, SkeletonLines } from '~/src/ui/states'
import { officeActions } from '../bookings/actions'
import { useBookingDialog } from '../bookings/BookingDialogs'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

/** A booking is read whole, so no more than a dispatcher sees at once. */
const SHOWN = 8

/** Bookings that still have no driver: the newest, the longest waiting of them first. */
export const Unassigned = () => {
  const { t } = useTranslation()
  const { profile, settings } = useOffice()
  const ask = useBookingDialog()
  const { bookings, loading } = useLive(liveBookings, { status: 'NEW', size: SHOWN })
  const { counts } = useLive(statusCounts)
  const waiting = [...bookings].sort((a, b) => a.tripdate - b.tripdate)
  const count = Math.max(waiting.length, counts?.NEW ?? 0)
  return (
    <section className={css.box} aria-labelledby="unassigned">
      <h2 id="unassigned">
        {t('unassigned')} <span className={css.count}>{count}</span>
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
                  <bdi>{b.carType}</bdi> · <Ago at={b.bookLater ? b.tripdate : b.bookingDate} />
                </small>
              </div>
              {officeActions(b, profile, settings).assign && (
                <Button
                  size="small"
                  aria-label={t('assign_booking', { place: b.pickupAddress })}
                  onClick={() => ask('assign', b.id)}
                >
                  {t('assign')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {count > waiting.length && <Link to={`${screens.bookings}?status=NEW`}>{t('all')}</Link>}
    </section>
  )
}
