import * as v from 'valibot'
import type { CheckUserExistsInput, DeleteUserInput } from '~/domain/api/inputs/people'
import { domainError } from '~/domain/api/errors'
import { getDistanceKm } from '~/domain/geo/geo'
import { dbPaths } from '~/domain/data/databasePaths'
import { toSortKeyPrefix } from '~/domain/accounts/directory'
import { equalPage, textPage } from '~/src/services/services'
import { createLiveRecord, createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRecordSchema, createRowSchema } from '~/src/store/live/rowSchemas'
import type { AvailableDriver, BusyDriver } from '~/domain/dispatch/types'
import type { LatLng } from '~/domain/geo/types'
import type { DirectoryEntry, User } from '~/domain/accounts/types'
import { USER_TYPES, type UserType } from '~/domain/access/types'

const userSchema = createRowSchema<User>({
  usertype: v.picklist(USER_TYPES),
  firstName: v.optional(v.string(), ''),
  lastName: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  mobile: v.optional(v.string(), ''),
  approved: v.optional(v.boolean(), false),
  walletBalance: v.optional(v.number(), 0),
})

/** A person as listed in the back office. */
export type DirectoryPerson = DirectoryEntry & { id: string }

const directoryPersonSchema = createRowSchema<DirectoryPerson>({
  usertype: v.optional(v.string()),
  firstName: v.optional(v.string(), ''),
  lastName: v.optional(v.string(), ''),
  mobile: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  createdAt: v.optional(v.string(), ''),
  sortKey: v.optional(v.string(), ''),
})

export interface DirectoryQuery {
  usertype: UserType
  size: number
  /** The last person of the page before this one: of admins by `toTextCursor`, else the uid. */
  cursor?: string | undefined
  /** True from the last name of the alphabet; fleet admins have no order by name. */
  descending?: boolean | undefined
}

/**
 * People of one type by name, a page at a time (none with size 0); fleet admins get only their own
 * drivers, newest first. Contains only the directory fields; `users` has the rest.
 */
export const liveDirectory = createLiveSlice('peoplelist', 'entries', {
  toQuery: ({ usertype, size, cursor, descending = false }: DirectoryQuery, profile) => {
    if (size === 0) return null
    const page =
      profile?.usertype === 'fleetadmin'
        ? equalPage('fleetadmin', profile.id, { size, cursor })
        : textPage('sortKey', toSortKeyPrefix(usertype), { size, cursor, ascending: !descending })
    return { path: 'people', ...page }
  },
  schema: directoryPersonSchema,
  order: (a, b) => (a.createdAt < b.createdAt ? 1 : -1),
})

/** Maximum number of drivers that are counted before a fleet admin's account is deleted. */
const MAX_FLEET_DRIVERS = 1000

/** The drivers of a fleet admin, at most 1000; admins only. */
export const fleetDrivers = createLiveSlice('fleetdrivers', 'drivers', {
  toQuery: (fleetAdmin: string, profile) =>
    fleetAdmin && profile?.usertype === 'admin'
      ? { path: 'people', ...equalPage('fleetadmin', fleetAdmin, { size: MAX_FLEET_DRIVERS }) }
      : null,
  schema: directoryPersonSchema,
})

export interface DirectorySearch {
  by: 'mobile' | 'email' | 'firstName' | 'lastName' | 'vehicleNumber' | 'sortKey'
  text: string
}
/**
 * Finds the people whose number, e-mail, name or plate begins with a text; admins only. The caller
 * picks the user types it needs.
 */
export const directoryMatches = createLiveSlice('peoplefound', 'found', {
  toQuery: ({ by, text }: DirectorySearch, profile) =>
    text && profile?.usertype === 'admin'
      ? {
          path: 'people',
          orderBy: { child: by },
          startAt: text,
          endAt: `${text}\uf8ff`,
          limitToFirst: 20,
        }
      : null,
  schema: directoryPersonSchema,
})

const CONTACT_FIELDS = ['mobile', 'email'] as const satisfies (keyof User)[]
export const TABLE_FIELDS = [
  'usertype',
  'firstName',
  'lastName',
  'approved',
  'walletBalance',
  'referralId',
] as const satisfies (keyof User)[]
const DRIVER_TABLE_FIELDS = [
  'carType',
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'driverActiveStatus',
  'queue',
  'ratings/userrating',
] as const
const PHOTO_FIELDS = ['profile_image'] as const satisfies (keyof User)[]

interface UsersQuery {
  ids: readonly string[]
  /** Adds the fields of drivers. */
  drivers?: boolean
  /** Adds phones and e-mail addresses, which the office may not read in demo mode. */
  contacts?: boolean
  /** Adds the addresses of photos. */
  photos?: boolean
}

/** The fields of these people that tables show, without histories that grow. */
export const liveUsers = createLiveSlice('usersdata', 'users', {
  toQuery: ({ ids, drivers = false, contacts = false, photos = false }: UsersQuery) =>
    ids.length > 0
      ? {
          path: 'users',
          records: {
            keys: ids,
            fields: [
              ...TABLE_FIELDS,
              ...(contacts ? CONTACT_FIELDS : []),
              ...(drivers ? DRIVER_TABLE_FIELDS : []),
              ...(photos ? PHOTO_FIELDS : []),
            ],
          },
        }
      : null,
  schema: userSchema,
})

/** Returns the start of a name in its usual capitalization, because the index is case-sensitive. */
export const toNamePrefix = (search: string): string => {
  const [word = ''] = search.trim().split(/\s+/)
  if (/[\d@+]/.test(word)) return ''
  return word === word.toLocaleLowerCase()
    ? word.charAt(0).toLocaleUpperCase() + word.slice(1)
    : word
}

