import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { getTripEnd } from '~/domain/booking/contactAccess'
import type { BookingEvent } from '~/domain/booking/transitions'
import { getDue } from '~/domain/payments/paymentStatement'
import { isHelpOpen } from '~/domain/help/helpCase'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { liveBooking } from '~/src/features/bookings/bookings'
import { TripCode } from '~/src/features/bookings/TripCode'
import { PushPrompt } from '~/src/features/inbox/PushPrompt'
import { liveSettings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { FromTo } from '~/src/ui/FromTo'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { Link } from '~/src/ui/navigation/router'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import { ArrivalTime } from './ArrivalTime'
import { BookAgainButton } from './BookAgainButton'
import { CONTACT_RECHECK_MS, CustomerCard, DriverCard, EmergencyPanel } from './PeoplePanels'
import {
  BookingSummary,
  FarePanel,
  FeedbackPanel,
  PhotosPanel,
  StopsPanel,
  Timeline,
} from './TripPanels'
import css from './BookingPage.module.css'
import { getPrice, isSettled } from './bookingPrice'
import { RatingPanel } from './RatingPanel'
import { Receipt } from './Receipt'
import { SharePanel } from './SharePanel'
import { useArrivalSeconds } from './useArrivalSeconds'
import { useBookingDialog } from './useBookingDialog'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const TripMap = lazyWithRetry(async () => (await import('./TripMap')).TripMap)

const HelpPanel = lazyWithRetry(async () => (await import('./HelpPanel')).HelpPanel)

const TipPanel = lazyWithRetry(async () => (await import('./tips/TipPanel')).TipPanel)

/** Statuses of a successful booking, as the rider sees them. */
const STAGES = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PAID'] as const
const STAGE_BY_STATUS: Record<Booking['status'], number> = {
  PAYMENT_PENDING: -1,
  NEW: 0,
  ACCEPTED: 1,
  ARRIVED: 2,
  STARTED: 3,
  REACHED: 4,
  PENDING: 4,
  PAID: 5,
  COMPLETE: 6,
  CANCELLED: -1,
}

const BookingProgress = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const at = STAGE_BY_STATUS[booking.status]
  if (booking.status === 'CANCELLED' || booking.status === 'PAYMENT_PENDING') return null
  return (
    <ol role="list" className={css.progress}>
      {STAGES.map((stage, index) => (
        <li
          key={stage}
          data-done={index < at || undefined}
          data-now={index === at || undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>{t(`status_${stage}`)}</span>
        </li>
      ))}
    </ol>
  )
}

const TripCodePanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <section className={css.code}>
      <h2>{t('your_code')}</h2>
      <p className={css.digits}>
        <TripCode booking={booking} />
      </p>
      <p>{t('your_code_hint')}</p>
    </section>
  )
}

/** Returns true while the rider tells the driver the code of the booking. */
const isCodeShown = (booking: Booking, profile: User | null): boolean =>
  booking.otp !== false &&
  (profile?.usertype === 'rider' || profile?.usertype === 'admin') &&
  STAGE_BY_STATUS[booking.status] >= 0 &&
  STAGE_BY_STATUS[booking.status] < 3

interface ColumnProps {
  booking: Booking
  profile: User | null
  settings: Settings | null
  /** Returns true when the person can cause an event. */
  may: (event: BookingEvent) => boolean
  open: (kind: 'cancel' | 'pay' | 'amend', booking: Booking) => void
}

