import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { dueOf } from '~/domain/booking/packet'
import type { BookingEvent } from '~/domain/booking/transitions'
import type { Booking, Place, Settings, User } from '~/domain/entities'
import { toUnit, trailKm } from '~/domain/geo'
import { findPosition, selectGps } from '~/src/features/gps/gps'
import { trail as liveTrail } from '~/src/features/tracking/tracking'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { telLink } from '~/src/ui/telLink'
import { running, serverNow, useServerNow } from '../clock'
import type { Current } from '../current'
import { enqueueEvent, refusalRead, selectOutbox } from '../outbox/outbox'
import type { DriverEvent, PhotoField } from '../outbox/outgoing'
import { stepped } from '../outbox/projected'
import { TripMap, useTurnText } from '../TripMap'
import { useWay } from '../way'
import { CancelDialog } from './CancelDialog'
import css from './CurrentBooking.module.css'
import { NavigateDialog } from './NavigateDialog'
import { Places } from './Places'
import { StepDialog } from './StepDialog'
import { usePassedStops } from './stops'

type Step = DriverEvent['event']
const STEPS: readonly Step[] = ['arrive', 'start', 'reach', 'finish', 'collect', 'cancel']
const isStep = (event: BookingEvent): event is Step => (STEPS as readonly string[]).includes(event)

/** The photo a step asks for, by the settings. */
const photoFor = (step: Step | undefined, settings: Settings): PhotoField | null => {
  if (settings.appcat !== 'delivery') return null
  if (step === 'start' && settings.AllowDeliveryPickupImageCapture) return 'pickup_image'
  return step === 'reach' && settings.AllowFinalDeliveryImageCapture ? 'deliver_image' : null
}

/** Where a manoeuvre turns to, in degrees from the right; all others go straight on. */
const POINTS: Record<string, number> = {
  'slight-left': -135,
  left: 180,
  'sharp-left': 135,
  'slight-right': -45,
  right: 0,
  'sharp-right': 45,
  'u-turn': 90,
}

/** How long this part of the way has taken, and how far it was. */
const Meter = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useServerNow()
  const { trail } = useLive(liveTrail, booking.startTime && !booking.endTime ? booking.id : null)
  const since =
    booking.endTime ?? booking.startTime ?? booking.driver_arrive_time ?? booking.accepted_at
  if (since === undefined) return null
  const ended = booking.endTime !== undefined && booking.startTime !== undefined
  const ms = ended ? booking.endTime! - booking.startTime! : now - since
  const km = trailKm(trail)
  return (
    <span className={css.meter} role="timer" aria-label={t('running_time')}>
      <b>{running(ms)}</b>
      {km > 0 && <small>{format.distance(toUnit(km, settings))}</small>}
    </span>
  )
}

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Facts = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const parcel = [booking.parcelTypeSelected, booking.optionSelected]
    .map((choice) => choice?.description)
    .filter(Boolean)
    .join(' · ')
  const { pickUpInstructions, deliveryPerson, deliveryPersonPhone, deliveryInstructions } = booking
  return (
    <dl className={css.facts}>
      <Fact label={t('customer')}>{booking.customer_name}</Fact>
      {parcel && <Fact label={t('parcel_type')}>{parcel}</Fact>}
      {pickUpInstructions && <Fact label={t('pickUpInstructions')}>{pickUpInstructions}</Fact>}
      {(deliveryPerson || deliveryPersonPhone) && (
        <Fact label={t('deliveryPerson')}>
          {deliveryPerson}{' '}
          {deliveryPersonPhone && (
            <a href={telLink(deliveryPersonPhone)}>
              <bdi className="typed">{deliveryPersonPhone}</bdi>
            </a>
          )}
        </Fact>
      )}
      {deliveryInstructions && (
        <Fact label={t('deliveryInstructions')}>{deliveryInstructions}</Fact>
      )}
      <Fact label={t('driver_share')}>
        <Money amount={booking.driver_share} />
      </Fact>
      <Fact label={t('booking_id')}>
        <Link to={screens.booking(booking.id)}>
          <bdi>{booking.booking_id}</bdi>
        </Link>
      </Fact>
    </dl>
  )
}

