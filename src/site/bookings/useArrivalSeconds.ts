import { useEffect, useRef, useState } from 'react'
import { getCurrentStop } from '~/domain/booking/stops/bookingStops'
import { fetchTravelSeconds } from '~/src/features/estimates/travelTime'
import { useAppDispatch } from '~/src/store/hooks'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Seconds } from '~/domain/language/units'

/** Minimum milliseconds between requests, however often the car moves. */
const REFRESH_INTERVAL_MS = 20_000

/** The place to which the driver is on their way; `key` differs between two of one booking. */
interface Destination {
  key: string
  place: LatLng
}

/**
 * Returns the pickup (ACCEPTED), or the next stop or the drop-off (STARTED); null while the driver
 * is at a stop, and otherwise.
 */
const getDestination = (booking: Booking): Destination | null => {
  if (booking.status === 'ACCEPTED') return { key: 'pickup', place: booking.pickup }
  if (booking.status !== 'STARTED') return null
  const stop = getCurrentStop(booking)
  if (!stop) return { key: 'drop', place: booking.drop }
  return stop.state === 'next' ? { key: `stop${stop.index}`, place: stop.place } : null
}

/**
 * Returns the seconds until the driver reaches the pickup, the next stop or the drop-off, or null
 * while unknown.
 */
export const useArrivalSeconds = (booking: Booking, car: LatLng | undefined): Seconds | null => {
  const dispatch = useAppDispatch()
  const [arrival, setArrival] = useState<{ key: string; seconds: Seconds } | null>(null)
  const lastRequest = useRef({ at: 0, key: '' })
  const to = getDestination(booking)
  const [key, toLat, toLng] = [to?.key, to?.place.lat, to?.place.lng]
  const [lat, lng] = [car?.lat, car?.lng]
  useEffect(() => {
    if (key === undefined || lat === undefined || lng === undefined) return
    if (toLat === undefined || toLng === undefined) return
    const now = Date.now()
    if (lastRequest.current.key === key && now - lastRequest.current.at < REFRESH_INTERVAL_MS)
      return
    lastRequest.current = { at: now, key }
    dispatch(fetchTravelSeconds.quiet({ from: { lat, lng }, to: { lat: toLat, lng: toLng } }))
      .unwrap()
      .then(
        // The car may have moved meanwhile, but the destination must be the same.
        (seconds) => lastRequest.current.key === key && setArrival({ key, seconds }),
        // Without a response the last value stays.
        () => undefined,
      )
  }, [dispatch, key, lat, lng, toLat, toLng])
  return to && car && arrival?.key === to.key ? arrival.seconds : null
}
