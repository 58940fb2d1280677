import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDistanceKm } from '~/domain/geo/geo'
import { projectOntoPolyline } from '~/domain/geo/polylineGeometry'
import { decodePolyline } from '~/domain/geo/polyline'
import { fetchRoute, type RouteStep } from '~/src/features/estimates/estimates'
import { isOnRoute, isWorthRerouting } from '~/src/features/estimates/rerouting'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { selectOutbox } from './outbox/outbox'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { LatLng } from '~/domain/geo/types'
import type { Kilometers, Seconds } from '~/domain/language/units'

/** The route as found from the position of the request. */
interface FoundRoute {
  km: Kilometers
  seconds: Seconds
  points: LatLng[]
  steps: RouteStep[]
}
/** A turn ahead of the driver. */
export interface Turn extends Pick<RouteStep, 'maneuver' | 'street' | 'exit' | 'at'> {
  /** Distance from here in kilometers. */
  km: Kilometers
}
/** The part of a route that is left. */
export interface RemainingRoute {
  km: Kilometers
  seconds: Seconds
  /** Points of the whole route. */
  points: LatLng[]
  /** The part already driven, 0 to 1. */
  progress: number
  /** Turns ahead, the next one first; empty while the streets are unknown. */
  turns: Turn[]
}

/** Average ratio of street distance to straight-line distance, and an average speed in the city. */
const DETOUR_FACTOR = 1.3
const CITY_KMH = 25
/** A turn this close behind still counts as ahead. */
const PASSED_TURN_KM = 0.015

const estimateStraightRoute = (from: LatLng, to: LatLng): FoundRoute => {
  const km = getDistanceKm(from, to) * DETOUR_FACTOR
  return { km, seconds: (km / CITY_KMH) * 3600, points: [from, to], steps: [] }
}

/** Returns what is left of a route from the position `from`. */
export const getRemainingRoute = (
  { km, seconds, points, steps }: FoundRoute,
  from: LatLng,
): RemainingRoute => {
  const progress = points.length > 1 ? projectOntoPolyline(points, from).part : 0
  const driven = km * progress
  let start = 0
  const turns: Turn[] = []
  for (const { maneuver, street, exit, at, distance_in_km } of steps) {
    if (start > driven + PASSED_TURN_KM)
      turns.push({ maneuver, street, at, km: start - driven, ...(exit !== undefined && { exit }) })
    start += distance_in_km
  }
  return { km: km - driven, seconds: seconds * (1 - progress), points, progress, turns }
}

const routeCache = new Map<string, Promise<FoundRoute | null>>()
const fetchCachedRoute = (
  key: string,
  points: LatLng[],
  language: string,
  dispatch: AppDispatch,
): Promise<FoundRoute | null> => {
  const cachedRoute = routeCache.get(key)
  if (cachedRoute) return cachedRoute
  const [pickup, ...between] = points
  const drop = between.pop()
  if (!pickup || !drop) return Promise.resolve(null)
  const pendingRoute = dispatch(fetchRoute.quiet({ pickup, drop, waypoints: between, language }))
    .unwrap()
    .then(
      ({ distance_in_km, time_in_secs, polylinePoints, steps }) => ({
        km: distance_in_km,
        seconds: time_in_secs,
        points: decodePolyline(polylinePoints),
        steps,
      }),
      () => {
        // The failure may be a lost connection, so the next call may try again.
        routeCache.delete(key)
        return null
      },
    )
  routeCache.set(key, pendingRoute)
  if (routeCache.size > 50) routeCache.delete(routeCache.keys().next().value ?? '')
  return pendingRoute
}

interface RouteQuery {
  /** The destination and the stops on the route, as JSON. */
  to: string
  from: LatLng
}
const toCacheKey = ({ to, from }: RouteQuery) =>
  `${from.lat.toFixed(3)},${from.lng.toFixed(3)} ${to}`

/**
 * Returns the rest of the route from here through the stops, in kilometers and seconds. Requests it
 * once, and again when the driver leaves it. Falls back to a lengthened straight line offline and
 * while the streets are unknown. Returns null while one end is unknown.
 */
export const useRemainingRoute = (
  from: LatLng | null,
  to: LatLng | null,
  via: LatLng[] = [],
): RemainingRoute | null => {
  const dispatch = useAppDispatch()
  const { language } = useTranslation().i18n
  const { isOnline } = useAppSelector(selectOutbox)
  const ends = to ? JSON.stringify([...via, to].map(({ lat, lng }) => ({ lat, lng }))) : ''
  const [question, setQuestion] = useState<RouteQuery | null>(null)
  const [result, setResult] = useState<{ question: RouteQuery; found: FoundRoute } | null>(null)
  const foundRoute = result && result.question === question ? result.found : null
  const hasStrayed = (at: LatLng, { from: start }: RouteQuery) =>
    foundRoute !== null && !isOnRoute(foundRoute.points, at) && isWorthRerouting(start, at)
  if (from && ends && (question?.to !== ends || hasStrayed(from, question)))
    setQuestion({ to: ends, from: { lat: from.lat, lng: from.lng } })
  useEffect(() => {
    if (!question || !isOnline) return
    let isWanted = true
    const points = [question.from, ...(JSON.parse(question.to) as LatLng[])]
    void fetchCachedRoute(`${language} ${toCacheKey(question)}`, points, language, dispatch).then(
      (route) => isWanted && route && setResult({ question, found: route }),
    )
    return () => {
      isWanted = false
    }
  }, [question, isOnline, language, dispatch])
  return useMemo(() => {
    if (!from || !to) return null
    return getRemainingRoute(foundRoute ?? estimateStraightRoute(from, to), from)
  }, [foundRoute, from, to])
}
