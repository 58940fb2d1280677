import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { BookingAnswer } from '~/domain/api'
import { LATER_LEAD_MINUTES } from '~/domain/booking/create'
import { type Refusal, refusal } from '~/domain/errors'
import { isDeliveryPhone } from '~/domain/people'
import { updateProfile } from '~/src/features/auth/operations'
import { addBooking } from '~/src/features/bookings/bookings'
import { carTypes } from '~/src/features/carTypes/carTypes'
import {
  estimateCleared,
  estimateOf,
  fetchRoute,
  routeKeyOf,
  selectEstimate,
} from '~/src/features/estimates/estimates'
import { settings as liveSettings } from '~/src/features/settings/settings'
import {
  carTypeChosen,
  endsSwapped,
  placeChosen,
  selectTripPoints,
  tripPointsCleared,
  tripRestored,
  waypointAdded,
  waypointChosen,
  waypointRemoved,
} from '~/src/features/tripPoints/tripPoints'
import { selectProfile, selectSessionKnown } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink, IconButton, Segments, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { fromWallClock, toWallClock, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './BookingForm.module.css'
import { CarTypePicker } from './CarTypePicker'
import { type Draft, EMPTY_DRAFT, forgetDraft, saveDraft, savedDraft } from './draft'
import { type PersonField, missingOf } from './person'
import { PlaceField } from './PlaceField'

// The dialogs are not needed to fill in the form; they come while it is being filled in.
const dialogs = {
  extras: () => import('./ExtrasDialog'),
  estimate: () => import('./EstimateDialog'),
  payment: () => import('../bookings/PaymentDialog'),
}
const ExtrasDialog = lazy(async () => ({ default: (await dialogs.extras()).ExtrasDialog }))
const EstimateDialog = lazy(async () => ({ default: (await dialogs.estimate()).EstimateDialog }))
const PaymentDialog = lazy(async () => ({ default: (await dialogs.payment()).PaymentDialog }))
const fetchDialogs = () => {
  // A failed download is tried again when the dialog is opened.
  for (const load of Object.values(dialogs)) load().catch(() => undefined)
}

const MINUTE = 60_000
type Point = 'pickup' | 'drop'

const earliestTime = () => Date.now() + LATER_LEAD_MINUTES * MINUTE
const isTooSoon = (tripdate: number) => tripdate < earliestTime()

const useHydrated = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )

/** From two places to a booking: vehicle, time, extras, price, login, payment. Nothing typed is lost on the way. */
export const BookingForm = () => {
  // The markup made at build time knows no draft; it is looked for once that markup has been taken over.
  const hydrated = useHydrated()
  const saved = useMemo(() => (hydrated ? savedDraft() : null), [hydrated])
  return <Form key={saved ? 'kept' : 'new'} saved={saved} />
}

