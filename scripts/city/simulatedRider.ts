import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { quoteFare } from '~/domain/money/fare'
import { getDistanceKm } from '~/domain/geo/geo'
import { buildMessageUpdates } from '~/domain/access/rateLimitedWrites'
import { dbPaths } from '~/domain/data/databasePaths'
import { places } from '~/seed/places'
import type { Random } from '~/domain/data/seededRandom'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { payByCard, topUpWallet } from './cardPayments'
import { advanceBooking, createBooking } from './actions'
import { signIn, type SimulatedUser } from './simulatedUser'
import {
  getDisconnectChance,
  chooseDroppedResponse,
  chooseDisconnectMs,
  type Simulation,
} from './simulation'
import { subscribeToBooking, type BookingSubscription } from './bookingSubscription'
import { resolveExtras } from '~/domain/booking/bookedFields'
import type { Booking } from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'
import type { Place } from '~/domain/geo/types'
import type { Milliseconds } from '~/domain/language/units'

/** Simulated seconds a rider waits for the next event before they give up. */
const PATIENCE_SECONDS = 40 * 60
/** Minimum wait in milliseconds of real time, because a busy machine is not a slow driver. */
const MIN_PATIENCE_MS = 120_000

/** Simulates one rider: books, pays, waits, changes their mind, pays again, rates. */
export const simulateRider = async (
  simulation: Simulation,
  { person, mobile, random }: { person: SimulatedUser; mobile: string; random: Random },
): Promise<void> => {
  let tab: SimulatedUser | undefined
  // The same account in a second window, opened when it is first needed.
  const otherTab = async () => (tab ??= await signIn(mobile, simulation))
  const again = async (): Promise<SimulatedUser | undefined> => {
    if (random.chance(0.03)) return otherTab()
    return random.chance(0.07) ? person : undefined
  }
  const rider: RiderState = { simulation, person, random, getSecondTapper: again }
  try {
    await simulation.waitSimulated(random.integer(0, 120))
    while (!simulation.isClosing() && simulation.takeBooking()) {
      simulation.recorder.began()
      let how = 'still under way'
      try {
        how = await runBooking(rider)
      } finally {
        simulation.recorder.ended(how)
      }
      await simulation.waitSimulated(random.integer(20, 300))
    }
  } finally {
    await tab?.close()
  }
}

interface RiderState {
  simulation: Simulation
  person: SimulatedUser
  random: Random
  /** Returns the user who taps a second time at the same moment, if any. */
  getSecondTapper(): Promise<SimulatedUser | undefined>
}

/** Returns how the rider sends one event: with a lost response or a second tap, if any. */
const chooseCallOptions = async ({ simulation, random, getSecondTapper }: RiderState) => ({
  ...chooseDroppedResponse(simulation.plan, random),
  repeatedBy: await getSecondTapper(),
})

const getPatienceMs = ({ plan }: Simulation): Milliseconds =>
  Math.max(MIN_PATIENCE_MS, (PATIENCE_SECONDS * 1000) / plan.pace)

/** Chooses a place from the list, by typing it or by tapping on the map. */
const choosePlace = async ({ person, random }: RiderState): Promise<Place> => {
  const place = random.pick(places)
  if (random.chance(0.15)) {
    const response = await person.post<{ searchResults?: PlaceSuggestion[] }>(
      'googleapis-autocomplete',
      {
        searchKeyword: place.add.split(',')[0] ?? '',
        near: `${place.lat},${place.lng}`,
      },
    )
    const [first] = response.ok ? (response.value.searchResults ?? []) : []
    if (first?.coords && getDistanceKm(first.coords, place) < 5)
      return { ...first.coords, add: first.description }
  }
  if (random.chance(0.15)) {
    const lat = Number((place.lat + (random.next() - 0.5) * 0.006).toFixed(5))
    const lng = Number((place.lng + (random.next() - 0.5) * 0.006).toFixed(5))
    const response = await person.post<{ address?: string }>('googleapis-getaddress', {
      latlng: `${lat},${lng}`,
    })
    if (response.ok && response.value.address) return { lat, lng, add: response.value.address }
  }
  return place
}
interface PlaceSuggestion {
  description: string
  coords?: { lat: number; lng: number }
}

