import { inject } from 'vitest'
import { keyAt } from '~/domain/keys'
import type { CreateBooking } from '~/domain/api'
import type { Booking, CarType, LatLng, User } from '~/domain/entities'
import { plain } from '~/domain/booking/draft'
import { listing } from '~/domain/dispatch'
import { listingOf } from '~/domain/listing'
import { localDatabase } from '~/scripts/localDatabase'
import { LOCAL_MAPS_BASIC_AUTH } from '~/functions/src/config'
import { openAdmin, signIn, type Client } from '../support/clients'

/** A refusal as the SDK's FunctionsError carries it. */
export interface Refusal {
  code: string
  details: { key: string; field?: string; estimate?: number }
}

/** What a call was refused with; fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call
  } catch (error) {
    const { code, details } = error as Refusal
    return { code, details }
  }
  throw new Error('It was not refused.')
}

/** A push key of the client's own, which sorts by its time as theirs do. */
export const bookingId = (): string => keyAt(Date.now(), Math.floor(Math.random() * 2 ** 52))

let groups = 0

export interface Answer {
  booking_id: string
  status: Booking['status']
  revision: number
  estimate: number
}

/** Takes a booking on by one event. */
export const advance = (client: Client, booking_id: string, event: string, more: object = {}) =>
  client.call<Answer>('advance_booking', { booking_id, event, ...more })

export interface Scene {
  admin: ReturnType<typeof openAdmin>
  read<T>(path: string): Promise<T | null>
  write(updates: Record<string, unknown>): Promise<void>
  /** Signs in; everybody is signed out at the end. */
  as(uid: string): Promise<Client>
  /** An honest request for a parcel through the demo city, at the price the server asks. */
  request(client: Client, more?: Partial<CreateBooking>): Promise<CreateBooking>
  /** Such a request, made: the booking waits for its payment, or for a driver when the office made it. */
  book(client: Client, more?: Partial<CreateBooking>): Promise<CreateBooking>
  /** Where such requests begin, or so many degrees north of it. */
  pickup(north?: number): Promise<LatLng>
  /** A car type of a test's own, without parcels: none of the city's drivers answers. Take it away again. */
  carType(id: string): Promise<void>
  /** Lists a driver as free, as his own page does while he is on duty. */
  onDuty(
    uid: string,
    driver: Pick<User, 'carType' | 'fleetadmin'> & { location: LatLng },
  ): Promise<void>
  offDuty(...uids: string[]): Promise<void>
  /** So many users written straight into the database; approved riders with a wallet unless told otherwise. */
  people(count: number, like: Partial<User>): Promise<string[]>
  close(): Promise<void>
}

/** The seeded demo city, open for arranging and looking. */
export function openScene(): Scene {
  const admin = openAdmin()
  const clients: Client[] = []
  const read = async <T>(path: string) => (await admin.database.ref(path).get()).val() as T | null
  const write = (updates: Record<string, unknown>) => admin.database.ref().update(updates)
  const as = async (uid: string) => {
    const client = await signIn(uid)
    clients.push(client)
    return client
  }
  const pickup = async (north = 0): Promise<LatLng> => {
    const driver = await read<User>('users/seed-driver')
    const { lat, lng } = driver?.location ?? { lat: -34.9, lng: -56.18 }
    return { lat: lat + north, lng }
  }
  const request: Scene['request'] = async (client, more = {}) => {
    const { lat, lng } = await pickup()
    const asked: CreateBooking = {
      booking_id: bookingId(),
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
    if (more.estimateFare !== undefined) return asked
    const { details } = await refusalOf(client.call('create_booking', asked))
    return { ...asked, estimateFare: details.estimate ?? 0 }
  }
  return {
    admin,
    read,
    write,
    as,
    request,
    async book(client, more) {
      const asked = await request(client, more)
      await client.call('create_booking', asked)
      return asked
    },
    pickup,
    async carType(id) {
      const [like] = Object.values((await read<Record<string, CarType>>('cartypes')) ?? {})
      const own = { ...like, id: null, parcelTypes: null, options: null, name: id }
      await write({ [`cartypes/${id}`]: own })
    },
    onDuty: (uid, driver) => write({ [`available_drivers/${uid}`]: listing(driver, Date.now()) }),
    offDuty: (...uids) =>
      write(Object.fromEntries(uids.map((uid) => [`available_drivers/${uid}`, null]))),
    async people(count, like) {
      const [type] = Object.keys((await read<Record<string, CarType>>('cartypes')) ?? {})
      const stamp = `${Date.now().toString(36)}${(groups += 1)}`
      const uids = Array.from({ length: count }, (_, i) => `test-${stamp}-${i}`)
      const user = (id: string, i: number): User => ({
        id,
        usertype: 'rider',
        firstName: 'Test',
        lastName: `Number ${i}`,
        mobile: `+1666${String(Date.now()).slice(-6)}${String(i).padStart(3, '0')}`,
        email: `${id}@example.com`,
        createdAt: new Date().toISOString(),
        approved: true,
        walletBalance: 0,
        ...(like.usertype === 'driver' && {
          carType: type ?? '',
          queue: false,
          driverActiveStatus: true,
          vehicleNumber: `T ${i}`,
        }),
        ...like,
      })
      // Past the triggers too: fifty people would otherwise start a hundred functions.
      const database = localDatabase(inject('urls').database)
      for (const [i, uid] of uids.entries()) {
        const record = user(uid, i)
        await database.put(`users/${uid}`, plain(record))
        await database.put(`people/${uid}`, listingOf(record))
      }
      return uids
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      await admin.close()
    },
  }
}

/** Calls a plain JSON endpoint. */
export async function post(
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${inject('urls').functions}/${name}`, {
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
export const mapsKey = { Authorization: `Basic ${btoa(LOCAL_MAPS_BASIC_AUTH)}` }
