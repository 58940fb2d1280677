import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import type { BookingEvent } from '~/domain/booking/transitions'
import { getDue } from '~/domain/payments/paymentStatement'
import { getHelpEnd } from '~/domain/help/helpCase'
import { liveBooking } from '~/src/features/bookings/bookings'
import { PushPrompt } from '~/src/features/inbox/PushPrompt'
import { liveSettings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ActionRow } from '~/src/ui/ActionRow'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { Link } from '~/src/ui/navigation/router'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import { ArrivalTime } from './ArrivalTime'
import { BookAgainButton } from './BookAgainButton'
import { BookingHead, TripCodePanel } from './BookingHead'
import {
  CONTACT_RECHECK_MS,
  ContactActions,
  CustomerCard,
  DriverCard,
  EmergencyAction,
} from './PeoplePanels'
import { BookingSummary, FarePanel, FeedbackPanel, PhotosPanel, StopsPanel } from './TripPanels'
import css from './BookingPage.module.css'
import { STAGE_BY_STATUS } from './bookingStages'
import { getPrice, isSettled } from './bookingPrice'
import { RatingPanel } from './RatingPanel'
import { Receipt } from './Receipt'
import { ShareDialog } from './ShareDialog'
import { Timeline } from './Timeline'
import { useArrivalSeconds } from './useArrivalSeconds'
import { useBookingDialog } from './useBookingDialog'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const TripMap = lazyWithRetry(async () => (await import('./TripMap')).TripMap)

const HelpPanel = lazyWithRetry(async () => (await import('./HelpPanel')).HelpPanel)

const TipPanel = lazyWithRetry(async () => (await import('./tips/TipPanel')).TipPanel)

/** Returns true while the rider tells the driver the code of the booking. */
const isCodeShown = (booking: Booking, profile: User | null): boolean =>
  booking.otp !== false &&
  (profile?.usertype === 'rider' || profile?.usertype === 'admin') &&
  STAGE_BY_STATUS[booking.status] >= 0 &&
  STAGE_BY_STATUS[booking.status] < 3

interface PartProps {
  booking: Booking
  profile: User | null
  settings: Settings | null
  /** Returns true when the person can cause an event. */
  may: (event: BookingEvent) => boolean
  open: (kind: 'cancel' | 'pay' | 'amend', booking: Booking) => void
}

/** Asks for the payment that is due. */
const PayPanel = ({ booking, settings, open }: PartProps) => {
  const { t } = useTranslation()
  return (
    <section className={css.pay}>
      <strong>
        <Money amount={settings ? getDue(booking, settings) : getPrice(booking)} />
      </strong>
      <Button variant="accent" size="large" onClick={() => open('pay', booking)}>
        {t('pay_now')}
      </Button>
    </section>
  )
}

/** Renders a part that the page works without, once it has loaded. */
const OptionalPart = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={null}>
    <Suspense fallback={null}>{children}</Suspense>
  </ErrorBoundary>
)

/** Links to the people of a booking, and shares it. */
const Contacts = ({ booking, profile, settings }: PartProps) => {
  const { t } = useTranslation()
  const [isSharing, setSharing] = useState(false)
  const isRider = profile?.usertype === 'rider'
  const isParty = booking.customer === profile?.id || booking.driver === profile?.id
  const isUnderWay = booking.status !== 'PAYMENT_PENDING' && !isSettled(booking)
  return (
    <>
      <ActionRow>
        {booking.driver && (
          <ContactActions
            booking={booking}
            of={profile?.usertype === 'driver' ? 'customer_contact' : 'driver_contact'}
          />
        )}
        {isRider && isUnderWay && (
          <button type="button" aria-haspopup="dialog" onClick={() => setSharing(true)}>
            <Icon name="send" size={24} />
            <span>{t('share_short')}</span>
          </button>
        )}
        {isParty && <EmergencyAction booking={booking} phone={settings?.panic} />}
      </ActionRow>
      {isSharing && <ShareDialog booking={booking} onClose={() => setSharing(false)} />}
    </>
  )
}

