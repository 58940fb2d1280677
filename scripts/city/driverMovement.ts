import {
  MIN_TRACK_POINT_INTERVAL_MS,
  buildTrackPointUpdates,
} from '~/domain/access/rateLimitedWrites'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Random } from '~/domain/data/seededRandom'
import {
  isCarKeyExpired,
  buildAvailabilityUpdates,
  buildUnavailabilityUpdates,
} from '~/domain/dispatch/dispatch'
import type { LatLng } from '~/domain/geo/types'
import { places } from '~/seed/places'
import type { BookingSubscription } from './bookingSubscription'
import { roundPosition, interpolateRoute } from './routePositions'
import type { Route, SimulatedUser } from './simulatedUser'
import { getDisconnectChance, chooseDisconnectMs, type Simulation } from './simulation'

/** Milliseconds of real time between two positions a car sends. */
const POSITION_INTERVAL_MS = 1000

/** A simulated driver, and what their phone knows. */
export interface DriverState {
  simulation: Simulation
  person: SimulatedUser
  random: Random
  carType: string
  position: LatLng
  /** The key under which riders currently see the car. */
  shift?: string | undefined
  /** Error of the driver's phone clock in ms. */
  clockError: number
  /** Time of the last track point by the driver's own clock, in ms. */
  trackedAt: number
}

/** Moves the car without driving. */
const publishPosition = (driver: DriverState, place: LatLng) => {
  driver.position = place
  driver.simulation.drivers.set(driver.person.uid, { carType: driver.carType, place })
}

/**
 * Returns one update, as the rules require, with the driver's position and, while they are
 * available, their entry among the available drivers.
 */
const createPositionUpdate = (
  { person, carType, shift }: DriverState,
  place: LatLng,
  isFree: boolean,
) => {
  const location = { [`${dbPaths.user(person.uid)}/location`]: place }
  if (!isFree) return location
  const key =
    shift === undefined || isCarKeyExpired(shift, Date.now())
      ? person.createKey('nearby_cars')
      : shift
  const driver = { id: person.uid, carType, ...(shift !== undefined && { shift }) }
  return { ...location, ...buildAvailabilityUpdates(driver, place, key) }
}
export const goOnDuty = (driver: DriverState) =>
  driver.person.write('duty', {
    [`${dbPaths.user(driver.person.uid)}/driverActiveStatus`]: true,
    ...createPositionUpdate(driver, driver.position, true),
  })
export const goOffDuty = ({ person: { uid }, shift }: DriverState) => ({
  [`${dbPaths.user(uid)}/driverActiveStatus`]: false,
  ...buildUnavailabilityUpdates({ id: uid, ...(shift !== undefined && { shift }) }),
})

/** Cruises without a booking until an offer arrives. */
export const driveWithoutBooking = async (driver: DriverState, isAsked: () => boolean) => {
  const { simulation, person, random } = driver
  if (random.chance(0.02)) {
    await person.write('duty', goOffDuty(driver))
    await simulation.waitSimulated(random.integer(60, 600))
    await goOnDuty(driver)
  }
  if (random.chance(getDisconnectChance(simulation.plan) / 4))
    await person.disconnectFor(chooseDisconnectMs(simulation.plan, random))
  const to = random.pick(places)
  const route = await person.fetchRoute(driver.position, to)
  if (!route) return simulation.waitSimulated(30)
  await driveRoute(driver, route, {
    isFree: true,
    shouldStop: () => isAsked() || simulation.isClosing(),
  })
}

interface MoveOptions {
  isFree: boolean
  shouldStop: () => boolean
  /** Sends the driver's position at each step to those who wait for them. */
  onPosition?: (place: LatLng) => Promise<unknown>
}

const driveRoute = async (
  driver: DriverState,
  route: Route,
  { isFree, shouldStop, onPosition }: MoveOptions,
): Promise<void> => {
  const { simulation, person } = driver
  const ms = (route.time_in_secs * 1000) / simulation.plan.pace
  const count = Math.min(600, Math.max(2, Math.round(ms / POSITION_INTERVAL_MS)))
  for (const place of interpolateRoute(route.coords, count)) {
    await simulation.waitSimulated(route.time_in_secs / count)
    if (shouldStop()) return
    publishPosition(driver, place)
    await person.write('place', createPositionUpdate(driver, place, isFree))
    await onPosition?.(place)
  }
}

/** Drives to a place, and sends the track of the booking. */
export const driveTo = async (
  driver: DriverState,
  to: LatLng,
  screen: BookingSubscription,
): Promise<void> => {
  const { simulation, person, random, clockError } = driver
  const route = await person.fetchRoute(driver.position, to)
  const id = screen.getCurrent()?.id
  if (!route || id === undefined) return publishPosition(driver, roundPosition(to))
  if (random.chance(getDisconnectChance(simulation.plan)))
    void person.disconnectFor(chooseDisconnectMs(simulation.plan, random))
  await driveRoute(driver, route, {
    isFree: false,
    shouldStop: () => screen.getCurrent()?.status === 'CANCELLED',
    onPosition: async (place) => {
      const now = Date.now() + clockError
      // A driver's page sends no more than the rules accept, however fast the simulated time
      // passes.
      if (now - driver.trackedAt < MIN_TRACK_POINT_INTERVAL_MS) return
      driver.trackedAt = now
      const status = screen.getCurrent()?.status ?? 'ACCEPTED'
      const key = person.createKey(dbPaths.tracking(id))
      await person.write(
        'tracking',
        buildTrackPointUpdates(id, person.uid, key, { ...place, at: now, status }),
      )
    },
  })
}
