import type { Attackers } from './attackers'

/** One place of the database that is not as it was. */
export interface Changed {
  path: string
  before: unknown
  after: unknown
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** The deepest places in which two trees differ; something new or gone is named once, where it begins. */
export const changesBetween = (before: unknown, after: unknown, path = ''): Changed[] => {
  const isTop = !path.includes('/')
  if (isTop && isNothing(before) && isBranch(after)) return changesBetween({}, after, path)
  if (isTop && isBranch(before) && isNothing(after)) return changesBetween(before, {}, path)
  if (!isBranch(before) || !isBranch(after))
    return Object.is(before, after) || (isNothing(before) && isNothing(after))
      ? []
      : [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    changesBetween(before[key], after[key], path === '' ? key : `${path}/${key}`),
  )
}

/** What a person may write into his own record. */
const OWN_FIELDS =
  /^(firstName|lastName|email|lang|profile_image|pushToken|userPlatform|bankName|bankCode|bankAccount|vehicleMake|vehicleModel|vehicleNumber|other_info|licenseImage|driverActiveStatus|location)(\/|$)/

const field = (value: unknown, name: string): unknown => (isBranch(value) ? value[name] : undefined)

/** Whether an honest caller in the attackers' place could have made this change. */
export const isLegal = ({ path, before, after }: Changed, { uids, all }: Attackers): boolean => {
  const [branch = '', id = '', ...rest] = path.split('/')
  const uidOf = (kind: string) => all.find((one) => one.kind === kind)?.uid
  // The rules hold the list to what the records say, and those are judged below.
  if (branch === 'rate_limits' || branch === 'people') return true
  if (branch === 'user_emails') return isNothing(before)
  if (branch === 'audit') return isNothing(before) && uids.has(String(field(after, 'by')))
  if (branch === 'users' && rest.length > 0)
    return (
      uids.has(id) &&
      ![uidOf('pending'), uidOf('gone')].includes(id) &&
      OWN_FIELDS.test(rest.join('/'))
    )
  if (branch === 'users' && isNothing(before)) {
    if (uids.has(id)) return id === uidOf('unknown') && isFresh(after, 'rider')
    // Whoever signs up is a rider, or a driver whom the office has yet to approve unless his fleet made him.
    return (
      isFresh(after, 'rider') ||
      (isFresh(after, 'driver') &&
        (field(after, 'approved') === false || field(after, 'fleetadmin') === uidOf('fleetadmin')))
    )
  }
  if (branch === 'payments' && isNothing(before))
    return uids.has(String(field(after, 'uid'))) && field(after, 'status') === 'created'
  return false
}

const isFresh = (user: unknown, usertype: string): boolean =>
  field(user, 'usertype') === usertype &&
  field(user, 'walletBalance') === 0 &&
  field(user, 'walletHistory') === undefined &&
  field(user, 'queue') !== true

/** Whether an admin may make this change: whatever is his to write, but no trace, no money but through its entries, no rights of his own. */
export const isLegalForOffice = ({ path, before, after }: Changed, admin: string): boolean => {
  const [branch = '', id = '', field = '', entry = ''] = path.split('/')
  if (branch === 'audit' || branch === 'payment_events') return isNothing(before)
  if (branch === 'settings') return id !== '' && id !== 'AllowCriticalEditsAdmin'
  if (branch === 'bookings') return id !== '' && !(field === '' && isNothing(after))
  if (branch !== 'users') return true
  const isOwnRight = id === admin && (field === '' || /^(usertype|approved)$/.test(field))
  const isPast = field === 'walletHistory' && entry !== '' && !isNothing(before)
  return !isOwnRight && !isPast
}
