import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getOfferMs } from '~/domain/dispatch/dispatch'
import type { DomainError } from '~/domain/api/errors'
import { toDistanceUnit } from '~/domain/geo/geo'
import { advanceBooking, liveBooking } from '~/src/features/bookings/bookings'
import { selectGps } from '~/src/features/gps/gps'
import { useBookedExtras } from '~/src/features/vehicleTypes/useBookedExtras'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { translateError } from '~/src/i18n/errorTexts'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import type { PushAnswer } from '~/src/store/pushExchange'
import { Button } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { Skeleton } from '~/src/ui/feedback/states'
import { formatElapsed, useServerNow } from '../serverTime'
import { selectOutbox } from '../outbox/outbox'
import { NavigationMap } from '../NavigationMap'
import { useRemainingRoute } from '../remainingRoute'
import { AmendmentNotice } from '../console/AmendmentNotice'
import { DotSeparatedList } from '../console/DotSeparatedList'
import { OfferReason } from './OfferReason'
import { answerRefused, offerAnswered } from './offerState'
import type { DriverOffers } from './useOffers'
import css from './OfferCard.module.css'
import { BookingPlaces } from '../console/BookingPlaces'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

interface OfferProps {
  offers: Pick<DriverOffers, 'settings' | 'trip' | 'mayAccept'>
  isMapOpen: boolean
  onOpen: () => void
  /** The answer that the driver gave before this page opened. */
  earlierDecision: PushAnswer['event'] | null
}

/** Another driver, the rider or the back office has ended the request, which is not an error. */
const OFFER_ENDED_ERRORS = new Set<string>([
  'booking_taken',
  'not_requested',
  'event_not_possible',
  'not_found',
  'not_allowed',
])

/**
 * Shows the seconds left to answer with automatic dispatch, otherwise how long the request has
 * waited.
 */
const OfferCountdown = ({ askedAt, settings }: { askedAt: number; settings: Settings }) => {
  const { t } = useTranslation()
  const now = useServerNow(500)
  const whole = getOfferMs(settings)
  // This device's estimate of the server's time may lie before the offer.
  const left = Math.min(whole, askedAt + whole - now)
  if (!settings.autoDispatch || left <= 0)
    return (
      <span className={css.waited} role="timer">
        {t('task_waits', { time: formatElapsed(now - askedAt) })}
      </span>
    )
  return (
    <span
      className={css.countdown}
      role="timer"
      aria-label={t('task_seconds_left', { count: Math.ceil(left / 1000) })}
      style={{ '--left': Math.max(0, Math.min(1, left / whole)) } as React.CSSProperties}
    >
      {Math.ceil(left / 1000)}
    </span>
  )
}

/** Sends the driver's answer, also one that they gave before this page opened. */
const useAnswer = (
  { id }: Booking,
  { offers: { mayAccept }, earlierDecision }: Pick<OfferProps, 'offers' | 'earlierDecision'>,
) => {
  const dispatch = useAppDispatch()
  const { isOnline } = useAppSelector(selectOutbox)
  const { busy: isAnswering, run } = useSingleRun()
  const [answered, setAnswered] = useState<'accept' | 'decline' | null>(null)
  const [problem, setProblem] = useState<DomainError | null>(null)
  const respond = (event: 'accept' | 'decline') =>
    run(async () => {
      setAnswered(event)
      setProblem(null)
      dispatch(offerAnswered(id))
      await dispatch(advanceBooking.quiet({ booking_id: id, event })).unwrap()
    }).catch((error: unknown) => {
      const refused = error as DomainError
      if (OFFER_ENDED_ERRORS.has(refused.key)) {
        if (event === 'accept') dispatch(noticeRaised({ tone: 'news', text: 'task_lost' }))
      } else {
        dispatch(answerRefused(id))
        setProblem(refused)
      }
    })
  const isGivenUsed = useRef(false)
  // The driver answered with a button of the notification.
  const answerGiven = useEffectEvent((event: PushAnswer['event']) => {
    if (isGivenUsed.current || (event === 'accept' && !mayAccept)) return
    isGivenUsed.current = true
    void respond(event)
  })
  useEffect(() => {
    if (earlierDecision && isOnline) answerGiven(earlierDecision)
  }, [earlierDecision, isOnline])
  return { respond, isOnline, busy: isAnswering ? answered : null, problem }
}

