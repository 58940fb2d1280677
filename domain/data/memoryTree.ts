/** An in-memory database that can commit changes and show the results. */
import type { DatabaseValue } from './databaseValue'
import type { BookingChange } from '../booking/eventTypes'
import { withDirectory } from '../accounts/directory'
import { dbPaths } from './databasePaths'

export type Tree = { [key: string]: DatabaseValue }

const isBranch = (value: DatabaseValue | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at a path, or null. */
export const readValue = (tree: Tree, path: string): DatabaseValue => {
  let value: DatabaseValue | undefined = tree
  for (const key of path.split('/')) value = isBranch(value) ? value[key] : undefined
  return value ?? null
}

const removeNulls = (value: DatabaseValue): DatabaseValue => {
  if (Array.isArray(value)) return value.map(removeNulls)
  if (!isBranch(value)) return value
  const entries = Object.entries(value)
    .map(([key, child]): [string, DatabaseValue] => [key, removeNulls(child)])
    .filter(([, child]) => child !== null && !(isBranch(child) && Object.keys(child).length === 0))
  return Object.fromEntries(entries)
}

const getIncrement = (value: DatabaseValue): number | undefined => {
  const server = isBranch(value) ? value['.sv'] : undefined
  const by = isBranch(server) ? server.increment : undefined
  return typeof by === 'number' ? by : undefined
}

const writeValue = (tree: Tree, path: string, value: DatabaseValue) => {
  const keys = path.split('/')
  const last = keys.pop() ?? ''
  const parents: Tree[] = [tree]
  for (const key of keys) {
    const parent = parents[parents.length - 1] ?? tree
    if (!isBranch(parent[key])) parent[key] = {}
    parents.push(parent[key])
  }
  const parent = parents[parents.length - 1] ?? tree
  const by = getIncrement(value)
  const before = parent[last]
  const after =
    by === undefined ? removeNulls(value) : (typeof before === 'number' ? before : 0) + by
  if (after === null) delete parent[last]
  else parent[last] = after
  // The database stores no empty branches. Only a removal leaves one; counting the keys of large
  // branches at every write would be slow.
  if (after !== null && !isBranch(after)) return
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const holder = parents[depth]
    const key = keys[depth]
    const below = key === undefined ? undefined : holder?.[key]
    if (!holder || key === undefined || !isBranch(below) || Object.keys(below).length > 0) return
    delete holder[key]
  }
}

