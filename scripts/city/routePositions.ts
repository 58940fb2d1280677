import { getDistanceKm } from '~/domain/geo/geo'
import type { LatLng } from '~/domain/geo/types'

/**
 * Returns `count` positions along a route, evenly by distance; the last is its end. A route has at
 * least two positions.
 */
export const interpolateRoute = (line: readonly LatLng[], count: number): LatLng[] => {
  const marks: { at: number; point: LatLng }[] = []
  let length = 0
  let before: LatLng | undefined
  for (const point of line) {
    if (before) length += getDistanceKm(before, point)
    marks.push({ at: length, point })
    before = point
  }
  const end = line.at(-1)
  if (!end) return []
  return Array.from({ length: count }, (_, i) => {
    const target = (length * (i + 1)) / count
    const after = marks.findIndex(({ at }) => at >= target)
    const [a, b] = [marks[after - 1], marks[after]]
    if (!a || !b || i === count - 1)
      return b && i < count - 1 ? roundPosition(b.point) : roundPosition(end)
    const share = b.at > a.at ? (target - a.at) / (b.at - a.at) : 1
    return roundPosition({
      lat: a.point.lat + (b.point.lat - a.point.lat) * share,
      lng: a.point.lng + (b.point.lng - a.point.lng) * share,
    })
  })
}

/** Rounds to a meter, the best precision of a phone's GPS. */
export const roundPosition = ({ lat, lng }: LatLng): LatLng => ({
  lat: Number(lat.toFixed(5)),
  lng: Number(lng.toFixed(5)),
})
