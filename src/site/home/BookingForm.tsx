import {
  type FormEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { toDistanceUnit } from '~/domain/geo/geo'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { liveSettings } from '~/src/features/settings/settings'
import {
  type BookingPlaces,
  endsSwapped,
  listPlaces,
  placeChosen,
  placeFound,
  selectBookingPlaces,
  placesCleared,
  placesRestored,
  waypointAdded,
  waypointMoved,
  waypointRemoved,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { translateError } from '~/src/i18n/errorTexts'
import { selectProfile, selectSessionGeneration } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { useIsHydrated } from '~/src/ui/PrerenderedTexts'
import { Button, IconButton } from '~/src/ui/controls'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { PlaceMark } from '~/src/ui/PlaceMark'
import { AddStopButton } from '~/src/widgets/trip/AddStopButton'
import { EMPTY_DRAFT } from '~/src/widgets/trip/tripDraft'
import { TripTime } from '~/src/widgets/trip/TripTime'
import { type DraftedForm, useBookingDraft } from '~/src/widgets/trip/useBookingDraft'
import type { ProfileField } from '../profileFields'
import css from './BookingForm.module.css'
import { VehicleTypePicker } from './VehicleTypePicker'
import { clearDraft, loadDraft, saveDraft, type Stage } from './bookingDraft'
import { PlaceField } from '~/src/widgets/places/PlaceField'
import type { Option } from '~/src/widgets/places/placeOptions'
import type { Route } from '~/domain/booking/trip/route'

// The steps after the button are not needed to fill in the form, so they load meanwhile.
const BookingSteps = lazyWithRetry(async () => (await import('./BookingSteps')).BookingSteps)
// In the same file, because each file costs the first load its name.
const UnsavedPlaces = lazyWithRetry(async () => (await import('./BookingSteps')).UnsavedPlaces)
const RoutePreview = lazyWithRetry(async () => (await import('./RoutePreview')).RoutePreview)

/** A placeholder about as long in words as most routes. */
const TYPICAL_ROUTE = { distance_in_km: 12.3, time_in_secs: 1500 }

/**
 * Guides from two places to a booking: vehicle, time, extras, fare, login, payment. Keeps
 * everything typed.
 */
export const BookingForm = () => {
  // The key resets the form when a person leaves the page.
  const sessionGeneration = useAppSelector(selectSessionGeneration)
  return <RestoredForm key={sessionGeneration} />
}

const RestoredForm = () => {
  // The prerendered markup has no draft, so the draft loads only after hydration.
  const isTakenOver = useIsHydrated()
  const saved = useMemo(() => (isTakenOver ? loadDraft() : null), [isTakenOver])
  return <Form key={saved ? 'kept' : 'new'} saved={saved} />
}

const useTranslatedProblem = (form: DraftedForm) => {
  const { t } = useTranslation()
  return (field: string) => {
    const problem = form.problemAt(field)
    return problem && translateError(problem, t)
  }
}

/** Renders the buttons that move a stop up and remove it. */
const StopButtons = ({ stop }: { stop: number }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <>
      {stop > 0 && (
        <IconButton
          label={t('stop_earlier')}
          onClick={() => dispatch(waypointMoved({ from: stop, to: stop - 1 }))}
        >
          <Icon name="up" size={18} />
        </IconButton>
      )}
      <IconButton label={t('remove_stop')} onClick={() => dispatch(waypointRemoved(stop))}>
        <Icon name="close" size={18} />
      </IconButton>
    </>
  )
}

/** Renders the pickup, the stops and the drop-off, and the button that swaps them. */
const PlaceFields = ({
  form,
  trip,
  extras,
}: {
  form: DraftedForm
  trip: BookingPlaces
  extras: Option[] | undefined
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const errorAt = useTranslatedProblem(form)
  return (
    <div className={css.places}>
      <div className={css.stack}>
        {listPlaces(trip).map(({ slot, kind, field, stop, place, near }) => (
          <PlaceField
            key={slot}
            label={stop === null ? t(field) : `${t('stop')} ${stop + 1}`}
            placeholder={t(stop === null ? `${field}_placeholder` : 'waypoint_placeholder')}
            value={place?.add ? place : null}
            error={errorAt(field)}
            near={near ?? undefined}
            offersPosition={field === 'pickup'}
            extras={extras}
            mark={<PlaceMark kind={kind} size={22} />}
            onLookup={(work) => form.trackLookup(work, slot)}
            onChange={(chosenPlace) => dispatch(placeFound({ slot, place: chosenPlace }))}
            buttons={stop !== null && <StopButtons stop={stop} />}
          />
        ))}
      </div>
      <IconButton label={t('swap_ends')} variant="outline" onClick={() => dispatch(endsSwapped())}>
        <Icon name="swap" />
      </IconButton>
    </div>
  )
}

/** Renders the button for another stop, and the length of the route. */
const RouteLine = ({
  form,
  stopCount,
  isMile,
}: {
  form: DraftedForm
  stopCount: number
  /** Null before the settings are known; reserves no space then. */
  isMile: boolean | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const formatRoute = ({
    distance_in_km,
    time_in_secs,
  }: Pick<Route, 'distance_in_km' | 'time_in_secs'>) =>
    t('estimate_route', {
      distance: format.distance(
        toDistanceUnit(distance_in_km, { convert_to_mile: isMile ?? false }),
      ),
      duration: format.duration(time_in_secs),
    })
  return (
    <div className={css.under}>
      <AddStopButton
        stopCount={stopCount}
        hasProblem={form.problemAt('waypoints') !== undefined}
        onAdd={() => dispatch(waypointAdded())}
      />
      {isMile !== null && (
        <p>
          {/* Two elements, because changing the text of one would count as a layout shift. */}
          {form.route ? (
            <span key="way">{formatRoute(form.route)}</span>
          ) : (
            <span key="coming" className={css.coming}>
              {formatRoute(TYPICAL_ROUTE)}
            </span>
          )}
        </p>
      )}
    </div>
  )
}

type SavedDraft = ReturnType<typeof loadDraft>

/** Restores the places of a saved draft, and saves the draft as it changes. */
const useKeptDraft = (
  saved: SavedDraft,
  trip: BookingPlaces,
  draft: DraftedForm['draft'],
  stage: Stage,
) => {
  const dispatch = useAppDispatch()
  const restore = useEffectEvent(() => {
    if (saved) dispatch(placesRestored(saved.trip))
  })
  useEffect(() => restore(), [])
  useEffect(() => {
    // An empty draft is not saved, so that a fresh page hydrates without changes.
    if (draft !== EMPTY_DRAFT || trip.pickup?.add || trip.drop?.add || trip.carType)
      saveDraft(trip, draft, stage)
  }, [draft, trip, stage])
}

/**
 * Returns true while the route of chosen places loads. The form reserves the space of its line,
 * which would move the content below if it appeared later.
 */
const isRouteComing = (form: DraftedForm, trip: BookingPlaces): boolean =>
  !form.route &&
  !form.hasRouteFailed &&
  listPlaces(trip).every(({ slot, place }) => form.lookups.includes(slot) || place?.add)

interface Props {
  form: DraftedForm
  trip: BookingPlaces
  extras: Option[] | undefined
}

/** Renders the fields of a trip and the button that books it. */
const TripFields = ({ form, trip, extras }: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const { cars, loading, error, retry } = useLive(liveVehicleTypes)
  const errorAt = useTranslatedProblem(form)
  const isRouteLoading = isRouteComing(form, trip)
  const hasRouteLine = form.route !== null || isRouteLoading
  const hasExtras = form.parcelTypes.length > 0 || form.options.length > 0
  return (
    <>
      <h2>{t('form_title')}</h2>
      <PlaceFields form={form} trip={trip} extras={extras} />
      <RouteLine
        form={form}
        stopCount={trip.waypoints.length}
        isMile={hasRouteLine && settings ? (settings.convert_to_mile ?? false) : null}
      />
      {hasRouteLine && (
        <div className={css.preview}>
          {form.places && form.route && (
            // Booking also works without the map.
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <RoutePreview places={form.places} route={form.route} carType={trip.carType} />
              </Suspense>
            </ErrorBoundary>
          )}
        </div>
      )}
      <VehicleTypePicker
        cars={cars}
        loading={loading}
        value={trip.carType}
        route={form.route}
        isComing={isRouteLoading}
        settings={settings}
        error={errorAt('carType')}
        onRetry={error.flag ? retry : null}
        onChange={form.chooseVehicle}
      />
      <TripTime
        form={form}
        legend={t('when')}
        time={{ label: t('pickup_at'), hint: t('pickup_at_hint'), error: errorAt('tripdate') }}
      />
      <div className={css.submit}>
        <Button type="submit" variant="accent" size="large" wide busy={form.isWaiting}>
          {form.draft.later ? t('book_later_button') : t('Book Now')}
          {form.quote && !hasExtras && ` · ${format.money(form.quote.estimateFare)}`}
        </Button>
      </div>
    </>
  )
}

/** Holds the rider's booking, and what they typed for missing fields of their profile. */
const useRiderBooking = (saved: SavedDraft, trip: BookingPlaces) => {
  const { settings } = useLive(liveSettings)
  const { cars } = useLive(liveVehicleTypes)
  const changePlaces = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const [person, setPerson] = useState<Partial<Record<ProfileField, string>>>({})
  const form = useBookingDraft({
    settings,
    cars,
    places: trip,
    changePlaces,
    initial: saved?.draft,
    actor: { uid: profile?.id ?? '', role: 'rider' },
    customer: profile ? { ...profile, ...person } : undefined,
    otherProblems: profile && !profile.mobile ? { mobile: domainError('phone_no_update') } : {},
  })
  const changePerson = (changes: typeof person) => {
    form.clearRefusal()
    setPerson((before) => ({ ...before, ...changes }))
  }
  return { form, profile, person, changePerson }
}

const Form = ({ saved }: { saved: SavedDraft }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const trip = useAppSelector(selectBookingPlaces)
  const { form, profile, person, changePerson } = useRiderBooking(saved, trip)
  const [stage, setStage] = useState<Stage>(saved?.draft.stage ?? 'form')
  /** True after a booking; its confirmation stays while the form is empty again. */
  const [hasBooked, setHasBooked] = useState(false)
  const [extras, setExtras] = useState<Option[]>()
  const element = useRef<HTMLFormElement>(null)
  useKeptDraft(saved, trip, form.draft, stage)
  const hasPlaces = form.places !== null
  useEffect(() => {
    if (hasPlaces) BookingSteps.preload()
  }, [hasPlaces])
  const { refusals } = form
  const focus = useEffectEvent(() => {
    if (refusals > 0 && stage === 'form') focusFirstInvalid(element.current)
  })
  useEffect(() => focus(), [refusals])
  const resetForm = () => {
    dispatch(placesCleared())
    // The next booking must not start with the places of a finished one.
    dispatch(placeChosen({ kind: 'pickup', place: null }))
    form.reset()
    setStage('form')
    setHasBooked(true)
    clearDraft()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit('trip', ({ hasExtras }) => setStage(hasExtras ? 'extras' : 'estimate'))
  }
  return (
    <>
      <form
        ref={element}
        className={css.card}
        aria-label={t('booking')}
        noValidate
        onSubmit={submit}
      >
        <TripFields form={form} trip={trip} extras={extras} />
        <Suspense fallback={null}>
          {(stage !== 'form' || hasBooked) && (
            <BookingSteps
              form={form}
              stage={stage}
              onStage={setStage}
              person={person}
              onPerson={changePerson}
              onFinished={resetForm}
            />
          )}
        </Suspense>
      </form>
      {/* Outside the form, because forms cannot nest. */}
      {profile?.usertype === 'rider' && (
        <Suspense fallback={null}>
          <UnsavedPlaces savedAddresses={profile.savedAddresses} onOptions={setExtras} />
        </Suspense>
      )}
    </>
  )
}
