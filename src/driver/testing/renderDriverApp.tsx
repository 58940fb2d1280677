import { beforeEach } from 'vitest'
import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import { emptyContext } from '~/domain/booking/eventContext'
import {
  aVehicleType,
  aDriver,
  aRider,
  aSettings,
  someBookingContacts,
} from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// oxlint-disable-next-line no-restricted-imports
import { renderApp } from '~/src/app/renderApp'
import { saveUser } from '~/src/services/memory/saveUser'
import { ServiceError } from '~/src/services/services'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import type { MemoryBackend, Tree } from '~/src/services/memory/backendTypes'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

// jsdom loads no images and draws none.
HTMLCanvasElement.prototype.toBlob = (give) => give(new Blob(['picture'], { type: 'image/jpeg' }))
globalThis.createImageBitmap = () =>
  Promise.resolve({ width: 40, height: 30, close: () => undefined } as ImageBitmap)

export const DEVICE_POSITION = { lat: -34.9, lng: -56.18 }

// Each test starts on an online device at a known position.
beforeEach(() => {
  setDeviceOnline(true)
  setDevicePosition(DEVICE_POSITION)
})

const setDeviceOnline = (online: boolean) =>
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: online })

/** Disconnects the device or reconnects it. */
export const setConnected = (backend: MemoryBackend, online: boolean) => {
  setDeviceOnline(online)
  backend.setOnline(online)
}

/** Returns a position as the device reports it. */
export const createDevicePosition = ({ lat, lng }: LatLng) =>
  ({
    coords: { latitude: lat, longitude: lng, speed: null, heading: null },
  }) as unknown as GeolocationPosition

/** Sets the device's position, because jsdom has no geolocation. */
export const setDevicePosition = (at: LatLng | null) => {
  const respond = (found: PositionCallback, failed?: PositionErrorCallback | null) =>
    at
      ? found(createDevicePosition(at))
      : failed?.({ code: 1, message: 'denied' } as GeolocationPositionError)
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: respond,
      watchPosition: (...args: Parameters<typeof respond>) => {
        queueMicrotask(() => respond(...args))
        return 1
      },
      clearWatch: () => undefined,
    },
  })
}

const readAt = <Value,>(backend: MemoryBackend, path: string) =>
  backend.at(path) as unknown as Value | null

/** Acts as the server: applies one event with the domain and writes it at once. */
export const handleAdvanceBooking = (
  { booking_id, ...input }: AdvanceBookingInput,
  backend: MemoryBackend,
) => {
  const uid = backend.getUid() ?? ''
  const role = readAt<User>(backend, `users/${uid}`)?.usertype ?? 'rider'
  const booking = readAt<Booking>(backend, `bookings/${booking_id}`)
  const settings = readAt<Settings>(backend, 'settings') ?? aSettings()
  const driver = booking?.driver ?? (role === 'driver' ? uid : '')
  const followed = booking?.follows ?? readAt<string>(backend, `busy_drivers/${uid}/booking`)
  const result = applyBookingEvent(booking, input, {
    actor: { uid, role },
    context: {
      ...emptyContext(settings),
      carType: readAt<VehicleType>(backend, `cartypes/${booking?.carTypeId}`),
      customer: readAt<User>(backend, `users/${booking?.customer}`),
      driver: readAt<User>(backend, `users/${driver}`),
      followed: followed ? readAt<Booking>(backend, `bookings/${followed}`) : null,
      next: booking?.next ? readAt<Booking>(backend, `bookings/${booking.next}`) : null,
      otp: readAt<number>(backend, `booking_otps/${booking_id}`),
      otpAttempts: readAt(backend, `otp_attempts/${booking_id}`),
      tracking: Object.values(
        readAt<Record<string, never>>(backend, `tracking/${booking_id}`) ?? {},
      ),
    },
    now: Date.now(),
  })
  if (!result.ok) {
    const { failureChange, ...refusal } = result.error
    if (failureChange) backend.update(failureChange.updates)
    throw new ServiceError('failed-precondition', refusal.key, refusal.key, refusal)
  }
  backend.update(result.value.updates)
  const { status, revision } = result.value.response
  return { booking_id, status, revision }
}

const toJson = (value: object) => JSON.parse(JSON.stringify(value)) as Tree

interface RenderDriverAppOptions {
  driver?: Partial<User>
  settings?: Partial<Settings>
  bookings?: Booking[]
  contacts?: Partial<BookingContacts>
  handlers?: Record<string, (input: never, backend: MemoryBackend) => unknown>
  extraSeed?: Tree
  path?: string
  /** The server's clock minus the device's in ms. */
  serverTimeOffset?: number
}

/**
 * Renders the driver's app with existing bookings; those that request the driver become their
 * offers.
 */
export const renderDriverApp = ({
  driver: changes = {},
  settings = {},
  bookings = [],
  contacts = {},
  handlers = {},
  extraSeed = {},
  path = '/trips',
  serverTimeOffset = 0,
}: RenderDriverAppOptions = {}) => {
  const driver = aDriver(changes)
  const tasks = bookings.filter(({ requestedDrivers }) => requestedDrivers?.[driver.id])
  return renderApp(path, {
    as: driver.id,
    serverTimeOffset,
    seed: toJson({
      settings: aSettings(settings),
      cartypes: { van: aVehicleType() },
      users: { driver, rider: aRider() },
      bookings: Object.fromEntries(bookings.map((booking) => [booking.id, booking])),
      booking_contacts: Object.fromEntries(
        bookings.map(({ id }) => [id, someBookingContacts(contacts)]),
      ),
      booking_otps: Object.fromEntries(bookings.map(({ id }) => [id, 12345])),
      driver_tasks: { driver: Object.fromEntries(tasks.map(({ id }) => [id, true])) },
      cancel_reason: [
        { label: 'The vehicle broke down', value: 0 },
        { label: 'Nobody at the pickup', value: 1 },
      ],
      ...extraSeed,
    }),
    handlers: { advance_booking: handleAdvanceBooking, save_user: saveUser, ...handlers },
  })
}
