import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { liveUsers } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { Icon } from '~/src/ui/Icon'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import css from './bookingRow.module.css'
import type { Booking } from '~/domain/booking/types'

/** Maximum number of requested drivers named in a row. */
const ASKED_SHOWN = 2

/** Names the driver, or the drivers who have an offer while there is none. */
export const DriverText = ({
  booking: { driver_name, requestedDrivers },
}: {
  booking: Booking
}) => {
  const requested = Object.keys(requestedDrivers ?? {})
  const { users: drivers } = useLive(liveUsers, { ids: requested.slice(0, ASKED_SHOWN) })
  if (driver_name) return driver_name
  const others = requested.length - drivers.length
  const names = drivers.map(formatFullName).join(', ')
  return others > 0 ? `${names} +${others}` : names || null
}

/** Shows the plate, or that the named drivers only have an offer. */
export const DriverNote = ({
  booking: { driver_name, vehicle_number, requestedDrivers },
}: {
  booking: Booking
}) => {
  const { t } = useTranslation()
  if (driver_name) return vehicle_number ? <bdi dir="ltr">{vehicle_number}</bdi> : null
  return requestedDrivers ? t('board_asked') : null
}

/** Shows when the pickup of a later trip is. */
export const PickupTime = ({ booking: { bookLater, tripdate } }: { booking: Booking }) => {
  const { t } = useTranslation()
  if (!bookLater) return null
  return (
    <span className={css.pickupTime}>
      <Icon name="clock" size={14} />
      <span className="visually-hidden">{t('trip_date')}: </span> <RelativeTime at={tripdate} />
    </span>
  )
}
