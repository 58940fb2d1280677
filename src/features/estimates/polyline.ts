import type { LatLng } from '~/domain/entities'

/** The points of an encoded polyline of precision 5; a broken tail is left out. */
export const decodePolyline = (encoded: string): LatLng[] => {
  const points: LatLng[] = []
  let index = 0
  let lat = 0
  let lng = 0
  const next = (): number | null => {
    let value = 0
    for (let shift = 0; index < encoded.length; shift += 5) {
      const chunk = encoded.charCodeAt(index) - 63
      index += 1
      value |= (chunk & 31) << shift
      if (chunk < 32) return value & 1 ? ~(value >> 1) : value >> 1
    }
    return null
  }
  for (;;) {
    const north = next()
    const east = next()
    if (north === null || east === null) return points
    lat += north
    lng += east
    points.push({ lat: lat / 1e5, lng: lng / 1e5 })
  }
}