/** Maximum number of drivers that the rules allow per query. */
export const MAX_DRIVERS = 1000

/**
 * Returns free drivers of a vehicle type, nearest to a place first, without those in `except`.
 * Admins only.
 */
export const findNearestDrivers = createServiceThunk<
  { carType: string; position: LatLng; except: readonly string[] },
  string[]
>('usersdata/findNearest', async ({ carType, position, except }, { database }) => {
  const rawDrivers = await database.read({
    path: 'available_drivers',
    orderBy: { child: 'carType' },
    equalTo: carType,
    limitToLast: MAX_DRIVERS,
  })
  return Object.entries((rawDrivers ?? {}) as Record<string, AvailableDriver>)
    .filter(([id]) => !except.includes(id))
    .sort(([, a], [, b]) => getDistanceKm(a, position) - getDistanceKm(b, position))
    .map(([id]) => id)
})

const positionSchema = v.looseObject({ lat: v.number(), lng: v.number() })
/** The last position of one driver, without other data. */
export const driverPosition = createLiveRecord('driverlocation', 'location', {
  toQuery: (uid: string | null) => (uid ? { path: `${dbPaths.user(uid)}/location` } : null),
  schema: positionSchema,
})

/**
 * Up to this many drivers with a current booking, by id: all for admins, their own for fleet
 * admins.
 */
export const busyDrivers = createLiveSlice('busydrivers', 'busy', {
  toQuery: (most: number, profile) => {
    const page = { path: 'busy_drivers', limitToLast: most }
    if (profile?.usertype === 'admin') return { ...page, orderBy: 'key' }
    if (profile?.usertype === 'fleetadmin')
      return { ...page, orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
    return null
  },
  schema: createRowSchema<BusyDriver & { id: string }>({ booking: v.string() }),
})

/**
 * Up to this many free drivers, by id, of one vehicle type or all; fleet admins get their own. No
 * personal data.
 */
export const availableDrivers = createLiveSlice('availabledrivers', 'available', {
  toQuery: ({ carType, most }: { carType?: string; most: number }, profile) => {
    const page = { path: 'available_drivers', limitToLast: most }
    if (profile?.usertype === 'fleetadmin')
      return { ...page, orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
    if (profile?.usertype !== 'admin') return null
    return carType
      ? { ...page, orderBy: { child: 'carType' }, equalTo: carType }
      : { ...page, orderBy: 'key' }
  },
  schema: createRowSchema<AvailableDriver & { id: string }>({
    carType: v.string(),
    lat: v.number(),
    lng: v.number(),
  }),
})

/** One user by id; the office reads them with `usePerson`. */
export const liveUser = createLiveRecord('userdata', 'user', {
  toQuery: (uid: string) => (uid ? { path: dbPaths.user(uid) } : null),
  schema: createRecordSchema<User>({ usertype: v.picklist(USER_TYPES) }),
})
/**
 * Refuses with user_exists (at the field of a single-field request) or email_or_mobile_issue;
 * otherwise returns nothing.
 */
const checkUserExists = createServiceThunk<CheckUserExistsInput>(
  'usersdata/checkUserExists',
  async (input, { functions }) => {
    const response = await functions.post('check_user_exists', input).catch(() => {
      throw domainError('email_or_mobile_issue')
    })
    if (response.error) throw domainError('email_or_mobile_issue')
    const [field, another] = (['mobile', 'email'] as const).filter((one) => input[one])
    if (response.users && response.users.length > 0)
      throw domainError('user_exists', another ? undefined : field)
  },
)

/** Adds a user after checking that their number and e-mail are free; returns the new uid. */
export const addUser = createServiceThunk<Partial<User> & { usertype: UserType }, string>(
  'usersdata/addUser',
  async (person, { functions }, { dispatch }) => {
    const { email, mobile } = person
    // Checks one at a time, because the response does not say which of the two is taken.
    for (const contact of [{ mobile }, { email }])
      if (Object.values(contact)[0]) await dispatch(checkUserExists.quiet(contact)).unwrap()
    const { id } = await functions.call('save_user', person)
    return id
  },
)
/** Edits a user. An empty vehicle type or fleet admin removes the stored one. */
export const editUser = createServiceThunk<{ id: string; changes: Partial<User> }>(
  'usersdata/editUser',
  async ({ id, changes }, { functions }) => {
    await functions.call('save_user', { id, ...changes })
  },
)
/** Permanently removes a user. `waive_balance` gives up the balance that was shown. */
export const deleteUser = createServiceThunk<DeleteUserInput & { id: string }>(
  'usersdata/deleteUser',
  async (leaving, { functions }) => {
    await functions.call('delete_user', leaving)
  },
)

interface Adjustment {
  uid: string
  amount: number
}
/** Credits a wallet (txRef AdminCredit). The same `credit_id` again credits nothing more. */
export const addToWallet = createServiceThunk<Adjustment & { credit_id: string; note?: string }>(
  'usersdata/addToWallet',
  async (credit, { functions }) => {
    if (!credit.uid || !(credit.amount > 0)) throw domainError('no_details_error')
    await functions.call('add_to_wallet', credit)
  },
)
/** Debits a wallet (txRef AdminDebit). The same `debit_id` again debits nothing more. */
export const takeFromWallet = createServiceThunk<Adjustment & { debit_id: string; note: string }>(
  'usersdata/takeFromWallet',
  async (debit, { functions }) => {
    await functions.call('take_from_wallet', debit)
  },
)
