import type { UnknownAction } from '@reduxjs/toolkit'
import { useEffect, useEffectEvent, useState } from 'react'
import type * as bookingProblems from '~/domain/booking/bookingProblems'
import type { BookingContext, BookingProblems } from '~/domain/booking/bookingProblems'
import { getLaterRange, checkStopCount } from '~/domain/booking/limits/limits'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import type { SaveRecurringInput } from '~/domain/api/inputs/recurring'
import type { DomainError } from '~/domain/api/errors'
import type { FareQuote } from '~/domain/money/fare'
import { type BookingPlaces, vehicleTypeChosen } from '~/src/features/bookingPlaces/bookingPlaces'
import { calculateEstimate, fetchRoute } from '~/src/features/estimates/estimates'
import { useAppDispatch } from '~/src/store/hooks'
import { fromWallClock, toWallClock } from '~/src/ui/format'
import { loadWithRetry } from '~/src/ui/loadWithRetry'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Route } from '~/domain/booking/trip/route'
import type { PaymentMode } from '~/domain/booking/types'
import type { Place } from '~/domain/geo/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'

/** Everything that a booking needs beside its places and its vehicle type. */
export interface BookingDraft {
  later: boolean
  /** Local time of the city as yyyy-mm-ddThh:mm. */
  when: string
  parcelTypeIndex: number
  optionIndex: number
  deliveryPerson: string
  deliveryPersonPhone: string
  pickUpInstructions: string
  deliveryInstructions: string
  /** Created once per booking, so that a repeated request creates no second booking. */
  bookingId: string | null
  /** The method of the booking that is booked again. */
  paymentMode?: PaymentMode | undefined
}
export const EMPTY_DRAFT: BookingDraft = {
  later: false,
  when: '',
  parcelTypeIndex: 0,
  optionIndex: 0,
  deliveryPerson: '',
  deliveryPersonPhone: '',
  pickUpInstructions: '',
  deliveryInstructions: '',
  bookingId: null,
}

export interface ChosenPlaces {
  pickup: Place
  drop: Place
  waypoints: Place[]
}

const getChosenPlaces = ({ pickup, drop, waypoints }: BookingPlaces): ChosenPlaces | null => {
  const chosen = waypoints.filter((place) => place !== null)
  return pickup?.add && drop?.add && chosen.length === waypoints.length
    ? { pickup, drop, waypoints: chosen }
    : null
}

