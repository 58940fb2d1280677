import { setTimeout as pause } from 'node:timers/promises'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { buildAvailabilityUpdates, buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { dbPaths } from '~/domain/data/databasePaths'
import { quoteFare } from '~/domain/money/fare'
import { drawAnswer } from '~/domain/replay/driverAnswer'
import { RETRY_MS } from '~/domain/replay/replayRun'
import type { ReplayRequest, ReplayScenario, TravelTimes } from '~/domain/replay/scenario'
import { advanceBooking, createBooking } from '~/scripts/city/actions'
import { forEachConcurrently } from '~/scripts/city/actors'
import { subscribeToBooking } from '~/scripts/city/bookingSubscription'
import { roundPosition } from '~/scripts/city/routePositions'
import type { SimulatedUser, SimulationEnvironment } from '~/scripts/city/simulatedUser'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { Milliseconds, Seconds } from '~/domain/language/units'

/** Milliseconds between the last preparation and the first request. */
const LEAD_MS = 2_000
/** Longest wait for the next status of a booking, ms of real time. */
const PATIENCE_MS = 600_000

/** One request as it went through the real interfaces. */
export interface PlayedRequest {
  outcome: 'served' | 'given_up' | 'refused'
  /** Milliseconds of real time from the request until the driver was at the pickup. */
  waitMs?: Milliseconds
  offers: number
}

export interface ScriptedCity extends SimulationEnvironment {
  settings: Settings
  /** In the order of the scenario's drivers and requests. */
  drivers: readonly SimulatedUser[]
  riders: readonly SimulatedUser[]
}

export interface ScriptedRun {
  /** Request times are in real time from the first request on. */
  scenario: ReplayScenario
  travel: TravelTimes
  seed: number
  pace: number
}

interface ScriptedState extends ScriptedRun {
  city: ScriptedCity
  /** Requests by the id of their booking. */
  requests: Map<string, ReplayRequest>
  offers: Map<string, number>
  codes: Map<string, number>
  waitReal: (seconds: Seconds) => Promise<void>
}

/**
 * Plays one driver who does exactly what the driver of a replay does: stands where the last trip
 * ended, and answers, drives and waits as long as the scenario says. Returns a function that ends
 * it.
 */
const playDriver = async (
  state: ScriptedState,
  person: SimulatedUser,
  index: number,
): Promise<() => Promise<void>> => {
  const { city, scenario, travel, seed } = state
  const driver = scenario.drivers[index]
  if (!driver) throw new Error(`The scenario has no driver ${index}. Report it.`)
  let place: LatLng = driver.duty[0]?.place ?? { lat: 0, lng: 0 }
  let shift: string | undefined
  let isBusy = false
  const tasks = new Map<string, number>()
  const timesAsked = new Map<string, number>()

  const goOnDuty = () =>
    person.write('duty', {
      [`${dbPaths.user(person.uid)}/driverActiveStatus`]: true,
      [`${dbPaths.user(person.uid)}/location`]: roundPosition(place),
      ...buildAvailabilityUpdates(
        { id: person.uid, carType: driver.carType, ...(shift !== undefined && { shift }) },
        roundPosition(place),
        shift ?? person.createKey('nearby_cars'),
      ),
    })

  const drive = async (booking_id: string, request: ReplayRequest): Promise<void> => {
    const advance = (input: AdvanceBookingInput) => advanceBooking(city, person, input)
    await state.waitReal(travel(place, request.pickup).seconds)
    await advance({ booking_id, event: 'arrive', ...roundPosition(request.pickup) })
    await state.waitReal(request.pickupSeconds)
    const code = state.codes.get(booking_id)
    await advance({ booking_id, event: 'start', ...(code !== undefined && { otp: code }) })
    await state.waitReal(request.tripSeconds)
    await advance({ booking_id, event: 'reach', ...roundPosition(request.drop) })
    await state.waitReal(request.dropSeconds)
    await advance({ booking_id, event: 'finish' })
    await advance({ booking_id, event: 'collect' })
    place = { lat: request.drop.lat, lng: request.drop.lng }
    isBusy = false
    await goOnDuty()
  }

  const answerOffer = async (booking_id: string, version: number): Promise<void> => {
    const request = state.requests.get(booking_id)
    if (!request) return
    const count = (timesAsked.get(booking_id) ?? 0) + 1
    timesAsked.set(booking_id, count)
    state.offers.set(booking_id, (state.offers.get(booking_id) ?? 0) + 1)
    const eta_s = Math.round(travel(place, request.pickup).seconds)
    const key = `${request.id} ${driver.uid} ${count}`
    const { decision, seconds } = drawAnswer(seed, key, eta_s, scenario.behavior)
    if (decision === 'none') return
    await state.waitReal(seconds)
    if (tasks.get(booking_id) !== version || isBusy) return
    if (decision === 'decline') {
      await advanceBooking(city, person, { booking_id, event: 'decline' })
      return
    }
    isBusy = true
    const accepted = await advanceBooking(city, person, { booking_id, event: 'accept' })
    if (accepted.ok) await drive(booking_id, request)
    else isBusy = false
  }

  const ends: Promise<void>[] = []
  const forgetShift = person.subscribe<string>(
    `${dbPaths.user(person.uid)}/shift`,
    (newShift) => (shift = newShift ?? undefined),
  )
  let version = 0
  const forgetTasks = person.subscribe<Record<string, true>>(
    dbPaths.tasks(person.uid),
    (taskList) => {
      for (const id of tasks.keys()) if (!taskList?.[id]) tasks.delete(id)
      for (const id of Object.keys(taskList ?? {})) {
        if (tasks.has(id)) continue
        tasks.set(id, ++version)
        ends.push(answerOffer(id, version))
      }
    },
  )
  await goOnDuty()
  return async () => {
    await Promise.all(ends)
    forgetTasks()
    await person.write('duty', {
      [`${dbPaths.user(person.uid)}/driverActiveStatus`]: false,
      ...buildUnavailabilityUpdates({ id: person.uid, ...(shift !== undefined && { shift }) }),
    })
    forgetShift()
  }
}

/** Returns the request that the booking page would send, at the price it showed. */
const createRequest = async (
  { city, scenario }: ScriptedState,
  person: SimulatedUser,
  { pickup, drop, carType }: ReplayRequest,
): Promise<CreateBookingInput> => {
  const type = scenario.vehicleTypes[carType]
  const route = await person.fetchRoute(pickup, drop)
  if (!type || !route) throw new Error(`There is no route for a request. Report it.`)
  const { estimateFare } = quoteFare({
    carType: type,
    settings: city.settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
  })
  return {
    booking_id: person.createKey('bookings'),
    pickup,
    drop,
    carType,
    bookLater: false,
    estimateFare,
  }
}

/** Plays one rider who books at the time of the request and gives up as the scenario says. */
const playRider = async (
  state: ScriptedState,
  person: SimulatedUser,
  request: ReplayRequest,
  input: CreateBookingInput,
  beginAt: number,
): Promise<PlayedRequest> => {
  const { city, pace, scenario } = state
  const { booking_id } = input
  const at = beginAt + request.at - (scenario.requests[0]?.at ?? 0)
  await pause(Math.max(0, at - Date.now()), undefined, { signal: city.signal })
  const patientUntil = at + (request.patienceSeconds * 1000) / pace
  for (;;) {
    const booked = await createBooking(city, person, input)
    if (booked.ok) break
    if (booked.error.key !== 'no_driver_found_alert_messege')
      throw new Error(`A booking was refused: ${booked.error.key}`)
    if (Date.now() + RETRY_MS >= patientUntil) return { outcome: 'refused', offers: 0 }
    await pause(RETRY_MS, undefined, { signal: city.signal })
  }
  const screen = subscribeToBooking(person, booking_id, city.signal)
  try {
    const code = await person.read<number>(dbPaths.bookingOtp(booking_id))
    if (code !== null) state.codes.set(booking_id, code)
    const isTaken = ({ status }: Booking) => status !== 'NEW' && status !== 'PAYMENT_PENDING'
    const isTakenInTime = await screen.waitFor(isTaken, Math.max(0, patientUntil - Date.now()))
    const getOffers = () => state.offers.get(booking_id) ?? 0
    if (!isTakenInTime) {
      const reason = 'waited_too_long'
      const left = await advanceBooking(city, person, { booking_id, event: 'cancel', reason })
      if (left.ok) return { outcome: 'given_up', offers: getOffers() }
    }
    const arrived = await screen.waitFor(
      ({ status }) => !['NEW', 'ACCEPTED'].includes(status),
      PATIENCE_MS,
    )
    const waitMs = Date.now() - at
    await screen.waitFor(({ status }) => ['PAID', 'COMPLETE'].includes(status), PATIENCE_MS)
    if (!arrived || arrived.status === 'CANCELLED')
      throw new Error(`A booking ended as ${arrived?.status ?? 'unknown'} before its pickup.`)
    return { outcome: 'served', waitMs, offers: getOffers() }
  } finally {
    screen.unsubscribe()
  }
}

/**
 * Plays a scenario through the real interfaces: one rider for each request, and the scenario's
 * drivers. People are `pace` times faster than in reality; the platform's own times stay as they
 * are.
 */
export const playScriptedCity = async (
  city: ScriptedCity,
  run: ScriptedRun,
): Promise<PlayedRequest[]> => {
  const state: ScriptedState = {
    ...run,
    city,
    requests: new Map(),
    offers: new Map(),
    codes: new Map(),
    waitReal: (seconds) =>
      pause(Math.round((seconds * 1000) / run.pace), undefined, { signal: city.signal }),
  }
  const ends = await Promise.all(
    city.drivers.map((person, index) => playDriver(state, person, index)),
  )
  const prepared = await forEachConcurrently(
    run.scenario.requests.map((request, i) => ({ request, person: city.riders[i] })),
    async ({ request, person }) => {
      if (!person) throw new Error(`There is no rider for request ${request.id}. Report it.`)
      const input = await createRequest(state, person, request)
      state.requests.set(input.booking_id, request)
      return { request, person, input }
    },
  )
  const beginAt = Date.now() + LEAD_MS
  const played = await Promise.all(
    prepared.map(({ request, person, input }) => playRider(state, person, request, input, beginAt)),
  )
  await Promise.all(ends.map((end) => end()))
  return played
}