const chooseExtras = ({ random }: RiderState, { parcelTypes, options }: VehicleType) => ({
  ...(parcelTypes?.length && { parcelTypeIndex: random.integer(0, parcelTypes.length - 1) }),
  ...(options?.length && { optionIndex: random.integer(0, options.length - 1) }),
})

/**
 * Returns the request that the booking page would send, with the estimate for the route it showed.
 */
const createBookingRequest = async (rider: RiderState): Promise<CreateBookingInput | string> => {
  const { simulation, person, random } = rider
  const [pickup, drop] = [await choosePlace(rider), await choosePlace(rider)]
  if (getDistanceKm(pickup, drop) < 0.3) return 'changed mind before booking'
  const carType = random.pick(simulation.carTypes)
  const extras = chooseExtras(rider, carType)
  const route = await person.fetchRoute(pickup, drop)
  if (!route) return 'no route found'
  const parts = resolveExtras(carType, extras, simulation.settings)
  const priced = quoteFare({
    carType,
    settings: simulation.settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    ...(parts.ok && parts.value),
  })
  // A page that was open for a long time shows an outdated price.
  const estimateFare = random.chance(0.04) ? priced.estimateFare + 1 : priced.estimateFare
  const bookLater = random.chance(0.2)
  // A clock that is hours slow requests a time in the past.
  const wrongClock =
    simulation.plan.faults && random.chance(0.1) ? -random.integer(1, 12) * HOUR_MS : 0
  if (bookLater && wrongClock !== 0) simulation.recorder.mishap('clock wrong by hours')
  return {
    booking_id: person.createKey('bookings'),
    pickup,
    drop,
    carType: carType.id,
    bookLater,
    ...(bookLater && {
      tripdate: Date.now() + wrongClock + random.integer(20, 24 * 60) * 60_000,
    }),
    estimateFare,
    ...extras,
    ...(simulation.settings.appcat === 'delivery' && {
      deliveryPerson: 'Ana Paz',
      deliveryPersonPhone: '099 123 456',
      ...(random.chance(0.3) && { pickUpInstructions: 'Ring twice' }),
    }),
  }
}

/**
 * Books until the rider agrees to the price. Returns the reason when they do not. Some riders phone
 * the back office, which books for them.
 */
const bookUntilAgreed = async (
  rider: RiderState,
  input: CreateBookingInput,
): Promise<{ no?: string }> => {
  const { simulation, person, random, getSecondTapper } = rider
  const byPhone = random.chance(0.06)
  const booker = byPhone ? simulation.office.person : person
  const request = { ...input, ...(byPhone && { customer: person.uid }) }
  const options = {
    ...chooseDroppedResponse(simulation.plan, random),
    repeatedBy: byPhone ? undefined : await getSecondTapper(),
  }
  const first = await createBooking(simulation, booker, request, options)
  if (first.ok) return {}
  const { key, estimate } = first.error
  if (key !== 'estimate_changed' || estimate === undefined) return { no: `not booked: ${key}` }
  if (random.chance(0.2)) return { no: 'did not like the new price' }
  const second = await createBooking(simulation, booker, { ...request, estimateFare: estimate })
  return second.ok ? {} : { no: `not booked: ${second.error.key}` }
}

