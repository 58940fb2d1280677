import { referenceAt } from '~/domain/booking/search/reference'
import { formatDay, formatMonth, toYearAndMonthName } from '~/domain/language/zonedTime'
import { createPushKey } from '~/domain/data/pushKeys'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { getRole } from '~/domain/access/roles'
import { dbPaths as paths } from '~/domain/data/databasePaths'
import { DAY_MS } from '~/domain/language/timeUnits'
import { NAMESPACE } from '~/scripts/local/localDatabase'
import { retryUnanswered } from '~/scripts/database/restDatabase'
import {
  countUsers,
  createAvailableDriver,
  createName,
  createUserFactory,
  getFleetAdmin,
  getUid,
  padNumber,
  USER_COUNTS,
  YEAR_MS,
} from './platformPeople'
import { BUSY_STATUSES, type Booking, type Status } from '~/domain/booking/types'
import type { StatsRow } from '~/domain/money/types'

/** Number of bookings of the largest platform; a smaller one is its first part. */
const MAX_BOOKINGS = 1_000_000
const ROWS_PER_WRITE = 1500
/** Number of active bookings by status, regardless of the platform's size. */
const ACTIVE_BOOKINGS = [
  ['NEW', 20],
  ['ACCEPTED', 60],
  ['ARRIVED', 40],
  ['STARTED', 160],
  ['REACHED', 20],
  ['PENDING', 20],
] as const satisfies readonly (readonly [Status, number])[]

/** A running database written as its owner, without triggers. */
interface PlatformDatabase {
  patch(path: string, children: Record<string, unknown>): Promise<void>
}

export const openPlatformDatabase = (url: string): PlatformDatabase => ({
  async patch(path, children) {
    const where = `${url}/${path}.json?ns=${NAMESPACE}&disableTriggers=true&print=silent&writeSizeLimit=unlimited`
    const body = JSON.stringify(children)
    const response = await retryUnanswered(() =>
      fetch(where, {
        method: 'PATCH',
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        body,
      }),
    )
    if (!response.ok) throw new Error(`The database refused the data: ${await response.text()}`)
    await response.arrayBuffer()
  },
})

/** Writes generated records in batches, so that neither side ever holds all of them. */
const writeInBatches = async (
  { patch }: PlatformDatabase,
  path: string,
  [from, to]: readonly [number, number],
  make: (at: number) => [string, unknown],
): Promise<void> => {
  for (let begin = from; begin < to; begin += ROWS_PER_WRITE) {
    const children: Record<string, unknown> = {}
    for (let at = begin; at < Math.min(to, begin + ROWS_PER_WRITE); at++) {
      const [key, value] = make(at)
      children[key] = value
    }
    await patch(path, children)
  }
}

const getBookingTime = (now: number, at: number) =>
  Math.round(now - YEAR_MS + (at * YEAR_MS) / MAX_BOOKINGS)
const getBookingId = (now: number, at: number) => createPushKey(getBookingTime(now, at), at)

interface GrowthRange {
  now: number
  /** Real bookings that serve as templates. */
  templates: readonly Booking[]
  from: number
  to: number
}

const createBookingFactory = ({ now, templates, to }: GrowthRange) => {
  const listTemplates = (status: Status) => templates.filter((booking) => booking.status === status)
  const complete = listTemplates('COMPLETE')
  const cancelled = listTemplates('CANCELLED')
  const drivers = countUsers('driver', to)
  const riders = countUsers('rider', to)
  return (at: number): [string, Booking] => {
    const list = at % 7 === 0 ? cancelled : complete
    const template = list[at % list.length] as Booking
    const id = getBookingId(now, at)
    const bookingDate = getBookingTime(now, at)
    const driver = (at * 7919) % drivers
    const rider = (at * 104_729) % riders
    const { driver: drove, ...rest } = template
    delete rest.fleetadmin
    const fleetadmin = getFleetAdmin(driver)
    const { firstName, lastName } = createName(rider)
    return [
      id,
      {
        ...rest,
        id,
        booking_id: id,
        reference: referenceAt(id, 0),
        customer: getUid('rider', rider),
        customer_name: `${firstName} ${lastName}`,
        bookingDate,
        tripdate: bookingDate,
        ...(drove !== undefined && { driver: getUid('driver', driver) }),
        ...(drove !== undefined && fleetadmin !== undefined && { fleetadmin }),
      },
    ]
  }
}

const getMonthBefore = (now: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    formatMonth(now - at * 30.4 * DAY_MS, 'America/Montevideo'),
  )

const TOTALS = {
  created: 2740,
  completed: 2300,
  cancelled: 390,
  total_rides: 2300,
  minor: {
    UYU2: {
      tripCost: 91_234_567,
      rideCost: 81_234_567,
      convenienceFee: 10_000_012,
      cancellationFee: 432_150,
      discountAmount: 123_450,
      driverShare: 81_234_567,
      customerPaid: 91_000_050,
    },
  },
} satisfies StatsRow

