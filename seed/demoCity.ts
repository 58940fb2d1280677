import type { DatabaseValue } from '~/domain/data/databaseValue'
import { isAvailable, buildAvailabilityUpdates } from '~/domain/dispatch/dispatch'
import { createPushKey } from '~/domain/data/pushKeys'
import { toDirectory } from '~/domain/accounts/directory'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION, hashTexts } from '~/domain/data/schemaVersion'
import { createSeededRandom, type Random } from '~/domain/data/seededRandom'
import { DAY_MS } from '~/domain/language/timeUnits'
import { ADMIN_CREDIT_REF, buildWalletUpdates } from '~/domain/money/wallet'
import { completeWithdrawal, requestWithdrawal } from '~/domain/money/withdrawals'
import {
  CANCELLATION_REASONS,
  createDemoSettings,
  createPromos,
  createVehicleTypes,
  type DemoCategory,
} from './catalog'
import { createHistory } from './bookingHistory'
import type { RouteBetween } from './cityHistory'
import type { CitySize } from './historyPlan'
import { addDutyHours } from './dutyHours'
import { createRandomPushKey } from './randomKeys'
import { createLanguages } from './languages'
import { createUsers } from './users'
import { MemoryTree } from './memoryTree'
import type { PushNotification } from '~/domain/messages/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Seed of the random generator. The value is arbitrary; the same seed creates the same city. */
const RANDOM_SEED = 20_260_101

interface DemoCityInput {
  /** End of the history, in milliseconds since 1970. */
  now: number
  /** Interface texts by locale. */
  texts: Record<string, Record<string, string>>
  routeBetween: RouteBetween
  /** `full` by default. */
  size?: CitySize
  /** `delivery` by default: people and parcels; `taxi`: people only. */
  category?: DemoCategory
}

/** Typed values are plain JSON, but the type of a list of interfaces does not show it. */
const toJson = (value: object): DatabaseValue => JSON.parse(JSON.stringify(value)) as DatabaseValue
const indexById = (list: readonly { id: string }[]): DatabaseValue =>
  toJson(Object.fromEntries(list.map((one) => [one.id, one])))

type SentNotification = Pick<PushNotification, 'devicetype' | 'usertype' | 'title' | 'body'>
/** A taxi company has sent the rest. */
const PARCEL_NOTIFICATION = 'Parcels by motorbike'
const SENT_NOTIFICATIONS: SentNotification[] = [
  {
    devicetype: 'All',
    usertype: 'rider',
    title: PARCEL_NOTIFICATION,
    body: 'Courier is now open in all of Montevideo.',
  },
  {
    devicetype: 'ANDROID',
    usertype: 'driver',
    title: 'Busy Friday',
    body: 'Many bookings are expected around Tres Cruces from 17:00.',
  },
  {
    devicetype: 'All',
    usertype: 'All',
    title: 'New in Kerbside',
    body: 'You can now follow a booking by link.',
  },
]

/** Returns the notifications that the office has sent, the newest first. */
const createNotifications = (now: number, draw: Random, category: DemoCategory) =>
  SENT_NOTIFICATIONS.filter(
    ({ title }) => category === 'delivery' || title !== PARCEL_NOTIFICATION,
  ).map((push, index) => {
    const createdAt = now - (index + 1) * 20 * DAY_MS
    return { id: createRandomPushKey(createdAt, draw), createdAt, ...push }
  })

/**
 * Creates the whole database of the demo city at `now`: settings, catalog, people, and a year of
 * bookings with their wallets, tracks and totals. The same `now` creates the same city.
 */
export async function createDemoCity({
  now,
  texts,
  routeBetween,
  size = 'full',
  category = 'delivery',
}: DemoCityInput): Promise<DatabaseValue> {
  const draw = createSeededRandom(RANDOM_SEED)
  const tree = new MemoryTree()
  const settings = createDemoSettings(category)
  tree.set('schema', { version: SCHEMA_VERSION, texts: hashTexts(texts) })
  tree.set('settings', toJson(settings))
  // The numbers of the demo accounts are American.
  tree.set(internalPaths.messageSettings, toJson({ countries: ['UY', 'US'], revision: 1 }))
  tree.set('cartypes', indexById(createVehicleTypes(now, category)))
  tree.set('cancel_reason', toJson(CANCELLATION_REASONS))
  tree.set('promos', indexById(createPromos(now, category)))
  tree.set('languages', indexById(createLanguages(now)))
  const { users, riders, drivers, devices } = createUsers(now, draw, category)
  tree.set(internalPaths.namedDevices, toJson(devices))
  tree.set('users', toJson(users))
  for (const { id, referralId } of Object.values(users))
    if (referralId) tree.set(dbPaths.referralId(referralId), id)

  const date = now - 366 * DAY_MS
  const credit = (uid: string, amount: number) => {
    const wallet = { id: uid, walletBalance: 0 }
    const entry = { type: 'Credit', amount, date, txRef: ADMIN_CREDIT_REF } as const
    const entries = { [`${createPushKey(date, 1)}-admin`]: entry }
    tree.commit({ updates: buildWalletUpdates(wallet, entries, settings) })
  }
  for (const uid of riders) credit(uid, uid === 'seed-rider' ? 100 : draw.integer(0, 12) * 250 + 50)
  for (const uid of drivers) credit(uid, 3000)

  const history = { tree, random: draw, now, settings, routeBetween, riders, drivers }
  await createHistory(history, size)
  addDutyHours(tree, settings.timezone, now)

  createNotifications(now, draw, category).forEach((notification) => {
    tree.set(`notifications/${notification.id}`, notification)
  })
  ;[3, 6, 12, 21].forEach((number, index) => {
    const uid = drivers[number]
    const date = now - (index * 9 + 1) * DAY_MS
    if (uid !== undefined)
      addWithdrawal(tree, uid, { id: createRandomPushKey(date, draw), date, isPaid: index > 1 })
  })
  addAvailability(tree, now)
  const allUsers = tree.get<Record<string, User>>('users') ?? {}
  tree.set('people', toDirectory(allUsers))
  tree.set('roles', getRoles(allUsers))
  return tree.root
}

/** Adds the drivers who can take a booking to the availability. */
function addAvailability(tree: MemoryTree, now: number): void {
  Object.values(tree.get<Record<string, User>>('users') ?? {}).forEach((user, index) => {
    if (!isAvailable(user) || !user.location || !user.carType) return
    const key = createPushKey(now, (1_000_000 + index) * 7_777_777_777)
    tree.commit({ updates: buildAvailabilityUpdates(user, user.location, key, now) })
  })
}

/** Adds a driver's withdrawal. The oldest requests are already paid. */
function addWithdrawal(
  tree: MemoryTree,
  uid: string,
  { id, date, isPaid }: { id: string; date: number; isPaid: boolean },
): void {
  const user = tree.get<User>(dbPaths.user(uid))
  if (!user) return
  const settings = tree.get<Settings>('settings')
  if (!settings) throw new Error('The demo has no settings yet.')
  const withdrawal = requestWithdrawal(user, { id, amount: 500, now: date }, settings)
  if (!withdrawal.ok) throw new Error(`The demo's withdrawal was refused: ${withdrawal.error.key}`)
  tree.commit(withdrawal.value)
  if (!isPaid) return
  const paid = completeWithdrawal(withdrawal.value.withdraw, {
    wallet: tree.get<User>(dbPaths.user(uid)) ?? null,
    settings,
    now: date + DAY_MS,
  })
  if (!paid.ok) throw new Error(`The demo's withdrawal was refused: ${paid.error.key}`)
  tree.commit(paid.value)
}
