import type { LatLng } from '~/domain/entities'
import { distanceKm } from '~/domain/geo'

/** `count` points along a way, evenly by distance; the last is its end. A way has two points at least. */
export const stepsAlong = (way: readonly LatLng[], count: number): LatLng[] => {
  const marks: { at: number; point: LatLng }[] = []
  let length = 0
  let before: LatLng | undefined
  for (const point of way) {
    if (before) length += distanceKm(before, point)
    marks.push({ at: length, point })
    before = point
  }
  const end = way.at(-1)
  if (!end) return []
  return Array.from({ length: count }, (_, i) => {
    const wanted = (length * (i + 1)) / count
    const after = marks.findIndex(({ at }) => at >= wanted)
    const [a, b] = [marks[after - 1], marks[after]]
    if (!a || !b || i === count - 1) return b && i < count - 1 ? rounded(b.point) : rounded(end)
    const share = b.at > a.at ? (wanted - a.at) / (b.at - a.at) : 1
    return rounded({
      lat: a.point.lat + (b.point.lat - a.point.lat) * share,
      lng: a.point.lng + (b.point.lng - a.point.lng) * share,
    })
  })
}

/** To a metre, as a phone's GPS has it at best. */
export const rounded = ({ lat, lng }: LatLng): LatLng => ({
  lat: Number(lat.toFixed(5)),
  lng: Number(lng.toFixed(5)),
})
