import { useEffect, useRef, useState } from 'react'
import { fetchPickupTimes } from '~/src/features/estimates/travelTime'
import { useAppDispatch } from '~/src/store/hooks'
import type { LatLng } from '~/domain/geo/types'

/** Maximum number of drivers whose way by street is requested; map services bill each one. */
const MAX_REQUESTED = 10
const REFRESH_MS = 30_000
const NONE: ReadonlyMap<string, number> = new Map()

/**
 * Returns the seconds by street from the nearest drivers to a pickup, by driver. A driver without a
 * route, or whose time is not known yet, is missing.
 */
export const usePickupTimes = (
  pickup: LatLng | null,
  nearest: readonly { id: string; at: LatLng }[],
): ReadonlyMap<string, number> => {
  const dispatch = useAppDispatch()
  const place = pickup && `${pickup.lat},${pickup.lng}`
  const [fetchedTimes, setFetchedTimes] = useState<{
    place: string
    times: ReadonlyMap<string, number>
  } | null>(null)
  const requested = nearest.slice(0, MAX_REQUESTED)
  // The positions at the time of a request; the drivers move all the time.
  const latest = useRef(requested)
  useEffect(() => {
    latest.current = requested
  })
  const hasDrivers = requested.length > 0
  useEffect(() => {
    if (!place || !hasDrivers) return
    const [lat = 0, lng = 0] = place.split(',').map(Number)
    let isWanted = true
    const request = async () => {
      const drivers = latest.current
      const result = await dispatch(
        fetchPickupTimes.quiet({ from: drivers.map(({ at }) => at), to: { lat, lng } }),
      )
      // Without a response the straight line stays on the screen.
      if (!isWanted || !fetchPickupTimes.fulfilled.match(result)) return
      const times = drivers.flatMap(({ id }, index) => {
        const seconds = result.payload[index]
        return typeof seconds === 'number' ? [[id, seconds] as const] : []
      })
      setFetchedTimes({ place, times: new Map(times) })
    }
    void request()
    const timer = setInterval(() => void request(), REFRESH_MS)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [dispatch, place, hasDrivers])
  return fetchedTimes && fetchedTimes.place === place ? fetchedTimes.times : NONE
}