type Checks = typeof bookingProblems
/** Loads the checks after the form, which needs them only for its submission. */
const useChecks = (): Checks | null => {
  const [checks, setChecks] = useState<Checks | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadWithRetry(() => import('~/domain/booking/bookingProblems')).then(
      (loaded) => isCurrent && setChecks(loaded),
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return checks
}

/** Loads the route between the places of this form. */
const useRoute = (places: ChosenPlaces | null) => {
  const dispatch = useAppDispatch()
  const [answer, setAnswer] = useState<{ key: string; route: Route | null } | null>(null)
  const [round, setRound] = useState(0)
  const isWanted = places !== null && !checkStopCount(places.waypoints.length)
  const key = isWanted ? JSON.stringify(places) : null
  useEffect(() => {
    if (key === null) return
    let isCurrent = true
    dispatch(fetchRoute.quiet(JSON.parse(key) as ChosenPlaces))
      .unwrap()
      .then(
        (route) => isCurrent && setAnswer({ key, route }),
        () => isCurrent && setAnswer({ key, route: null }),
      )
    return () => {
      isCurrent = false
    }
  }, [key, round, dispatch])
  const known = answer?.key === key ? answer : null
  return {
    route: known?.route ?? null,
    hasFailed: known !== null && known.route === null,
    isLoading: key !== null && known === null,
    /** Requests the route again; forgets the one that has failed. */
    reload: () => {
      if (known?.route === null) setAnswer(null)
      setRound((count) => count + 1)
    },
  }
}

/** A booking without problems. */
export interface ReadyBooking {
  car: VehicleType
  quote: FareQuote
  /** True when the vehicle type has parcel types or options to choose from. */
  hasExtras: boolean
  time: Pick<CreateBookingInput, 'bookLater' | 'tripdate'>
  /** The fields that a booking and a recurring booking share. */
  trip: Omit<SaveRecurringInput, 'series_id' | 'days' | 'time' | 'from'>
}

/**
 * The steps of a booking that a form can submit: the trip, whose price is then known, or the whole
 * booking.
 */
type Step = 'trip' | 'booking'

interface Submission {
  step: Step
  run: (ready: ReadyBooking) => unknown
}

interface Options {
  settings: Settings | null
  cars: readonly VehicleType[]
  /** The places and the vehicle type, which the rider's form keeps longer than its page. */
  places: BookingPlaces
  changePlaces: (action: UnknownAction) => unknown
  initial?: BookingDraft | undefined
  actor: BookingContext['actor']
  customer: BookingContext['customer']
  /** Problems of fields that only this form has. */
  otherProblems?: BookingProblems | undefined
}

/**
 * Holds a booking while it is filled in, for the rider's form and the office's: its details, route,
 * price and problems, and its submission. After a refused submission each field shows its problem
 * until it is corrected.
 */
export const useBookingDraft = ({
  settings,
  cars,
  places: drafted,
  changePlaces,
  initial = EMPTY_DRAFT,
  actor,
  customer,
  otherProblems = {},
}: Options) => {
  const [draft, setDraft] = useState(initial)
  const [range, setRange] = useState<{ min: string; max: string }>()
  /** The last refused submission, and the number of them. */
  const [attempt, setAttempt] = useState<{ step: Step; at: number } | null>(null)
  const [refusals, setRefusals] = useState(0)
  /** The refusal of the server. */
  const [refused, setRefused] = useState<DomainError | null>(null)
  // The server names a part of a place, such as pickup.add.
  const refusedField = refused?.field?.replace(/\.add$/, '')
  /** The submission that waits for places, the route or the checks. */
  const [waiting, setWaiting] = useState<Submission | null>(null)
  const { busy: isSending, run } = useSingleRun()
  /** The slots of chosen places that are still being looked up. */
  const [lookups, setLookups] = useState<number[]>([])

  const change = (changes: Partial<BookingDraft>) => {
    setRefused(null)
    setDraft((before) => ({ ...before, ...changes }))
  }
  const places = getChosenPlaces(drafted)
  const { route, hasFailed, isLoading, reload } = useRoute(places)
  const isLooking = lookups.length > 0 || isLoading

  const car = cars.find(({ id }) => id === drafted.carType) ?? null
  const isDelivery = settings?.appcat === 'delivery'
  const parcelTypes = (isDelivery && car?.parcelTypes) || []
  // The office asks for options only in delivery mode; the public form follows the vehicle type.
  const options = ((isDelivery || actor.role === 'rider') && car?.options) || []
  const quote =
    car && settings
      ? calculateEstimate({
          carType: car,
          route,
          settings,
          parcelType: parcelTypes[draft.parcelTypeIndex],
          option: options[draft.optionIndex],
        })
      : null
  const tripdate = draft.later ? fromWallClock(draft.when, settings?.timezone) : null

  const checks = useChecks()
  const findProblems = (step: Step, now: number): BookingProblems => {
    if (!checks) return {}
    const booking = {
      ...drafted,
      ...draft,
      bookLater: draft.later,
      tripdate: tripdate ?? undefined,
    }
    const trip = { carType: car, hasRoute: !hasFailed, isDriverNearby: true }
    if (step === 'trip') return checks.getTripProblems(booking, trip, now)
    const context = { ...trip, actor, customer, settings: { appcat: settings?.appcat ?? 'taxi' } }
    return { ...otherProblems, ...checks.getBookingProblems(booking, context, now) }
  }
  const problems = attempt ? findProblems(attempt.step, attempt.at) : {}

  const isPrepared = settings !== null && checks !== null
  const finishSubmit = ({ step, run }: Submission) => {
    const at = Date.now()
    const isRefused = Object.keys(findProblems(step, at)).length > 0
    setAttempt(isRefused ? { step, at } : null)
    if (isRefused || !places || !car || !quote) return setRefusals((count) => count + 1)
    run({
      car,
      quote,
      hasExtras: parcelTypes.length > 0 || options.length > 0,
      time: { bookLater: draft.later, ...(tripdate !== null && { tripdate }) },
      trip: {
        ...places,
        carType: car.id,
        ...(parcelTypes.length > 0 && { parcelTypeIndex: draft.parcelTypeIndex }),
        ...(options.length > 0 && { optionIndex: draft.optionIndex }),
        ...(isDelivery && {
          deliveryPerson: draft.deliveryPerson,
          deliveryPersonPhone: draft.deliveryPersonPhone,
          pickUpInstructions: draft.pickUpInstructions,
          deliveryInstructions: draft.deliveryInstructions,
        }),
      },
    })
  }
  const resume = useEffectEvent(() => {
    if (!waiting) return
    setWaiting(null)
    finishSubmit(waiting)
  })
  useEffect(() => {
    if (!waiting || isLooking || !isPrepared) return
    let isCurrent = true
    queueMicrotask(() => isCurrent && resume())
    return () => {
      isCurrent = false
    }
  }, [waiting, isLooking, isPrepared])

  /**
   * Sends requests of the booking; shows a refusal. Returns null when refused, and when an earlier
   * request is running.
   */
  const send = async <Answer>(request: () => Promise<Answer>): Promise<Answer | null> => {
    setRefused(null)
    try {
      return (await run(request)) ?? null
    } catch (error) {
      const refusal = error as DomainError
      setRefused(refusal)
      setRefusals((count) => count + 1)
      // The earlier attempt succeeded after all, so the next submission is another booking.
      if (refusal.key === 'booking_exists') setDraft((before) => ({ ...before, bookingId: null }))
      // Vehicle types are live, so a changed price shows at once; the route may have changed too.
      if (refusal.key === 'estimate_changed') reload()
      return null
    }
  }
  return {
    draft,
    change,
    places,
    /** The time (ms) of a booking for later. */
    tripdate,
    car,
    quote,
    route,
    hasRouteFailed: hasFailed,
    isDelivery,
    parcelTypes,
    options,
    problems,
    refused,
    /** Returns the problem of a field. */
    problemAt: (field: string): DomainError | undefined =>
      problems[field] ?? (refused && refusedField === field ? refused : undefined),
    /** Returns the first problem that the form shows at none of its fields. */
    findOtherProblem: (isShown: (field: string) => boolean): DomainError | null => {
      const hidden = Object.entries(problems).find(([field]) => !isShown(field))
      const isRefusalShown = refusedField !== undefined && isShown(refusedField)
      return hidden?.[1] ?? (isRefusalShown ? null : refused)
    },
    clearRefusal: () => setRefused(null),
    clearProblems: () => {
      setAttempt(null)
      setRefused(null)
    },
    /** Changes with every refusal, so that the form focuses its first invalid field. */
    refusals,
    range,
    lookups,
    isLooking,
    isWaiting: waiting !== null,
    isSending,
    chooseLater: (later: boolean) => {
      const { earliest, latest } = getLaterRange(Date.now())
      setRange({
        min: toWallClock(earliest, settings?.timezone),
        max: toWallClock(latest, settings?.timezone),
      })
      change({ later })
    },
    chooseVehicle: (id: string) => {
      change({ parcelTypeIndex: 0, optionIndex: 0 })
      changePlaces(vehicleTypeChosen(id || null))
    },
    trackLookup: (slot: number, lookup: Promise<unknown>) => {
      setLookups((before) => [...before, slot])
      void lookup.finally(() =>
        setLookups((before) => before.filter((_, at) => at !== before.indexOf(slot))),
      )
    },
    /**
     * Checks a step once its places and its route are known, and runs the action if it is valid.
     */
    submit: (step: Step, run: Submission['run']) => {
      if (waiting || isSending) return
      setRefused(null)
      // A route that has failed is requested once more.
      if (hasFailed) reload()
      if (isLooking || hasFailed || !isPrepared) setWaiting({ step, run })
      else finishSubmit({ step, run })
    },
    send,
    reset: () => {
      setDraft(EMPTY_DRAFT)
      setAttempt(null)
      setRefused(null)
    },
  }
}
export type DraftedForm = ReturnType<typeof useBookingDraft>
