import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aRider } from '~/domain/testing/builders'
import type { Query } from '~/src/services/services'
import { USER_TYPES } from '~/domain/access/types'
import type { User } from '~/domain/accounts/types'

interface Asked {
  name: string
  toQuery: (arg: unknown, profile: User | null) => Query | null
}

/**
 * The largest argument that screens pass to each live slice; slices without an argument are
 * omitted.
 */
const ARGUMENTS: Record<string, unknown[]> = {
  usersdata: [{ ids: ['x', 'y'], drivers: true }],
  peoplelist: [
    { usertype: 'driver', size: 200 },
    { usertype: 'rider', size: 26, cursor: 'x' },
  ],
  peoplefound: [{ by: 'email', text: 'ana@' }],
  availabledrivers: [{ most: 1000 }, { carType: 'van', most: 1000 }],
  busydrivers: [1000],
  chatdata: ['booking'],
  withdrawdata: [500],
  waitingwithdraws: [500],
  auditdata: [
    { size: 26 },
    { size: 26, cursor: '1.x' },
    { size: 26, cursor: '1.x', ascending: true },
    { size: 26, path: 'users/x' },
  ],
  driverearningdata: [null, 'x'],
  walletentries: [0],
  officecalls: [5],
  daytotals: ['2026-01-01'],
  monthtotals: ['2026-01'],
  dayrows: [30],
  monthrows: [12],
  cartypecounts: ['2026-01'],
  notificationdata: [200],
  languagetexts: [null, 'en'],
  locationdata: ['booking'],
  trackingtrail: ['booking'],
  paymentdata: ['payment'],
  paymentsdata: [
    { problems: true, size: 26 },
    { problems: false, size: 26 },
  ],
  bookingpayments: ['booking'],
  waitingbookings: [200],
  stuckbookings: [20],
  farereviews: [20],
  bookingdata: ['booking'],
  bookingcode: ['booking'],
  bookingcontacts: [{ ids: ['x', 'y'], fields: ['customer_contact', 'driver_contact'] }],
  driverlocation: ['driver'],
  userdata: ['somebody'],
  bookinglistdata: [
    {},
    { size: 200, cursor: 'x' },
    { status: 'COMPLETE' },
    { customer: 'x', cursor: 'y' },
    { customer: 'x', cursor: 'y', ascending: true },
    { driver: 'x' },
    { carTypeId: 'van' },
    { from: 1, until: 2, cursor: '1.x' },
    { from: 1, until: 2, cursor: '1.x', ascending: true },
    { until: 2 },
  ],
}

/** Lists that the back office maintains, with a few entries each. */
const FEW = ['settings', 'cartypes', 'cancel_reason', 'stats/status', 'stats/total']
const RECORDS = [
  /^(users|bookings|payments|booking_otps)\/[^/]+$/,
  /^users\/[^/]+\/location$/,
  /^stats\/(days|earnings|cartypes|fleet_total)\/[^/]+$/,
  /^stats\/(fleet_days|fleet_earnings)\/[^/]+\/[^/]+$/,
  // The unanswered offers of one driver.
  /^driver_tasks\/[^/]+$/,
]
const isBounded = ({ path, limitToFirst, limitToLast, records }: Query): boolean => {
  // Queries by key are bounded by the number of keys.
  if (records) return true
  const limit = limitToFirst ?? limitToLast
  if (limit !== undefined) return limit <= 1000
  return FEW.includes(path) || RECORDS.some((record) => record.test(path))
}

const isSlice = (value: unknown): value is Asked =>
  typeof value === 'object' && value !== null && 'subscribe' in value && 'toQuery' in value

/** Returns every live slice of the features. */
const slices = async (): Promise<Asked[]> => {
  const root = join(import.meta.dirname, '..', 'features')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const modules = await Promise.all(
    files.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>),
  )
  return [...new Set(modules.flatMap((module) => Object.values(module).filter(isSlice)))]
}

test('limits every list query, or reads only one record', async () => {
  const found = await slices()
  expect(found.length).toBeGreaterThan(20)
  const unbounded = found.flatMap(({ name, toQuery }) =>
    USER_TYPES.flatMap((usertype) =>
      (ARGUMENTS[name] ?? [undefined]).flatMap((arg) => {
        const built = toQuery(arg, aRider({ id: 'me', usertype }))
        return built && !isBounded(built)
          ? [`${name} as ${usertype}: ${JSON.stringify(built)}`]
          : []
      }),
    ),
  )
  expect(unbounded).toEqual([])
})
