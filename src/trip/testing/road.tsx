import { beforeEach } from 'vitest'
import { apply } from '~/domain/booking/apply'
import type { EventInput } from '~/domain/booking/change'
import { emptyWorld } from '~/domain/booking/world'
import type { AdvanceBooking } from '~/domain/api'
import type { Booking, CarType, Settings, User } from '~/domain/entities'
import { aCarType, aDriver, aRider, aSettings } from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// eslint-disable-next-line import-x/no-restricted-paths
import { renderApp } from '~/src/app/renderApp'
import type { MemoryWorld } from '~/src/services/memory/memoryServices'
import { type Tree, read } from '~/src/services/memory/tree'
import { ServiceError } from '~/src/services/services'

// jsdom draws nothing, and says so at length; nor does it open pictures.
HTMLCanvasElement.prototype.getContext = () => null
HTMLCanvasElement.prototype.toBlob = (give) => give(new Blob(['picture'], { type: 'image/jpeg' }))
globalThis.createImageBitmap = () =>
  Promise.resolve({ width: 40, height: 30, close: () => undefined } as ImageBitmap)

export const HERE = { lat: -34.9, lng: -56.18 }
// Each test begins on a new device that is online, and here.
beforeEach(() => {
  localStorage.clear()
  setDeviceOnline(true)
  place(HERE)
})

const setDeviceOnline = (online: boolean) =>
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: online })

/** Cuts the device off, or connects it again. */
export const connect = (world: MemoryWorld, online: boolean) => {
  setDeviceOnline(online)
  world.setOnline(online)
}

/** Where the device says it is: jsdom has no geolocation. */
export const place = (at: { lat: number; lng: number } | null) => {
  const fix = at && {
    coords: { latitude: at.lat, longitude: at.lng, speed: null, heading: null },
  }
  const tell = (found: PositionCallback, failed?: PositionErrorCallback | null) =>
    fix
      ? found(fix as unknown as GeolocationPosition)
      : failed?.({ code: 1, message: 'denied' } as GeolocationPositionError)
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: tell,
      watchPosition: (...args: Parameters<typeof tell>) => {
        queueMicrotask(() => tell(...args))
        return 1
      },
      clearWatch: () => undefined,
    },
  })
}

const at = <Value,>(world: MemoryWorld, path: string) =>
  read(world.tree(), path) as unknown as Value | null

/** The server's part, played by the domain itself: one event, applied and written at once. */
export const advance = ({ booking_id, ...input }: AdvanceBooking, world: MemoryWorld) => {
  const uid = world.uid() ?? ''
  const role = at<User>(world, `users/${uid}`)?.usertype ?? 'rider'
  const booking = at<Booking>(world, `bookings/${booking_id}`)
  const settings = at<Settings>(world, 'settings') ?? aSettings()
  const driver = booking?.driver ?? (role === 'driver' ? uid : '')
  const result = apply(
    booking,
    input as EventInput,
    { uid, role },
    {
      ...emptyWorld(settings),
      carType: at<CarType>(world, `cartypes/${booking?.carTypeId}`),
      customer: at<User>(world, `users/${booking?.customer}`),
      driver: at<User>(world, `users/${driver}`),
      otp: at<number>(world, `booking_otps/${booking_id}`),
      otpAttempts: at(world, `otp_attempts/${booking_id}`),
      tracking: Object.values(at<Record<string, never>>(world, `tracking/${booking_id}`) ?? {}),
    },
    Date.now(),
  )
  if (!result.ok) {
    const { record, ...refusal } = result.error
    if (record) world.change(record.updates)
    throw new ServiceError('failed-precondition', refusal.key, refusal.key, refusal)
  }
  world.change(result.value.updates)
  const { status, revision } = result.value.answer
  return { booking_id, status, revision }
}

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Tree

interface Road {
  driver?: Partial<User>
  settings?: Partial<Settings>
  bookings?: Booking[]
  handlers?: Record<string, (input: never, world: MemoryWorld) => unknown>
  more?: Tree
  path?: string
}

/** The app as the driver sees it, over bookings that already are; those that ask him are his tasks. */
export const onTheRoad = ({
  driver: changes = {},
  settings = {},
  bookings = [],
  handlers = {},
  more = {},
  path = '/trips',
}: Road = {}) => {
  const driver = aDriver(changes)
  const tasks = bookings.filter(({ requestedDrivers }) => requestedDrivers?.[driver.id])
  return renderApp(path, {
    as: driver.id,
    seed: plain({
      settings: aSettings(settings),
      cartypes: { van: aCarType() },
      users: { driver, rider: aRider() },
      bookings: Object.fromEntries(bookings.map((booking) => [booking.id, booking])),
      booking_otps: Object.fromEntries(bookings.map(({ id }) => [id, 12345])),
      driver_tasks: { driver: Object.fromEntries(tasks.map(({ id }) => [id, true])) },
      cancel_reason: [
        { label: 'The vehicle broke down', value: 0 },
        { label: 'Nobody at the pickup', value: 1 },
      ],
      ...more,
    }),
    handlers: { advance_booking: advance, ...handlers },
  })
}