const runBooking = async (rider: RiderState): Promise<string> => {
  const { simulation, person, random } = rider
  const input = await createBookingRequest(rider)
  if (typeof input === 'string') return input
  const { no } = await bookUntilAgreed(rider, input)
  if (no !== undefined) return no
  const id = input.booking_id
  const screen = subscribeToBooking(person, id, simulation.signal)
  try {
    await screen.waitFor(() => true, getPatienceMs(simulation))
    const code = await person.read<number>(`booking_otps/${id}`)
    simulation.spokenAgreements.set(id, code === null ? {} : { code })
    if (screen.getCurrent()?.status === 'PAYMENT_PENDING') {
      if (random.chance(0.03)) return 'left unpaid'
      if (random.chance(0.04)) return await cancelBooking(rider, id, screen)
      if (!(await prepayBooking(rider, id))) return await cancelBooking(rider, id, screen)
    }
    return await followRide(rider, id, screen)
  } finally {
    screen.unsubscribe()
    simulation.spokenAgreements.delete(id)
  }
}

/** Pays for a booking before any driver gets an offer; returns false when no payment succeeds. */
const prepayBooking = async (rider: RiderState, booking_id: string): Promise<boolean> => {
  const { simulation, person, random, getSecondTapper } = rider
  const promo =
    random.chance(0.25) && simulation.promos.length > 0
      ? random.pick(simulation.promos).id
      : undefined
  const quoted = await person.callWithRetry('quote_payment', {
    booking_id,
    ...(promo && { promo }),
  })
  const used = promo && quoted.ok ? { promo } : {}
  const mode = random.pick(['cash', 'cash', 'wallet', 'card'] as const)
  if (mode === 'card' && (await payByCard(simulation, person, random, { booking_id, ...used })))
    return true
  if (mode === 'wallet') {
    const options = await chooseCallOptions(rider)
    const pay = () =>
      advanceBooking(
        simulation,
        person,
        { booking_id, event: 'pay', payment_mode: 'wallet', ...used },
        options,
      )
    const first = await pay()
    if (first.ok) return true
    if (first.error.key === 'wallet_too_low' && random.chance(0.5)) {
      await topUpWallet(simulation, person, random)
      if ((await pay()).ok) return true
    }
  }
  const cash = { booking_id, event: 'pay', payment_mode: 'cash' } as const
  const paid = await advanceBooking(
    simulation,
    person,
    { ...cash, ...used },
    { repeatedBy: await getSecondTapper() },
  )
  // The promo was used up meanwhile, so the rider books without it.
  return paid.ok || (promo !== undefined && (await advanceBooking(simulation, person, cash)).ok)
}

const cancelBooking = async (
  rider: RiderState,
  booking_id: string,
  screen: BookingSubscription,
): Promise<string> => {
  const { simulation, person, random } = rider
  const reason =
    simulation.cancellationReasons.length > 0
      ? random.pick(simulation.cancellationReasons).label
      : 'Changed my mind'
  const options = await chooseCallOptions(rider)
  const outcome = await advanceBooking(
    simulation,
    person,
    { booking_id, event: 'cancel', reason },
    options,
  )
  if (outcome.ok) return 'cancelled by the rider'
  // The driver picked the rider up at that moment.
  return followRide(rider, booking_id, screen, true)
}

const isOver = ({ status }: Booking) => status === 'CANCELLED' || status === 'COMPLETE'
const getCanceler = (booking: Booking): string =>
  booking.cancelledBy === 'driver' && booking.driver === undefined
    ? 'cancelled, no driver wanted it'
    : `cancelled by the ${booking.cancelledBy === booking.customer ? 'rider' : (booking.cancelledBy ?? 'system')}`