const writeTotals = async (filling: PlatformDatabase, { now, to }: GrowthRange): Promise<void> => {
  const days = Object.fromEntries(
    Array.from({ length: 365 }, (_, at) => [
      formatDay(now - at * DAY_MS, 'America/Montevideo'),
      TOTALS,
    ]),
  )
  const months = Object.fromEntries(getMonthBefore(now, 12).map((month) => [month, TOTALS]))
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
      getMonthBefore(now, 12).map((month) => [
        month,
        {
          ...toYearAndMonthName(month),
          driverName: `${createName(at * 31).firstName} ${createName(at * 31).lastName}`,
          driverVehicleNo: `SBA ${at}`,
          total_rides: 6,
          minor: { UYU2: { driverShare: 124_338 } },
        },
      ]),
    )
  const drivers = countUsers('driver', to)
  await writeInBatches(filling, 'stats/driver_earnings', [0, drivers], (at) => [
    getUid('driver', at),
    rows(at),
  ])
  await writeInBatches(
    filling,
    'stats/fleet_driver_earnings/seed-fleetadmin',
    [0, Math.ceil(drivers / 100)],
    (at) => [getUid('driver', at * 100), rows(at * 100)],
  )
}

/** Writes the active bookings: the same number for a year of a million as for one of a thousand. */
const writeActiveBookings = async (
  filling: PlatformDatabase,
  { now, templates, to }: GrowthRange,
): Promise<void> => {
  const drivers = countUsers('driver', to)
  const rows: Record<string, unknown> = {}
  const busy: Record<string, unknown> = {}
  let number = 0
  for (const [status, count] of ACTIVE_BOOKINGS) {
    const alike = templates.filter((booking) => booking.status === status)
    for (let at = 0; at < count; at++) {
      number++
      const id = createPushKey(now - number * 1000, number)
      const driver = number % drivers
      const { driver: drove, ...rest } = alike[at % alike.length] as Booking
      delete rest.fleetadmin
      const fleetadmin = getFleetAdmin(driver)
      rows[id] = {
        ...rest,
        id,
        booking_id: id,
        reference: referenceAt(id, 0),
        bookingDate: now - number * 1000,
        ...(drove !== undefined && { driver: getUid('driver', driver) }),
        ...(drove !== undefined && fleetadmin !== undefined && { fleetadmin }),
      }
      if (!BUSY_STATUSES.includes(status)) continue
      busy[`users/${getUid('driver', driver)}/queue`] = true
      busy[paths.busyDriver(getUid('driver', driver))] = {
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

const writeOtherRecords = async (
  filling: PlatformDatabase,
  { now, to }: GrowthRange,
): Promise<void> => {
  const drivers = countUsers('driver', to)
  await writeInBatches(
    filling,
    'available_drivers',
    [0, Math.min(5000, Math.ceil(drivers / 2))],
    (at) => [getUid('driver', drivers - 1 - at), createAvailableDriver(at, now)],
  )
  await writeInBatches(filling, 'withdraws', [0, Math.ceil(to / 100)], (at) => {
    const id = createPushKey(now - at * 60_000, at)
    const uid = getUid('driver', at % drivers)
    const { firstName, lastName } = createName(at * 31)
    const bank = { bankName: 'Banco República', bankCode: 'BROUUYMM', bankAccount: `001-${at}` }
    const name = `${firstName} ${lastName}`
    return [
      id,
      { id, uid, name, amount: 500, date: now - at * 60_000, processed: at > 20, ...bank },
    ]
  })
  await writeInBatches(filling, 'promos', [0, Math.min(1000, Math.ceil(to / 200))], (at) => [
    `bench-promo-${padNumber(at)}`,
    {
      promo_name: `BENCH${at}`,
      promo_description: 'Ten percent off until the end of the season',
      promo_discount_type: 'percentage',
      promo_discount_value: 10,
      max_promo_discount_value: 50,
      min_order: 100,
      promo_validity: now + 30 * DAY_MS,
      promo_usage_limit: 100,
      user_avail: 0,
      createdAt: now - at * 1000,
    },
  ])
  await writeInBatches(filling, 'audit', [0, Math.ceil(to / 10)], (at) => [
    createPushKey(now - at * 6000, at),
    {
      by: 'seed-admin',
      at: now - at * 6000,
      action: 'booking_assign',
      path: `bookings/${getBookingId(now, at)}/driver`,
      to: getUid('driver', at % drivers),
    },
  ])
}

/**
 * Grows a running platform from `from` to `to` bookings, with the matching people, totals and
 * records.
 */
export const growPlatform = async (
  filling: PlatformDatabase,
  growth: GrowthRange,
): Promise<void> => {
  const { now, from, to } = growth
  await writeInBatches(filling, 'bookings', [from, to], createBookingFactory(growth))
  await writeInBatches(filling, 'booking_contacts', [from, to], (at) => [
    getBookingId(now, at),
    { customer_contact: `+59891${padNumber(at)}`, customer_email: `rider${at}@bench.example` },
  ])
  for (const [kind] of USER_COUNTS) {
    const before = from === 0 ? 0 : countUsers(kind, from)
    const range = [before, countUsers(kind, to)] as const
    const make = createUserFactory(kind, now)
    await writeInBatches(filling, 'users', range, make)
    await writeInBatches(filling, 'people', range, (at) => {
      const [uid, user] = make(at)
      return [uid, toDirectoryEntry(user)]
    })
    await writeInBatches(filling, 'roles', range, (at) => {
      const [uid, user] = make(at)
      return [uid, getRole(user)]
    })
  }
  await writeActiveBookings(filling, growth)
  await writeTotals(filling, growth)
  await writeOtherRecords(filling, growth)
}
