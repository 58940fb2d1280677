import { ServerValue } from 'firebase-admin/database'
import { createPushKey } from '~/domain/data/pushKeys'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { internalPaths } from '~/domain/data/internalPaths'
import { toJson } from '~/domain/data/databaseValue'
import { buildAvailabilityUpdates, buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { getRole } from '~/domain/access/roles'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { recountTotals, toStatsSettings } from '~/domain/money/stats'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import { createWallet } from '~/lab/attack/probes/deletionProbes'
import { LOCAL_MAPS_BASIC_AUTH } from '~/functions/src/config'
import { openAdmin, signIn, type TestClient } from '../support/testClients'
import { getSuite } from '../support/testSuite'
import type { Booking } from '~/domain/booking/types'
import type { Currency, Settings, VehicleType } from '~/domain/catalog/types'
import type { LatLng } from '~/domain/geo/types'
import type { NamedDevice, User } from '~/domain/accounts/types'

/** A refusal in the form of the SDK's FunctionsError. */
export interface CallError {
  code: string
  details: { key: string; field?: string; estimate?: number }
}

/** Returns the error of a refused call; fails when the call succeeds. */
export async function expectRefusal(call: Promise<unknown>): Promise<CallError> {
  try {
    await call
  } catch (error) {
    const { code, details } = error as CallError
    return { code, details }
  }
  throw new Error('It was not refused.')
}

/** Returns a client-generated push key, which sorts by its time like the SDK's keys. */
export const createBookingId = (): string =>
  createPushKey(Date.now(), Math.floor(Math.random() * 2 ** 52))

let groupCount = 0
let numberCount = 0
/** Returns a fictional phone number that no other test user has. */
export const createPhoneNumber = (): string =>
  `+16${String(Date.now()).slice(-9)}${String((numberCount += 1) % 1000).padStart(3, '0')}`

/** Returns a place's position alone, as the driver's app sends it. */
export const toPosition = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })

/** Applies one event to a booking. */
export const advanceBooking = (
  client: TestClient,
  booking_id: string,
  event: string,
  more: object = {},
) => client.call('advance_booking', { booking_id, event, ...more })

export interface TestPlatform {
  admin: ReturnType<typeof openAdmin>
  read<T>(path: string): Promise<T | null>
  write(updates: Record<string, unknown>): Promise<void>
  /**
   * Signs in as `uid`; a new account gets this number if there is one. `close` signs all clients
   * out.
   */
  signInAs(uid: string, mobile?: string): Promise<TestClient>
  /** Returns a valid request for a parcel through the demo city, at the server's price. */
  request(client: TestClient, more?: Partial<CreateBookingInput>): Promise<CreateBookingInput>
  /**
   * Sends such a request and returns it. The booking waits for its payment, or for a driver when
   * the office created it.
   */
  createBooking(client: TestClient, more?: Partial<CreateBookingInput>): Promise<CreateBookingInput>
  /**
   * Rewrites recorded times (ms) of a booking and moves its totals to their days: near midnight, an
   * earlier time is on the day before.
   */
  rewriteTimes(
    id: string,
    times: Partial<Pick<Booking, 'bookingDate' | 'accepted_at' | 'startTime' | 'cancelled_at'>>,
  ): Promise<void>
  /**
   * Moves the start of a trip under way back by ten minutes, in which a car can drive through the
   * demo city. Returns the new start, ms.
   */
  moveStartBack(id: string): Promise<number>
  /** Returns the ids of a rider's bookings. */
  listBookingIds(uid: string): Promise<string[]>
  /** Returns the pickup of such requests, moved `north` degrees north. */
  getPickup(north?: number): Promise<LatLng>
  /**
   * Creates a vehicle type for one test, without parcels and without any seeded driver. The test
   * must remove it.
   */
  createVehicleType(id: string): Promise<void>
  /** Lists a driver as free, as their own page does while they are on duty. */
  goOnDuty(
    uid: string,
    driver: Pick<User, 'carType' | 'fleetadmin'> & { location: LatLng },
  ): Promise<void>
  goOffDuty(...uids: string[]): Promise<void>
  /**
   * Writes `count` users directly into the database and returns their uids: by default, approved
   * riders with a wallet. `close` cancels those of their bookings for now that have no driver.
   */
  createUsers(
    count: number,
    like: Partial<User> & { device?: Omit<NamedDevice, 'revision'> },
  ): Promise<string[]>
  close(): Promise<void>
}

