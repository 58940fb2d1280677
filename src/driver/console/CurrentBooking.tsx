import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isAllowedFrom } from '~/domain/booking/eventPermissions'
import { getAmountDue } from '~/domain/booking/paymentPacket'
import type { BookingEvent } from '~/domain/booking/transitions'
import type { Booking, Place, Settings, User } from '~/domain/entities'
import { toDistanceUnit } from '~/domain/geo'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { positionFound, requestPosition, selectGps } from '~/src/features/gps/gps'
import { PanicButton } from '~/src/features/panic/PanicButton'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { toTelLink } from '~/src/ui/telLink'
import type { BookingWithEvents } from '../currentBookings'
import { refusalRead, selectOutbox } from '../outbox/outbox'
import type { DriverEventInput, PhotoField } from '../outbox/outboxItem'
import { useSendEvent } from '../outbox/useSendEvent'
import { NavigationMap, useFormatTurn } from '../NavigationMap'
import { useRemainingRoute } from '../remainingRoute'
import { ReleaseDialog } from './ReleaseDialog'
import css from './CurrentBooking.module.css'
import { AmendmentNotice } from './AmendmentNotice'
import { NavigateDialog } from './NavigateDialog'
import { BookingPlaces } from './BookingPlaces'
import { EventInputDialog } from './EventInputDialog'
import { TripMeter } from './TripMeter'
import { usePassedStops } from './passedStops'

type DriverEventName = DriverEventInput['event']
const DRIVER_EVENTS: readonly DriverEventName[] = [
  'arrive',
  'start',
  'reach',
  'finish',
  'collect',
  'release',
]
const isDriverEvent = (event: BookingEvent): event is DriverEventName =>
  (DRIVER_EVENTS as readonly string[]).includes(event)

/** Returns the photo that the settings require for an event, if any. */
const getRequiredPhoto = (
  step: DriverEventName | undefined,
  settings: Settings,
): PhotoField | null => {
  if (settings.appcat !== 'delivery') return null
  if (step === 'start' && settings.AllowDeliveryPickupImageCapture) return 'pickup_image'
  return step === 'reach' && settings.AllowFinalDeliveryImageCapture ? 'deliver_image' : null
}

/**
 * Degrees of a maneuver's arrow, measured from the right; unknown maneuvers point straight ahead.
 */
const TURN_ARROW_DEGREES: Record<string, number> = {
  'slight-left': -135,
  left: 180,
  'sharp-left': 135,
  'slight-right': -45,
  right: 0,
  'sharp-right': 45,
  'u-turn': 90,
}

const DetailRow = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const BookingDetails = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const parcel = [booking.parcelTypeSelected, booking.optionSelected]
    .map((choice) => choice?.description)
    .filter(Boolean)
    .join(' · ')
  const getDistanceItems = useDistanceItems()
  const note = useDistanceNote()(booking)
  const { pickUpInstructions, deliveryPerson, deliveryInstructions } = booking
  const { deliveryPersonPhone } = useBookingContacts(booking)
  return (
    <>
      <dl className={css.facts}>
        <DetailRow label={t('customer')}>{booking.customer_name}</DetailRow>
        {parcel && <DetailRow label={t('parcel_type')}>{parcel}</DetailRow>}
        {pickUpInstructions && (
          <DetailRow label={t('pickUpInstructions')}>{pickUpInstructions}</DetailRow>
        )}
        {(deliveryPerson || deliveryPersonPhone) && (
          <DetailRow label={t('deliveryPerson')}>
            {deliveryPerson}{' '}
            {deliveryPersonPhone && (
              <a href={toTelLink(deliveryPersonPhone)}>
                <bdi className="typed">{deliveryPersonPhone}</bdi>
              </a>
            )}
          </DetailRow>
        )}
        {deliveryInstructions && (
          <DetailRow label={t('deliveryInstructions')}>{deliveryInstructions}</DetailRow>
        )}
        <DetailRow label={t('driver_share')}>
          <Money amount={booking.driver_share} />
        </DetailRow>
        {booking.driven_distance !== undefined &&
          getDistanceItems(booking).map(([name, value]) => (
            <DetailRow key={name} label={name}>
              {value}
            </DetailRow>
          ))}
        <DetailRow label={t('booking_reference')}>
          <Link to={screenPaths.booking(booking.id)}>
            <bdi dir="ltr">{booking.reference}</bdi>
          </Link>
        </DetailRow>
      </dl>
      {note && <p className={css.note}>{note}</p>}
    </>
  )
}

