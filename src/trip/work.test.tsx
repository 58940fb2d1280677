import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LatLng } from '~/domain/entities'
import { aBooking } from '~/domain/testing/builders'
import { onTheRoad } from './testing/road'

const START = { lat: -34.9, lng: -56.18 }
/** So many metres north of the start. */
const north = (metres: number): LatLng => ({ ...START, lat: START.lat + metres / 111_195 })
const ID = '-OAbcdefghijklmnopqr'

let tell: PositionCallback
const battery = Object.assign(new EventTarget(), { charging: false, level: 1 })
beforeEach(() => {
  // The clock stands still until the test moves it; what waits for its turn goes on.
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
        tell = found
        return 1
      },
      clearWatch: () => undefined,
    },
  })
})
afterEach(() => void vi.useRealTimers())

/** The device is that far, so many seconds later, at 16 metres a second. */
const drive = async (metres: number, seconds: number) => {
  vi.setSystemTime(Date.now() + seconds * 1000)
  const { lat: latitude, lng: longitude } = north(metres)
  const coords = { latitude, longitude, speed: 16, heading: null }
  await act(async () => tell({ coords } as unknown as GeolocationPosition))
}
const drain = (level: number) =>
  act(async () => {
    battery.level = level
    battery.dispatchEvent(new Event('levelchange'))
  })

test('many positions become few messages, and half as many when the battery is low', async () => {
  const { world } = await onTheRoad({ driver: { fleetadmin: 'fleet' } })
  await screen.findByRole('switch', { name: 'On duty' })
  const told: unknown[] = []
  world.services.database.live(
    { path: 'users/driver/location' },
    (place) => told.push(place),
    () => undefined,
  )
  await drive(0, 0)
  for (let metres = 16; metres < 80; metres += 16) await drive(metres, 1)
  await waitFor(() => expect(told).toContainEqual(north(64)))
  await drive(80, 1)
  await drain(0.15)
  for (let metres = 96; metres < 208; metres += 16) await drive(metres, 1)
  await waitFor(() => expect(told).toContainEqual(north(192)))
  await drain(1)
  await drive(256, 4)
  await waitFor(() => expect(told.slice(-4)).toEqual([0, 64, 192, 256].map(north)))
  expect(world.tree().available_drivers).toMatchObject({
    driver: { ...north(256), fleetadmin: 'fleet' },
  })
})

test('the way of a trip is written at the same pace', async () => {
  const { world } = await onTheRoad({
    bookings: [aBooking({ status: 'STARTED', startTime: Date.now() })],
  })
  await screen.findByRole('article', { name: 'Current booking' })
  const way = () =>
    Object.values((world.tree().tracking as Record<string, object> | undefined)?.[ID] ?? {})
  await drive(0, 0)
  for (let metres = 16; metres <= 128; metres += 16) await drive(metres, 1)
  await waitFor(() =>
    expect(way()).toEqual(
      [0, 64, 128].map((metres) => expect.objectContaining({ ...north(metres) }) as unknown),
    ),
  )
})
