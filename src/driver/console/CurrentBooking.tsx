import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isAllowedFrom } from '~/domain/booking/eventPermissions'
import { getAmountDue } from '~/domain/booking/payment/paymentPacket'
import type { CurrentStop } from '~/domain/booking/stops/bookingStops'
import { toDistanceUnit } from '~/domain/geo/geo'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { requestPosition, selectGps } from '~/src/features/gps/gps'
import { PanicButton } from '~/src/features/panic/PanicButton'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ActionRow } from '~/src/ui/ActionRow'
import { Button } from '~/src/ui/controls'
import { Address } from '~/src/ui/format/address'
import { Money, useFormat } from '~/src/ui/format/format'
import { HoldButton } from '~/src/ui/HoldButton'
import { Icon } from '~/src/ui/Icon'
import { toTelLink } from '~/src/ui/format/telLink'
import { NavigationMap } from '../NavigationMap'
import { type RemainingRoute, useRemainingRoute } from '../remainingRoute'
import { NoShowButton } from './NoShowButton'
import { ReleaseDialog } from './ReleaseDialog'
import css from './CurrentBooking.module.css'
import { AmendmentNotice } from './AmendmentNotice'
import { NavigateDialog } from './NavigateDialog'
import { BookingPlaces } from './BookingPlaces'
import {
  type DriverBooking,
  getNextEvent,
  type NextEvent,
  toStopRef,
  useDriverEvents,
} from './driverEvents'
import { EventInputDialog } from './EventInputDialog'
import { NextTurn } from './NextTurn'
import { StopActions } from './stops/StopActions'
import { TripDetails } from './TripDetails'
import { TripMeter } from './TripMeter'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { LatLng } from '~/domain/geo/types'

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
    <ActionRow>
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
        isInRow
      />
    </ActionRow>
  )
}

/** Scrolls to the top for each new stage, wherever the driver had scrolled to. */
const useScrollToTop = (stage: string) => {
  const previousStage = useRef(stage)
  useEffect(() => {
    if (previousStage.current !== stage) window.scrollTo?.({ top: 0 })
    previousStage.current = stage
  }, [stage])
}

/** Returns the text parameters of the current stop. */
const useStopNumbers = (booking: Booking, stop: CurrentStop | undefined) => {
  const format = useFormat()
  return stop
    ? {
        number: format.number(stop.index + 1),
        total: format.number(booking.waypoints?.length ?? 0),
      }
    : {}
}

/** Shows the next turn and the map, during a drive only. */
const DriveMap = ({
  booking,
  settings,
  route,
  to,
}: {
  booking: Booking
  settings: Settings
  route: RemainingRoute | null
  to: LatLng
}) => {
  const turn = route?.turns[0]
  return (
    <>
      {turn && <NextTurn turn={turn} settings={settings} />}
      <div className={css.map}>
        <NavigationMap booking={booking} route={route} to={to} size="full" />
      </div>
    </>
  )
}

/** Returns the ways from the driver's position: to the end of the part, and to the next place. */
const useDrive = (booking: Booking, { eventName, stop, target, isDriving }: NextEvent) => {
  const { location } = useAppSelector(selectGps)
  const from = isDriving ? location : null
  const route = useRemainingRoute(
    from,
    eventName === 'arrive' ? booking.pickup : booking.drop,
    stop ? booking.waypoints?.slice(stop.index) : [],
  )
  return { route, toTarget: useRemainingRoute(from, target) }
}

/** Shows the stage, and the distance to the next place. */
const BookingHead = ({
  booking,
  settings,
  next: { eventName, stop },
  toTarget,
}: {
  booking: Booking
  settings: Settings
  next: NextEvent
  /** Null except during a drive. */
  toTarget: RemainingRoute | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const stopNumbers = useStopNumbers(booking, stop)
  return (
    <header className={css.head}>
      <div>
        <h2>{t(eventName ? `stage_${eventName}` : `status_${booking.status}`, stopNumbers)}</h2>
        {toTarget && (
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
  )
}

/** Shows amendments, the next place, the cash, and all places and details. */
const BookingPanels = ({
  booking,
  settings,
  next: { eventName, target },
}: {
  booking: Booking
  settings: Settings
  next: NextEvent
}) => {
  const { t } = useTranslation()
  const { due } = getAmountDue(booking, settings.decimal)
  const isCollecting = eventName === 'collect'
  return (
    <>
      {isAllowedFrom('amend', booking.status) && (
        <AmendmentNotice booking={booking} since={booking.accepted_at ?? booking.bookingDate} />
      )}
      {!isCollecting && (
        <p className={css.target}>
          <Address value={target.add} />
        </p>
      )}
      <CashDue due={due} isTime={isCollecting} />
      <section className={css.panel} aria-label={t('trip_places')}>
        <BookingPlaces booking={booking} />
      </section>
      <section className={css.panel} aria-label={t('trip_details')}>
        <TripDetails booking={booking} />
      </section>
    </>
  )
}

/**
 * Renders the driver's current booking: destination, details, and one large button for the next
 * event.
 */
export const CurrentBooking = (props: DriverBooking) => {
  const { t } = useTranslation()
  const { current, settings } = props
  const { booking, events } = current
  const next = getNextEvent(current)
  const { eventName, stop, target, isDriving } = next
  const { route, toTarget } = useDrive(booking, next)
  const [dialog, setDialog] = useState<'navigate' | 'release' | null>(null)
  const { asking, refused, isBusy, send, begin, ...inputs } = useDriverEvents(props, next)
  const stopNumbers = useStopNumbers(booking, stop)
  useScrollToTop(`${eventName} ${stop?.index}`)
  const closeDialog = () => setDialog(null)
  return (
    <article
      className={css.booking}
      aria-label={t('current_booking')}
      data-driving={isDriving || undefined}
    >
      {isDriving && <DriveMap booking={booking} settings={settings} route={route} to={target} />}
      <div className={css.sheet}>
        <BookingHead booking={booking} settings={settings} next={next} toTarget={toTarget} />
        <BookingPanels booking={booking} settings={settings} next={next} />
        {stop && (
          <StopActions
            booking={booking}
            stop={stop}
            busy={isBusy}
            onSkip={(reason) =>
              send({ booking_id: booking.id, event: 'skip_stop', ...toStopRef(stop), reason })
            }
            onEnd={() => begin('reach')}
          />
        )}
        {events.includes('no_show') && (
          <NoShowButton
            booking={booking}
            settings={settings}
            isBusy={isBusy}
            onNoShow={() => send({ booking_id: booking.id, event: 'no_show' })}
          />
        )}
        {events.includes('release') && (
          <Button variant="danger" wide disabled={isBusy} onClick={() => setDialog('release')}>
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
          {eventName && (
            <HoldButton busy={isBusy} onHold={() => begin(eventName)}>
              {t(`do_${eventName}`, stopNumbers)}
            </HoldButton>
          )}
        </div>
      </div>
      {asking && events.includes(asking) && (
        <EventInputDialog
          title={t(`stage_${asking}`)}
          button={t(`do_${asking}`)}
          needsCode={inputs.needsCode}
          photoField={inputs.photoField}
          refused={refused}
          busy={isBusy}
          onDone={(proof) => inputs.finish(asking, proof)}
          onClose={inputs.stopAsking}
        />
      )}
      {dialog === 'navigate' && <NavigateDialog to={target} onClose={closeDialog} />}
      {dialog === 'release' && (
        <ReleaseDialog
          onClose={closeDialog}
          onRelease={(reason) => send({ booking_id: booking.id, event: 'release', reason })}
        />
      )}
    </article>
  )
}