/** Shows the cash that the driver collects: large when it is due, otherwise as one line. */
const CashDue = ({ due, isTime }: { due: number; isTime: boolean }) => {
  const { t } = useTranslation()
  if (due <= 0)
    return (
      <p className={css.prepaid}>
        <Icon name="check" size={22} /> {t('nothing_to_collect')}
      </p>
    )
  return isTime ? (
    <p className={css.cashNow}>
      <span>{t('cash_to_collect')}</span>
      <strong>
        <Money amount={due} />
      </strong>
    </p>
  ) : (
    <p className={css.cashLater}>
      <Icon name="cash" size={22} />
      <span>
        {t('cash_at_the_end')}{' '}
        <strong>
          <Money amount={due} />
        </strong>
      </span>
    </p>
  )
}

/** Renders the actions that stay within reach of the thumb during the whole booking. */
const TripActions = ({
  booking,
  panicPhone,
  onNavigate,
}: {
  booking: Booking
  panicPhone: string | undefined
  onNavigate: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { location, error: lost } = useAppSelector(selectGps)
  const { customer_contact } = useBookingContacts(booking)
  return (
    <div className={css.actions}>
      <button type="button" onClick={onNavigate}>
        <Icon name="compass" size={24} />
        <span>{t('navigate')}</span>
      </button>
      {customer_contact && (
        <a href={toTelLink(customer_contact)}>
          <Icon name="phone" size={24} />
          <span>{t('call')}</span>
        </a>
      )}
      <Link to={screenPaths.chat(booking.id)}>
        <Icon name="chat" size={24} />
        <span>{t('chat')}</span>
      </Link>
      <PanicButton
        booking={booking.id}
        phone={panicPhone}
        locate={() => (location && !lost ? Promise.resolve(location) : dispatch(requestPosition()))}
        className={css.emergency}
      />
    </div>
  )
}

/** Returns the place to drive to next, which depends on the next event. */
const getTarget = (
  booking: Booking,
  step: DriverEventName | undefined,
  passed: number[],
): Place => {
  if (step === 'arrive' || step === 'start') return booking.pickup
  const stop = (booking.waypoints ?? []).find((_, index) => !passed.includes(index))
  return step === 'reach' && stop ? stop : booking.drop
}

/**
 * Renders the driver's current booking: destination, details, and one large button for the next
 * event.
 */
export const CurrentBooking = ({
  current: { booking, events },
  driver,
  settings,
}: {
  current: BookingWithEvents
  driver: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const turnText = useFormatTurn()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { location, error: lost } = useAppSelector(selectGps)
  const outbox = useAppSelector(selectOutbox)
  const { passed, pass } = usePassedStops(booking.id)
  const [asking, setAsking] = useState<DriverEventName | null>(null)
  const [dialog, setDialog] = useState<'navigate' | 'release' | null>(null)
  const [locating, setLocating] = useState(false)

  const step = events.filter(isDriverEvent).find((event) => event !== 'release')
  const mayRelease = events.includes('release')
  const photoField = getRequiredPhoto(step, settings)
  const needsCode = step === 'start' && booking.otp !== false
  const waiting = outbox.items.find(
    (item) => item.kind === 'event' && item.booking_id === booking.id,
  )
  const busy = locating || (waiting !== undefined && !outbox.isOptimistic)
  const refused = outbox.rejectedEvents.find(
    (r) => r.booking_id === booking.id && r.droppedEventCount === 0,
  )
  const target = getTarget(booking, step, passed)
  const isDriving = step === 'arrive' || step === 'reach'
  const isAmendable = isAllowedFrom('amend', booking.status)
  const via =
    step === 'reach' && target !== booking.drop
      ? (booking.waypoints ?? []).filter((_, index) => !passed.includes(index))
      : []
  const route = useRemainingRoute(
    isDriving ? location : null,
    step === 'reach' ? booking.drop : target,
    via,
  )
  const toTarget = useRemainingRoute(isDriving ? location : null, target)

  // Scrolls to the top for each new step, wherever the driver had scrolled to.
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) window.scrollTo?.({ top: 0 })
    shown.current = step
  }, [step])

  const sendEvent = useSendEvent(booking, driver, settings)
  const send = (input: DriverEventInput, photo?: string) =>
    sendEvent(input, photoField && photo ? { field: photoField, url: photo } : undefined)
  const take = async (event: DriverEventName, given: { otp?: number; photo?: string } = {}) => {
    const on = { booking_id: booking.id }
    if (event === 'arrive' || event === 'reach') {
      setLocating(true)
      // A lost position must not pass as the current one.
      const place = (lost ? null : location) ?? (await dispatch(requestPosition()))
      setLocating(false)
      if (!place) {
        const { isDenied } = selectGps(store.getState())
        const text = isDenied ? 'gps_denied' : 'gps_unknown'
        dispatch(noticeRaised({ tone: 'problem', text, endedBy: [positionFound.type] }))
        return
      }
      send({ ...on, event, lat: place.lat, lng: place.lng }, given.photo)
      if (event === 'reach') setAsking(null)
    } else if (event === 'start')
      send({ ...on, event, ...(given.otp !== undefined && { otp: given.otp }) }, given.photo)
    else if (event === 'finish' || event === 'collect') send({ ...on, event })
  }
  const press = () => {
    if (!step) return
    dispatch(refusalRead(booking.id))
    if (photoField || needsCode) setAsking(step)
    else void take(step)
  }
  const { due } = getAmountDue(booking, settings.decimal)
  return (
    <article className={css.booking} aria-label={t('current_booking')}>
      {isDriving && <NavigationMap booking={booking} route={route} to={target} tall />}
      <header className={css.head}>
        <div>
          <h2>{t(step ? `stage_${step}` : `status_${booking.status}`)}</h2>
          {isDriving && toTarget && (
            <p className={css.eta}>
              {t('task_way_short', {
                distance: format.distance(toDistanceUnit(toTarget.km, settings)),
                time: format.duration(toTarget.seconds),
              })}
            </p>
          )}
        </div>
        <TripMeter booking={booking} settings={settings} />
      </header>
      {isDriving && route?.turns[0] && (
        <p className={css.turn}>
          <span
            className={css.pointer}
            style={{ rotate: `${TURN_ARROW_DEGREES[route.turns[0].maneuver] ?? -90}deg` }}
          >
            <Icon name="arrow" size={22} />
          </span>
          <span>
            {[
              format.distance(toDistanceUnit(route.turns[0].km, settings)),
              turnText(route.turns[0]),
              route.turns[0].street,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
      )}
      {isAmendable && (
        <AmendmentNotice booking={booking} since={booking.accepted_at ?? booking.bookingDate} />
      )}
      {step !== 'collect' && <p className={css.target}>{target.add}</p>}
      {step === 'collect' && <CashDue due={due} isTime />}
      {step !== 'collect' && <CashDue due={due} isTime={false} />}
      <section className={css.panel} aria-label={t('trip_places')}>
        <BookingPlaces
          booking={booking}
          passed={passed}
          {...(step === 'reach' && { onPass: pass })}
        />
      </section>
      <section className={css.panel} aria-label={t('trip_details')}>
        <BookingDetails booking={booking} />
      </section>
      {mayRelease && (
        <Button variant="danger" wide disabled={busy} onClick={() => setDialog('release')}>
          {t('give_up')}
        </Button>
      )}
      <div className={css.foot}>
        {refused && asking === null && (
          <p role="alert" className={css.problem}>
            {translateError(refused.error, t)}
          </p>
        )}
        <TripActions
          booking={booking}
          panicPhone={settings.panic}
          onNavigate={() => setDialog('navigate')}
        />
        {step && (
          <Button variant="primary" wide busy={busy} onClick={press}>
            {t(`do_${step}`)}
          </Button>
        )}
      </div>
      {asking && asking === step && (
        <EventInputDialog
          title={t(`stage_${asking}`)}
          button={t(`do_${asking}`)}
          needsCode={needsCode}
          photoField={photoField}
          refused={refused}
          busy={busy}
          onDone={(given) => void take(asking, given)}
          onClose={() => {
            setAsking(null)
            dispatch(refusalRead(booking.id))
          }}
        />
      )}
      {dialog === 'navigate' && <NavigateDialog to={target} onClose={() => setDialog(null)} />}
      {dialog === 'release' && (
        <ReleaseDialog
          onClose={() => setDialog(null)}
          onRelease={(reason) => {
            setDialog(null)
            send({ booking_id: booking.id, event: 'release', reason })
          }}
        />
      )}
    </article>
  )
}
