import { dayOf, monthOf, monthParts } from '~/domain/clock'
import type { AvailableDriver, Booking, Status, User } from '~/domain/entities'
import { geohash } from '~/domain/geo'
import { BUSY_STATUSES } from '~/domain/invariants'
import { keyAt } from '~/domain/keys'
import { listingOf } from '~/domain/listing'
import { at as paths } from '~/domain/paths'
import { again, NAMESPACE } from '../localDatabase'
import { seededRandom } from './maps'

const YEAR = 365 * 86_400_000
const DAY = 86_400_000
/** The largest platform; a smaller one is its first part. */
const LARGEST = 1_000_000
const AT_ONCE = 1500
const USERS_SHARE = 0.1
/** Of a hundred thousand people. */
const KINDS = [
  ['rider', 85_000],
  ['driver', 14_400],
  ['fleetadmin', 500],
  ['admin', 100],
] as const
const TOLD = 100_000
/** Bookings under way at any time, whatever the year brought. */
const UNDER_WAY = [
  ['NEW', 20],
  ['ACCEPTED', 60],
  ['ARRIVED', 40],
  ['STARTED', 160],
  ['REACHED', 20],
  ['PENDING', 20],
] as const satisfies readonly (readonly [Status, number])[]

const FIRST = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elena', 'Facundo', 'Gabriela', 'Hugo', 'Inés', 'Joaquín', 'Lucía', 'María', 'Nicolás', 'Olga', 'Pablo', 'Rosa', 'Sofía', 'Tomás', 'Valentina', 'Zoe'] // prettier-ignore
const LAST = ['Acosta', 'Benítez', 'Castro', 'Díaz', 'Estévez', 'Fernández', 'García', 'Hernández', 'Ibarra', 'Juárez', 'López', 'Martínez', 'Núñez', 'Olivera', 'Pérez', 'Ramírez', 'Silva', 'Torres', 'Vidal', 'Zapata'] // prettier-ignore
const CENTRE = { lat: -34.89, lng: -56.16 }

/** As long as Firebase makes them. */
const UID_LENGTH = 28
const pad = (at: number) => String(at).padStart(6, '0')
/** Uids sort after those of the demo city, so that a page shows them first. */
export const personAt = (kind: string, at: number) =>
  `user-${kind}-${String(at).padStart(UID_LENGTH - 'user--'.length - kind.length, '0')}`
/** How many of a kind a platform of so many bookings has. */
const peopleOf = (kind: (typeof KINDS)[number][0], bookings: number): number => {
  const share = (KINDS.find(([name]) => name === kind)?.[1] ?? 0) / TOLD
  return Math.max(1, Math.round(bookings * USERS_SHARE * share))
}

/** The fixed fleet admin has a large fleet: every hundredth driver. */
const fleetOf = (driver: number): string | undefined => {
  if (driver % 100 === 0) return 'seed-fleetadmin'
  return driver % 2 === 0 ? personAt('fleetadmin', driver % 500) : undefined
}

/** A running database that takes what it is given, as its owner and without triggers. */
interface Filling {
  patch(path: string, children: Record<string, unknown>): Promise<void>
}

export const fillingOf = (url: string): Filling => ({
  async patch(path, children) {
    const where = `${url}/${path}.json?ns=${NAMESPACE}&disableTriggers=true&print=silent&writeSizeLimit=unlimited`
    const body = JSON.stringify(children)
    const response = await again(() =>
      fetch(where, {
        method: 'PATCH',
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        body,
      }),
    )
    if (!response.ok) throw new Error(`The database refused: ${await response.text()}`)
    await response.arrayBuffer()
  },
})

/** Puts what a function makes in pieces, so that neither side ever holds all of it. */
const fill = async (
  { patch }: Filling,
  path: string,
  [from, to]: readonly [number, number],
  make: (at: number) => [string, unknown],
): Promise<void> => {
  for (let begin = from; begin < to; begin += AT_ONCE) {
    const children: Record<string, unknown> = {}
    for (let at = begin; at < Math.min(to, begin + AT_ONCE); at++) {
      const [key, value] = make(at)
      children[key] = value
    }
    await patch(path, children)
  }
}

const bookedAt = (now: number, at: number) => Math.round(now - YEAR + (at * YEAR) / LARGEST)
const bookingIdAt = (now: number, at: number) => keyAt(bookedAt(now, at), at)

interface Growth {
  now: number
  /** Real bookings, whose like are made. */
  templates: readonly Booking[]
  from: number
  to: number
}

const nameOf = (at: number) => ({
  firstName: FIRST[at % FIRST.length] ?? '',
  lastName: LAST[Math.floor(at / FIRST.length) % LAST.length] ?? '',
})

