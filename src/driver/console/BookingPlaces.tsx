import { getStops } from '~/domain/booking/stops/bookingStops'
import { StopStateText } from '~/src/features/bookings/stops/StopList'
import { toShownStop } from '~/src/features/bookings/stops/shownStops'
import { Address } from '~/src/ui/format/address'
import { MarkedPlace } from '~/src/ui/PlaceMark'
import css from './BookingPlaces.module.css'
import type { Booking } from '~/domain/booking/types'

/** Renders pickup, stops and drop-off in a column; the stops with what happened there. */
export const BookingPlaces = ({ booking }: { booking: Booking }) => (
  <ol role="list" className={css.places}>
    <li>
      <MarkedPlace kind="pickup">
        <Address value={booking.pickupAddress} />
      </MarkedPlace>
    </li>
    {getStops(booking).map((stop, index) => (
      <li key={index} className={css.stop} data-state={stop.state}>
        <MarkedPlace kind="stop">
          <span className={css.address}>
            <Address value={stop.place.add} />
          </span>
        </MarkedPlace>{' '}
        <StopStateText stop={toShownStop(stop)} />
      </li>
    ))}
    <li>
      <MarkedPlace kind="drop">
        <Address value={booking.dropAddress} />
      </MarkedPlace>
    </li>
  </ol>
)