/** Renders what a person can do with a booking. */
const Actions = ({ booking, profile, may, open }: PartProps) => {
  const { t } = useTranslation()
  const isRider = profile?.usertype === 'rider'
  return (
    <div className={css.buttons}>
      {isSettled(booking) && (
        <Button onClick={() => window.print()}>
          <Icon name="note" size={18} />
          {t('receipt_print')}
        </Button>
      )}
      {isRider && isSettled(booking) && <BookAgainButton booking={booking} />}
      {isRider && may('amend') && (
        <Button onClick={() => open('amend', booking)}>
          <Icon name="note" size={18} />
          {t('change_booking')}
        </Button>
      )}
      {may('cancel') && (
        <Button variant="danger" onClick={() => open('cancel', booking)}>
          {t('cancel_booking')}
        </Button>
      )}
    </div>
  )
}

/** Shows rating, tip and help, which follow a trip. */
const Afterwards = ({ booking, profile, settings, may }: PartProps) => {
  const now = useNow(CONTACT_RECHECK_MS)
  const helpEnd = getHelpEnd(booking)
  return (
    <>
      {may('rate') && <RatingPanel booking={booking} />}
      <FeedbackPanel booking={booking} />
      {may('tip') && profile && settings && (
        <OptionalPart>
          <TipPanel booking={booking} profile={profile} settings={settings} />
        </OptionalPart>
      )}
      {profile?.usertype === 'rider' && helpEnd !== undefined && (
        <Suspense fallback={null}>
          <HelpPanel booking={booking} end={helpEnd} isOpen={now < helpEnd} />
        </Suspense>
      )}
    </>
  )
}

const BookingDetails = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { may: mayOn, open, dialogOver } = useBookingDialog(settings)
  const isMoving = booking.status === 'ACCEPTED' || booking.status === 'STARTED'
  const { coords } = useLive(lastPosition, isMoving ? booking.id : null)
  const car = coords[0]
  const seconds = useArrivalSeconds(booking, car)
  const isRider = profile?.usertype === 'rider'
  const party = booking.driver === profile?.id ? 'driver' : 'rider'
  const arrival = <ArrivalTime {...{ booking, car, seconds, isRider }} />
  const may = (event: BookingEvent) => mayOn(booking, event)
  // The driver asks for the code after the arrival; until then the way to reach them is first.
  const code = isCodeShown(booking, profile) && <TripCodePanel booking={booking} />
  const part: PartProps = { booking, profile, settings, may, open }
  return (
    <div className={css.page}>
      <Link to={screenPaths.bookings} className={css.back}>
        <Icon name="back" size={18} />
        <span>{t('menu_bookings')}</span>
      </Link>
      <div className={css.map}>
        <OptionalPart>
          <TripMap booking={booking} status={isMoving && arrival} />
        </OptionalPart>
      </div>
      <div className={css.sheet}>
        <BookingHead {...{ booking, settings, isRider, arrival }} />
        {may('pay') && <PayPanel {...part} />}
        {party === 'driver' ? <CustomerCard booking={booking} /> : <DriverCard booking={booking} />}
        {booking.status === 'ARRIVED' && code}
        <Contacts {...part} />
        {booking.status !== 'ARRIVED' && code}
        <Actions {...part} />
        <Afterwards {...part} />
        {isRider && !isSettled(booking) && <PushPrompt reason="rider" />}
        <StopsPanel booking={booking} />
        <FarePanel booking={booking} settings={settings} party={party} />
        <Timeline booking={booking} party={party} />
        <BookingSummary booking={booking} />
        <PhotosPanel booking={booking} />
      </div>
      {dialogOver([booking])}
      {isSettled(booking) && settings && <Receipt booking={booking} settings={settings} />}
    </div>
  )
}

/** Renders one booking live, from its creation to its rating. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (booking) return <BookingDetails key={booking.id} booking={booking} />
  if (loading)
    return (
      <div className={css.page}>
        <SkeletonLines lines={4} height="6rem" />
      </div>
    )
  if (error.flag && error.msg !== 'not_allowed')
    return (
      <ErrorState onRetry={retry}>
        {t(error.msg ?? 'something_failed', error.params ?? {})}
      </ErrorState>
    )
  return (
    <EmptyState
      level="h1"
      title={t('booking_missing')}
      action={<ButtonLink to={screenPaths.bookings}>{t('to_my_bookings')}</ButtonLink>}
    />
  )
}
