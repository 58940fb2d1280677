import { useEffect, useMemo, useRef, useState } from 'react'
import { decodeRoute } from '~/domain/booking/trip/route'
import { getBounds, projectOntoPolyline } from '~/domain/geo/polylineGeometry'
import { decodePolyline } from '~/domain/geo/polyline'
import { useAppDispatch } from '~/src/store/hooks'
import type { PolylineSpec } from '~/src/ui/map/mapPort'
import { fetchRoute } from './estimates'
import { isOnRoute, isWorthRerouting } from './rerouting'
import type { LatLng } from '~/domain/geo/types'
import type { Status } from '~/domain/booking/types'

/** The fields of a booking that a map needs to draw its route. */
export interface RoutedBooking {
  status: Status
  pickup: LatLng
  drop: LatLng
  waypoints?: readonly LatLng[] | undefined
  /** Number of stops that the driver has recorded as reached or skipped; 0 when it is unknown. */
  passedStops?: number | undefined
  /** The planned route as stored with the booking. */
  route?: string | undefined
}

/** Minimum time between two requests for another route. */
const REROUTE_INTERVAL_MS = 20_000

const getPositionsKey = (points: readonly LatLng[]) =>
  points.map(({ lat, lng }) => `${lat},${lng}`).join(';')

/** Returns the stored route, or else requests one from the maps service; empty while unknown. */
const usePlannedRoute = (trip: RoutedBooking | null): LatLng[] => {
  const { pickup, drop, waypoints = [], route } = trip ?? {}
  const dispatch = useAppDispatch()
  const [fetchedRoute, setFetchedRoute] = useState<{ key: string; line: LatLng[] } | null>(null)
  const storedRoute = useMemo(() => decodeRoute({ route }), [route])
  const hasStoredRoute = storedRoute.length > 1
  const places = trip ? JSON.stringify({ pickup, drop, waypoints }) : null
  useEffect(() => {
    if (hasStoredRoute || places === null) return
    let isWanted = true
    const request = JSON.parse(places) as Pick<RoutedBooking, 'pickup' | 'drop'> & {
      waypoints: LatLng[]
    }
    dispatch(fetchRoute.quiet(request))
      .unwrap()
      .then(
        ({ polylinePoints }) =>
          isWanted && setFetchedRoute({ key: places, line: decodePolyline(polylinePoints) }),
        // Without a route, the map still shows the places.
        () => undefined,
      )
    return () => {
      isWanted = false
    }
  }, [dispatch, hasStoredRoute, places])
  return useMemo(
    () => (hasStoredRoute ? storedRoute : fetchedRoute?.key === places ? fetchedRoute.line : []),
    [hasStoredRoute, storedRoute, fetchedRoute, places],
  )
}

/**
 * Returns the places ahead of the car: the pickup, or the stops not yet passed and the drop-off.
 */
const getRemainingStops = (
  { status, pickup, drop, waypoints = [], passedStops = 0 }: RoutedBooking,
  planned: readonly LatLng[],
  car: LatLng | undefined,
): LatLng[] => {
  if (!car || (status !== 'ACCEPTED' && status !== 'STARTED')) return []
  if (status === 'ACCEPTED') return [pickup]
  if (passedStops > 0) return [...waypoints.slice(passedStops), drop]
  const { part } = projectOntoPolyline(planned, car)
  return [...waypoints.filter((stop) => projectOntoPolyline(planned, stop).part > part), drop]
}

