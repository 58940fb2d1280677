import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Route } from '~/domain/booking/change'
import { type Refusal, refusal } from '~/domain/errors'
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
  placeFound,
  selectTripPoints,
  tripPointsCleared,
  tripRestored,
  waypointAdded,
  waypointMoved,
  waypointRemoved,
} from '~/src/features/tripPoints/tripPoints'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { useIsTakenOver } from '~/src/ui/AsBuilt'
import { Button, IconButton, Segments, TextInput } from '~/src/ui/controls'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { focusWrong } from '~/src/ui/focusWrong'
import { fromWallClock, toWallClock, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './BookingForm.module.css'
import { CarTypePicker } from './CarTypePicker'
import { earliestTime, pointsOf, wrongIn, wrongTime } from './checking'
import { type Draft, EMPTY_DRAFT, forgetDraft, saveDraft, savedDraft } from './draft'
import { PlaceField } from './PlaceField'

// What comes after the button is not needed to fill in the form; it arrives while that is being done.
const fetchSteps = () => import('./BookingSteps')
const BookingSteps = lazy(async () => ({ default: (await fetchSteps()).BookingSteps }))
const RoutePreview = lazy(async () => ({ default: (await import('./RoutePreview')).RoutePreview }))

/** As long in words as most ways are. */
const TYPICAL = { distance_in_km: 12.3, time_in_secs: 1500 }

/** From two places to a booking: vehicle, time, extras, price, login, payment. Nothing typed is lost on the way. */
export const BookingForm = () => {
  // The markup made at build time knows no draft; it is looked for once that markup has been taken over.
  const isTakenOver = useIsTakenOver()
  const saved = useMemo(() => (isTakenOver ? savedDraft() : null), [isTakenOver])
  return <Form key={saved ? 'kept' : 'new'} saved={saved} />
}

const Form = ({ saved }: { saved: ReturnType<typeof savedDraft> }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const { cars, loading: carsLoading, error: noCars, retry: askForCars } = useLive(carTypes)
  const trip = useAppSelector(selectTripPoints)
  const { route, routeKey, error: noRoute } = useAppSelector(selectEstimate)

  const [draft, setDraft] = useState<Draft>(saved?.draft ?? EMPTY_DRAFT)
  const [errors, setErrors] = useState<Record<string, Refusal>>({})
  /** Counts the times the button was refused: typing takes an error away without moving the focus. */
  const [refusals, setRefusals] = useState(0)
  const [earliest, setEarliest] = useState<string>()
  /** Places or the route are awaited since the button was pressed. */
  const [waiting, setWaiting] = useState(false)
  /** A booking was made here: what is said of it stays when the form is empty again. */
  const [hasMade, setMade] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  /** Chosen places that are still being looked up. */
  const lookups = useRef(new Set<Promise<unknown>>())
  /** Whose they are. */
  const [comingSlots, setComingSlots] = useState<number[]>([])

  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))

  const restore = useEffectEvent(() => {
    if (saved) dispatch(tripRestored(saved.trip))
  })
  useEffect(() => restore(), [])
  useEffect(() => {
    // Nothing worth keeping is not kept, so that a fresh page is taken over as it was made.
    if (draft !== EMPTY_DRAFT || trip.pickup?.add || trip.drop?.add || trip.carType)
      saveDraft(draft, trip)
  }, [draft, trip])

  const { pickup, drop, waypoints, slots } = trip
  const points = pointsOf(trip)
  const wanted = points && routeKeyOf(points)
  const ask = useEffectEvent(() => {
    if (!points || wanted === routeKey) return
    // A failed download is tried again when the button is pressed.
    fetchSteps().catch(() => undefined)
    void dispatch(fetchRoute({ ...points, quiet: true }))
  })
  useEffect(() => ask(), [wanted])
  const known = wanted !== null && wanted === routeKey ? route : null
  // The room of what the route brings is kept from the moment the last place is chosen: later it would push the rest.
  const isComing =
    !known &&
    !(noRoute.flag && wanted === routeKey) &&
    slots.every((slot, at) => comingSlots.includes(slot) || [pickup, ...waypoints, drop][at]?.add)
  const hasWay = known !== null || isComing

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

  const refuse = (found: Record<string, Refusal>) => {
    setErrors(found)
    setRefusals((count) => count + 1)
  }
  useEffect(() => {
    if (refusals > 0) focusWrong(form.current)
  }, [refusals])
  const submit = async () => {
    if (waiting) return
    setWaiting(true)
    try {
      await Promise.all(lookups.current)
      // Not what was drawn when the button was pressed: a place may have arrived since.
      const now = selectTripPoints(store.getState())
      const time = wrongTime(draft.later, tripdate)
      const found = wrongIn(now, { hasCar: cars.some(({ id }) => id === now.carType), time })
      const chosen = pointsOf(now)
      if (Object.keys(found).length > 0 || !chosen) return refuse(found)
      setErrors({})
      const { routeKey: askedFor, route: answered } = selectEstimate(store.getState())
      if (askedFor !== routeKeyOf(chosen) || !answered) {
        // The price is still on its way, or could not be had before.
        const answer = await dispatch(fetchRoute({ ...chosen, quiet: true }))
        if (fetchRoute.rejected.match(answer))
          return refuse({ drop: refusal('place_to_coords_error', 'drop') })
      }
      change({ stage: hasExtras ? 'extras' : 'estimate' })
    } finally {
      setWaiting(false)
    }
  }
  const finish = () => {
    dispatch(estimateCleared())
    dispatch(tripPointsCleared())
    // The places of a finished booking are nobody's start for the next one.
    dispatch(placeChosen({ kind: 'pickup', place: null }))
    setDraft(EMPTY_DRAFT)
    setErrors({})
    setMade(true)
    forgetDraft()
  }

  const message = (field: string) => {
    const error = errors[field]
    return error && t(error.key, error.params ?? {})
  }
  const forget = (...fields: string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field))),
    )
  const onLookup = (slot: number, work: Promise<unknown>) => {
    lookups.current.add(work)
    setComingSlots((before) => [...before, slot])
    void work.finally(() => {
      lookups.current.delete(work)
      setComingSlots((before) => before.filter((_, at) => at !== before.indexOf(slot)))
    })
  }
  /** A place by where it stands now: the pickup, a stop on the way, or the drop. */
  const pointAt = (at: number) => {
    if (at === 0) return { name: 'pickup', label: t('pickup'), value: pickup }
    if (at > waypoints.length) return { name: 'drop', label: t('drop'), value: drop }
    const value = waypoints[at - 1] ?? null
    return { name: `stop${at - 1}`, label: `${t('stop')} ${at}`, value }
  }
  const wayOf = ({
    distance_in_km,
    time_in_secs,
  }: Pick<Route, 'distance_in_km' | 'time_in_secs'>) =>
    t('estimate_route', {
      distance: format.distance(
        settings?.convert_to_mile ? distance_in_km / 1.609344 : distance_in_km,
      ),
      duration: format.duration(time_in_secs),
    })
  const placeholderOf = (name: string) =>
    t(name === 'pickup' || name === 'drop' ? `${name}_placeholder` : 'waypoint_placeholder')
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
          {slots.map((slot, at) => {
            const { name, label, value } = pointAt(at)
            const stop = name === 'pickup' || name === 'drop' ? null : at - 1
            return (
              <PlaceField
                key={slot}
                label={label}
                placeholder={placeholderOf(name)}
                value={value?.add ? value : null}
                error={message(name)}
                near={(at === 0 ? drop : pickup) ?? undefined}
                offersPosition={at === 0}
                lead={
                  name === 'drop' ? (
                    <Icon name="pin" size={22} />
                  ) : (
                    <span className={stop === null ? css.from : css.via} />
                  )
                }
                onLookup={(work) => onLookup(slot, work)}
                onChange={(place) => {
                  forget(name)
                  dispatch(placeFound({ slot, place }))
                }}
                trail={
                  stop !== null && (
                    <>
                      {stop > 0 && (
                        <IconButton
                          label={t('stop_earlier')}
                          onClick={() => dispatch(waypointMoved({ from: stop, to: stop - 1 }))}
                        >
                          <Icon name="up" size={18} />
                        </IconButton>
                      )}
                      <IconButton
                        label={t('remove_stop')}
                        onClick={() => dispatch(waypointRemoved(stop))}
                      >
                        <Icon name="close" size={18} />
                      </IconButton>
                    </>
                  )
                }
              />
            )
          })}
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
        {hasWay && settings && (
          <p>
            {/* Two, so that the words appear where they are rather than move there. */}
            {known ? (
              <span key="way">{wayOf(known)}</span>
            ) : (
              <span key="coming" className={css.coming}>
                {wayOf(TYPICAL)}
              </span>
            )}
          </p>
        )}
      </div>
      {hasWay && (
        <div className={css.preview}>
          {points && known && (
            // One can book without the picture of the way.
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <RoutePreview points={points} route={known} carType={trip.carType} />
              </Suspense>
            </ErrorBoundary>
          )}
        </div>
      )}
      <CarTypePicker
        cars={cars}
        loading={carsLoading}
        value={trip.carType}
        route={known}
        isComing={isComing}
        settings={settings}
        error={message('carType')}
        onRetry={noCars.flag ? askForCars : null}
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
        {(draft.stage !== 'form' || hasMade) && (
          <BookingSteps
            draft={draft}
            onDraft={change}
            car={car}
            points={points}
            route={known}
            quote={quote}
            isDelivery={isDelivery}
            tripdate={tripdate}
            onFinished={finish}
          />
        )}
      </Suspense>
    </form>
  )
}
