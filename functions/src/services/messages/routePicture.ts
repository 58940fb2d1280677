import { decodeRoute } from '~/domain/booking/trip/route'
import { encodePng } from './png'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'

/** The picture is twice as large as it is shown, for sharp screens. */
const SCALE = 2
export const PICTURE_WIDTH = 480
export const PICTURE_HEIGHT = 240
const WIDTH = PICTURE_WIDTH * SCALE
const HEIGHT = PICTURE_HEIGHT * SCALE
const MARGIN = 24 * SCALE

type Color = readonly [red: number, green: number, blue: number]
interface Point {
  x: number
  y: number
}
const BACKGROUND: Color = [243, 236, 223]
const CASING: Color = [255, 255, 255]
const ROUTE: Color = [14, 90, 73]
const DROP: Color = [179, 38, 30]

/** Returns a projection that fits the positions into the picture, with north at the top. */
const createProjection = (positions: readonly LatLng[]) => {
  const lats = positions.map(({ lat }) => lat)
  const lngs = positions.map(({ lng }) => lng)
  const [south, north] = [Math.min(...lats), Math.max(...lats)]
  const [west, east] = [Math.min(...lngs), Math.max(...lngs)]
  // A degree of longitude is shorter away from the equator.
  const stretch = Math.cos(((south + north) / 2) * (Math.PI / 180))
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max((east - west) * stretch, 1e-6),
    (HEIGHT - 2 * MARGIN) / Math.max(north - south, 1e-6),
  )
  return ({ lat, lng }: LatLng): Point => ({
    x: WIDTH / 2 + (lng - (west + east) / 2) * stretch * scale,
    y: HEIGHT / 2 - (lat - (south + north) / 2) * scale,
  })
}

const getDistanceToLine = (x: number, y: number, a: Point, b: Point): number => {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - a.x) * dx + (y - a.y) * dy) / length
  const at = Math.max(0, Math.min(1, along))
  return Math.hypot(x - a.x - at * dx, y - a.y - at * dy)
}

interface Pen {
  radius: number
  color: Color
}

/** Draws a line with round ends and soft edges; from a point to itself it is a disc. */
const drawLine = (pixels: Uint8Array, a: Point, b: Point, { radius, color }: Pen): void => {
  const reach = radius + 1
  const left = Math.max(0, Math.floor(Math.min(a.x, b.x) - reach))
  const right = Math.min(WIDTH - 1, Math.ceil(Math.max(a.x, b.x) + reach))
  const top = Math.max(0, Math.floor(Math.min(a.y, b.y) - reach))
  const bottom = Math.min(HEIGHT - 1, Math.ceil(Math.max(a.y, b.y) + reach))
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const cover = Math.max(0, Math.min(1, radius + 0.5 - getDistanceToLine(x, y, a, b)))
      if (cover === 0) continue
      const at = (y * WIDTH + x) * 3
      for (const [channel, value] of color.entries()) {
        const before = pixels[at + channel] ?? 0
        pixels[at + channel] = Math.round(before + (value - before) * cover)
      }
    }
}

/**
 * Draws the planned route of a booking with its places as a PNG file, without a map or a name.
 * Returns undefined for a booking without a route, because a straight line would look like one.
 */
export const drawRoute = ({
  pickup,
  drop,
  waypoints = [],
  ...booking
}: Pick<Booking, 'pickup' | 'drop' | 'waypoints'> & { route?: Booking['route'] | undefined }):
  Buffer | undefined => {
  const route = decodeRoute(booking)
  if (route.length < 2) return undefined
  const project = createProjection([pickup, ...waypoints, drop, ...route])
  const points = route.map(project)
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let at = 0; at < pixels.length; at += 3) pixels.set(BACKGROUND, at)
  const drawRouteLine = (pen: Pen) =>
    points.slice(1).forEach((point, i) => drawLine(pixels, points[i] ?? point, point, pen))
  const drawMarker = (place: LatLng, { radius, color }: Pen) => {
    const at = project(place)
    drawLine(pixels, at, at, { radius: radius + 3 * SCALE, color: CASING })
    drawLine(pixels, at, at, { radius, color })
  }
  drawRouteLine({ radius: 4.5 * SCALE, color: CASING })
  drawRouteLine({ radius: 2.5 * SCALE, color: ROUTE })
  for (const stop of waypoints) drawMarker(stop, { radius: 4 * SCALE, color: ROUTE })
  drawMarker(pickup, { radius: 6 * SCALE, color: ROUTE })
  drawMarker(drop, { radius: 6 * SCALE, color: DROP })
  return encodePng(WIDTH, HEIGHT, pixels)
}
