import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import type { AmendedTrip } from '~/domain/recurring/view'
import css from '~/src/features/recurring/recurring.module.css'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'

/** Says which bookings were changed, and why others stay as they are. */
export const AmendedTrips = ({ trips, onClose }: { trips: AmendedTrip[]; onClose: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const explain = ({ key, params = {} }: AmendedTrip) => {
    if (key === undefined) return t('series_trip_amended')
    const { estimate } = params
    return key === 'estimate_changed' && typeof estimate === 'number'
      ? t('series_trip_dearer', { price: format.money(estimate) })
      : t(key, params)
  }
  return (
    <Dialog
      title={t('series_edited')}
      onClose={onClose}
      actions={
        <Button variant="primary" size="large" wide onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <ul role="list" className={css.trips}>
        {trips.map((trip) => (
          <li key={toOccurrenceKey(trip)}>
            <Link to={screenPaths.booking(trip.booking)}>{format.dateTime(trip.at)}</Link>
            <span>{explain(trip)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
