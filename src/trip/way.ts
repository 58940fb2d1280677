import { useEffect, useState } from 'react'
import type { LatLng } from '~/domain/entities'
import { distanceKm } from '~/domain/geo'
import { fetchRoute } from '~/src/features/estimates/estimates'
import { decodePolyline } from '~/src/features/estimates/polyline'
import type { AppDispatch } from '~/src/store/makeStore'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { selectOutbox } from './outbox/outbox'

export interface Way {
  km: number
  seconds: number
  points: LatLng[]
}

/** Streets are about so much longer than the straight line, and a city drives about so fast. */
const DETOUR = 1.3
const CITY_KMH = 25
/** A new way is asked for only after leaving a square of this many degrees: about a kilometre. */
const SQUARE = 0.01

const crow = (from: LatLng, to: LatLng): Way => {
  const km = distanceKm(from, to) * DETOUR
  return { km, seconds: (km / CITY_KMH) * 3600, points: [from, to] }
}

const asked = new Map<string, Promise<Way | null>>()
const ask = (key: string, points: LatLng[], dispatch: AppDispatch): Promise<Way | null> => {
  const known = asked.get(key)
  if (known) return known
  const [pickup, ...between] = points
  const drop = between.pop()
  if (!pickup || !drop) return Promise.resolve(null)
  const answer = dispatch(fetchRoute({ pickup, drop, waypoints: between, quiet: true }))
    .unwrap()
    .then(
      ({ distance_in_km, time_in_secs, polylinePoints }) => ({
        km: distance_in_km,
        seconds: time_in_secs,
        points: decodePolyline(polylinePoints),
      }),
      () => {
        // Perhaps only the connection: the next look may ask again.
        asked.delete(key)
        return null
      },
    )
  asked.set(key, answer)
  if (asked.size > 50) asked.delete(asked.keys().next().value ?? '')
  return answer
}

const rounded = (n: number) => Math.round(n / SQUARE)

/**
 * The way from here over the points, kilometres and seconds. Until the streets are known, and without a connection,
 * a straight line made longer; null while one end is unknown.
 */
export const useWay = (from: LatLng | null, to: LatLng | null, via: LatLng[] = []): Way | null => {
  const dispatch = useAppDispatch()
  const { online } = useAppSelector(selectOutbox)
  const key =
    from && to
      ? [
          rounded(from.lat),
          rounded(from.lng),
          ...[...via, to].flatMap((p) => [p.lat, p.lng]),
        ].join()
      : ''
  const points =
    from && to ? JSON.stringify([from, ...via, to].map(({ lat, lng }) => ({ lat, lng }))) : ''
  const [found, setFound] = useState<{ key: string; way: Way } | null>(null)
  useEffect(() => {
    if (!key || !online) return
    let wanted = true
    void ask(key, JSON.parse(points) as LatLng[], dispatch).then(
      (way) => wanted && way && setFound({ key, way }),
    )
    return () => {
      wanted = false
    }
    // `points` moves with every metre; the key says when that matters.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, online, dispatch])
  if (!from || !to) return null
  return found?.key === key ? found.way : crow(from, to)
}
