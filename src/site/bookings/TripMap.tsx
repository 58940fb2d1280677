import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WholeScreenDialog } from '~/src/ui/dialogs/WholeScreenDialog'
import { BookingMap } from '~/src/widgets/BookingMap'
import css from './TripMap.module.css'
import type { Booking } from '~/domain/booking/types'

/**
 * Shows a booking's map at its place, or over the whole screen with `status` at its bottom.
 *
 * @public BookingPage loads it on demand.
 */
export const TripMap = ({ booking, status }: { booking: Booking; status: ReactNode }) => {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const label = t('booking_map')
  const expansion = { isWhole, toggle: () => setWhole(!isWhole) }
  if (!isWhole) return <BookingMap booking={booking} label={label} expansion={expansion} />
  return (
    <WholeScreenDialog label={label} onClose={expansion.toggle}>
      <BookingMap booking={booking} label={label} expansion={expansion}>
        {status && <div className={css.status}>{status}</div>}
      </BookingMap>
    </WholeScreenDialog>
  )
}
