import { type FormEvent, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import {
  type BookingPlaces,
  placeChosen,
  placesCleared,
  selectBookingPlaces,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { liveSettings } from '~/src/features/settings/settings'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { selectProfile, selectSessionGeneration } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { useInvalidFocus } from '~/src/ui/focusFirstInvalid'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { useIsHydrated } from '~/src/ui/PrerenderedTexts'
import type { Option } from '~/src/widgets/places/placeOptions'
import { useBookingDraft } from '~/src/widgets/trip/useBookingDraft'
import type { ProfileField } from '../profileFields'
import css from './BookingForm.module.css'
import { clearDraft, loadDraft, type SavedDraft, type Stage } from './bookingDraft'
import { RiderTripFields } from './RiderTripFields'
import { useKeptDraft } from './useKeptDraft'

// The steps after the button are not needed to fill in the form, so they load meanwhile.
const BookingSteps = lazyWithRetry(async () => (await import('./BookingSteps')).BookingSteps)
// In the same file, because each file costs the first load its name.
const UnsavedPlaces = lazyWithRetry(async () => (await import('./BookingSteps')).UnsavedPlaces)

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

/** Holds the rider's booking, and what they typed for missing fields of their profile. */
const useRiderBooking = (saved: SavedDraft | null, trip: BookingPlaces) => {
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

const Form = ({ saved }: { saved: SavedDraft | null }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const trip = useAppSelector(selectBookingPlaces)
  const { form, profile, person, changePerson } = useRiderBooking(saved, trip)
  const [stage, setStage] = useState<Stage>(saved?.draft.stage ?? 'form')
  /** True after a booking; its confirmation stays while the form is empty again. */
  const [hasBooked, setHasBooked] = useState(false)
  const [extras, setExtras] = useState<Option[]>()
  const element = useInvalidFocus<HTMLFormElement>(form.refusals, stage === 'form')
  useKeptDraft(saved, trip, form.draft, stage)
  const hasPlaces = form.places !== null
  useEffect(() => {
    if (hasPlaces) BookingSteps.preload()
  }, [hasPlaces])
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
        <RiderTripFields form={form} trip={trip} extras={extras} />
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
