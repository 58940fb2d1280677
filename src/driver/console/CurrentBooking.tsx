import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isAllowedFrom } from '~/domain/booking/eventPermissions'
import { getAmountDue } from '~/domain/booking/payment/paymentPacket'
import { type CurrentStop, getCurrentStop } from '~/domain/booking/stops/bookingStops'
import type { BookingEvent } from '~/domain/booking/transitions'
import { toDistanceUnit } from '~/domain/geo/geo'
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
import { NavigationMap } from '../NavigationMap'
import { useRemainingRoute } from '../remainingRoute'
import { ReleaseDialog } from './ReleaseDialog'
import css from './CurrentBooking.module.css'
import { AmendmentNotice } from './AmendmentNotice'
import { NavigateDialog } from './NavigateDialog'
import { BookingPlaces } from './BookingPlaces'
import { EventInputDialog } from './EventInputDialog'
import { NextTurn } from './NextTurn'
import { StopActions } from './stops/StopActions'
import { TripDetails } from './TripDetails'
import { TripMeter } from './TripMeter'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Booking } from '~/domain/booking/types'
import type { Place } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

type DriverEventName = DriverEventInput['event']
const DRIVER_EVENTS: readonly DriverEventName[] = [
  'arrive',
  'start',
  'arrive_stop',
  'leave_stop',
  'skip_stop',
  'reach',
  'finish',
  'collect',
  'release',
]
const isDriverEvent = (event: BookingEvent): event is DriverEventName =>
  (DRIVER_EVENTS as readonly string[]).includes(event)
/** Events that have a button of their own beside the main one. */
const SIDE_EVENTS: readonly DriverEventName[] = ['skip_stop', 'release']
/** Events that end a drive, whose map and distance the screen shows before. */
const DRIVING_EVENTS: readonly (DriverEventName | undefined)[] = ['arrive', 'arrive_stop', 'reach']

/** Returns the photo that the settings require for an event, if any. */
const getRequiredPhoto = (
  step: DriverEventName | undefined,
  settings: Settings,
): PhotoField | null => {
  if (settings.appcat !== 'delivery') return null
  if (step === 'start' && settings.AllowDeliveryPickupImageCapture) return 'pickup_image'
  return step === 'reach' && settings.AllowFinalDeliveryImageCapture ? 'deliver_image' : null
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
  stop: CurrentStop | undefined,
): Place => {
  if (step === 'arrive' || step === 'start') return booking.pickup
  return stop?.place ?? booking.drop
}

