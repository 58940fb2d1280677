import { toJson } from '~/domain/data/databaseValue'
import { decodeRoute } from '~/domain/booking/trip/route'
import { createPushKey } from '~/domain/data/pushKeys'
import type { LocalDatabase } from '~/scripts/local/localDatabase'
import { createLocalSession } from '~/scripts/local/localSession'
import type { Urls, WebConfig } from '~/scripts/local/suiteConfig'
import type { Booking, Status } from '~/domain/booking/types'
import type { Promo, VehicleType } from '~/domain/catalog/types'

/** The users whose screens are photographed, and the rows of the demo city on them. */
export interface Fixtures {
  /** The newest booking in each status. */
  bookings: Partial<Record<Status, Booking>>
  /** A booking without a driver whose customer is asked whether to keep waiting. */
  waiting: Booking | undefined
  /** A metered booking whose track is implausible. */
  flagged: Booking
  /** A driver with an open offer. */
  offeredDriver: string
  carType: string
  promo: string
  /** A live public link to a booking. */
  shareToken: string
  /** A payment attempt at the test provider, and the URL of its page. */
  payment: { payment_id: string; url: string }
}

const CHAT_LINES: [source: 'rider' | 'driver', message: string][] = [
  ['rider', 'Hello! I am at the side entrance, by the pharmacy.'],
  ['driver', 'Thanks. Two minutes.'],
  ['rider', 'The box is a little heavy, do you have space in the boot? It is 60 × 40 × 40 cm.'],
  ['driver', 'Plenty of space.'],
]

/** Turns a finished booking into a flagged one with a loop in its track. */
const createFlaggedBooking = async (
  database: LocalDatabase,
  all: readonly Booking[],
): Promise<Booking> => {
  const [exampleBooking] = all
    .filter(({ status, estimateDistance }) => status === 'COMPLETE' && estimateDistance > 5)
    .sort((a, b) => b.bookingDate - a.bookingDate)
  if (!exampleBooking)
    throw new Error('The demo city has no finished booking. Run `npm start -- --fresh` first.')
  const [start = exampleBooking.startTime ?? 0, line] = [
    exampleBooking.startTime,
    decodeRoute(exampleBooking),
  ]
  const middle = Math.floor(line.length / 2)
  const { lat = 0, lng = 0 } = line[middle] ?? {}
  const loop = Array.from({ length: 36 }, (_, i) => ({
    lat: lat + 0.012 * (1 - Math.cos((i * Math.PI) / 9)),
    lng: lng + 0.012 * Math.sin((i * Math.PI) / 9),
  }))
  const track = [...line.slice(0, middle), ...loop, ...line.slice(middle)].map((place, i) => {
    const at = start + i * 20_000
    return [createPushKey(at, i), { at, status: 'STARTED', ...place }] as const
  })
  const flagged: Booking = {
    ...exampleBooking,
    driven_distance: exampleBooking.estimateDistance + 16.4,
    distance: exampleBooking.estimateDistance,
    total_trip_time: track.length * 20,
    distance_review: {
      verdict: 'flagged',
      reasons: ['far_longer', 'far_slower', 'loops'],
      dropped_points: 4,
      charged_time: exampleBooking.estimateTime,
    },
  }
  await database.put(`bookings/${exampleBooking.id}`, toJson(flagged))
  await database.put(`tracking/${exampleBooking.id}`, Object.fromEntries(track))
  await database.put(`fare_reviews/${exampleBooking.id}`, {
    at: exampleBooking.endTime ?? start,
    driver: exampleBooking.driver ?? '',
  })
  return flagged
}

/** Turns another NEW booking than the newest into one whose customer has waited for long. */
const createWaitingBooking = async (
  database: LocalDatabase,
  all: readonly Booking[],
  newest: Booking | undefined,
): Promise<Booking | undefined> => {
  const waiting = all.find(
    ({ id, status, bookLater }) => status === 'NEW' && !bookLater && id !== newest?.id,
  )
  if (waiting) await database.put(`bookings/${waiting.id}/wait_until`, Date.now() - 60_000)
  return waiting
}

/** Writes a chat for each booking under way. */
const writeChats = async (
  database: LocalDatabase,
  bookings: Fixtures['bookings'],
): Promise<void> => {
  const withChat = [bookings.STARTED, bookings.ACCEPTED, bookings.ARRIVED].filter(
    (booking) => booking !== undefined,
  )
  for (const { id, customer, driver = '' } of withChat) {
    const now = Date.now()
    const messages = CHAT_LINES.map(([source, message], index) => {
      const at = now - (CHAT_LINES.length - index) * 60_000
      const from = source === 'rider' ? customer : driver
      const [msgDate, msgTime] = new Date(at).toISOString().split(/[T.]/)
      const fields = { message, from, source, at, type: 'msg', msgDate, msgTime }
      return [createPushKey(at, index), toJson(fields)] as const
    })
    await database.put(`chats/${id}`, Object.fromEntries(messages))
  }
}

/** Calls a function as a person. */
const callAs = async <T>(
  { config, urls, uid }: { config: WebConfig; urls: Urls; uid: string },
  name: string,
  input: object,
): Promise<T> => {
  const { idToken } = await createLocalSession(config, uid)
  const response = await fetch(`${urls.functions}/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ data: input }),
  })
  const body = (await response.json()) as { result?: T }
  if (body.result === undefined) throw new Error(`${name} returned ${JSON.stringify(body)}`)
  return body.result
}

/**
 * Looks up the users and adds what the demo city lacks: a chat, a public link, a pending payment.
 */
export const createFixtures = async (
  database: LocalDatabase,
  config: WebConfig,
  urls: Urls,
): Promise<Fixtures> => {
  const read = async <T>(path: string): Promise<Record<string, T>> =>
    ((await database.get(path)) ?? {}) as Record<string, T>
  const [all, tasks, carTypes, promos] = await Promise.all([
    read<Booking>('bookings'),
    read<object>('driver_tasks'),
    read<VehicleType>('cartypes'),
    read<Promo>('promos'),
  ])
  const bookings: Fixtures['bookings'] = {}
  for (const booking of Object.values(all).sort((a, b) => a.bookingDate - b.bookingDate))
    bookings[booking.status] = booking
  await writeChats(database, bookings)
  const call = <T>(uid: string, name: string, input: object) =>
    callAs<T>({ config, urls, uid }, name, input)
  const flagged = await createFlaggedBooking(database, Object.values(all))
  const waiting = await createWaitingBooking(database, Object.values(all), bookings.NEW)
  const shared = bookings.STARTED ?? bookings.ACCEPTED
  const [share, payment] = await Promise.all([
    shared
      ? call<{ token: string }>(shared.customer, 'share_booking', {
          booking_id: shared.id,
          level: 'live',
          hours: 4,
        })
      : { token: '' },
    call<Fixtures['payment']>('seed-rider', 'start_payment', {
      payment_mode: 'topup',
      provider: 'test',
      amount: 750,
    }),
  ])
  const [driver = 'seed-driver'] = Object.keys(tasks)
  return {
    bookings,
    waiting,
    flagged,
    offeredDriver: driver,
    carType: Object.values(carTypes).find(({ options }) => options?.length)?.id ?? '',
    promo: Object.keys(promos)[0] ?? '',
    shareToken: share.token,
    payment,
  }
}
