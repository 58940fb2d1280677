import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { toTelLink } from '~/src/ui/format/telLink'
import type { BookingWithEvents } from '../currentBookings'
import { useSendEvent } from '../outbox/useSendEvent'
import { BookingPlaces } from './BookingPlaces'
import { ReleaseDialog } from './ReleaseDialog'
import css from './NextBooking.module.css'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Shows the booking that the driver has accepted for the time after their current one. */
export const NextBooking = ({
  next: { booking, events },
  driver,
  settings,
}: {
  next: BookingWithEvents
  driver: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const send = useSendEvent(booking, driver, settings)
  const { customer_contact } = useBookingContacts(booking)
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={css.next} aria-labelledby="next-booking">
      <h2 id="next-booking">{t('next_booking')}</h2>
      <p className={css.when}>
        <span>{booking.customer_name}</span>
        {booking.expected_at !== undefined && (
          <span>
            {t('pickup_about')} <DateTime at={booking.expected_at} only="time" />
          </span>
        )}
      </p>
      <BookingPlaces booking={booking} />
      <div className={css.links}>
        {customer_contact && (
          <a href={toTelLink(customer_contact)}>
            <Icon name="phone" size={20} />
            {t('call')}
          </a>
        )}
        <Link to={screenPaths.chat(booking.id)}>
          <Icon name="chat" size={20} />
          {t('chat')}
        </Link>
        {events.includes('release') && (
          <Button size="small" onClick={() => setAsking(true)}>
            {t('give_up')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ReleaseDialog
          onClose={() => setAsking(false)}
          onRelease={(reason) => send({ booking_id: booking.id, event: 'release', reason })}
        />
      )}
    </section>
  )
}