/** What the driver gets in cash: large when it is time, a line before. */
const Cash = ({ due, isTime }: { due: number; isTime: boolean }) => {
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

/** Where to go next, which depends on what comes next. */
const targetOf = (booking: Booking, step: Step | undefined, passed: number[]): Place => {
  if (step === 'arrive' || step === 'start') return booking.pickup
  const stop = (booking.waypoints ?? []).find((_, index) => !passed.includes(index))
  return step === 'reach' && stop ? stop : booking.drop
}

/** The booking the driver is on: where to, what with, and one big button for what comes next. */
export const CurrentBooking = ({
  current: { booking, steps },
  driver,
  settings,
}: {
  current: Current
  driver: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const turnText = useTurnText()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { location, error: lost } = useAppSelector(selectGps)
  const outbox = useAppSelector(selectOutbox)
  const { passed, pass } = usePassedStops(booking.id)
  const [asking, setAsking] = useState<Step | null>(null)
  const [dialog, setDialog] = useState<'navigate' | 'cancel' | null>(null)
  const [locating, setLocating] = useState(false)

  const step = steps.filter(isStep).find((event) => event !== 'cancel')
  const mayCancel = steps.includes('cancel')
  const photoField = photoFor(step, settings)
  const needsCode = step === 'start' && booking.otp !== false
  const waiting = outbox.items.find(
    (item) => item.kind === 'event' && item.booking_id === booking.id,
  )
  const busy = locating || (waiting !== undefined && !outbox.assuming)
  const refused = outbox.refused.find((r) => r.booking_id === booking.id && r.dropped === 0)
  const target = targetOf(booking, step, passed)
  const isDriving = step === 'arrive' || step === 'reach'
  const via =
    step === 'reach' && target !== booking.drop
      ? (booking.waypoints ?? []).filter((_, index) => !passed.includes(index))
      : []
  const way = useWay(isDriving ? location : null, step === 'reach' ? booking.drop : target, via)
  const toTarget = useWay(isDriving ? location : null, target)

  // What comes next begins at the top, wherever the last step was read to its end.
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) window.scrollTo?.({ top: 0 })
    shown.current = step
  }, [step])

  const send = (input: DriverEvent, photo?: string) => {
    const field = photo ? photoField : null
    if (!outbox.online || outbox.assuming) {
      // Without the server its own table says whether the step can be taken.
      const now = serverNow()
      const after = stepped(booking, { driver, settings, input, photo: field ?? undefined, now })
      if (!after.ok) {
        dispatch(noticeRaised({ tone: 'problem', text: after.error.key }))
        return
      }
    }
    dispatch(enqueueEvent(input, field && photo ? { field, url: photo } : undefined))
  }
  const take = async (event: Step, given: { otp?: number; photo?: string } = {}) => {
    const on = { booking_id: booking.id }
    if (event === 'arrive' || event === 'reach') {
      setLocating(true)
      // Where he was is no place to say that he is.
      const place = (lost ? null : location) ?? (await dispatch(findPosition()))
      setLocating(false)
      if (!place) {
        const { denied } = selectGps(store.getState())
        dispatch(noticeRaised({ tone: 'problem', text: denied ? 'gps_denied' : 'gps_unknown' }))
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
  const { due } = dueOf(booking, settings.decimal)
  return (
    <article className={css.booking} aria-label={t('current_booking')}>
      {isDriving && <TripMap booking={booking} way={way} to={target} tall />}
      <header className={css.head}>
        <div>
          <h2>{t(step ? `stage_${step}` : `status_${booking.status}`)}</h2>
          {isDriving && toTarget && (
            <p className={css.eta}>
              {t('task_way_short', {
                distance: format.distance(toUnit(toTarget.km, settings)),
                time: format.duration(toTarget.seconds),
              })}
            </p>
          )}
        </div>
        <Meter booking={booking} settings={settings} />
      </header>
      {isDriving && way?.turns[0] && (
        <p className={css.turn}>
          <span
            className={css.pointer}
            style={{ rotate: `${POINTS[way.turns[0].maneuver] ?? -90}deg` }}
          >
            <Icon name="arrow" size={22} />
          </span>
          <span>
            {[
              format.distance(toUnit(way.turns[0].km, settings)),
              turnText(way.turns[0]),
              way.turns[0].street,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
      )}
      {step !== 'collect' && <p className={css.target}>{target.add}</p>}
      {step === 'collect' && <Cash due={due} isTime />}
      <div className={css.links}>
        <button type="button" onClick={() => setDialog('navigate')}>
          <Icon name="compass" size={26} />
          {t('navigate')}
        </button>
        {booking.customer_contact && (
          <a href={telLink(booking.customer_contact)}>
            <Icon name="phone" size={26} />
            {t('call')}
          </a>
        )}
        <Link to={screens.chat(booking.id)}>
          <Icon name="chat" size={26} />
          {t('chat')}
        </Link>
        {settings.appcat === 'taxi' && settings.panic && (
          <a href={telLink(settings.panic)}>
            <Icon name="shield" size={26} />
            {t('panic_call')}
          </a>
        )}
      </div>
      {step !== 'collect' && <Cash due={due} isTime={false} />}
      <section className={css.panel} aria-label={t('trip_places')}>
        <Places booking={booking} passed={passed} {...(step === 'reach' && { onPass: pass })} />
      </section>
      <section className={css.panel} aria-label={t('trip_details')}>
        <Facts booking={booking} />
      </section>
      {mayCancel && (
        <Button look="danger" wide disabled={busy} onClick={() => setDialog('cancel')}>
          {t('give_up')}
        </Button>
      )}
      {step && (
        <div className={css.foot}>
          {refused && asking === null && (
            <p role="alert" className={css.problem}>
              {t(refused.refusal.key, refused.refusal.params ?? {})}
            </p>
          )}
          <Button look="primary" wide busy={busy} onClick={press}>
            {t(`do_${step}`)}
          </Button>
        </div>
      )}
      {asking && asking === step && (
        <StepDialog
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
      {dialog === 'cancel' && (
        <CancelDialog
          onClose={() => setDialog(null)}
          onCancel={(reason) => {
            setDialog(null)
            send({ booking_id: booking.id, event: 'cancel', reason })
          }}
        />
      )}
    </article>
  )
}
