import { getOwn } from './ownValue'
import { getCurrencyAt, toStatsSettings } from '../money/stats'
import type { Booking } from '../booking/types'
import type { DatabaseTree } from './databaseTree'
import { ACCOUNT_CHECKS, PRIVACY_CHECKS } from './invariants/accounts'
import { AMOUNT_CHECKS } from './invariants/amounts'
import { BOOKING_CHECKS } from './invariants/bookings'
import type { Check, CheckedData, CollectionName } from './invariants/check'
import { DRIVER_CHECKS } from './invariants/drivers'
import { PAYMENT_CHECKS } from './invariants/payments'
import { createTotalsCheck } from './invariants/totals'
import { WALLET_CHECKS } from './invariants/wallets'

function* listLeaves(value: unknown, path: string): Generator<[path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value]
  else for (const [key, child] of Object.entries(value)) yield* listLeaves(child, `${path}/${key}`)
}

/** All checks except the totals, which `createTotalsCheck` counts. */
const CHECKS: Record<string, Check> = {
  ...WALLET_CHECKS,
  ...AMOUNT_CHECKS,
  ...ACCOUNT_CHECKS,
  ...DRIVER_CHECKS,
  ...BOOKING_CHECKS,
  ...PRIVACY_CHECKS,
  ...PAYMENT_CHECKS,
}

/** Names of the checked collections, besides `settings` and `stats`. */
export const CHECKED_COLLECTIONS: readonly string[] = [
  ...new Set([
    'closed_accounts',
    ...Object.values(CHECKS).flatMap(({ groupingKeys }) => Object.keys(groupingKeys)),
  ]),
]

/** Fields that no check reads and that make up most of a record's size. */
const UNCHECKED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  bookings: [
    'coords',
    'waypoints',
    'route',
    'fare_history',
    'pickup',
    'drop',
    'dropAddress',
    'customer_image',
    'driver_image',
    'carImage',
    'pickup_image',
    'deliver_image',
  ] satisfies (keyof Booking)[],
}

/** Returns a record without the fields that no check reads. */
export const removeUncheckedFields = (collection: string, record: object): object => {
  const bulk = getOwn(UNCHECKED_FIELDS, collection)
  return bulk
    ? Object.fromEntries(Object.entries(record).filter(([field]) => !bulk.includes(field)))
    : record
}

/** Returns the checks of a record, with the keys it belongs to in each. */
export const getChecksOfRecord = (
  collection: string,
  record: unknown,
  key: string,
): Map<string, string[]> => {
  const checksByKey = new Map<string, string[]>()
  for (const [name, { groupingKeys }] of Object.entries(CHECKS)) {
    const route = groupingKeys[collection as CollectionName] as
      ((record: unknown, key: string) => readonly (string | undefined)[]) | undefined
    for (const one of new Set(route?.(record, key)))
      if (one !== undefined) checksByKey.set(one, [...(checksByKey.get(one) ?? []), name])
  }
  return checksByKey
}

const toCheckedData = (tree: DatabaseTree, has: (key: string) => boolean): CheckedData => ({
  ...tree,
  findCurrency: (at) => getCurrencyAt(toStatsSettings(tree), at),
  users: tree.users ?? {},
  bookings: tree.bookings ?? {},
  promos: tree.promos ?? {},
  promo_uses: tree.promo_uses ?? {},
  hasAllRecords: has,
})

/**
 * Runs one check on a part of a database: all records that belong to keys for which `has` is true
 * (see `getChecksOfRecord`). All parts together give the same violations as the whole.
 */
export const runCheck = (
  check: string,
  part: DatabaseTree,
  has: (key: string) => boolean,
): string[] => getOwn(CHECKS, check)?.find(toCheckedData(part, has)) ?? []

/**
 * Returns a sentence for each inconsistency of a database; an empty list when it is sound.
 *
 * - Money: each balance is the exact sum of its history, no amount has more digits than its
 *   currency, each booking moved exactly the money it says, each withdrawal left its wallet, each
 *   paid payment moved its money once and returned no more than it brought, by card, wallet and
 *   bank; no booking has more card money than its payments, payment packets add up; a bonus that
 *   waits is earned and not paid yet.
 * - People: roles match the records, no driver is in two active bookings, and the queue flag and
 *   the list of busy drivers agree; a driver's rating is the mean of their ratings.
 * - Bookings: each status has the fields it requires, driver tasks match the requests, revisions
 *   cover the logged events, each booking and its reference name each other, contacts are stored
 *   apart from their bookings, fare reviews are the flagged trips without a decision.
 * - Privacy: nothing is left of a deleted account, and no log has a person's words.
 * - Derived data: totals equal a recount, promo counts equal their uses, riders and the office see
 *   the same free cars.
 *
 * Needs the whole database in memory; scripts/database/dataVerification.ts checks larger ones.
 */
export const findViolations = (tree: DatabaseTree): string[] => {
  const totals = createTotalsCheck(toStatsSettings(tree))
  for (const booking of Object.values(tree.bookings ?? {})) totals.addBooking(booking)
  for (const account of Object.values(tree.closed_accounts ?? {})) totals.addClosedAccount(account)
  for (const [path, value] of listLeaves(tree.stats ?? {}, 'stats')) totals.kept(path, value)
  const { internal, ...records } = tree
  const flatTree: DatabaseTree = { ...records }
  for (const [kind, list] of Object.entries(internal ?? {}))
    Object.assign(flatTree, { [`internal/${kind}`]: list })
  const violations = Object.keys(CHECKS).flatMap((name) => runCheck(name, flatTree, () => true))
  return [...new Set([...violations, ...totals.listMismatches()])]
}