const Form = ({ saved }: { saved: ReturnType<typeof savedDraft> }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const services = useServices()
  const format = useFormat()
  const profile = useAppSelector(selectProfile)
  const sessionKnown = useAppSelector(selectSessionKnown)
  const { settings } = useLive(liveSettings)
  const { cars, loading: carsLoading } = useLive(carTypes)
  const trip = useAppSelector(selectTripPoints)
  const { route, routeKey } = useAppSelector(selectEstimate)

  const [draft, setDraft] = useState<Draft>(saved?.draft ?? EMPTY_DRAFT)
  const [errors, setErrors] = useState<Record<string, Refusal>>({})
  const [person, setPerson] = useState<Partial<Record<PersonField, string>>>({})
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const [earliest, setEarliest] = useState<string>()
  /** The route is awaited since the button was pressed. */
  const [waiting, setWaiting] = useState(false)
  const [unpaid, setUnpaid] = useState<{ id: string; amount: number } | null>(null)
  const [bookedId, setBookedId] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))

  const restore = useEffectEvent(() => {
    if (saved) dispatch(tripRestored(saved.trip))
  })
  useEffect(() => restore(), [])
  useEffect(() => {
    // Nothing worth keeping is not kept, so that a fresh page is taken over as it was made.
    if (!bookedId && !unpaid && (draft !== EMPTY_DRAFT || trip.pickup || trip.drop || trip.carType))
      saveDraft(draft, trip)
  }, [draft, trip, bookedId, unpaid])

  const { pickup, drop, waypoints } = trip
  const points =
    pickup?.add && drop?.add && waypoints.every((place) => place !== null)
      ? { pickup, drop, waypoints: waypoints.filter((place) => place !== null) }
      : null
  const wanted = points && routeKeyOf(points)
  const ask = useEffectEvent(() => {
    if (!points || wanted === routeKey) return
    fetchDialogs()
    void dispatch(fetchRoute({ ...points, quiet: true }))
  })
  useEffect(() => ask(), [wanted])
  const known = wanted !== null && wanted === routeKey ? route : null

  const car = cars.find(({ id }) => id === trip.carType) ?? null
  const hasExtras = Boolean(car?.parcelTypes?.length || car?.options?.length)
  const quote =
    car && settings
      ? estimateOf({
          carDetails: car,
          routeDetails: known,
          settings,
          parcelTypeSelected: car.parcelTypes?.[draft.parcelTypeIndex],
          optionSelected: car.options?.[draft.optionIndex],
        })
      : null
  const isDelivery = settings?.appcat === 'delivery'
  const tripdate = draft.later ? fromWallClock(draft.when, settings?.timezone) : null

  /** What is wrong before a price can be shown (specification 5), by field. */
  const wrong = (): Record<string, Refusal> => {
    const found: Record<string, Refusal> = {}
    if (!pickup?.add) found.pickup = refusal('select_proper', 'pickup')
    if (!drop?.add) found.drop = refusal('select_proper', 'drop')
    waypoints.forEach((place, index) => {
      if (!place) found[`stop${index}`] = refusal('select_proper')
    })
    if (!car) found.carType = refusal('select_proper', 'carType')
    if (draft.later) {
      if (tripdate === null) found.tripdate = refusal('select_proper', 'tripdate')
      else if (isTooSoon(tripdate)) found.tripdate = refusal('past_booking_error', 'tripdate')
    }
    return found
  }
  const focusWrong = () =>
    requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      const target = first?.matches('fieldset') ? first.querySelector('input') : first
      target?.focus()
    })
  const submit = async () => {
    const found = wrong()
    setErrors(found)
    if (Object.keys(found).length > 0 || !points) {
      focusWrong()
      return
    }
    if (!known) {
      // The price is still on its way, or could not be had before.
      setWaiting(true)
      const answer = await dispatch(fetchRoute({ ...points, quiet: true }))
      setWaiting(false)
      if (fetchRoute.rejected.match(answer)) {
        setErrors({ drop: refusal('place_to_coords_error', 'drop') })
        focusWrong()
        return
      }
    }
    setRefused(null)
    change({ stage: hasExtras ? 'extras' : 'estimate' })
  }

  const finish = ({ booking_id }: BookingAnswer) => {
    setUnpaid(null)
    setBookedId(booking_id)
    forgetDraft()
    setDraft(EMPTY_DRAFT)
    dispatch(estimateCleared())
    dispatch(tripPointsCleared())
  }

  const whyNot = (): Refusal | null => {
    const late = wrong().tripdate
    if (late) return late
    if (isDelivery && !isDeliveryPhone(draft.deliveryPersonPhone))
      return refusal('deliveryDetailMissing', 'deliveryPersonPhone')
    if (profile && profile.usertype !== 'rider') return refusal('user_issue_contact_admin')
    const blank = missingOf(profile).find((field) => !person[field]?.trim())
    if (blank) return refusal('profile_incomplete', blank)
    return null
  }
  const book = async () => {
    const no = whyNot()
    setRefused(no)
    if (no || !points || !car || !quote) return
    if (!profile) {
      void navigate(screens.login, { state: { from: screens.home, forBooking: true } })
      return
    }
    setBusy(true)
    try {
      const missing = missingOf(profile)
      if (missing.length > 0) {
        const changes = Object.fromEntries(missing.map((field) => [field, person[field]?.trim()]))
        await dispatch(updateProfile({ uid: profile.id, changes, quiet: true })).unwrap()
      }
      const bookingId = draft.bookingId ?? (await services.database.newKey())
      change({ bookingId })
      const answer = await dispatch(
        addBooking({
          booking_id: bookingId,
          ...points,
          carType: car.id,
          bookLater: draft.later,
          ...(tripdate !== null && { tripdate }),
          estimateFare: quote.estimateFare,
          ...(car.parcelTypes?.length && { parcelTypeIndex: draft.parcelTypeIndex }),
          ...(car.options?.length && { optionIndex: draft.optionIndex }),
          ...(isDelivery && {
            deliveryPerson: draft.deliveryPerson,
            deliveryPersonPhone: draft.deliveryPersonPhone,
            pickUpInstructions: draft.pickUpInstructions,
            deliveryInstructions: draft.deliveryInstructions,
          }),
          quiet: true,
        }),
      ).unwrap()
      if (answer.status === 'PAYMENT_PENDING')
        setUnpaid({ id: answer.booking_id, amount: answer.estimate ?? quote.estimateFare })
      else finish(answer)
    } catch (error) {
      const no = error as Refusal
      setRefused(no)
      // The car types are live, so the new price is on the screen as soon as it differs; the route may differ too.
      if (no.key === 'estimate_changed') void dispatch(fetchRoute({ ...points, quiet: true }))
    } finally {
      setBusy(false)
    }
  }

  const message = (field: string) => {
    const error = errors[field]
    return error && t(error.key, error.params ?? {})
  }
  const forget = (...fields: string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field))),
    )
  const place = (kind: Point, lead: ReactNode) => (
    <PlaceField
      label={t(kind)}
      placeholder={t(`${kind}_placeholder`)}
      value={trip[kind]?.add ? trip[kind] : null}
      error={message(kind)}
      near={(kind === 'drop' ? pickup : drop) ?? undefined}
      offersPosition={kind === 'pickup'}
      lead={lead}
      onChange={(chosen) => {
        forget(kind)
        dispatch(placeChosen({ kind, place: chosen }))
      }}
    />
  )
  const open = bookedId || unpaid ? null : draft.stage
  return (
    <form
      ref={form}
      className={css.card}
      aria-label={t('booking')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h2>{t(isDelivery ? 'form_title_delivery' : 'form_title')}</h2>
      <div className={css.places}>
        <div className={css.stack}>
          {place('pickup', <span className={css.from} />)}
          {waypoints.map((value, index) => (
            <PlaceField
              // A stop has no identity but its position.
              key={index}
              label={`${t('stop')} ${index + 1}`}
              placeholder={t('waypoint_placeholder')}
              value={value}
              error={message(`stop${index}`)}
              near={pickup ?? undefined}
              lead={<span className={css.via} />}
              onChange={(chosen) => {
                forget(`stop${index}`)
                dispatch(waypointChosen({ index, place: chosen }))
              }}
              trail={
                <IconButton
                  label={t('remove_stop')}
                  onClick={() => dispatch(waypointRemoved(index))}
                >
                  <Icon name="close" size={18} />
                </IconButton>
              }
            />
          ))}
          {place('drop', <Icon name="pin" size={22} />)}
        </div>
        <IconButton label={t('swap_ends')} look="outline" onClick={() => dispatch(endsSwapped())}>
          <Icon name="swap" />
        </IconButton>
      </div>
      <div className={css.under}>
        <Button look="quiet" size="small" onClick={() => dispatch(waypointAdded())}>
          <Icon name="plus" size={16} />
          {t('add_stop')}
        </Button>
        {known && settings && (
          <span>
            {t('estimate_route', {
              distance: format.distance(
                settings.convert_to_mile ? known.distance_in_km / 1.609344 : known.distance_in_km,
              ),
              duration: format.duration(known.time_in_secs),
            })}
          </span>
        )}
      </div>
      <CarTypePicker
        cars={cars}
        loading={carsLoading}
        value={trip.carType}
        route={known}
        settings={settings}
        error={message('carType')}
        onChange={(id) => {
          forget('carType')
          change({ parcelTypeIndex: 0, optionIndex: 0 })
          dispatch(carTypeChosen(id))
        }}
      />
      <Segments
        legend={t('when')}
        value={draft.later ? 'later' : 'now'}
        onChange={(value) => {
          forget('tripdate')
          setEarliest(toWallClock(earliestTime(), settings?.timezone))
          change({ later: value === 'later' })
        }}
        options={[
          { value: 'now', label: t('book_now') },
          { value: 'later', label: t('book_later') },
        ]}
      />
      {draft.later && (
        <TextInput
          type="datetime-local"
          label={t('pickup_at')}
          hint={t('pickup_at_hint')}
          value={draft.when}
          min={earliest}
          error={message('tripdate')}
          onChange={({ target }) => {
            forget('tripdate')
            change({ when: target.value })
          }}
        />
      )}
      <Button type="submit" look="accent" size="large" wide busy={waiting}>
        {draft.later ? t('book_later_button') : t('Book Now')}
        {quote && !hasExtras && ` · ${format.money(quote.estimateFare)}`}
      </Button>

      <Suspense fallback={null}>
        {open === 'extras' && car && (
          <ExtrasDialog
            car={car}
            value={draft}
            onChange={change}
            onDone={() => change({ stage: 'estimate' })}
            onClose={() => change({ stage: 'form' })}
          />
        )}
        {open === 'estimate' && quote && known && sessionKnown && (
          <EstimateDialog
            quote={quote}
            route={known}
            draft={draft}
            onDraft={(changes) => {
              setRefused(null)
              change(changes)
            }}
            isDelivery={isDelivery}
            profile={profile}
            person={person}
            onPerson={(changes) => {
              setRefused(null)
              setPerson((before) => ({ ...before, ...changes }))
            }}
            refused={refused}
            busy={busy}
            onBook={() => void book()}
            onClose={() => {
              dispatch(estimateCleared())
              setRefused(null)
              change({ stage: 'form' })
            }}
          />
        )}
        {unpaid && (
          <PaymentDialog
            bookingId={unpaid.id}
            amount={unpaid.amount}
            intro={`${t('payment_intro', { id: unpaid.id })} ${t('payment_30_minutes')}`}
            onPaid={finish}
            onClose={() => {
              finish({ booking_id: unpaid.id, status: 'PAYMENT_PENDING', revision: 1 })
              setBookedId(null)
              void navigate(screens.booking(unpaid.id))
            }}
          />
        )}
      </Suspense>
      {bookedId && (
        <Dialog
          title={t('success_title')}
          onClose={() => setBookedId(null)}
          actions={
            <ButtonLink look="primary" size="large" wide to={screens.bookings}>
              {t('to_my_bookings')}
            </ButtonLink>
          }
        >
          <p className={css.success}>
            <Icon name="check" size={28} />
            <span>{t('booking_success', { id: bookedId })}</span>
          </p>
          <p>{t('booking_success_text')}</p>
        </Dialog>
      )}
    </form>
  )
}
