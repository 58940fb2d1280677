import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { liveUsers } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { Money } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import css from './bookingRow.module.css'
import type { Booking } from '~/domain/booking/types'

/** Maximum number of requested drivers named in a row. */
const ASKED_SHOWN = 2

/** Shows the driver and the vehicle's plate, or the requested drivers while there is none. */
export const DriverText = ({
  booking: { driver_name, vehicle_number, requestedDrivers },
}: {
  booking: Booking
}) => {
  const { t } = useTranslation()
  const requested = Object.keys(requestedDrivers ?? {})
  const { users: drivers } = useLive(liveUsers, { ids: requested.slice(0, ASKED_SHOWN) })
  if (driver_name)
    return (
      <>
        <span>{driver_name}</span>
        {vehicle_number && (
          <small className={css.beneath}>
            <bdi dir="ltr">{vehicle_number}</bdi>
          </small>
        )}
      </>
    )
  if (requested.length === 0) return null
  const names = drivers.map(formatFullName).join(', ')
  const others = requested.length - drivers.length
  return t('drivers_asked', { names: others > 0 ? `${names} +${others}` : names })
}

/** Shows the price and how it is paid. */
export const PriceText = ({ booking: { trip_cost, payment_mode } }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <>
      <span>
        <Money amount={trip_cost} />
      </span>
      {payment_mode && <small className={css.beneath}>{t(`payment_${payment_mode}`)}</small>}
    </>
  )
}

/** Shows when the booking was made and, for a later trip, when its pickup is. */
export const AgeText = ({
  booking: { bookingDate, bookLater, tripdate },
}: {
  booking: Booking
}) => {
  const { t } = useTranslation()
  return (
    <>
      <span>
        <RelativeTime at={bookingDate} />
      </span>
      {bookLater && (
        <small className={css.beneath}>
          <Icon name="clock" size={14} />
          <span className="visually-hidden">{t('trip_date')}: </span> <RelativeTime at={tripdate} />
        </small>
      )}
    </>
  )
}
