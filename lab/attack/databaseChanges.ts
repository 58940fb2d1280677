import type { AttackerGroup } from './attackers'

/** One path of the database whose value changed. */
export interface DatabaseChange {
  path: string
  before: unknown
  after: unknown
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isMissing = (value: unknown): boolean => value === undefined || value === null

/**
 * Returns the deepest paths at which two trees differ. Reports an added or removed subtree once, at
 * its root.
 */
export const findChanges = (before: unknown, after: unknown, path = ''): DatabaseChange[] => {
  const isTop = !path.includes('/')
  if (isTop && isMissing(before) && isBranch(after)) return findChanges({}, after, path)
  if (isTop && isBranch(before) && isMissing(after)) return findChanges(before, {}, path)
  if (!isBranch(before) || !isBranch(after))
    return Object.is(before, after) || (isMissing(before) && isMissing(after))
      ? []
      : [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    findChanges(before[key], after[key], path === '' ? key : `${path}/${key}`),
  )
}

/** Matches the fields that people may change in their own record, some only through a function. */
const OWN_FIELDS =
  /^(firstName|lastName|email|lang|bankName|bankCode|bankAccount|vehicleMake|vehicleModel|vehicleNumber|other_info|driverActiveStatus|location|shift)(\/|$)/

const readField = (value: unknown, name: string): unknown =>
  isBranch(value) ? value[name] : undefined

/** Returns true when an honest caller with the attackers' accounts could have made this change. */
export const isAllowedChange = (
  { path, before, after }: DatabaseChange,
  { uids, all }: AttackerGroup,
): boolean => {
  const [branch = '', id = '', ...rest] = path.split('/')
  const findUid = (kind: string) => all.find((one) => one.kind === kind)?.uid
  // The rules tie the directory to the user records, which are checked below.
  if (branch === 'rate_limits' || branch === 'people') return true
  // Any visitor may start a sign-up for any number; it stays pending until the number is verified.
  if (branch === 'pending_registrations') return true
  if (branch === 'user_emails')
    return isMissing(before) || (isMissing(after) && uids.has(String(before)))
  if (branch === 'push_tokens') {
    // A device that moves to an attacker changes field by field.
    if (rest.length > 0) return rest[0] === 'uid' ? uids.has(String(after)) : rest[0] !== 'token'
    return uids.has(String(readField(isMissing(after) ? before : after, 'uid')))
  }
  // An account loses the name of a device that another account registers.
  if (branch === 'internal' && id === 'named_devices')
    return uids.has(rest[0] ?? '') || (rest.length === 1 && isMissing(after))
  // A new account gets a role and loses it while an admin reviews a driver's change. An invariant
  // checks that role and record agree.
  if (branch === 'roles')
    return isMissing(before)
      ? after === 'rider' || after === 'driver'
      : isMissing(after) && id === findUid('driver')
  if (branch === 'audit') return isMissing(before) && uids.has(String(readField(after, 'by')))
  if (branch === 'users' && rest.length > 0) {
    const part = rest.join('/')
    // When a driver changes a reviewed field, the approval is reset.
    if (part === 'approved' && after === false) return id === findUid('driver')
    return (
      uids.has(id) && ![findUid('pending'), findUid('gone')].includes(id) && OWN_FIELDS.test(part)
    )
  }
  if (branch === 'users' && isMissing(before)) {
    if (uids.has(id)) return id === findUid('unknown') && isNewUser(after, 'rider')
    // A sign-up needs a verified number; a fleet admin may create their own drivers.
    return isNewUser(after, 'driver') && readField(after, 'fleetadmin') === findUid('fleetadmin')
  }
  if (branch === 'open_payments') return uids.has(id)
  if (branch === 'payments' && isMissing(before))
    return uids.has(String(readField(after, 'uid'))) && readField(after, 'status') === 'created'
  return false
}

const isNewUser = (user: unknown, usertype: string): boolean =>
  readField(user, 'usertype') === usertype &&
  readField(user, 'walletBalance') === 0 &&
  readField(user, 'walletHistory') === undefined &&
  readField(user, 'queue') !== true

const FUNCTION_OWNED_SETTINGS = ['AllowCriticalEditsAdmin', 'code', 'decimal']

/**
 * Returns true when an admin may make this change: anything an admin may write, except audit
 * entries, money without a wallet entry and their own rights.
 */
export const isAllowedForAdmin = (
  { path, before, after }: DatabaseChange,
  admin: string,
): boolean => {
  const [branch = '', id = '', field = '', entry = ''] = path.split('/')
  if (branch === 'audit' || branch === 'payment_events') return isMissing(before)
  if (branch === 'settings') return id !== '' && !FUNCTION_OWNED_SETTINGS.includes(id)
  if (branch === 'roles') return id !== admin
  if (branch === 'currency') return false
  if (branch === 'bookings') return id !== '' && !(field === '' && isMissing(after))
  if (branch !== 'users') return true
  const isOwnRight = id === admin && (field === '' || /^(usertype|approved)$/.test(field))
  const isPast = field === 'walletHistory' && entry !== '' && !isMissing(before)
  return !isOwnRight && !isPast
}
