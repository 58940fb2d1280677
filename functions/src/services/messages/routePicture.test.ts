import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encodePolyline } from '~/domain/geo/polyline'
import { drawRoute, PICTURE_HEIGHT, PICTURE_WIDTH } from './routePicture'

const place = (lat: number, lng: number) => ({ lat, lng, add: '' })
const WEST = place(-34.9, -56.2)
const EAST = place(-34.9, -56.1)
const aTrip = (route = encodePolyline([WEST, EAST])) => ({ pickup: WEST, drop: EAST, route })

/** Reads a PNG file of truecolor rows without filters, and checks its checksums. */
const decodePng = (file: Buffer) => {
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: Record<string, Buffer> = {}
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 4, at + 8 + length)
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks[body.subarray(0, 4).toString('latin1')] = body.subarray(4)
    at += length + 12
  }
  const { IHDR, IDAT, IEND } = chunks
  if (!IHDR || !IDAT || !IEND) throw new Error('The file has no header, no data or no end.')
  const [width, height] = [IHDR.readUInt32BE(0), IHDR.readUInt32BE(4)]
  expect([...IHDR.subarray(8)]).toEqual([8, 2, 0, 0, 0])
  const rows = inflateSync(IDAT)
  expect(rows).toHaveLength((width * 3 + 1) * height)
  const getColor = (x: number, y: number) => {
    const at = y * (width * 3 + 1) + 1 + x * 3
    return [...rows.subarray(at, at + 3)]
  }
  return { width, height, getColor }
}
const draw = (trip: Parameters<typeof drawRoute>[0]) =>
  decodePng(drawRoute(trip) ?? Buffer.alloc(0))

describe('the picture of a route', () => {
  it('is a PNG file at twice its size, with the line from the pickup to the drop-off', () => {
    const { width, height, getColor } = draw(aTrip())
    expect([width, height]).toEqual([PICTURE_WIDTH * 2, PICTURE_HEIGHT * 2])
    const middle = height / 2
    expect(getColor(width / 2, middle)).toEqual([14, 90, 73])
    expect(getColor(48, middle)).toEqual([14, 90, 73])
    expect(getColor(width - 48, middle)).toEqual([179, 38, 30])
    expect(getColor(width / 2, 20)).toEqual([243, 236, 223])
  })

  it('has the north at the top, and each stop', () => {
    const north = place(-34.8, -56.2)
    const stop = place(-34.85, -56.2)
    const { width, height, getColor } = draw({
      pickup: north,
      drop: WEST,
      waypoints: [stop],
      route: encodePolyline([north, stop, WEST]),
    })
    expect(getColor(width / 2, 48)).toEqual([14, 90, 73])
    expect(getColor(width / 2, height - 48)).toEqual([179, 38, 30])
    // The marker of the stop is wider than the line.
    expect(getColor(width / 2 + 7, height / 2)).toEqual([14, 90, 73])
    expect(getColor(width / 2 + 7, height / 4)).not.toEqual([14, 90, 73])
  })

  it('is small, also for the longest route that a booking stores', () => {
    const points = Array.from({ length: 600 }, (_, i) => ({
      lat: -34.9 + Math.sin(i) / 50,
      lng: -56.2 + i / 3000,
    }))
    const file = drawRoute(aTrip(encodePolyline(points))) ?? Buffer.alloc(0)
    expect(file.length).toBeGreaterThan(0)
    expect(file.length).toBeLessThan(100_000)
  })

  it('is drawn for a route that begins where it ends', () => {
    expect(draw({ ...aTrip(encodePolyline([WEST, WEST])), drop: WEST }).width).toBe(960)
  })

  it.each([undefined, '', encodePolyline([WEST])])('is absent for the route %j', (route) => {
    expect(drawRoute({ pickup: WEST, drop: EAST, route })).toBeUndefined()
  })
})
