import type { ReactNode } from 'react'
import { screenPaths } from '~/src/store/screenPaths'
import { Money } from '~/src/ui/format/format'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import css from './bookingRow.module.css'
import { RouteText } from './RouteText'
import type { Booking } from '~/domain/booking/types'

/**
 * Shows a booking in two lines of a list: its route, which links to it, what the list says about
 * it, its age and price, and its buttons.
 */
export const BookingLine = ({
  booking,
  note,
  at = booking.bookLater ? booking.tripdate : booking.bookingDate,
  facts,
  actions,
}: {
  booking: Booking
  /** A short text beside the drop-off. */
  note?: string
  /** The time (ms) whose age is shown; that of the pickup or of the booking by default. */
  at?: number
  facts?: ReactNode
  actions?: ReactNode
}) => (
  <li className={css.line}>
    <RouteText
      booking={booking}
      to={`${screenPaths.bookings}?open=${booking.id}`}
      {...(note !== undefined && { note })}
    />
    {facts && <span className={css.facts}>{facts}</span>}
    <span className={css.end}>
      <RelativeTime at={at} />
      <Money amount={booking.trip_cost} />
    </span>
    {actions && <span className={css.actions}>{actions}</span>}
  </li>
)
