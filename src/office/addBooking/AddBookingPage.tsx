import {
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { safeParse } from 'valibot'
import type { BookingProblems } from '~/domain/booking/bookingProblems'
import { getChoiceText } from '~/domain/catalog/catalogTexts'
import {
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_STOPS,
} from '~/domain/booking/limits/limits'
import { type DomainError, domainError } from '~/domain/api/errors'
import { guestForm } from '~/domain/forms/userForms'
import { decodePolyline } from '~/domain/geo/polyline'
import {
  bookingPlacesReducer,
  NO_PLACES,
  placeFound,
  placesRestored,
  waypointAdded,
  waypointRemoved,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { findCaller } from '~/src/features/calls/calls'
import { saveRecurring } from '~/src/features/recurring/recurring'
import type { WeeklyChoice } from '~/src/features/recurring/RepeatDialog'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { homeCountry } from '~/src/features/settings/countries'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import {
  Button,
  ButtonLink,
  IconButton,
  SegmentedControl,
  SelectInput,
  TextArea,
  TextInput,
} from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { MapView } from '~/src/ui/map/MapView'
import pages from '~/src/office/recordPages/pages.module.css'
import { PhoneInput } from '~/src/ui/PhoneInput'
import { SkeletonLines } from '~/src/ui/states'
import { useUnsavedChangesPrompt } from '~/src/ui/unsavedChanges'
import { type ReadyBooking, useBookingDraft } from '~/src/widgets/useBookingDraft'
import { useBookTrip } from '~/src/widgets/useBookTrip'
import { type PickedPerson, UserPicker } from '../people/UserPicker'
import { useOfficeSession } from '../useOfficeSession'
import css from './AddBookingPage.module.css'
import type { AnsweredCall } from '../calls/IncomingCalls'
import { CallerCard } from './CallerCard'
import { PlacePicker } from './PlacePicker'
import type { CallerTrip } from '~/domain/booking/types'
import type { ChoiceOption, Settings } from '~/domain/catalog/types'
import type { Place } from '~/domain/geo/types'

const RepeatDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatDialog')).RepeatDialog,
)
const RepeatSavedDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatSavedDialog')).RepeatSavedDialog,
)

interface Guest {
  name: string
  mobile: string
}
const EMPTY_GUEST: Guest = { name: '', mobile: '' }

/** Returns the problems of a caller without an account. */
const getGuestProblems = (guest: Guest): BookingProblems => {
  const { issues = [] } = safeParse(guestForm, guest)
  return Object.fromEntries(
    issues.map(({ message, path }) => {
      const field = `guest.${String(path?.[0]?.key)}`
      return [field, domainError(message as DomainError['key'], field)]
    }),
  )
}

/** Returns the position of a choice in the current list, or the first one when it is gone. */
const findChoice = (choices: readonly ChoiceOption[] = [], wanted: string | undefined): number =>
  Math.max(
    0,
    choices.findIndex(({ description }) => description === wanted),
  )

