import * as v from 'valibot'
import {
  type AvailableDriver,
  type BusyDriver,
  type LatLng,
  type ListedPerson,
  USER_TYPES,
  type User,
  type UserType,
} from '~/domain/entities'
import { type CheckUserExists } from '~/domain/api'
import { refusal } from '~/domain/errors'
import { distanceKm } from '~/domain/geo'
import { at } from '~/domain/paths'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

const userRow = rowOf<User>({
  usertype: v.picklist(USER_TYPES),
  firstName: v.optional(v.string(), ''),
  lastName: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  mobile: v.optional(v.string(), ''),
  approved: v.optional(v.boolean(), false),
  walletBalance: v.optional(v.number(), 0),
})

/** Somebody as the office's lists have him. */
export type Listed = ListedPerson & { id: string }

// A list is younger than the records: where it is empty, they are asked themselves.
const LIST = { path: 'people', orElse: 'users' }
const listedRow = rowOf<Listed>({
  usertype: v.optional(v.string()),
  firstName: v.optional(v.string(), ''),
  lastName: v.optional(v.string(), ''),
  mobile: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  createdAt: v.optional(v.string(), ''),
})

interface PeoplePage {
  usertype: UserType
  size: number
  /** Only those before this uid: the next page. */
  before?: string | undefined
}

/**
 * People of one type, a page at a time (none with size 0); a fleet admin sees only his own drivers. Newest first within
 * the page. Who they are and no more: `users` has the rest.
 */