/** Returns a stop as an event names it. */
const toStopRef = ({ index, place: { lat, lng } }: CurrentStop) => ({ index, stop: { lat, lng } })

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
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { location, error: lost } = useAppSelector(selectGps)
  const outbox = useAppSelector(selectOutbox)
  const [asking, setAsking] = useState<DriverEventName | null>(null)
  const [dialog, setDialog] = useState<'navigate' | 'release' | null>(null)
  const { busy: locating, run } = useSingleRun()

  const step = events.filter(isDriverEvent).find((event) => !SIDE_EVENTS.includes(event))
  const stop = getCurrentStop(booking)
  const stopNumbers = stop && {
    number: format.number(stop.index + 1),
    total: format.number(booking.waypoints?.length ?? 0),
  }
  const mayRelease = events.includes('release')
  const photoField = getRequiredPhoto(asking ?? step, settings)
  const needsCode = (asking ?? step) === 'start' && booking.otp !== false
  const waiting = outbox.items.find(
    (item) => item.kind === 'event' && item.booking_id === booking.id,
  )
  const busy = locating || (waiting !== undefined && !outbox.isOptimistic)
  const refused = outbox.rejectedEvents.find(
    (r) => r.booking_id === booking.id && r.droppedEventCount === 0,
  )
  const target = getTarget(booking, step, stop)
  const isDriving = DRIVING_EVENTS.includes(step)
  const isAmendable = isAllowedFrom('amend', booking.status)
  const route = useRemainingRoute(
    isDriving ? location : null,
    step === 'arrive' ? booking.pickup : booking.drop,
    stop ? booking.waypoints?.slice(stop.index) : [],
  )
  const toTarget = useRemainingRoute(isDriving ? location : null, target)

  // Scrolls to the top for each new step, wherever the driver had scrolled to.
  const stage = `${step} ${stop?.index}`
  const shown = useRef(stage)
  useEffect(() => {
    if (shown.current !== stage) window.scrollTo?.({ top: 0 })
    shown.current = stage
  }, [stage])

  const sendEvent = useSendEvent(booking, driver, settings)
  const send = (input: DriverEventInput, photo?: string) =>
    sendEvent(input, photoField && photo ? { field: photoField, url: photo } : undefined)
  const take = async (event: DriverEventName, given: { otp?: number; photo?: string } = {}) => {
    const on = { booking_id: booking.id }
    if (event === 'arrive' || event === 'reach') {
      // A lost position must not pass as the current one.
      const place = (lost ? null : location) ?? (await dispatch(requestPosition()))
      if (!place) {
        const { isDenied } = selectGps(store.getState())
        const text = isDenied ? 'gps_denied' : 'gps_unknown'
        dispatch(noticeRaised({ tone: 'problem', text, endedBy: [positionFound.type] }))
        return
      }
      send({ ...on, event, lat: place.lat, lng: place.lng }, given.photo)
      if (event === 'reach') setAsking(null)
    } else if (event === 'arrive_stop' || event === 'leave_stop') {
      if (stop) send({ ...on, event, ...toStopRef(stop) })
    } else if (event === 'start')
      send({ ...on, event, ...(given.otp !== undefined && { otp: given.otp }) }, given.photo)
    else if (event === 'finish' || event === 'collect') send({ ...on, event })
  }
  const begin = (event: DriverEventName) => {
    dispatch(refusalRead(booking.id))
    const isCodeAsked = event === 'start' && booking.otp !== false
    if (isCodeAsked || getRequiredPhoto(event, settings)) setAsking(event)
    else void run(() => take(event))
  }
  const { due } = getAmountDue(booking, settings.decimal)
  return (
    <article className={css.booking} aria-label={t('current_booking')}>
      {isDriving && <NavigationMap booking={booking} route={route} to={target} tall />}
      <header className={css.head}>
        <div>
          <h2>{t(step ? `stage_${step}` : `status_${booking.status}`, stopNumbers ?? {})}</h2>
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
      {isDriving && route?.turns[0] && <NextTurn turn={route.turns[0]} settings={settings} />}
      {isAmendable && (
        <AmendmentNotice booking={booking} since={booking.accepted_at ?? booking.bookingDate} />
      )}
      {step !== 'collect' && <p className={css.target}>{target.add}</p>}
      {step === 'collect' && <CashDue due={due} isTime />}
      {step !== 'collect' && <CashDue due={due} isTime={false} />}
      <section className={css.panel} aria-label={t('trip_places')}>
        <BookingPlaces booking={booking} />
      </section>
      <section className={css.panel} aria-label={t('trip_details')}>
        <TripDetails booking={booking} />
      </section>
      {stop && (
        <StopActions
          booking={booking}
          stop={stop}
          busy={busy}
          onSkip={(reason) =>
            send({ booking_id: booking.id, event: 'skip_stop', ...toStopRef(stop), reason })
          }
          onEnd={() => begin('reach')}
        />
      )}
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
          <Button variant="primary" wide busy={busy} onClick={() => begin(step)}>
            {t(`do_${step}`, stopNumbers ?? {})}
          </Button>
        )}
      </div>
      {asking && events.includes(asking) && (
        <EventInputDialog
          title={t(`stage_${asking}`)}
          button={t(`do_${asking}`)}
          needsCode={needsCode}
          photoField={photoField}
          refused={refused}
          busy={busy}
          onDone={(given) => void run(() => take(asking, given))}
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
          onRelease={(reason) => send({ booking_id: booking.id, event: 'release', reason })}
        />
      )}
    </article>
  )
}
