import type { Nearby } from './booking/change'
import type { AvailableDriver, Booking, LatLng, Settings, User } from './entities'
import { distanceKm, geohash, searchRadiusKm } from './geo'

/** So many drivers at most are asked about one booking at once. */
export const MOST_REQUESTED = 20
export const DISPATCH_SECONDS = 30

/** Whether a driver can be offered bookings (specification 4): approved, active, not queued, his place known. */
export const isAvailable = (
  user: Pick<User, 'usertype' | 'approved' | 'queue' | 'driverActiveStatus' | 'location'>,
): boolean =>
  user.usertype === 'driver' &&
  user.approved &&
  user.queue !== true &&
  user.driverActiveStatus === true &&
  user.location !== undefined

/** What an available driver lists of himself: no personal data. */
export const listing = (
  {
    carType = '',
    fleetadmin,
    location,
  }: Pick<User, 'carType' | 'fleetadmin'> & { location: LatLng },
  now: number,
): AvailableDriver => ({
  carType,
  geohash: geohash(location),
  lat: location.lat,
  lng: location.lng,
  at: now,
  ...(fleetadmin && { fleetadmin }),
})

/** The listed drivers of a car type within the search radius of a point, nearest first. */
export const nearest = (
  listed: Readonly<Record<string, AvailableDriver>>,
  { from, carType }: { from: LatLng; carType: string },
  settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>,
): Nearby[] => {
  const radius = searchRadiusKm(settings)
  return Object.entries(listed)
    .filter(([, driver]) => driver.carType === carType)
    .map(([uid, driver]) => ({ ...driver, uid, distance: distanceKm(from, driver) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || (a.uid < b.uid ? -1 : 1))
}

const declinedBy = ({ event_log = {} }: Booking): Set<string> =>
  new Set(
    Object.values(event_log)
      .filter(({ event }) => event === 'decline')
      .map(({ by }) => by),
  )

const oneByOne = (booking: Booking, willing: readonly string[], waitMs: number, now: number) => {
  const asked = booking.askedDrivers ?? {}
  const waiting = Object.keys(booking.requestedDrivers ?? {}).some(
    (uid) => now - (asked[uid] ?? now) < waitMs,
  )
  if (waiting) return []
  // Whoever was never asked, then whoever let the last request pass longest ago.
  const next = [...willing].sort((a, b) => (asked[a] ?? 0) - (asked[b] ?? 0))[0]
  return next === undefined || booking.requestedDrivers?.[next] ? [] : [next]
}

/**
 * The drivers to ask next about a NEW booking, given those nearby (nearest first); empty when there is nothing to do but
 * wait. Nobody who declined is asked again.
 */
export const nextWave = (
  booking: Booking,
  nearby: readonly Pick<Nearby, 'uid'>[],
  settings: Pick<Settings, 'autoDispatch' | 'dispatchMode' | 'dispatchSeconds'>,
  now: number,
): string[] => {
  if (!settings.autoDispatch || booking.status !== 'NEW') return []
  const declined = declinedBy(booking)
  const willing = nearby.map(({ uid }) => uid).filter((uid) => !declined.has(uid))
  if (settings.dispatchMode === 'one_by_one')
    return oneByOne(booking, willing, (settings.dispatchSeconds ?? DISPATCH_SECONDS) * 1000, now)
  const requested = booking.requestedDrivers ?? {}
  const all = [...Object.keys(requested), ...willing.filter((uid) => !requested[uid])]
  const isNews = all.length > Object.keys(requested).length
  return isNews ? all.slice(0, Math.max(MOST_REQUESTED, Object.keys(requested).length)) : []
}