/** Applies one atomic update. Like the database, refuses two paths when one contains the other. */
export const commitChange = (tree: Tree, change: Pick<BookingChange, 'updates'>) => {
  // Commits in the same way as the functions.
  const updates = withDirectory(change.updates)
  const paths = Object.keys(updates).sort()
  paths.forEach((path, i) => {
    if (paths[i + 1]?.startsWith(`${path}/`))
      throw new Error(`${path} contains ${paths[i + 1]}. Write each path only once.`)
    if (/[.#$[\]]/.test(path))
      throw new Error(`${path} is not a path of the database. Remove the empty or forbidden key.`)
  })
  for (const path of paths) writeValue(tree, path, updates[path] ?? null)
}

const hasValue = (tree: Tree, path: string): boolean => readValue(tree, path) !== null

const getValueAfter = (tree: Tree, path: string, value: DatabaseValue): DatabaseValue => {
  const by = getIncrement(value)
  const before = readValue(tree, path)
  return by === undefined ? value : (typeof before === 'number' ? before : 0) + by
}

const isNegative = (value: DatabaseValue | undefined): boolean =>
  typeof value === 'number' && value < 0

/**
 * Returns true when a wallet write starts from the current balance, like the rules'
 * compare-and-set.
 */
const isWalletMoveCurrent = (tree: Tree, uid: string, move: DatabaseValue): boolean => {
  const balance = readValue(tree, dbPaths.walletBalance(uid))
  if (!isBranch(move) || typeof balance !== 'number') return false
  return Math.round(balance * Number(move.scale)) === move.before
}

type Updates = BookingChange['updates']

/** Returns false when a busy driver would have an open request, which the rules refuse. */
const keepsTask = (tree: Tree, uid: string, updates: Updates): boolean => {
  const tasks = readValue(tree, `driver_tasks/${uid}`)
  return (
    isBranch(tasks) &&
    Object.keys(tasks).some((id) => updates[dbPaths.driverTask(uid, id)] !== null)
  )
}
const isBusyAfter = (tree: Tree, uid: string, updates: Updates): boolean =>
  (updates[`${dbPaths.user(uid)}/queue`] ?? readValue(tree, `${dbPaths.user(uid)}/queue`)) === true

/** Returns true when the booking takes a busy driver without being the next one of their trip. */
const takesBusyDriver = (
  tree: Tree,
  id: string,
  driver: DatabaseValue,
  updates: Updates,
): boolean => {
  if (typeof driver !== 'string') return false
  const follows = updates[`${dbPaths.booking(id)}/follows`]
  const isNext = typeof follows === 'string' && updates[`${dbPaths.booking(follows)}/next`] === id
  return readValue(tree, `${dbPaths.user(driver)}/queue`) === true && !isNext
}

/** Returns true when a trip would end and keep its next booking. */
const passesNoBookingOn = (
  tree: Tree,
  id: string,
  status: DatabaseValue,
  updates: Updates,
): boolean => {
  const path = `${dbPaths.booking(id)}/next`
  const next = path in updates ? updates[path] : readValue(tree, path)
  return next !== null && status !== 'STARTED' && status !== 'REACHED'
}

/**
 * Returns the reason the database rules would refuse this update (only the guards against races),
 * or undefined.
 */
export const checkRaceGuards = (
  tree: Tree,
  { updates }: Pick<BookingChange, 'updates'>,
): string | undefined => {
  for (const [path, value] of Object.entries(updates)) {
    const parts = path.split('/')
    const [top, id = '', field, key] = parts
    if (top === 'bookings' && field === 'revision') {
      const before = readValue(tree, path)
      if (value !== (typeof before === 'number' ? before : 0) + 1) return 'revision'
    }
    if (top === 'payments' && field === 'revision') {
      const before = readValue(tree, path)
      if (value !== (typeof before === 'number' ? before : 0) + 1) return 'payment revision'
    }
    if (top === 'payment_events' && hasValue(tree, path)) return 'event exists'
    if (top === 'bookings' && parts.length === 2 && hasValue(tree, path)) return 'booking exists'
    if (top === 'bookings' && field === 'driver' && takesBusyDriver(tree, id, value, updates))
      return 'driver is busy'
    if (top === 'bookings' && field === 'status' && passesNoBookingOn(tree, id, value, updates))
      return 'next booking'
    if (top === 'users' && field === 'queue' && value === true && readValue(tree, path) === true)
      return 'queue'
    if (top === 'users' && field === 'queue' && value === true && keepsTask(tree, id, updates))
      return 'open requests'
    if (
      top === 'driver_tasks' &&
      value === true &&
      !hasValue(tree, path) &&
      isBusyAfter(tree, id, updates) &&
      !hasValue(tree, `${dbPaths.busyDriver(id)}/ends_at`)
    )
      return 'busy driver'
    if (
      top === 'driver_tasks' &&
      value === true &&
      !hasValue(tree, path) &&
      hasValue(tree, `driver_tasks/${id}`) &&
      readValue(tree, 'settings/dispatchMode') !== 'broadcast'
    )
      return 'second open request'
    if (top === 'offers' && hasValue(tree, path)) return 'offer exists'
    if (path.startsWith('internal/pending_bonuses/') && value !== null && hasValue(tree, path))
      return 'bonus exists'
    if (top === 'users' && field === 'walletHistory' && hasValue(tree, path)) return 'entry exists'
    if (top === 'users' && field === 'walletMove' && !isWalletMoveCurrent(tree, id, value))
      return 'balance'
    if (
      top === 'users' &&
      field === 'walletHistory' &&
      /-(wallet|withdraw|hold)$/.test(key ?? '')
    ) {
      const balance = `users/${id}/walletBalance`
      if (isNegative(getValueAfter(tree, balance, updates[balance] ?? 0))) return 'wallet below 0'
    }
    if (top === 'promos' && field === 'user_avail') {
      const most = readValue(tree, `promos/${id}/promo_usage_limit`)
      const uses = getValueAfter(tree, path, value)
      if (typeof most === 'number' && typeof uses === 'number' && uses > most) return 'promo limit'
    }
    if (top === 'open_bookings' && field === 'revision') {
      const before = readValue(tree, path)
      if (typeof before === 'number' && getValueAfter(tree, path, value) !== before + 1)
        return 'open bookings'
    }
    if (path.endsWith('/ratings/count')) {
      const before = readValue(tree, path)
      if (typeof before === 'number' && value !== before + 1) return 'ratings'
    }
    if (top === 'promo_uses' && value !== null && hasValue(tree, path)) return 'promo used'
  }
  return undefined
}
