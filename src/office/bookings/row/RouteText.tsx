import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Address } from '~/src/ui/format/address'
import { useFormat } from '~/src/ui/format/format'
import { MarkedPlace, type PlaceKind } from '~/src/ui/PlaceMark'
import css from './bookingRow.module.css'
import type { Booking } from '~/domain/booking/types'

const MARK_SIZE = 14

const PlaceLine = ({ kind, address, to }: { kind: PlaceKind; address: string; to?: string }) => {
  const text = <Address value={address} />
  return (
    <span className={css.place}>
      <MarkedPlace kind={kind} size={MARK_SIZE}>
        <span className={css.address} dir="auto" title={address}>
          {to === undefined ? text : <Link to={to}>{text}</Link>}
        </span>
      </MarkedPlace>
    </span>
  )
}

/**
 * Shows the pickup above the drop-off, one line each. `to` links the pickup; stops are counted
 * beside the drop-off.
 */
export const RouteText = ({
  booking: { pickupAddress, dropAddress, waypoints = [] },
  to,
  note,
}: {
  booking: Pick<Booking, 'pickupAddress' | 'dropAddress' | 'waypoints'>
  to?: string
  /** A short text beside the drop-off. */
  note?: string
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={css.route}>
      <PlaceLine kind="pickup" address={pickupAddress} {...(to !== undefined && { to })} />
      <span className={css.last}>
        <PlaceLine kind="drop" address={dropAddress} />
        {waypoints.length > 0 && (
          <small className={css.stops}>
            {t('stops')}: {format.number(waypoints.length)}
          </small>
        )}
        {note && (
          <small className={css.stops}>
            <bdi>{note}</bdi>
          </small>
        )}
      </span>
    </span>
  )
}
