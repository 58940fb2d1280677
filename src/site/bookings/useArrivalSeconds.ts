import { useEffect, useRef, useState } from 'react'
import type { Booking, LatLng } from '~/domain/entities'
import { fetchTravelSeconds } from '~/src/features/estimates/travelTime'
import { useAppDispatch } from '~/src/store/hooks'

/** Minimum milliseconds between requests, however often the car moves. */
const REFRESH_INTERVAL_MS = 20_000

/**
 * Returns the seconds until the driver reaches the pickup (ACCEPTED) or the drop-off (STARTED), or
 * null while unknown.
 */
export const useArrivalSeconds = (booking: Booking, car: LatLng | undefined): number | null => {
  const dispatch = useAppDispatch()
  const [answer, setAnswer] = useState<{ status: string; seconds: number } | null>(null)
  const lastRequest = useRef({ at: 0, status: '' })
  const { status, pickup, drop } = booking
  const to = status === 'ACCEPTED' ? pickup : status === 'STARTED' ? drop : null
  const [toLat, toLng] = [to?.lat, to?.lng]
  const [lat, lng] = [car?.lat, car?.lng]
  useEffect(() => {
    if (lat === undefined || lng === undefined || toLat === undefined || toLng === undefined) return
    const now = Date.now()
    if (lastRequest.current.status === status && now - lastRequest.current.at < REFRESH_INTERVAL_MS)
      return
    lastRequest.current = { at: now, status }
    dispatch(fetchTravelSeconds.quiet({ from: { lat, lng }, to: { lat: toLat, lng: toLng } }))
      .unwrap()
      .then(
        // The car may have moved meanwhile, but the destination must be the same.
        (seconds) => lastRequest.current.status === status && setAnswer({ status, seconds }),
        // Without a response the last value stays.
        () => undefined,
      )
  }, [dispatch, status, lat, lng, toLat, toLng])
  return to && car && answer?.status === status ? answer.seconds : null
}