/** Opens the seeded demo city for test setup and inspection. */
export function openTestPlatform(): TestPlatform {
  const admin = openAdmin()
  const clients: TestClient[] = []
  const users = new Set<string>()
  const read = async <T>(path: string) => (await admin.database.ref(path).get()).val() as T | null
  const write = (updates: Record<string, unknown>) => admin.database.ref().update(updates)
  const as = async (uid: string, mobile?: string) => {
    const client = await signIn(uid, mobile)
    clients.push(client)
    return client
  }
  /** Returns the key under which riders see a driver's car. */
  const readShift = async (uid: string): Promise<Pick<User, 'shift'>> => {
    const shift = await read<string>(`users/${uid}/shift`)
    return shift === null ? {} : { shift }
  }
  const pickup = async (north = 0): Promise<LatLng> => {
    const driver = await read<User>('users/seed-driver')
    const { lat, lng } = driver?.location ?? { lat: -34.9, lng: -56.18 }
    return { lat: lat + north, lng }
  }
  const request: TestPlatform['request'] = async (client, more = {}) => {
    const { lat, lng } = await pickup()
    // The rider of a test cancels more often within an hour than a person may.
    await write({ [internalPaths.freeActions(client.uid)]: null })
    const input: CreateBookingInput = {
      booking_id: createBookingId(),
      pickup: { lat, lng, add: 'From here' },
      drop: { lat: lat + 0.02, lng: lng + 0.01, add: 'To there' },
      carType: (await read<string>('users/seed-driver/carType')) ?? '',
      bookLater: true,
      ...(more.bookLater !== false && { tripdate: Date.now() + 24 * 3_600_000 }),
      estimateFare: 0,
      deliveryPerson: 'Ana Paz',
      deliveryPersonPhone: '099 123 456',
      ...more,
    }
    if (more.estimateFare !== undefined) return input
    const { details } = await expectRefusal(client.call('create_booking', input))
    return { ...input, estimateFare: details.estimate ?? 0 }
  }
  /** Cancels bookings that dispatch would offer to the drivers of a later file. */
  const cancelWaitingBookings = async () => {
    const waiting = admin.database.ref('bookings').orderByChild('status').equalTo('NEW')
    const found = ((await waiting.get()).val() ?? {}) as Record<string, Booking>
    const left = Object.entries(found).filter(
      ([, { customer, bookLater }]) => users.has(customer) && !bookLater,
    )
    if (left.length === 0) return
    const office = await as('seed-admin')
    for (const [id] of left) await advanceBooking(office, id, 'cancel', { reason: 'Test' })
  }
  const platform: TestPlatform = {
    admin,
    read,
    write,
    signInAs: as,
    request,
    async createBooking(client, more) {
      const input = await request(client, more)
      await client.call('create_booking', input)
      return input
    },
    async rewriteTimes(id, times) {
      const [booking, settings, currency] = await Promise.all([
        read<Booking>(`bookings/${id}`),
        read<Settings>('settings'),
        read<{ ended?: Record<string, Currency> }>('currency'),
      ])
      if (!booking || !settings) throw new Error(`bookings/${id} or the settings are missing.`)
      const zone = toStatsSettings({ settings, currency: currency ?? undefined })
      const before = recountTotals([booking], zone)
      const after = recountTotals([{ ...booking, ...times }], zone)
      const moved = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .map((path) => [path, (after[path] ?? 0) - (before[path] ?? 0)] as const)
        .filter(([, amount]) => amount !== 0)
      await write({
        ...Object.fromEntries(
          Object.entries(times).map(([field, at]) => [`bookings/${id}/${field}`, at]),
        ),
        ...Object.fromEntries(moved.map(([path, amount]) => [path, ServerValue.increment(amount)])),
      })
    },
    async moveStartBack(id) {
      const booking = await read<Booking>(`bookings/${id}`)
      if (!booking) throw new Error(`bookings/${id} is missing.`)
      const { lat, lng } = booking.pickup
      const startTime = Date.now() - 10 * MINUTE_MS
      await platform.rewriteTimes(id, { accepted_at: startTime - 5 * MINUTE_MS, startTime })
      await write({ [`tracking/${id}`]: { first: { at: startTime, status: 'STARTED', lat, lng } } })
      return startTime
    },
    async listBookingIds(uid) {
      const input = admin.database.ref('bookings').orderByChild('customer').equalTo(uid)
      return Object.keys(((await input.get()).val() ?? {}) as object)
    },
    getPickup: pickup,
    async createVehicleType(id) {
      const [like] = Object.values((await read<Record<string, VehicleType>>('cartypes')) ?? {})
      const own = { ...like, id: null, parcelTypes: null, options: null, name: id }
      await write({ [`cartypes/${id}`]: own })
    },
    async goOnDuty(id, { location, ...driver }) {
      const shift = await readShift(id)
      await write(
        buildAvailabilityUpdates({ id, ...driver, ...shift }, location, createBookingId()),
      )
    },
    async goOffDuty(...uids) {
      for (const id of uids)
        await write(buildUnavailabilityUpdates({ id, ...(await readShift(id)) }))
    },
    async createUsers(count, { device, ...like }) {
      const [type] = Object.keys((await read<Record<string, VehicleType>>('cartypes')) ?? {})
      const stamp = `${Date.now().toString(36)}${(groupCount += 1)}`
      const uids = Array.from({ length: count }, (_, i) => `test-${stamp}-${i}`)
      const user = (id: string, i: number): User => ({
        id,
        usertype: 'rider',
        firstName: 'Test',
        lastName: `Number ${i}`,
        mobile: createPhoneNumber(),
        email: `${id}@example.com`,
        createdAt: new Date().toISOString(),
        approved: true,
        walletBalance: 0,
        ...(like.walletBalance !== undefined && createWallet(like.walletBalance)),
        ...(like.usertype === 'driver' && {
          carType: type ?? '',
          queue: false,
          driverActiveStatus: true,
          vehicleNumber: `T ${i}`,
        }),
        ...like,
      })
      // Direct writes skip the triggers: fifty users would otherwise start a hundred functions.
      const database = openLocalDatabase(getSuite().urls.database)
      for (const [i, uid] of uids.entries()) {
        users.add(uid)
        const record = user(uid, i)
        await database.put(`users/${uid}`, toJson(record))
        await database.put(`people/${uid}`, toDirectoryEntry(record))
        await database.put(`roles/${uid}`, getRole(record))
        if (device)
          await database.put(internalPaths.namedDevice(uid), toJson({ ...device, revision: 1 }))
      }
      return uids
    },
    async close() {
      try {
        await cancelWaitingBookings()
      } finally {
        await Promise.all(clients.map((client) => client.close()))
        await admin.close()
      }
    },
  }
  return platform
}

/** Sends a POST request to a plain JSON endpoint. */
export async function postEndpoint(
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${getSuite().urls.functions}/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>,
  }
}

/** The maps proxies' fixed header. */
export const mapsAuthHeader = { Authorization: `Basic ${btoa(LOCAL_MAPS_BASIC_AUTH)}` }