/** Follows a booking from waiting for a driver to the rating. */
const followRide = async (
  rider: RiderState,
  id: string,
  screen: BookingSubscription,
  stays = false,
): Promise<string> => {
  const { simulation, person, random } = rider
  const { plan } = simulation
  const until = (...statuses: Booking['status'][]) =>
    screen.waitFor(
      (booking) => isOver(booking) || statuses.includes(booking.status),
      getPatienceMs(simulation),
    )
  if (!stays && random.chance(0.06)) {
    await simulation.waitSimulated(random.integer(5, 120))
    return cancelBooking(rider, id, screen)
  }
  const accepted = await until('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID')
  if (!accepted) {
    // A rider who has waited this long without a pickup cancels.
    const outcome = stays
      ? null
      : await advanceBooking(simulation, person, {
          booking_id: id,
          event: 'cancel',
          reason: 'Took too long',
        })
    if (outcome?.ok) return 'cancelled by the rider'
  } else if (isOver(accepted)) return getCanceler(accepted)
  else if (!stays && accepted.status === 'ACCEPTED' && random.chance(0.06)) {
    await simulation.waitSimulated(random.integer(30, 400))
    return cancelBooking(rider, id, screen)
  }
  if (random.chance(0.1)) void exchangeMessages(rider, id)
  if (random.chance(0.05)) await shareBooking(rider, id)
  if (random.chance(getDisconnectChance(plan)))
    await person.disconnectFor(chooseDisconnectMs(plan, random))

  const arrived = await until('PENDING', 'PAID')
  if (!arrived) return 'still under way'
  if (isOver(arrived)) return arrived.status === 'COMPLETE' ? 'complete' : getCanceler(arrived)
  if (arrived.status === 'PENDING') await payRest(rider, id)
  const paid = await until('PAID')
  if (!paid) return 'still under way'
  if (paid.status === 'CANCELLED') return getCanceler(paid)
  return rateBooking(rider, id)
}

/** Pays the rest after arrival: in cash to the driver, from the wallet or by card. */
const payRest = async (
  { simulation, person, random }: RiderState,
  booking_id: string,
): Promise<void> => {
  const agreement = simulation.spokenAgreements.get(booking_id) ?? {}
  const paysInApp = random.chance(0.3)
  simulation.spokenAgreements.set(booking_id, {
    ...agreement,
    payment: paysInApp ? 'in_app' : 'cash',
  })
  if (!paysInApp) return
  const paid = random.chance(0.5)
    ? await payByCard(simulation, person, random, { booking_id })
    : (
        await advanceBooking(simulation, person, {
          booking_id,
          event: 'pay',
          payment_mode: 'wallet',
        })
      ).ok
  if (!paid) simulation.spokenAgreements.set(booking_id, { ...agreement, payment: 'cash' })
}

const rateBooking = async (rider: RiderState, booking_id: string): Promise<string> => {
  const { simulation, person, random } = rider
  if (random.chance(0.1)) return 'paid, not rated'
  const rating = random.pick([5, 5, 5, 4, 4, 3, 2, 1])
  const options = await chooseCallOptions(rider)
  const outcome = await advanceBooking(
    simulation,
    person,
    { booking_id, event: 'rate', rating },
    options,
  )
  return outcome.ok ? 'complete' : 'paid, not rated'
}

const exchangeMessages = ({ simulation, person }: RiderState, id: string) =>
  person.write(
    'chat',
    buildMessageUpdates(id, person.createKey(dbPaths.chat(id)), {
      message: 'I am at the door',
      from: person.uid,
      type: 'msg',
      msgDate: new Date().toLocaleDateString('en-GB', { timeZone: simulation.settings.timezone }),
      msgTime: new Date().toLocaleTimeString('en-GB', { timeZone: simulation.settings.timezone }),
      source: 'rider',
    }),
  )

/** Shares the link with a relative, who opens it. */
const shareBooking = async (
  { simulation, person }: RiderState,
  booking_id: string,
): Promise<void> => {
  const shared = await person.callWithRetry('share_booking', { booking_id })
  if (!shared.ok) return
  const { functionsUrl } = simulation.webConfig
  const began = performance.now()
  const page = await fetch(`${functionsUrl}/track?token=${shared.value.token}`).catch(() => null)
  simulation.recorder.called(
    'track',
    performance.now() - began,
    page === null ? 'unanswered' : page.ok ? 'ok' : `status ${page.status}`,
  )
}