const bookingMaker = ({ now, templates, to }: Growth) => {
  const of = (wanted: Status) => templates.filter(({ status }) => status === wanted)
  const complete = of('COMPLETE')
  const cancelled = of('CANCELLED')
  const drivers = peopleOf('driver', to)
  const riders = peopleOf('rider', to)
  return (at: number): [string, Booking] => {
    const list = at % 7 === 0 ? cancelled : complete
    const template = list[at % list.length] as Booking
    const id = bookingIdAt(now, at)
    const bookingDate = bookedAt(now, at)
    const driver = (at * 7919) % drivers
    const rider = (at * 104_729) % riders
    const { driver: drove, ...rest } = template
    delete rest.fleetadmin
    const fleetadmin = fleetOf(driver)
    const { firstName, lastName } = nameOf(rider)
    return [
      id,
      {
        ...rest,
        id,
        booking_id: id,
        customer: personAt('rider', rider),
        customer_name: `${firstName} ${lastName}`,
        bookingDate,
        tripdate: bookingDate,
        ...(drove !== undefined && { driver: personAt('driver', driver) }),
        ...(drove !== undefined && fleetadmin !== undefined && { fleetadmin }),
      },
    ]
  }
}

const entries = (count: number, make: (at: number) => object) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [keyAt(YEAR + at * DAY, at), make(at)]),
  )

/** What a year leaves with a driver of seventy bookings: two entries each in his wallet, and most of them rated. */
const driverPast = (at: number) => ({
  walletHistory: Object.fromEntries(
    Array.from({ length: 120 }, (_, entry) => {
      const booking = keyAt(YEAR + entry * DAY, at)
      const kind = entry % 2 === 0 ? 'share' : 'cash'
      const type = entry % 2 === 0 ? 'Credit' : 'Debit'
      return [`${booking}-${kind}`, { type, amount: 207.23, date: YEAR + entry, txRef: booking }]
    }),
  ),
  ratings: {
    userrating: 4.6,
    count: 40,
    details: entries(40, () => ({ user: personAt('rider', at), rate: 5 })),
  },
})

type Listable = NonNullable<Parameters<typeof listingOf>[0]> & Record<string, unknown>
const userMaker =
  (kind: User['usertype'], now: number) =>
  (at: number): [string, Listable] => {
    const id = personAt(kind, at)
    const { firstName, lastName } = nameOf(at * 31)
    const place = spot(at)
    return [
      id,
      {
        id,
        usertype: kind,
        firstName,
        lastName,
        email: `${kind}${at}@bench.example`,
        mobile: `+5989${{ rider: 1, driver: 2, fleetadmin: 3, admin: 4 }[kind]}${pad(at)}`,
        createdAt: new Date(now - YEAR + at * 1000).toISOString(),
        approved: true,
        walletBalance: 0,
        referralId: `bench${at}`,
        lang: { langLocale: 'en', dateLocale: 'en-GB' },
        ...(kind === 'rider' && {
          savedAddresses: { home: { description: 'Gobernador Viana 2265', ...place, count: 3 } },
          walletHistory: entries(4, () => ({ type: 'Credit', amount: 5, date: now, txRef: 'x' })),
        }),
        ...(kind === 'driver' && {
          carType: 'economy',
          vehicleMake: 'Chevrolet',
          vehicleModel: 'Onix',
          vehicleNumber: `SBA ${at}`,
          driverActiveStatus: at % 3 !== 0,
          queue: false,
          location: place,
          ...(fleetOf(at) !== undefined && { fleetadmin: fleetOf(at) }),
          ...driverPast(at),
        }),
      },
    ]
  }

const draw = seededRandom(20_261_120)
const spot = (at: number) => ({
  lat: Number((CENTRE.lat + Math.sin(at * 12.9898) * 0.06 + draw() * 1e-4).toFixed(5)),
  lng: Number((CENTRE.lng + Math.cos(at * 78.233) * 0.08).toFixed(5)),
})

/** A free driver somewhere in the city. */
export const availableAt = (at: number, now: number): AvailableDriver => {
  const place = spot(at)
  const fleetadmin = fleetOf(at)
  const free = { carType: 'economy', geohash: geohash(place), ...place, at: now }
  return fleetadmin === undefined ? free : { ...free, fleetadmin }
}

const monthsBefore = (now: number, count: number) =>
  Array.from({ length: count }, (_, at) => monthOf(now - at * 30.4 * DAY, 'America/Montevideo'))

const TOTALS = {
  created: 2740,
  completed: 2300,
  cancelled: 390,
  total_rides: 2300,
  tripCost: 912_345.67,
  rideCost: 812_345.67,
  convenienceFee: 100_000.12,
  cancellationFee: 4321.5,
  discountAmount: 1234.5,
  driverShare: 812_345.67,
  customerPaid: 910_000.5,
}

