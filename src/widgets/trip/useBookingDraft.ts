import type { UnknownAction } from '@reduxjs/toolkit'
import { useEffect, useEffectEvent, useState } from 'react'
import { getLaterRange } from '~/domain/booking/limits/limits'
import type { DomainError } from '~/domain/api/errors'
import { vehicleTypeChosen } from '~/src/features/bookingPlaces/bookingPlaces'
import { calculateEstimate } from '~/src/features/estimates/estimates'
import { fromWallClock, toWallClock } from '~/src/ui/format/format'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Route } from '~/domain/booking/trip/route'
import type { VehicleType } from '~/domain/catalog/types'
import type * as bookingChecks from './bookingChecks'
import type { FormState, ReadyBooking } from './bookingChecks'
import { type BookingDraft, EMPTY_DRAFT, getChosenPlaces } from './tripDraft'
import { type Part, useFormProblems } from './useFormProblems'
import { useLookups } from './useLookups'
import { useTripRoute } from './useTripRoute'

type Checks = typeof bookingChecks
/** Loads the checks after the form, which needs them only for its submission. */
const useChecks = (): Checks | null => {
  const [checks, setChecks] = useState<Checks | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadWithRetry(() => import('./bookingChecks')).then(
      (loaded) => isCurrent && setChecks(loaded),
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return checks
}

interface Options extends Pick<
  FormState,
  'settings' | 'places' | 'actor' | 'customer' | 'otherProblems'
> {
  cars: readonly VehicleType[]
  changePlaces: (action: UnknownAction) => unknown
  initial?: BookingDraft | undefined
}

/** Returns the vehicle type of a form, its choices, and the price once the route is known. */
const getOffer = (
  { settings, cars, places, actor }: Options,
  draft: BookingDraft,
  route: Route | null,
) => {
  const car = cars.find(({ id }) => id === places.carType) ?? null
  const isDelivery = settings?.appcat === 'delivery'
  const parcelTypes = (isDelivery && car?.parcelTypes) || []
  // The office asks for options only in delivery mode; the public form follows the vehicle type.
  const options = ((isDelivery || actor.role === 'rider') && car?.options) || []
  const parcelType = parcelTypes[draft.parcelTypeIndex]
  const option = options[draft.optionIndex]
  const quote =
    car && settings
      ? calculateEstimate({ carType: car, route, settings, parcelType, option })
      : null
  return { car, isDelivery, parcelTypes, options, quote }
}

interface Submission {
  part: Part
  run: (ready: ReadyBooking) => unknown
}

/** Holds a submission until what it needs has loaded. */
const useWaitingSubmission = (isReady: boolean, onReady: (submission: Submission) => void) => {
  const [waiting, setWaiting] = useState<Submission | null>(null)
  const resume = useEffectEvent(() => {
    if (!waiting) return
    setWaiting(null)
    onReady(waiting)
  })
  useEffect(() => {
    if (!waiting || !isReady) return
    let isCurrent = true
    queueMicrotask(() => isCurrent && resume())
    return () => {
      isCurrent = false
    }
  }, [waiting, isReady])
  return { isWaiting: waiting !== null, wait: setWaiting }
}

/**
 * Holds a booking while it is filled in, for the rider's form and the office's: its details, route,
 * price and problems, and its submission. After a refused submission each field shows its problem
 * until it is corrected.
 */
export const useBookingDraft = (form: Options) => {
  const { settings, changePlaces } = form
  const [draft, setDraft] = useState(form.initial ?? EMPTY_DRAFT)
  const [range, setRange] = useState<{ min: string; max: string }>()
  const { busy: isSending, run } = useSingleRun()
  const { lookups, trackLookup } = useLookups()
  const places = getChosenPlaces(form.places)
  const { route, hasRouteFailed, isLoading, reload } = useTripRoute(places)
  const isLooking = lookups.length > 0 || isLoading
  const offer = getOffer(form, draft, route)
  /** The time (ms) of a booking for later. */
  const tripdate = draft.later ? fromWallClock(draft.when, settings?.timezone) : null
  const checks = useChecks()
  const state = { ...form, ...offer, draft, tripdate, hasRouteFailed }
  const { shownProblems, check, refuse, countRefusal } = useFormProblems((part, now) =>
    checks ? checks.findProblems(part, now, state) : {},
  )
  const change = (changes: Partial<BookingDraft>) => {
    shownProblems.clearRefusal()
    setDraft((before) => ({ ...before, ...changes }))
  }

  const finishSubmit = ({ part, run: runReady }: Submission) => {
    const ready = check(part) ? checks?.toReadyBooking(state) : null
    if (ready) runReady(ready)
    else countRefusal()
  }
  const isPrepared = settings !== null && checks !== null
  const { isWaiting, wait } = useWaitingSubmission(!isLooking && isPrepared, finishSubmit)
  /**
   * Checks a part once its places and its route are known, and runs the action if it is valid.
   */
  const submit = (part: Part, runReady: Submission['run']) => {
    if (isWaiting || isSending) return
    shownProblems.clearRefusal()
    // A route that has failed is requested once more.
    if (hasRouteFailed) reload()
    const submission = { part, run: runReady }
    if (isLooking || hasRouteFailed || !isPrepared) wait(submission)
    else finishSubmit(submission)
  }
  /**
   * Sends requests of the booking; shows a refusal. Returns null when refused, and when an earlier
   * request is running.
   */
  const send = async <Response>(request: () => Promise<Response>): Promise<Response | null> => {
    shownProblems.clearRefusal()
    try {
      return (await run(request)) ?? null
    } catch (error) {
      const refusal = error as DomainError
      refuse(refusal)
      // The earlier attempt succeeded after all, so the next submission is another booking.
      if (refusal.key === 'booking_exists') setDraft((before) => ({ ...before, bookingId: null }))
      // Vehicle types are live, so a changed price shows at once; the route may have changed too.
      if (refusal.key === 'estimate_changed') reload()
      return null
    }
  }
  const chooseLater = (later: boolean) => {
    const { earliest, latest } = getLaterRange(Date.now())
    setRange({
      min: toWallClock(earliest, settings?.timezone),
      max: toWallClock(latest, settings?.timezone),
    })
    change({ later })
  }
  const chooseVehicle = (id: string) => {
    change({ parcelTypeIndex: 0, optionIndex: 0 })
    changePlaces(vehicleTypeChosen(id || null))
  }
  const reset = () => {
    setDraft(EMPTY_DRAFT)
    shownProblems.clearProblems()
  }
  return {
    ...shownProblems,
    ...offer,
    draft,
    change,
    places,
    tripdate,
    route,
    hasRouteFailed,
    range,
    lookups,
    trackLookup,
    isLooking,
    isWaiting,
    isSending,
    chooseLater,
    chooseVehicle,
    submit,
    send,
    reset,
  }
}
export type DraftedForm = ReturnType<typeof useBookingDraft>
