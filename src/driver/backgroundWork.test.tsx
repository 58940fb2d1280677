import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPushKey } from '~/domain/data/pushKeys'
import { aBooking } from '~/domain/testing/builders'
import { DEVICE_POSITION, renderDriverApp } from './testing/renderDriverApp'
import type { LatLng } from '~/domain/geo/types'

const START = { lat: -34.9, lng: -56.18 }
/** Returns the position this many meters north of the start. */
const metersNorth = (metres: number): LatLng => ({ ...START, lat: START.lat + metres / 111_195 })
const ID = '-OAbcdefghijklmnopqr'

let sendPosition: PositionCallback
const battery = Object.assign(new EventTarget(), { charging: false, level: 1 })
beforeEach(() => {
  // The test controls the clock; timers still run.
  vi.useFakeTimers({ toFake: ['Date'] })
  battery.level = 1
  Object.defineProperty(navigator, 'getBattery', {
    configurable: true,
    value: () => Promise.resolve(battery),
  })
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      watchPosition: (found: PositionCallback) => {
        sendPosition = found
        return 1
      },
      clearWatch: () => undefined,
    },
  })
})
afterEach(() => void vi.useRealTimers())

/**
 * Moves the device this far north at 16 meters per second and advances the clock by the given
 * seconds.
 */
const drive = async (metres: number, seconds: number) => {
  vi.setSystemTime(Date.now() + seconds * 1000)
  const { lat: latitude, lng: longitude } = metersNorth(metres)
  const coords = { latitude, longitude, speed: 16, heading: null }
  await act(async () => sendPosition({ coords } as unknown as GeolocationPosition))
}
const setBatteryLevel = (level: number) =>
  act(async () => {
    battery.level = level
    battery.dispatchEvent(new Event('levelchange'))
  })

test('sends few reports for many positions, and half as many when the battery is low', async () => {
  const { backend } = await renderDriverApp({ driver: { fleetadmin: 'fleet' } })
  await screen.findByRole('switch', { name: 'On duty' })
  const updates: unknown[] = []
  backend.services.database.subscribe(
    { path: 'users/driver/location' },
    (place) => updates.push(place),
    () => undefined,
  )
  await drive(0, 0)
  for (let metres = 16; metres < 80; metres += 16) await drive(metres, 1)
  await waitFor(() => expect(updates).toContainEqual(metersNorth(64)))
  await drive(80, 1)
  await setBatteryLevel(0.15)
  for (let metres = 96; metres < 208; metres += 16) await drive(metres, 1)
  await waitFor(() => expect(updates).toContainEqual(metersNorth(192)))
  await setBatteryLevel(1)
  await drive(256, 4)
  await waitFor(() => expect(updates.slice(-4)).toEqual([0, 64, 192, 256].map(metersNorth)))
  expect(backend.getTree().available_drivers).toMatchObject({
    driver: { ...metersNorth(256), fleetadmin: 'fleet' },
  })
})

test('shows riders one car, under a key that changes after two minutes', async () => {
  // This key is three minutes old.
  const old = createPushKey(Date.now() - 3 * 60_000, 1)
  const young = createPushKey(Date.now(), 1)
  const line = { carType: 'van', geohash: '6dptest00', ...DEVICE_POSITION, at: 1 }
  const { backend } = await renderDriverApp({
    driver: { shift: old },
    extraSeed: { available_drivers: { driver: line }, nearby_cars: { [old]: line } },
  })
  await screen.findByRole('switch', { name: 'On duty' })
  await drive(0, 0)
  const keys = () => Object.keys(backend.at('nearby_cars') ?? {})
  await waitFor(() => expect(keys()).not.toContain(old))
  expect(keys()).toEqual([backend.at('users/driver/shift')])

  backend.update({
    'users/driver/shift': young,
    nearby_cars: { [young]: line },
  })
  await drive(400, 30)
  await waitFor(() => expect(backend.at(`nearby_cars/${young}`)).toMatchObject(metersNorth(400)))
  expect(keys()).toEqual([young])
})

test('writes the track of a booking at the same rate', async () => {
  const { backend } = await renderDriverApp({
    bookings: [aBooking({ status: 'STARTED', startTime: Date.now() })],
  })
  await screen.findByRole('article', { name: 'Current booking' })
  const listPoints = () =>
    Object.values((backend.getTree().tracking as Record<string, object> | undefined)?.[ID] ?? {})
  await drive(0, 0)
  for (let metres = 16; metres <= 128; metres += 16) await drive(metres, 1)
  await waitFor(() =>
    expect(listPoints()).toEqual(
      [0, 64, 128].map((metres) => expect.objectContaining({ ...metersNorth(metres) }) as unknown),
    ),
  )
})
