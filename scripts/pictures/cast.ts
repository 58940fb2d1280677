import { plain } from '~/domain/booking/draft'
import { keyAt } from '~/domain/keys'
import type { Booking, CarType, Promo, Status } from '~/domain/entities'
import type { LocalDatabase } from '../localDatabase'
import { localSession } from '../localSession'
import type { Urls, WebConfig } from '../suiteConfig'

/** Whose screens there are, and which of the demo city's rows are on them. */
export interface Cast {
  /** The newest booking in each status. */
  bookings: Partial<Record<Status, Booking>>
  /** A driver who has been offered a booking. */
  asked: string
  carType: string
  promo: string
  /** A live public link to a booking. */
  shareToken: string
  /** An attempt to pay at the test bank, and the page it goes to. */
  payment: { payment_id: string; url: string }
}

const LINES: [source: 'rider' | 'driver', message: string][] = [
  ['rider', 'Hello! I am at the side entrance, by the pharmacy.'],
  ['driver', 'Thanks. Two minutes.'],
  ['rider', 'The box is a little heavy, do you have space in the boot? It is 60 × 40 × 40 cm.'],
  ['driver', 'Plenty of space.'],
]

/** Looks up who plays, and arranges what the demo city does not have: a chat, a public link, a payment that waits. */
export const castFrom = async (
  database: LocalDatabase,
  config: WebConfig,
  urls: Urls,
): Promise<Cast> => {
  const read = async <T>(path: string): Promise<Record<string, T>> =>
    ((await database.get(path)) ?? {}) as Record<string, T>
  const [all, tasks, carTypes, promos] = await Promise.all([
    read<Booking>('bookings'),
    read<object>('driver_tasks'),
    read<CarType>('cartypes'),
    read<Promo>('promos'),
  ])
  const bookings: Cast['bookings'] = {}
  for (const booking of Object.values(all).sort((a, b) => a.bookingDate - b.bookingDate))
    bookings[booking.status] = booking
  const talking = [bookings.STARTED, bookings.ACCEPTED, bookings.ARRIVED].filter(
    (booking) => booking !== undefined,
  )
  for (const { id, customer, driver = '' } of talking) {
    const now = Date.now()
    const messages = LINES.map(([source, message], index) => {
      const at = now - (LINES.length - index) * 60_000
      const from = source === 'rider' ? customer : driver
      const [msgDate, msgTime] = new Date(at).toISOString().split(/[T.]/)
      const said = { message, from, source, at, type: 'msg', msgDate, msgTime }
      return [keyAt(at, index), plain(said)] as const
    })
    await database.put(`chats/${id}`, Object.fromEntries(messages))
  }
  const call = async <T>(uid: string, name: string, input: object): Promise<T> => {
    const { idToken } = await localSession(config, uid)
    const response = await fetch(`${urls.functions}/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${idToken}` },
      body: JSON.stringify({ data: input }),
    })
    const answer = (await response.json()) as { result?: T }
    if (answer.result === undefined) throw new Error(`${name} answered ${JSON.stringify(answer)}`)
    return answer.result
  }
  const shared = bookings.STARTED ?? bookings.ACCEPTED
  const [share, payment] = await Promise.all([
    shared
      ? call<{ token: string }>(shared.customer, 'share_booking', {
          booking_id: shared.id,
          level: 'live',
          hours: 4,
        })
      : { token: '' },
    call<Cast['payment']>('seed-rider', 'start_payment', {
      payment_mode: 'topup',
      provider: 'test',
      amount: 750,
    }),
  ])
  const [driver = 'seed-driver'] = Object.keys(tasks)
  return {
    bookings,
    asked: driver,
    carType: Object.values(carTypes).find(({ options }) => options?.length)?.id ?? '',
    promo: Object.keys(promos)[0] ?? '',
    shareToken: share.token,
    payment,
  }
}
