import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { liveBookings } from '~/src/features/bookings/bookings'
import { statusCounts } from '~/src/features/earnings/earnings'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { getAllowedActions } from '../bookings/allowedActions'
import { useOpenBookingDialog } from '../bookings/BookingDialogs'
import { BookingLine } from '../bookings/row/BookingLine'
import { useOfficeSession } from '../useOfficeSession'
import css from './dashboard.module.css'

/** Maximum number of bookings read: each is read whole, so we limit them to one screen. */
const MAX_LISTED = 8

/** Lists the newest bookings that still have no driver, the longest waiting first. */
export const UnassignedBookings = () => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const ask = useOpenBookingDialog()
  const getTypeName = useBookedVehicleTypeName()
  const { bookings, loading } = useLive(liveBookings, { status: 'NEW', size: MAX_LISTED })
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
            <BookingLine
              key={b.id}
              booking={b}
              note={getTypeName(b)}
              actions={
                getAllowedActions(b, profile, settings).assign && (
                  <Button
                    size="small"
                    aria-label={t('assign_booking', { place: b.pickupAddress })}
                    onClick={() => ask('assign', b.id)}
                  >
                    {t('assign')}
                  </Button>
                )
              }
            />
          ))}
        </ul>
      )}
      {count > waiting.length && <Link to={`${screenPaths.bookings}?status=NEW`}>{t('all')}</Link>}
    </section>
  )
}
