import { expect, test } from 'vitest'
import { decodePolyline } from './polyline'

test('the format’s own example is read', () => {
  expect(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@')).toEqual([
    { lat: 38.5, lng: -120.2 },
    { lat: 40.7, lng: -120.95 },
    { lat: 43.252, lng: -126.453 },
  ])
})

test('an answer cut off in the middle of a point keeps the points before it', () => {
  expect(decodePolyline('_p~iF~ps|U_ulL')).toEqual([{ lat: 38.5, lng: -120.2 }])
  expect(decodePolyline('')).toEqual([])
})