const AddBookingForm = ({
  settings,
  caller,
  onAgain,
}: {
  settings: Settings
  /** The number of the person whose call opened the form. */
  caller: string | null
  onAgain: () => void
}) => {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { database } = useServices()
  const { cars } = useLive(vehicleTypes)
  const home = useMemo(() => homeCountry(settings), [settings])
  const { profile } = useOfficeSession()

  const [rider, setRider] = useState<PickedPerson | null>(null)
  const [isNewCaller, setIsNewCaller] = useState(false)
  const [guest, setGuest] = useState(EMPTY_GUEST)
  const [trip, changePlaces] = useReducer(bookingPlacesReducer, NO_PLACES)
  const [booked, setBooked] = useState<{ id: string; reference: string } | null>(null)
  /** The recurring booking whose dialog is open. */
  const [series, setSeries] = useState<{ id: string; ready: ReadyBooking } | null>(null)
  const [isSeriesSaved, setIsSeriesSaved] = useState(false)
  /** The places of the last request. */
  const [sentPlaces, setSentPlaces] = useState('')
  const draftedForm = useBookingDraft({
    settings,
    cars,
    places: trip,
    changePlaces,
    actor: { uid: profile?.id ?? '', role: 'admin' },
    customer: isNewCaller ? { usertype: 'rider', mobile: guest.mobile } : (rider ?? undefined),
    otherProblems: isNewCaller ? getGuestProblems(guest) : {},
  })
  const bookTrip = useBookTrip(draftedForm)
  const { draft, change, route, quote, parcelTypes, options, isDelivery } = draftedForm
  const form = useRef<HTMLFormElement>(null)
  const bookButton = useRef<HTMLButtonElement>(null)
  const nameField = useRef<HTMLInputElement>(null)
  /** Number of times that an unknown number opened the fields of a new caller. */
  const [newNumbers, setNewNumbers] = useState(0)
  useEffect(() => {
    if (newNumbers > 0) nameField.current?.focus()
  }, [newNumbers])
  const { refusals } = draftedForm
  useEffect(() => {
    if (refusals > 0) focusFirstInvalid(form.current)
  }, [refusals])

  const stopsNote = useId()
  const { pickup, drop, waypoints: stops, slots } = trip
  const hasAllStops = stops.length >= MAX_STOPS
  const errorAt = (...fields: string[]) => {
    const problem = fields.map(draftedForm.problemAt).find(Boolean)
    if (!problem) return undefined
    // The catalog's text for a missing recipient mentions the phone number, so the name has its own
    // text.
    const isName = problem.key === 'deliveryDetailMissing' && fields[0] === 'deliveryPerson'
    return isName ? t('field_required') : translateError(problem, t)
  }
  const other = draftedForm.findOtherProblem((field) => FORM_FIELDS.has(field.replace(/\d+$/, '')))
  const { deliveryPerson, deliveryPersonPhone, pickUpInstructions, deliveryInstructions } = draft
  const touched = [
    rider,
    pickup,
    drop,
    ...stops,
    trip.carType,
    deliveryPerson,
    deliveryPersonPhone,
    pickUpInstructions,
    deliveryInstructions,
    guest.name,
    guest.mobile,
  ].some(Boolean)
  const question = useUnsavedChangesPrompt(touched && !booked && !isSeriesSaved)
  // Only the addresses that the server has refused can be confirmed.
  const mayConfirm =
    draftedForm.refused?.key === 'address_elsewhere' &&
    sentPlaces === JSON.stringify(draftedForm.places)
  const isBusy = draftedForm.isSending || draftedForm.isLooking

  const book = () =>
    draftedForm.submit('booking', async (ready) => {
      const person = isNewCaller ? { guest } : rider ? { customer: rider.id } : {}
      const confirmation = mayConfirm && { addressesConfirmed: true as const }
      setSentPlaces(JSON.stringify(draftedForm.places))
      const answer = await draftedForm.send(() => bookTrip(ready, { ...person, ...confirmation }))
      if (answer) {
        const { booking_id: id, reference = id } = answer
        setBooked({ id, reference })
      }
    })
  const openRepeat = () =>
    draftedForm.submit('booking', async (ready) =>
      setSeries({ id: await database.newKey(), ready }),
    )
  const saveSeries = async (choice: WeeklyChoice) => {
    if (!rider || !series) return
    await dispatch(
      saveRecurring.quiet({
        series_id: series.id,
        customer: rider.id,
        ...series.ready.trip,
        ...choice,
      }),
    ).unwrap()
    setSeries(null)
    setIsSeriesSaved(true)
  }
  const takeNewNumber = (mobile: string) => {
    setIsNewCaller(true)
    setGuest({ name: '', mobile })
    setNewNumbers((count) => count + 1)
  }
  const takeCaller = useEffectEvent((person: PickedPerson | null, mobile: string) =>
    person?.usertype === 'rider' ? setRider(person) : takeNewNumber(mobile),
  )
  useEffect(() => {
    if (caller === null) return
    let isWanted = true
    dispatch(findCaller.quiet({ mobile: caller }))
      .unwrap()
      .then(
        ({ person }) => isWanted && takeCaller(person, caller),
        // The server finds the person by this number when the form is sent.
        () => isWanted && takeCaller(null, caller),
      )
    return () => {
      isWanted = false
    }
  }, [caller, dispatch])
  const repeatTrip = (repeated: CallerTrip) => {
    const type = cars.find(({ id }) => id === repeated.carTypeId)
    changePlaces(
      placesRestored({
        pickup: repeated.pickup,
        drop: repeated.drop,
        waypoints: repeated.waypoints ?? [],
        carType: type?.id ?? null,
        selected: 'pickup',
      }),
    )
    change({
      parcelTypeIndex: findChoice(type?.parcelTypes, repeated.parcelType),
      optionIndex: findChoice(type?.options, repeated.option),
      deliveryPerson: repeated.deliveryPerson ?? '',
      deliveryPersonPhone: repeated.deliveryPersonPhone ?? '',
      pickUpInstructions: '',
      deliveryInstructions: '',
    })
    bookButton.current?.focus()
  }
  /** Returns the props of the field of a place: the pickup, a stop or the drop-off. */
  const placeAt = (at: number) => {
    const slot = slots[at] ?? 0
    return {
      value: [pickup, ...stops, drop][at] ?? null,
      near: at === 0 ? drop : pickup,
      onChange: (place: Place | null) => changePlaces(placeFound({ slot, place })),
      onLookup: (lookup: Promise<unknown>) => draftedForm.trackLookup(slot, lookup),
    }
  }

  const line = useMemo(() => (route ? decodePolyline(route.polylinePoints) : []), [route])
  const waypoints = stops.filter((place) => place !== null)
  const ends = [pickup, ...waypoints, drop].filter((place) => place !== null)
  const places = useMapPlaces()({ pickup, waypoints, drop })
  return (
    <form
      ref={form}
      className={css.split}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) book()
      }}
    >
      <div className={css.form}>
        <p className={pages.legend}>{t('required_legend')}</p>
        <SegmentedControl
          legend={t('booking_for')}
          value={isNewCaller ? 'new' : 'known'}
          onChange={(value) => setIsNewCaller(value === 'new')}
          options={[
            { value: 'known', label: t('known_rider') },
            { value: 'new', label: t('new_caller') },
          ]}
        />
        {isNewCaller ? (
          <>
            <TextInput
              required
              ref={nameField}
              label={t('name')}
              autoComplete="off"
              value={guest.name}
              error={errorAt('guest.name')}
              onChange={({ target }) => setGuest({ ...guest, name: target.value })}
            />
            <PhoneInput
              required
              label={t('mobile')}
              home={home}
              canChooseCountry={settings.AllowCountrySelection !== false}
              hint={t('new_caller_hint')}
              value={guest.mobile}
              error={errorAt('guest.mobile', 'guest')}
              onChange={(mobile) => setGuest({ ...guest, mobile })}
            />
          </>
        ) : (
          <UserPicker
            required
            label={t('rider')}
            usertypes={['rider']}
            value={rider}
            onChange={setRider}
            onNewNumber={takeNewNumber}
            error={errorAt('customer')}
          />
        )}
        {!isNewCaller && rider && (
          <CallerCard key={rider.id} person={rider} onRepeat={repeatTrip} />
        )}
        <PlacePicker label={t('pickup')} error={errorAt('pickup')} {...placeAt(0)} />
        {stops.map((_, index) => (
          <div key={slots[index + 1]} className={css.stop}>
            <PlacePicker
              label={`${t('stop')} ${format.number(index + 1)}`}
              error={errorAt(`stop${index}`)}
              {...placeAt(index + 1)}
            />
            <IconButton
              label={t('remove_stop')}
              onClick={() => changePlaces(waypointRemoved(index))}
            >
              <Icon name="trash" />
            </IconButton>
          </div>
        ))}
        <PlacePicker label={t('drop')} error={errorAt('drop')} {...placeAt(slots.length - 1)} />
        <div>
          <Button
            size="small"
            variant="quiet"
            disabled={hasAllStops}
            aria-describedby={hasAllStops ? stopsNote : undefined}
            onClick={() => changePlaces(waypointAdded())}
          >
            <Icon name="plus" size={18} />
            {t('add_stop')}
          </Button>
          {hasAllStops && (
            <p id={stopsNote} role="status">
              {t('too_many_stops', { most: MAX_STOPS })}
            </p>
          )}
        </div>
        <SelectInput
          required
          label={t('car_type')}
          value={trip.carType ?? ''}
          error={errorAt('carType')}
          onChange={({ target }) => draftedForm.chooseVehicle(target.value)}
        >
          <option value="">{t('select_car')}</option>
          {cars.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectInput>
        <SegmentedControl
          legend={t('booking_type')}
          value={draft.later ? 'later' : 'now'}
          onChange={(value) => draftedForm.chooseLater(value === 'later')}
          options={[
            { value: 'now', label: t('book_now') },
            { value: 'later', label: t('book_later') },
          ]}
        />
        {draft.later && (
          <TextInput
            required
            type="datetime-local"
            label={t('trip_date')}
            hint={settings.timezone}
            {...draftedForm.range}
            value={draft.when}
            error={errorAt('tripdate')}
            onChange={({ target }) => change({ when: target.value })}
          />
        )}
        {parcelTypes.length > 0 && (
          <SelectInput
            label={t('parcel_type')}
            value={draft.parcelTypeIndex}
            onChange={({ target }) => change({ parcelTypeIndex: Number(target.value) })}
          >
            {parcelTypes.map((choice, index) => (
              <option key={index} value={index}>
                {`${getChoiceText(choice, i18n.language)} · ${format.money(choice.amount)}`}
              </option>
            ))}
          </SelectInput>
        )}
        {options.length > 0 && (
          <SelectInput
            label={t('option')}
            value={draft.optionIndex}
            onChange={({ target }) => change({ optionIndex: Number(target.value) })}
          >
            {options.map((choice, index) => (
              <option key={index} value={index}>
                {`${getChoiceText(choice, i18n.language)} · ${format.money(choice.amount)}`}
              </option>
            ))}
          </SelectInput>
        )}
        {isDelivery && (
          <>
            <TextInput
              required
              label={t('deliveryPerson')}
              maxLength={MAX_RECIPIENT_LENGTH}
              value={deliveryPerson}
              error={errorAt('deliveryPerson')}
              onChange={({ target }) => change({ deliveryPerson: target.value })}
            />
            <PhoneInput
              required
              label={t('deliveryPersonPhone')}
              home={home}
              canChooseCountry={settings.AllowCountrySelection !== false}
              value={deliveryPersonPhone}
              error={errorAt('deliveryPersonPhone')}
              onChange={(phone) => change({ deliveryPersonPhone: phone })}
            />
            <TextArea
              rows={2}
              label={t('pickUpInstructions')}
              maxLength={MAX_INSTRUCTIONS_LENGTH}
              value={pickUpInstructions}
              error={errorAt('pickUpInstructions')}
              onChange={({ target }) => change({ pickUpInstructions: target.value })}
            />
            <TextArea
              rows={2}
              label={t('deliveryInstructions')}
              maxLength={MAX_INSTRUCTIONS_LENGTH}
              value={deliveryInstructions}
              error={errorAt('deliveryInstructions')}
              onChange={({ target }) => change({ deliveryInstructions: target.value })}
            />
          </>
        )}
      </div>
      <aside className={css.aside}>
        <div className={css.map}>
          <MapView
            label={t('booking_map_office')}
            {...places}
            polylines={
              line.length > 1
                ? [{ id: 'way', positions: line, tone: route?.approximate ? 'faint' : 'route' }]
                : []
            }
            fitPositions={ends}
          />
        </div>
        <section className={css.estimate} aria-live="polite">
          <h2>{t('estimate')}</h2>
          {quote && route ? (
            <>
              <p className={css.muted}>
                {format.distance(quote.distance)} · {format.duration(route.time_in_secs)}
              </p>
              {route.approximate && <p className={css.muted}>{t('approximate_route')}</p>}
              <dl className={css.lines}>
                {quote.lines.map(({ label, amount }) => (
                  <div key={label}>
                    <dt>{t(label)}</dt>
                    <dd>{format.money(amount)}</dd>
                  </div>
                ))}
                <div className={css.total}>
                  <dt>{t('total')}</dt>
                  <dd>{format.money(quote.estimateFare)}</dd>
                </div>
              </dl>
            </>
          ) : (
            <p className={css.muted}>
              {t(
                draftedForm.hasRouteFailed
                  ? 'no_route_found'
                  : draftedForm.car && draftedForm.isLooking
                    ? 'estimate_loading'
                    : 'estimate_waits',
              )}
            </p>
          )}
          {other && (
            <p className={pages.refused} role="alert">
              {translateError(other, t)}
            </p>
          )}
          <Button ref={bookButton} variant="primary" size="large" wide type="submit" busy={isBusy}>
            {t(mayConfirm ? 'address_confirm_book' : 'book')}
          </Button>
          {draft.later && rider && !isNewCaller && (
            <Button wide busy={isBusy} onClick={openRepeat}>
              {t('repeat_weekly')}
            </Button>
          )}
        </section>
      </aside>
      {question}
      <Suspense fallback={null}>
        {series && (
          <RepeatDialog
            when={draft.when}
            price={(quote ?? series.ready.quote).estimateFare}
            asksPayment={false}
            addressConfirmation={t('address_confirm_save')}
            onSave={saveSeries}
            onClose={() => setSeries(null)}
          />
        )}
        {isSeriesSaved && <RepeatSavedDialog onClose={onAgain} />}
      </Suspense>
      {booked && (
        <Dialog
          title={t('booking_success_office')}
          actions={
            <>
              <Button onClick={onAgain}>{t('book_another')}</Button>
              <ButtonLink to={screenPaths.bookings}>{t('menu_bookings')}</ButtonLink>
              <ButtonLink variant="primary" to={screenPaths.watchedBooking(booked.id)}>
                {t('watch_on_board')}
              </ButtonLink>
            </>
          }
        >
          <p>{t('booking_success', { id: booked.reference })}</p>
        </Dialog>
      )}
    </form>
  )
}
const FORM_FIELDS = new Set([
  'guest',
  'guest.name',
  'guest.mobile',
  'customer',
  'pickup',
  'drop',
  'stop',
  'carType',
  'tripdate',
  'deliveryPerson',
  'deliveryPersonPhone',
  'pickUpInstructions',
  'deliveryInstructions',
])

/** Renders the page on which an admin books for a rider who is on the phone. */
export const AddBookingPage = () => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const [round, setRound] = useState(0)
  const { state } = useLocation() as { state: AnsweredCall | null }
  // Stays when the address changes, as it does for the link that skips the menu.
  const [call, setCall] = useState(state)
  if (state?.call_id && state.call_id !== call?.call_id) setCall(state)
  const [bookedCall, setBookedCall] = useState<string | null>(null)
  return (
    <div className={pages.page}>
      <h1>{t('menu_add_booking')}</h1>
      {settings ? (
        // Each new booking starts with an empty form, and so does each call.
        <AddBookingForm
          key={`${round} ${call?.call_id}`}
          settings={settings}
          caller={call && call.call_id !== bookedCall ? call.caller : null}
          onAgain={() => {
            setBookedCall(call?.call_id ?? null)
            setRound(round + 1)
          }}
        />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </div>
  )
}
