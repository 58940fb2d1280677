import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { getShownStops } from '~/src/features/bookings/stops/shownStops'
import { StopList } from '~/src/features/bookings/stops/StopList'
import { screenPaths } from '~/src/store/screenPaths'
import { IconButton } from '~/src/ui/controls'
import { TripEnds } from '~/src/ui/PlaceMark'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { useNow } from '~/src/ui/useNow'
import { getAllowedActions } from '../bookings/allowedActions'
import { ChatTranscript, EventTimeline } from '../bookings/BookingHistory'
import { BookingActions } from '../bookings/BookingActions'
import { BookingOffers } from '../bookings/BookingOffers'
import { PhoneLink } from '../PhoneLink'
import css from './board.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const PARTS = { offers: 'offers_title', history: 'timeline', chat: 'chat_transcript' } as const
type Part = keyof typeof PARTS
const PART_IDS = Object.keys(PARTS) as Part[]

const Phone = ({
  booking,
  field,
  settings,
}: {
  booking: Booking
  field: 'customer_contact' | 'deliveryPersonPhone'
  settings: Settings
}) => {
  const { [field]: phone } = useBookingContacts(booking, [field])
  return <PhoneLink phone={phone} settings={settings} />
}

const Instructions = ({ booking }: { booking: Booking }) => {
  const notes = useBookingContacts(booking, INSTRUCTION_FIELDS)
  return INSTRUCTION_FIELDS.map((field) => notes[field])
    .filter(Boolean)
    .map((note) => (
      <p key={note} className={css.quiet} dir="auto">
        {note}
      </p>
    ))
}

const CardHead = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <div className={css.cardHead}>
      <span className={css.cardName}>
        <Link to={screenPaths.booking(booking.id)}>
          <bdi dir="ltr">{booking.reference}</bdi>
        </Link>
        <BookingStatus status={booking.status} />
      </span>
      <span className={css.closer}>
        <IconButton label={t('close')} onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </span>
    </div>
  )
}

/** Shows the rider and the recipient with their phones. */
const People = ({ booking, settings }: { booking: Booking; settings: Settings }) => (
  <>
    <p className={css.people}>
      <Icon name="person" size={16} />
      <bdi>{booking.customer_name}</bdi>
      <Phone booking={booking} field="customer_contact" settings={settings} />
    </p>
    {booking.deliveryPerson && (
      <p className={css.people}>
        <Icon name="box" size={16} />
        <bdi>{booking.deliveryPerson}</bdi>
        <Phone booking={booking} field="deliveryPersonPhone" settings={settings} />
      </p>
    )}
  </>
)

/** Milliseconds between checks whether the customer has been asked. */
const WAIT_TICK_MS = 15_000

/** Says when the customer of a booking without a driver is asked whether to go on waiting. */
const WaitState = ({ booking: { status, wait_until } }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow(WAIT_TICK_MS)
  if (status !== 'NEW' || wait_until === undefined) return null
  return (
    <p className={css.quiet}>
      {t(now < wait_until ? 'wait_asked_at' : 'wait_asked', { time: format.time(wait_until) })}
    </p>
  )
}

/**
 * Shows one booking on the board: its people and their phones, its offers, history and chat, and
 * the actions of the office.
 */
export const BookingCard = ({
  booking,
  profile,
  settings,
  onClose,
}: {
  booking: Booking
  profile: User
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [part, setPart] = useState<Part>('offers')
  const { assign } = getAllowedActions(booking, profile, settings)
  return (
    <section className={css.card} aria-label={`${t('booking')} ${booking.reference ?? ''}`}>
      <CardHead booking={booking} onClose={onClose} />
      <TripEnds from={booking.pickupAddress} to={booking.dropAddress} />
      <p className={css.quiet}>
        <RelativeTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} /> ·{' '}
        {format.money(booking.trip_cost)}
      </p>
      <StopList stops={getShownStops(booking)} isReasonShown />
      <People booking={booking} settings={settings} />
      <Instructions booking={booking} />
      <BookingActions booking={booking} isSmall className={css.actions} />
      {settings.autoDispatch && booking.status === 'NEW' && (
        <p className={css.quiet}>
          {t(booking.taken_by ? 'taken_by_office' : assign ? 'assign_by_hand' : 'auto_dispatch_on')}
        </p>
      )}
      <WaitState booking={booking} />
      <Tabs
        label={t('board_parts')}
        value={part}
        onChange={setPart}
        tabs={PART_IDS.map((id) => ({ value: id, label: t(PARTS[id]) }))}
      />
      {part === 'offers' && <BookingOffers booking={booking} />}
      {part === 'history' && <EventTimeline booking={booking} />}
      {part === 'chat' && <ChatTranscript booking={booking} />}
    </section>
  )
}
