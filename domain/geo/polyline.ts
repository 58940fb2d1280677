import type { LatLng } from './types'

const encodeNumber = (value: number): string => {
  let rest = value < 0 ? ~(value << 1) : value << 1
  let text = ''
  while (rest >= 0x20) {
    text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63)
    rest >>>= 5
  }
  return text + String.fromCharCode(rest + 63)
}

/** Encodes points as Google's polyline. Precision 5 is about a meter; Valhalla uses precision 6. */
export const encodePolyline = (points: readonly LatLng[], precision = 5): string => {
  const scale = 10 ** precision
  let lat = 0
  let lng = 0
  let text = ''
  for (const point of points) {
    const nextLat = Math.round(point.lat * scale)
    const nextLng = Math.round(point.lng * scale)
    text += encodeNumber(nextLat - lat) + encodeNumber(nextLng - lng)
    lat = nextLat
    lng = nextLng
  }
  return text
}

/** Decodes the points of an encoded polyline and drops a truncated end. */
export const decodePolyline = (text: string, precision = 5): LatLng[] => {
  const scale = 10 ** precision
  const points: LatLng[] = []
  let at = 0
  let lat = 0
  let lng = 0
  const next = (): number => {
    let result = 0
    let shift = 0
    let byte = 0x20
    while (byte >= 0x20 && at < text.length) {
      byte = text.charCodeAt(at++) - 63
      result |= (byte & 0x1f) << shift
      shift += 5
    }
    return byte >= 0x20 ? Number.NaN : result & 1 ? ~(result >> 1) : result >> 1
  }
  while (at < text.length) {
    lat += next()
    lng += next()
    if (Number.isNaN(lat) || Number.isNaN(lng)) break
    points.push({ lat: lat / scale, lng: lng / scale })
  }
  return points
}