const totals = async (filling: Filling, { now, to }: Growth): Promise<void> => {
  const days = Object.fromEntries(
    Array.from({ length: 365 }, (_, at) => [dayOf(now - at * DAY, 'America/Montevideo'), TOTALS]),
  )
  const months = Object.fromEntries(monthsBefore(now, 12).map((month) => [month, TOTALS]))
  await filling.patch('stats', {
    days,
    earnings: months,
    total: TOTALS,
    status: { COMPLETE: Math.round(to * 0.86), CANCELLED: Math.round(to * 0.14), NEW: 20 },
    'fleet_days/seed-fleetadmin': days,
    'fleet_earnings/seed-fleetadmin': months,
    'fleet_total/seed-fleetadmin': TOTALS,
  })
  const rows = (at: number) =>
    Object.fromEntries(
      monthsBefore(now, 12).map((month) => [
        month,
        {
          ...monthParts(month),
          driverName: `${nameOf(at * 31).firstName} ${nameOf(at * 31).lastName}`,
          driverVehicleNo: `SBA ${at}`,
          total_rides: 6,
          driverShare: 1243.38,
        },
      ]),
    )
  const drivers = peopleOf('driver', to)
  await fill(filling, 'stats/driver_earnings', [0, drivers], (at) => [
    personAt('driver', at),
    rows(at),
  ])
  await fill(
    filling,
    'stats/fleet_driver_earnings/seed-fleetadmin',
    [0, Math.ceil(drivers / 100)],
    (at) => [personAt('driver', at * 100), rows(at * 100)],
  )
}

/** What is under way now: as much in a year of a million as in one of a thousand. */
const underWay = async (filling: Filling, { now, templates, to }: Growth): Promise<void> => {
  const drivers = peopleOf('driver', to)
  const rows: Record<string, unknown> = {}
  const busy: Record<string, unknown> = {}
  let number = 0
  for (const [status, count] of UNDER_WAY) {
    const alike = templates.filter((booking) => booking.status === status)
    for (let at = 0; at < count; at++) {
      number++
      const id = keyAt(now - number * 1000, number)
      const driver = number % drivers
      const { driver: drove, ...rest } = alike[at % alike.length] as Booking
      delete rest.fleetadmin
      const fleetadmin = fleetOf(driver)
      rows[id] = {
        ...rest,
        id,
        booking_id: id,
        bookingDate: now - number * 1000,
        ...(drove !== undefined && { driver: personAt('driver', driver) }),
        ...(drove !== undefined && fleetadmin !== undefined && { fleetadmin }),
      }
      if (!BUSY_STATUSES.includes(status)) continue
      busy[`users/${personAt('driver', driver)}/queue`] = true
      busy[paths.busy(personAt('driver', driver))] = {
        booking: id,
        carType: 'economy',
        name: 'Ana Acosta',
        ...(fleetadmin !== undefined && { fleetadmin }),
      }
    }
  }
  await filling.patch('bookings', rows)
  await filling.patch('', busy)
}

const theRest = async (filling: Filling, { now, to }: Growth): Promise<void> => {
  const drivers = peopleOf('driver', to)
  await fill(filling, 'available_drivers', [0, Math.min(5000, Math.ceil(drivers / 2))], (at) => [
    personAt('driver', drivers - 1 - at),
    availableAt(at, now),
  ])
  await fill(filling, 'withdraws', [0, Math.ceil(to / 100)], (at) => {
    const id = keyAt(now - at * 60_000, at)
    const uid = personAt('driver', at % drivers)
    const { firstName, lastName } = nameOf(at * 31)
    const bank = { bankName: 'Banco República', bankCode: 'BROUUYMM', bankAccount: `001-${at}` }
    const name = `${firstName} ${lastName}`
    return [
      id,
      { id, uid, name, amount: 500, date: now - at * 60_000, processed: at > 20, ...bank },
    ]
  })
  await fill(filling, 'promos', [0, Math.min(1000, Math.ceil(to / 200))], (at) => [
    `bench-promo-${pad(at)}`,
    {
      promo_name: `BENCH${at}`,
      promo_description: 'Ten percent off until the end of the season',
      promo_discount_type: 'percentage',
      promo_discount_value: 10,
      max_promo_discount_value: 50,
      min_order: 100,
      promo_validity: now + 30 * DAY,
      promo_usage_limit: 100,
      user_avail: 0,
      createdAt: now - at * 1000,
    },
  ])
  await fill(filling, 'audit', [0, Math.ceil(to / 10)], (at) => [
    keyAt(now - at * 6000, at),
    {
      by: 'seed-admin',
      at: now - at * 6000,
      action: 'booking_assign',
      path: `bookings/${bookingIdAt(now, at)}/driver`,
      to: personAt('driver', at % drivers),
    },
  ])
}

/** Grows a running platform from so many bookings to so many, with the people, totals and records that go with them. */
export const grow = async (filling: Filling, growth: Growth): Promise<void> => {
  const { now, from, to } = growth
  await fill(filling, 'bookings', [from, to], bookingMaker(growth))
  for (const [kind] of KINDS) {
    const before = from === 0 ? 0 : peopleOf(kind, from)
    const range = [before, peopleOf(kind, to)] as const
    const make = userMaker(kind, now)
    await fill(filling, 'users', range, make)
    await fill(filling, 'people', range, (at) => {
      const [uid, user] = make(at)
      return [uid, listingOf(user)]
    })
  }
  await underWay(filling, growth)
  await totals(filling, growth)
  await theRest(filling, growth)
}