/** Asks for the payment that is due. */
const PayPanel = ({ booking, settings, open }: ColumnProps) => {
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

/** Shows rating, tip, map, progress and fare; `arrival` is over the map. */
const MainColumn = ({
  arrival,
  code,
  ...props
}: ColumnProps & { arrival: ReactNode; code: ReactNode }) => {
  const { booking, profile, settings, may } = props
  const party = booking.driver === profile?.id ? 'driver' : 'rider'
  return (
    <div className={css.main}>
      {may('rate') && <RatingPanel booking={booking} />}
      <FeedbackPanel booking={booking} />
      {may('tip') && profile && settings && (
        <OptionalPart>
          <TipPanel booking={booking} profile={profile} settings={settings} />
        </OptionalPart>
      )}
      <div className={css.map}>
        <OptionalPart>
          <TripMap booking={booking} status={arrival} />
        </OptionalPart>
      </div>
      {code}
      <Timeline booking={booking} party={party} />
      <FarePanel booking={booking} settings={settings} party={party} />
    </div>
  )
}

/** Shows what else the person can do with the booking. */
const RestColumn = ({ booking, profile, settings, may, open }: ColumnProps) => {
  const { t } = useTranslation()
  const now = useNow(CONTACT_RECHECK_MS)
  const isRider = profile?.usertype === 'rider'
  const isParty = booking.customer === profile?.id || booking.driver === profile?.id
  return (
    <div className={css.rest}>
      {isRider && !isSettled(booking) && <PushPrompt reason="rider" />}
      {isParty && <EmergencyPanel booking={booking} phone={settings?.panic} />}
      <BookingSummary booking={booking} />
      <PhotosPanel booking={booking} />
      {isRider && booking.status !== 'PAYMENT_PENDING' && !isSettled(booking) && (
        <SharePanel booking={booking} />
      )}
      <div className={css.buttons}>
        {isSettled(booking) && (
          <Button onClick={() => window.print()}>
            <Icon name="note" size={18} />
            {t('receipt_print')}
          </Button>
        )}
        {isRider && isSettled(booking) && <BookAgainButton booking={booking} />}
      </div>
      {isRider && getTripEnd(booking) !== undefined && (
        <Suspense fallback={null}>
          <HelpPanel booking={booking} isOpen={isHelpOpen(booking, now)} />
        </Suspense>
      )}
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

const BookingHead = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <>
      <div className={css.head}>
        <Link to={screenPaths.bookings} className={css.back}>
          <Icon name="back" size={18} />
          {t('menu_bookings')}
        </Link>
        <BookingStatus status={booking.status} />
      </div>
      <h1>
        <FromTo
          from={booking.pickupAddress.split(',')[0] ?? ''}
          to={booking.dropAddress.split(',')[0] ?? ''}
        />
      </h1>
      <p className={css.muted}>{t('booking_title', { id: booking.reference })}</p>
      <div aria-live="polite">
        <BookingProgress booking={booking} />
      </div>
    </>
  )
}

const BookingDetails = ({ booking }: { booking: Booking }) => {
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { may: mayOn, open, dialogOver } = useBookingDialog(settings)
  const isMoving = booking.status === 'ACCEPTED' || booking.status === 'STARTED'
  const { coords } = useLive(lastPosition, isMoving ? booking.id : null)
  const car = coords[0]
  const seconds = useArrivalSeconds(booking, car)
  const isRider = profile?.usertype === 'rider'
  // Told at the pickup: until the driver is there, the map matters more on a small screen.
  const isCodeLast = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  const code = isCodeShown(booking, profile) && <TripCodePanel booking={booking} />
  const arrival = <ArrivalTime {...{ booking, car, seconds, isRider }} />
  const may = (event: BookingEvent) => mayOn(booking, event)
  const column: ColumnProps = { booking, profile, settings, may, open }
  return (
    <div className={css.page}>
      <BookingHead booking={booking} />
      <div className={css.columns}>
        <div className={css.first}>
          {may('pay') && <PayPanel {...column} />}
          {arrival}
          <StopsPanel booking={booking} />
          {profile?.usertype === 'driver' ? (
            <CustomerCard booking={booking} />
          ) : (
            <DriverCard booking={booking} />
          )}
          {!isCodeLast && code}
        </div>
        <MainColumn {...column} arrival={isMoving && arrival} code={isCodeLast && code} />
        <RestColumn {...column} />
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