/** Renders the buttons that decline and, unless another booking comes first, accept. */
const AnswerButtons = ({
  mayAccept,
  sending: { respond, isOnline, busy },
}: {
  mayAccept: boolean
  sending: Pick<ReturnType<typeof useAnswer>, 'respond' | 'isOnline' | 'busy'>
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.answers}>
      <Button
        size="large"
        busy={busy === 'decline'}
        disabled={!isOnline || busy === 'accept'}
        onClick={() => void respond('decline')}
      >
        {t('decline')}
      </Button>
      {mayAccept && (
        <Button
          variant="primary"
          size="large"
          busy={busy === 'accept'}
          disabled={!isOnline || busy === 'decline'}
          onClick={() => void respond('accept')}
        >
          {t('accept')}
        </Button>
      )}
    </div>
  )
}

/** Shows the way to the pickup and the places of the trip, and their map when it is open. */
const OfferWay = ({
  booking,
  offers: { settings, trip },
  isMapOpen,
  onOpen,
}: Omit<OfferProps, 'earlierDecision'> & { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { location } = useAppSelector(selectGps)
  // The way to a next booking begins where the trip ends.
  const route = useRemainingRoute(trip?.drop ?? location, booking.pickup)
  return (
    <>
      <p className={css.way}>
        <Icon name="compass" size={20} />
        {route
          ? t(trip ? 'task_way_after' : 'task_way', {
              distance: format.distance(toDistanceUnit(route.km, settings)),
              time: format.duration(route.seconds),
            })
          : t('task_way_unknown')}
      </p>
      <BookingPlaces booking={booking} />
      {isMapOpen ? (
        <NavigationMap booking={booking} route={route} size="preview" />
      ) : (
        <Button size="small" onClick={onOpen}>
          <Icon name="compass" size={18} />
          {t('task_map')}
        </Button>
      )}
    </>
  )
}

/** Shows what the trip pays the driver, and how much that is for its length. */
const OfferShare = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { driver_share: share, estimateDistance: distance } = booking
  const unit = settings.convert_to_mile ? 'mile' : 'km'
  return (
    <div>
      <strong className={css.share}>
        <Money amount={share} />
      </strong>
      <small>
        <DotSeparatedList
          parts={[
            t('task_share'),
            ...(distance > 0
              ? [t(`task_per_${unit}`, { amount: format.money(share / distance) })]
              : []),
          ]}
        />
      </small>
    </div>
  )
}

/** Shows vehicle type, length and extras of the trip. */
const OfferFacts = ({ booking }: { booking: Booking }) => {
  const format = useFormat()
  const getTypeName = useBookedVehicleTypeName()
  const { parcelType, option } = useBookedExtras()(booking)
  const facts = [
    getTypeName(booking),
    format.distance(booking.estimateDistance),
    format.duration(booking.estimateTime),
    parcelType,
    option,
  ].filter((fact): fact is string => Boolean(fact))
  return (
    <p className={css.facts}>
      <DotSeparatedList parts={facts} />
    </p>
  )
}

const OfferDetails = ({ booking, earlierDecision, ...map }: OfferProps & { booking: Booking }) => {
  const { t } = useTranslation()
  const uid = useAppSelector(selectUid)
  const { settings, trip, mayAccept } = map.offers
  const { problem, ...sending } = useAnswer(booking, { offers: map.offers, earlierDecision })
  const askedAt = uid ? (booking.askedDrivers?.[uid] ?? booking.bookingDate) : booking.bookingDate
  return (
    <article className={css.card} aria-label={t('task_from', { place: booking.pickupAddress })}>
      <header className={css.head}>
        <OfferShare booking={booking} settings={settings} />
        <OfferCountdown askedAt={askedAt} settings={settings} />
      </header>
      <div className={css.body}>
        <AmendmentNotice booking={booking} since={askedAt} />
        {booking.bookLater && (
          <p className={css.later}>
            <Icon name="clock" size={18} /> {t('task_later')} <DateTime at={booking.tripdate} />
          </p>
        )}
        <OfferWay booking={booking} {...map} />
        <OfferFacts booking={booking} />
        {settings.autoDispatch && settings.dispatchMode === 'matched' && (
          <OfferReason booking={booking.id} className={css.facts} />
        )}
        {trip && <p className={css.busy}>{t('task_next')}</p>}
        {!mayAccept && <p className={css.busy}>{t('task_busy')}</p>}
        {problem && (
          <p role="alert" className={css.problem}>
            {translateError(problem, t)}
          </p>
        )}
        <AnswerButtons mayAccept={mayAccept} sending={sending} />
      </div>
    </article>
  )
}

/** Renders one offer to the driver. */
export const OfferCard = ({ id, ...rest }: OfferProps & { id: string }) => {
  const { booking, loading } = useLive(liveBooking, id)
  if (loading) return <Skeleton height="14rem" />
  // When another driver gets the booking, the same write deletes the offer and with it this card.
  return booking ? <OfferDetails booking={{ ...booking, id }} {...rest} /> : null
}