/** Returns the route that the car follows: the planned one or another one; null while unknown. */
const useFollowedRoute = (
  planned: readonly LatLng[],
  car: LatLng | undefined,
  to: readonly LatLng[],
): { line: readonly LatLng[]; progress: number } | null => {
  const dispatch = useAppDispatch()
  const [other, setOther] = useState<{ to: string; line: LatLng[] } | null>(null)
  const lastRequest = useRef<{ at: number; from: LatLng; to: string } | null>(null)
  const goal = getPositionsKey(to)
  const last = to.at(-1)
  const isOn = (line: readonly LatLng[]) =>
    car !== undefined && last !== undefined && isOnRoute(line, car)
  const otherLine = last && other?.to === getPositionsKey([last]) ? other.line : []
  const line = isOn(planned) ? planned : isOn(otherLine) ? otherLine : null
  const isOffRoute = car !== undefined && last !== undefined && line === null
  const [lat, lng] = [car?.lat, car?.lng]
  useEffect(() => {
    if (!isOffRoute || lat === undefined || lng === undefined) return
    const from = { lat, lng }
    const [now, before] = [Date.now(), lastRequest.current]
    if (
      before?.to === goal &&
      (now - before.at < REROUTE_INTERVAL_MS || !isWorthRerouting(before.from, from))
    )
      return
    lastRequest.current = { at: now, from, to: goal }
    const places = goal.split(';').map((place) => {
      const [placeLat = 0, placeLng = 0] = place.split(',').map(Number)
      return { lat: placeLat, lng: placeLng }
    })
    const drop = places.at(-1)
    if (!drop) return
    dispatch(fetchRoute.quiet({ pickup: from, drop, waypoints: places.slice(0, -1) }))
      .unwrap()
      .then(
        ({ polylinePoints }) =>
          setOther({ to: getPositionsKey([drop]), line: decodePolyline(polylinePoints) }),
        // Without a response the planned route stays on the map.
        () => undefined,
      )
  }, [dispatch, isOffRoute, lat, lng, goal])
  return useMemo(
    () =>
      line && lat !== undefined && lng !== undefined
        ? { line, progress: projectOntoPolyline(line, { lat, lng }).part }
        : null,
    [line, lat, lng],
  )
}

/**
 * Returns the lines that a map draws for a booking. With `isLive`, the part ahead of the car stands
 * out, and a car that leaves the route gets another one. Otherwise, and while nothing moves, the
 * planned route is one line. The track, if given, lies over the planned route. Without a booking
 * there are no lines.
 */
export const useRoutePolylines = (
  trip: RoutedBooking | null,
  {
    car,
    driven = [],
    isLive,
  }: { car?: LatLng | undefined; driven?: readonly LatLng[]; isLive: boolean },
): PolylineSpec[] => {
  const plannedRoute = usePlannedRoute(trip)
  const to = isLive && trip ? getRemainingStops(trip, plannedRoute, car) : []
  // The planned route starts at the pickup but does not lead to it.
  const followed = useFollowedRoute(trip?.status === 'ACCEPTED' ? [] : plannedRoute, car, to)
  if (!trip) return []
  const { pickup, drop, waypoints = [] } = trip
  const planned = plannedRoute.length > 1 ? plannedRoute : [pickup, ...waypoints, drop]
  const hasDriven = driven.length > 1
  if (followed)
    return [
      ...(followed.line === plannedRoute
        ? []
        : [{ id: 'planned', positions: planned, tone: 'faint' } as const]),
      ...(hasDriven ? [{ id: 'driven', positions: driven, progress: 1 }] : []),
      { id: 'way', positions: followed.line, progress: followed.progress },
    ]
  return [
    {
      id: 'planned',
      positions: planned,
      tone: hasDriven || plannedRoute.length < 2 ? 'faint' : 'route',
    },
    ...(hasDriven ? [{ id: 'driven', positions: driven }] : []),
  ]
}

/** Returns the corners of the box that shows a booking's places, its lines and the car. */
export const getRouteBounds = (
  { pickup, drop }: Pick<RoutedBooking, 'pickup' | 'drop'>,
  car: LatLng | undefined,
  polylines: readonly PolylineSpec[],
): LatLng[] =>
  getBounds([
    pickup,
    drop,
    ...(car ? [car] : []),
    ...polylines.flatMap(({ positions }) => positions),
  ])
