import { expect, test } from 'vitest'
import { decodePolyline, encodePolyline } from './polyline'

const points = [
  { lat: 38.5, lng: -120.2 },
  { lat: 40.7, lng: -120.95 },
  { lat: 43.252, lng: -126.453 },
]

test('encodes the format’s own example to its published text', () => {
  expect(encodePolyline(points)).toBe('_p~iF~ps|U_ulLnnqC_mqNvxq`@')
})

test.each([5, 6])('decodes an encoded line with precision %i unchanged', (precision) => {
  expect(decodePolyline(encodePolyline(points, precision), precision)).toEqual(points)
})

test('keeps the complete points of a truncated line', () => {
  expect(decodePolyline('_p~iF~ps|U_ulL')).toEqual([points[0]])
  expect(decodePolyline('')).toEqual([])
})
