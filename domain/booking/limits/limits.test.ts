import { describe, expect, test } from 'vitest'
import { DROP, MINUTE, NOON, PICKUP } from '../../testing/builders'
import {
  checkAddress,
  checkEnds,
  MAX_ADDRESS_LENGTH,
  MAX_DAYS_AHEAD,
  MAX_STOPS,
  checkStopCount,
  checkPickupTime,
} from './limits'
import { DAY_MS } from '../../language/timeUnits'

/** Returns a place this many meters north of the pickup. */
const getPlaceNorth = (meters: number, add: string) => ({
  lat: PICKUP.lat + meters / 111_195,
  lng: PICKUP.lng,
  add,
})

describe('the ends of a trip', () => {
  test.each([
    ['the same position under another name', getPlaceNorth(0, 'Another name')],
    ['a position a few meters away', getPlaceNorth(5, 'Another name')],
    ['the same address around the corner', getPlaceNorth(100, ` ${PICKUP.add.toUpperCase()} `)],
  ])('are refused when the drop-off is %s', (_, drop) => {
    expect(checkEnds(PICKUP, drop)).toEqual({ key: 'same_place', field: 'drop' })
  })

  test.each([
    ['somewhere else', DROP],
    ['across the square', getPlaceNorth(100, 'Another name')],
    ['the far end of a street with a single address', getPlaceNorth(2000, PICKUP.add)],
  ])('are accepted when the drop-off is %s', (_, drop) => {
    expect(checkEnds(PICKUP, drop)).toBeUndefined()
  })

  test('may be the same place when the trip has a stop', () => {
    expect(checkEnds(PICKUP, PICKUP, [DROP])).toBeUndefined()
  })
})

test('a booking may have at most 25 stops', () => {
  expect(checkStopCount(MAX_STOPS)).toBeUndefined()
  expect(checkStopCount(MAX_STOPS + 1)).toEqual({
    key: 'too_many_stops',
    field: 'waypoints',
    params: { most: 25 },
  })
})

test('an address may have at most 500 characters', () => {
  const place = (length: number) => ({ ...PICKUP, add: 'a'.repeat(length) })
  expect(checkAddress(place(MAX_ADDRESS_LENGTH), 'pickup')).toBeUndefined()
  expect(checkAddress(place(MAX_ADDRESS_LENGTH + 1), 'pickup')).toEqual({
    key: 'address_too_long',
    field: 'pickup',
    params: { most: 500 },
  })
})

test.each([
  [undefined, 'select_proper'],
  [NOON + 15 * MINUTE - 1, 'past_booking_error'],
  [NOON + 15 * MINUTE, undefined],
  [NOON + MAX_DAYS_AHEAD * DAY_MS, undefined],
  [NOON + MAX_DAYS_AHEAD * DAY_MS + 1, 'too_far_ahead'],
])('checks a later booking at %s: %s', (tripdate, key) => {
  expect(checkPickupTime(tripdate, NOON)?.key).toBe(key)
})
