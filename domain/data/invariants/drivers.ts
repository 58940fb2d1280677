import { canBeFollowed } from '../../booking/offers/followOn'
import { BUSY_STATUSES } from '../../booking/types'
import type { AvailableDriver, NearbyCar } from '../../dispatch/types'
import { byOwnKey, type Check, type CheckedData } from './check'

const checkBusyDrivers = ({ users, bookings, busy_drivers = {} }: CheckedData): string[] => {
  const busyWith = new Map<string, string[]>()
  for (const [id, { status, driver, follows }] of Object.entries(bookings))
    if (driver && follows === undefined && BUSY_STATUSES.includes(status))
      busyWith.set(driver, [...(busyWith.get(driver) ?? []), id])
  const doubled = [...busyWith]
    .filter(([, ids]) => ids.length > 1)
    .map(([uid, ids]) => `users/${uid} is in ${ids.length} active bookings: ${ids.join(', ')}`)
  const flags = Object.entries(users)
    .filter(([, { usertype }]) => usertype === 'driver')
    .filter(([uid, { queue }]) => (queue === true) !== busyWith.has(uid))
    .map(
      ([uid, { queue }]) =>
        `users/${uid}: queue is ${String(queue)}, active booking: ${busyWith.get(uid)?.[0] ?? 'none'}`,
    )
  const busyMismatches = Object.entries(busy_drivers)
    .filter(([uid, { booking }]) => !busyWith.get(uid)?.includes(booking))
    .map(([uid, { booking }]) => `busy_drivers/${uid}: he is not on ${booking}`)
  const ending = Object.entries(busy_drivers)
    .filter(([, { ends_at }]) => ends_at !== undefined)
    .flatMap(([uid, { booking: id }]) => {
      const booking = bookings[id]
      return booking && canBeFollowed(booking, uid)
        ? []
        : [`busy_drivers/${uid}: ${id} cannot have a next booking`]
    })
  return [...doubled, ...flags, ...busyMismatches, ...ending, ...checkNextBookings(bookings)]
}

/** Checks that a trip and the next booking of its driver name each other. */
const checkNextBookings = (bookings: CheckedData['bookings']): string[] =>
  Object.entries(bookings).flatMap(([id, { status, driver, next, follows }]) => {
    const following = next === undefined ? undefined : bookings[next]
    const current = follows === undefined ? undefined : bookings[follows]
    const isNextSound =
      next === undefined ||
      ((status === 'STARTED' || status === 'REACHED') &&
        following?.follows === id &&
        following.driver === driver)
    const isSound =
      follows === undefined ||
      (status === 'ACCEPTED' && current?.next === id && current.driver === driver)
    return [
      ...(isNextSound ? [] : [`bookings/${id}: ${next} is not its next booking`]),
      ...(isSound ? [] : [`bookings/${id} does not follow ${follows}`]),
    ]
  })

const checkOffers = ({ driver_tasks = {}, bookings, hasAllRecords }: CheckedData): string[] => {
  const taskKeys = Object.entries(driver_tasks).flatMap(([uid, ids]) =>
    Object.keys(ids).map((id) => `${uid}/${id}`),
  )
  const requested = Object.entries(bookings).flatMap(([id, { requestedDrivers = {} }]) =>
    Object.keys(requestedDrivers)
      .filter(hasAllRecords)
      .map((uid) => `${uid}/${id}`),
  )
  const requestedIds = new Set(requested)
  const listedIds = new Set(taskKeys)
  return [
    ...taskKeys
      .filter((one) => !requestedIds.has(one))
      .map((one) => `driver_tasks/${one}: not requested`),
    ...requested
      .filter((one) => !listedIds.has(one))
      .map((one) => `driver_tasks/${one} is missing`),
  ]
}

const NEARBY_CAR_FIELDS = [
  'carType',
  'geohash',
  'lat',
  'lng',
  'at',
] as const satisfies (keyof NearbyCar)[]
const toNearbyCarKey = (car: NearbyCar | AvailableDriver): string =>
  NEARBY_CAR_FIELDS.map((field) => car[field]).join()

/** Checks that riders and the back office see the same free cars. */
const checkNearbyCars = ({ available_drivers = {}, nearby_cars = {} }: CheckedData): string[] => {
  const forRiders = new Set(Object.values(nearby_cars).map(toNearbyCarKey))
  const forOffice = new Set(Object.values(available_drivers).map(toNearbyCarKey))
  return [
    ...Object.entries(available_drivers)
      .filter(([, car]) => !forRiders.has(toNearbyCarKey(car)))
      .map(([uid]) => `users/${uid}: riders and the office are shown different cars`),
    ...Object.entries(nearby_cars)
      .filter(([, car]) => !forOffice.has(toNearbyCarKey(car)))
      .map(([shift]) => `nearby_cars/${shift} is a car that the office is not shown`),
  ]
}

/** Checks that each free car on the riders' map has the key of one driver. */
const checkNearbyCarKeys = ({ users, nearby_cars = {}, hasAllRecords }: CheckedData): string[] => {
  const owners = Object.entries(users).flatMap(([uid, { shift }]): [string, string][] =>
    shift === undefined || !hasAllRecords(shift) ? [] : [[shift, uid]],
  )
  const ownersByKey = new Map(owners)
  return [
    ...owners
      .filter(([shift]) => !nearby_cars[shift])
      .map(([, uid]) => `users/${uid}: their key names no car`),
    ...Object.keys(nearby_cars)
      .filter((shift) => !ownersByKey.has(shift))
      .map((shift) => `nearby_cars/${shift} is nobody's`),
  ]
}

export const DRIVER_CHECKS: Record<string, Check> = {
  queues: {
    groupingKeys: {
      users: byOwnKey,
      bookings: ({ driver, status }) => (BUSY_STATUSES.includes(status) ? [driver] : []),
      busy_drivers: byOwnKey,
    },
    find: checkBusyDrivers,
  },
  tasks: {
    groupingKeys: {
      driver_tasks: byOwnKey,
      bookings: ({ requestedDrivers = {} }) => Object.keys(requestedDrivers),
    },
    find: checkOffers,
  },
  cars: {
    groupingKeys: {
      available_drivers: (car) => [toNearbyCarKey(car)],
      nearby_cars: (car) => [toNearbyCarKey(car)],
    },
    find: checkNearbyCars,
  },
  shifts: {
    groupingKeys: { users: ({ shift }) => [shift], nearby_cars: byOwnKey },
    find: checkNearbyCarKeys,
  },
}
