import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { decodePolyline } from '~/domain/geo/polyline'
import {
  type BookingPlaces,
  bookingPlacesReducer,
  NO_PLACES,
  placesRestored,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { translateError } from '~/src/i18n/errorTexts'
import { useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { MapView } from '~/src/ui/map/MapView'
import pages from '~/src/office/recordPages/pages.module.css'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useUnsavedChangesPrompt } from '~/src/ui/navigation/unsavedChanges'
import { findChoice } from '~/src/widgets/trip/findChoice'
import { findOtherProblem } from '~/src/widgets/trip/findOtherProblem'
import { RECIPIENT_FIELDS } from '~/src/widgets/trip/RecipientFields'
import { type DraftedForm, useBookingDraft } from '~/src/widgets/trip/useBookingDraft'
import { useBookTrip } from '~/src/widgets/trip/useBookTrip'
import { useRepeatBooking } from '~/src/widgets/trip/useRepeatBooking'
import { useOfficeSession } from '../useOfficeSession'
import css from './AddBookingPage.module.css'
import type { AnsweredCall } from '../calls/IncomingCalls'
import { CallerFields } from './CallerFields'
import { EstimatePanel } from './EstimatePanel'
import { TripFields } from './TripFields'
import { type Caller, useCaller } from './useCaller'
import type { CallerTrip } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const FORM_FIELDS = new Set<string>([
  'guest',
  'guest.name',
  'guest.mobile',
  'customer',
  'pickup',
  'drop',
  'stop',
  'carType',
  'tripdate',
  ...RECIPIENT_FIELDS,
])

/** Shows the places and the route of the booking on the map. */
const TripMap = ({ trip, route }: { trip: BookingPlaces; route: DraftedForm['route'] }) => {
  const { t } = useTranslation()
  const line = useMemo(() => (route ? decodePolyline(route.polylinePoints) : []), [route])
  const { pickup, drop } = trip
  const waypoints = trip.waypoints.filter((place) => place !== null)
  const places = useMapPlaces()({ pickup, waypoints, drop })
  return (
    <div className={css.map}>
      <MapView
        label={t('booking_map_office')}
        {...places}
        polylines={
          line.length > 1
            ? [{ id: 'way', positions: line, tone: route?.approximate ? 'faint' : 'route' }]
            : []
        }
        fitPositions={[pickup, ...waypoints, drop].filter((place) => place !== null)}
      />
    </div>
  )
}

interface BookedTrip {
  id: string
  reference: string
}

/** Shows the reference of the created booking, and where to go from here. */
const BookedDialog = ({ booked, onAgain }: { booked: BookedTrip; onAgain: () => void }) => {
  const { t } = useTranslation()
  return (
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
  )
}

/** Returns a function that translates the problem of the first of the fields that has one. */
const useErrors = (form: DraftedForm) => {
  const { t } = useTranslation()
  return (...fields: string[]): string | undefined => {
    const problem = fields.map(form.problemAt).find(Boolean)
    if (!problem) return undefined
    // The catalog's text for a missing recipient mentions the phone number, so the name has its own
    // text.
    const isName = problem.key === 'deliveryDetailMissing' && fields[0] === 'deliveryPerson'
    return isName ? t('field_required') : translateError(problem, t)
  }
}

/** Sends the booking for a caller; a refused address can be confirmed. */
const useOfficeBooking = (form: DraftedForm, caller: Caller) => {
  const bookTrip = useBookTrip(form)
  const [booked, setBooked] = useState<BookedTrip | null>(null)
  /** The places of the last request. */
  const [sentPlaces, setSentPlaces] = useState('')
  // Only the addresses that the server has refused can be confirmed.
  const mayConfirm =
    form.refused?.key === 'address_elsewhere' && sentPlaces === JSON.stringify(form.places)
  const book = () =>
    form.submit('booking', async (ready) => {
      const confirmation = mayConfirm && { addressesConfirmed: true as const }
      setSentPlaces(JSON.stringify(form.places))
      const response = await form.send(() =>
        bookTrip(ready, { ...caller.request, ...confirmation }),
      )
      if (!response) return
      const { booking_id: id, reference = id } = response
      setBooked({ id, reference })
    })
  return { booked, mayConfirm, book }
}

/** Holds the caller, the places and the rest of the booking. */
const useOfficeForm = (settings: Settings, calling: string | null) => {
  const { cars } = useLive(liveVehicleTypes)
  const { profile } = useOfficeSession()
  const caller = useCaller(calling)
  const [trip, changePlaces] = useReducer(bookingPlacesReducer, NO_PLACES)
  const form = useBookingDraft({
    settings,
    cars,
    places: trip,
    changePlaces,
    actor: { uid: profile?.id ?? '', role: 'admin' },
    customer: caller.customer,
    otherProblems: caller.problems,
  })
  const repeatTrip = (repeated: CallerTrip) => {
    const type = cars.find(({ id }) => id === repeated.carTypeId)
    const { pickup, drop, waypoints = [] } = repeated
    changePlaces(
      placesRestored({ pickup, drop, waypoints, carType: type?.id ?? null, selected: 'pickup' }),
    )
    form.change({
      parcelTypeIndex: findChoice(type?.parcelTypes, repeated.parcelType),
      optionIndex: findChoice(type?.options, repeated.option),
      deliveryPerson: repeated.deliveryPerson ?? '',
      deliveryPersonPhone: repeated.deliveryPersonPhone ?? '',
      pickUpInstructions: '',
      deliveryInstructions: '',
    })
  }
  const isTouched =
    caller.isTouched ||
    [trip.pickup, trip.drop, ...trip.waypoints, trip.carType].some(Boolean) ||
    RECIPIENT_FIELDS.some((field) => form.draft[field])
  return { caller, trip, changePlaces, form, repeatTrip, isTouched }
}

const AddBookingForm = ({
  settings,
  calling,
  onAgain,
}: {
  settings: Settings
  /** The number of the person whose call opened the form. */
  calling: string | null
  onAgain: () => void
}) => {
  const { t } = useTranslation()
  const { database } = useServices()
  const { caller, trip, changePlaces, form, ...filled } = useOfficeForm(settings, calling)
  const { booked, mayConfirm, book } = useOfficeBooking(form, caller)
  const series = useRepeatBooking({
    form,
    customer: caller.rider?.id,
    asksPayment: false,
    addressConfirmation: t('address_confirm_save'),
    onClosed: onAgain,
  })
  const element = useRef<HTMLFormElement>(null)
  const bookButton = useRef<HTMLButtonElement>(null)
  const { refusals } = form
  useEffect(() => {
    if (refusals > 0) focusFirstInvalid(element.current)
  }, [refusals])
  const errorAt = useErrors(form)
  const question = useUnsavedChangesPrompt(filled.isTouched && !booked && !series.isSaved)
  const other = findOtherProblem(form, (field) => FORM_FIELDS.has(field.replace(/\d+$/, '')))
  const isBusy = form.isSending || form.isLooking
  const repeatWeekly = () =>
    form.submit('booking', async (ready) => series.open(await database.newKey(), ready))
  const repeatTrip = (repeated: CallerTrip) => {
    filled.repeatTrip(repeated)
    bookButton.current?.focus()
  }
  return (
    <form
      ref={element}
      className={css.split}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) book()
      }}
    >
      <div className={css.form}>
        <p className={pages.legend}>{t('required_legend')}</p>
        <CallerFields {...{ caller, settings, errorAt }} onRepeat={repeatTrip} />
        <TripFields {...{ form, trip, changePlaces, settings, errorAt }} />
      </div>
      <aside className={css.aside}>
        <TripMap trip={trip} route={form.route} />
        <EstimatePanel form={form}>
          {other && (
            <p className={pages.refused} role="alert">
              {translateError(other, t)}
            </p>
          )}
          <Button ref={bookButton} variant="primary" size="large" wide type="submit" busy={isBusy}>
            {t(mayConfirm ? 'address_confirm_book' : 'book')}
          </Button>
          {form.draft.later && caller.rider && (
            <Button wide busy={isBusy} onClick={repeatWeekly}>
              {t('repeat_weekly')}
            </Button>
          )}
        </EstimatePanel>
      </aside>
      {question}
      {series.dialogs}
      {booked && <BookedDialog booked={booked} onAgain={onAgain} />}
    </form>
  )
}

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
          calling={call && call.call_id !== bookedCall ? call.caller : null}
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
