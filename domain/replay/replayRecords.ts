import type { User } from '../accounts/types'
import type { Route } from '../booking/trip/route'
import type { Settings } from '../catalog/types'
import { getDistanceKm } from '../geo/geo'
import { encodePolyline } from '../geo/polyline'
import type { ReplayDriver, ReplayRequest } from './scenario'

/**
 * Returns a route of the planned length as two straight lines, because a replay knows the length of
 * a way and not its streets. A taxi's meter compares the track with it.
 */
export const drawRoute = ({ pickup, drop, km, plannedSeconds }: ReplayRequest): Route => {
  const straight = getDistanceKm(pickup, drop)
  const aside = straight > 0 ? Math.sqrt(Math.max(0, km * km - straight * straight)) / straight : 0
  const [north, east] = [(drop.lat - pickup.lat) / 2, (drop.lng - pickup.lng) / 2]
  const scale = Math.cos((pickup.lat * Math.PI) / 180)
  const bend = {
    lat: pickup.lat + north + aside * east * scale,
    lng: pickup.lng + east - (aside * north) / scale,
  }
  return {
    distance_in_km: km,
    time_in_secs: plannedSeconds,
    polylinePoints: encodePolyline([pickup, bend, drop]),
  }
}

/**
 * Returns the settings of a replay: the operator's, except for conditions that a replay has no
 * people for. Drivers owe fees of cash trips instead of topping up their wallets, and no one takes
 * pictures.
 */
export const toReplaySettings = (settings: Settings, own: Partial<Settings>): Settings => ({
  ...settings,
  ...own,
  autoDispatch: true,
  negativeBalance: true,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
})

/** Returns the record of a driver who is off duty. */
export const createDriver = ({ uid, carType }: ReplayDriver): User => ({
  id: uid,
  usertype: 'driver',
  firstName: uid,
  lastName: '',
  mobile: '+10000000000',
  email: '',
  createdAt: '2000-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
  carType,
  queue: false,
  driverActiveStatus: false,
})

/** Returns the record of a rider. `id` is the user's id. */
export const createRider = (id: string): User => ({
  id,
  usertype: 'rider',
  firstName: 'Rider',
  lastName: 'Rider',
  mobile: '+10000000000',
  email: `${id}@replay.invalid`,
  createdAt: '2000-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
})