export const people = liveSlice('peoplelist', 'listed', {
  at: ({ usertype, size, before }: PeoplePage, profile) => {
    if (size === 0) return null
    const page = { ...LIST, limitToLast: size }
    if (profile?.usertype === 'fleetadmin')
      return { ...page, orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
    return {
      ...page,
      orderBy: { child: 'usertype' },
      ...(before
        ? { startAt: usertype, endBefore: usertype, endBeforeKey: before }
        : { equalTo: usertype }),
    }
  },
  row: listedRow,
  order: (a, b) => (a.createdAt < b.createdAt ? 1 : -1),
})

/** Whoever's number, e-mail or name begins so; admins only. The caller picks out the types it wants. */
export const peopleLike = liveSlice('peoplefound', 'found', {
  at: (
    { by, text }: { by: 'mobile' | 'email' | 'firstName' | 'lastName'; text: string },
    profile,
  ) =>
    text && profile?.usertype === 'admin'
      ? {
          ...LIST,
          orderBy: { child: by },
          startAt: text,
          endAt: `${text}\uf8ff`,
          limitToFirst: 20,
        }
      : null,
  row: listedRow,
})

const SHOWN = [
  'usertype',
  'firstName',
  'lastName',
  'mobile',
  'email',
  'approved',
  'walletBalance',
  'referralId',
] as const satisfies (keyof User)[]
const SHOWN_OF_DRIVERS = [
  'carType',
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'driverActiveStatus',
  'queue',
  'ratings/userrating',
] as const

/** What tables show of these people: never the histories that grow with them. */
export const users = liveSlice('usersdata', 'users', {
  at: ({ ids, drivers = false }: { ids: readonly string[]; drivers?: boolean }) =>
    ids.length > 0
      ? {
          path: 'users',
          records: { keys: ids, fields: [...SHOWN, ...(drivers ? SHOWN_OF_DRIVERS : [])] },
        }
      : null,
  row: userRow,
})

/** The beginning of a name as names are written: an index knows no other case. */
export const nameIn = (search: string): string => {
  const [word = ''] = search.trim().split(/\s+/)
  if (/[\d@+]/.test(word)) return ''
  return word === word.toLocaleLowerCase()
    ? word.charAt(0).toLocaleUpperCase() + word.slice(1)
    : word
}

/** The rules let nobody ask for more at once. */
export const MOST_DRIVERS = 1000

/** Free drivers of a car type, the nearest to a place first; without those in `except`. Admins only. */
export const findNearest = operation<
  { carType: string; place: LatLng; except: readonly string[]; quiet?: boolean },
  string[]
>('usersdata/findNearest', async ({ carType, place, except }, { database }) => {
  const found = await database.once({
    path: 'available_drivers',
    orderBy: { child: 'carType' },
    equalTo: carType,
    limitToLast: MOST_DRIVERS,
  })
  return Object.entries((found ?? {}) as Record<string, AvailableDriver>)
    .filter(([id]) => !except.includes(id))
    .sort(([, a], [, b]) => distanceKm(a, place) - distanceKm(b, place))
    .map(([id]) => id)
})

const lean = v.looseObject({ lat: v.number(), lng: v.number() })
/** Where one driver was last, and nothing else of him. */
export const driverLocation = liveRecord('driverlocation', 'location', {
  at: (uid: string | null) => (uid ? { path: `${at.user(uid)}/location` } : null),
  row: lean as unknown as v.GenericSchema<unknown, LatLng>,
})

/** At most so many drivers with a booking on hand, by id: all for an admin, a fleet admin's own for him. */
export const busyDrivers = liveSlice('busydrivers', 'busy', {
  at: (most: number, profile) => {
    const page = { path: 'busy_drivers', limitToLast: most }
    if (profile?.usertype === 'admin') return { ...page, orderBy: 'key' }
    if (profile?.usertype === 'fleetadmin')
      return { ...page, orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
    return null
  },
  row: rowOf<BusyDriver & { id: string }>({ booking: v.string() }),
})

/** At most so many free drivers, by id: of one car type, or all; a fleet admin's own for him. No personal data. */
export const availableDrivers = liveSlice('availabledrivers', 'available', {
  at: ({ carType, most }: { carType?: string; most: number }, profile) => {
    const page = { path: 'available_drivers', limitToLast: most }
    if (profile?.usertype === 'fleetadmin')
      return { ...page, orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
    if (profile?.usertype !== 'admin') return null
    return carType
      ? { ...page, orderBy: { child: 'carType' }, equalTo: carType }
      : { ...page, orderBy: 'key' }
  },
  row: rowOf<AvailableDriver & { id: string }>({
    carType: v.string(),
    lat: v.number(),
    lng: v.number(),
  }),
})

/** One person. */
export const user = liveRecord('userdata', 'user', {
  at: (uid: string) => (uid ? { path: at.user(uid) } : null),
  row: v.pipe(
    v.looseObject({ usertype: v.picklist(USER_TYPES) }),
    v.transform((row) => row as unknown as User),
  ),
})

/** Refuses with user_exists, at the field when one was asked for, or email_or_mobile_issue; else answers nothing. */
export const checkUserExists = operation<CheckUserExists & { quiet?: boolean }>(
  'usersdata/checkUserExists',
  async ({ quiet: _, ...asked }, { functions }) => {
    const answer = await functions
      .post<{ users?: unknown[]; error?: string }>('check_user_exists', asked)
      .catch(() => {
        throw refusal('email_or_mobile_issue')
      })
    if (answer.error) throw refusal('email_or_mobile_issue')
    const [field, another] = (['mobile', 'email'] as const).filter((one) => asked[one])
    if (answer.users && answer.users.length > 0)
      throw refusal('user_exists', another ? undefined : field)
  },
)

/** Checks that nobody has the number or address yet, then adds; answers the new uid. */
export const addUser = operation<Partial<User> & { usertype: UserType; quiet?: boolean }, string>(
  'usersdata/addUser',
  async ({ quiet: _, ...person }, { functions }, { dispatch }) => {
    const { email, mobile } = person
    // One at a time: the answer does not say which of the two is known.
    for (const asked of [{ mobile }, { email }])
      if (Object.values(asked)[0])
        await dispatch(checkUserExists({ ...asked, quiet: true })).unwrap()
    const { id } = await functions.call<{ id: string }>('save_user', person)
    return id
  },
)
export const editUser = operation<{ id: string; changes: Partial<User>; quiet?: boolean }>(
  'usersdata/editUser',
  async ({ id, changes }, { functions }) => {
    await functions.call('save_user', { id, ...changes })
  },
)
export const deleteUser = operation<string>('usersdata/deleteUser', async (id, { functions }) => {
  await functions.call('delete_user', { id })
})

/** Credits a wallet (txRef AdminCredit). The same `credit_id` again credits nothing more. */
export const addToWallet = operation<{
  credit_id: string
  uid: string
  amount: number
  quiet?: boolean
}>('usersdata/addToWallet', async ({ credit_id, uid, amount }, { functions }) => {
  if (!uid || !(amount > 0)) throw refusal('no_details_error')
  await functions.call('add_to_wallet', { credit_id, uid, amount })
})
