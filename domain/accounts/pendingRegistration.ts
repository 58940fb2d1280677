import type { Registration } from '../api/inputs/people'
import { toJson, type DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { getRole } from '../access/roles'
import { HOUR_MS } from '../language/timeUnits'
import type { PendingRegistration, User } from './types'

/** Hours that a sign-up waits for the owner of its phone number. */
const REGISTRATION_EXPIRY_HOURS = 48
/** Maximum number of pending sign-ups from one address per day. */
export const MAX_REGISTRATIONS_PER_DAY = 20

/**
 * Returns the record of a sign-up until its phone number is verified. It omits the number, which is
 * hashed into the record's key, and the fields that require sign-in.
 */
export const toPendingRegistration = (
  {
    mobile: _mobile,
    loginType: _loginType,
    userPlatform: _userPlatform,
    profile_image: _image,
    ...storedFields
  }: Registration,
  now: number,
): PendingRegistration => ({
  expires: now + REGISTRATION_EXPIRY_HOURS * HOUR_MS,
  registration: JSON.stringify(storedFields),
})

/** A pending sign-up as shown to the owner of its phone number. */
export type UnconfirmedRegistration = Omit<
  Extract<Registration, { usertype: 'driver' }>,
  'usertype' | 'mobile'
> & { usertype: 'rider' | 'driver'; at: number }

/** Returns the sign-up in its record; null when it is missing or expired. */
export const parsePendingRegistration = (
  pending: PendingRegistration | null,
  now: number,
): UnconfirmedRegistration | null =>
  pending && now < pending.expires
    ? {
        ...(JSON.parse(pending.registration) as Omit<UnconfirmedRegistration, 'at'>),
        at: pending.expires - REGISTRATION_EXPIRY_HOURS * HOUR_MS,
      }
    : null

/**
 * Returns true when a profile is unchanged since the first sign-in created it: a rider without
 * money or history that a sign-up can replace. The caller checks the bookings, which are not in the
 * record.
 */
export const isUnusedProfile = (
  user: Pick<User, 'usertype' | 'approved' | 'walletBalance' | 'createdByAdmin' | 'walletHistory'>,
): boolean =>
  user.usertype === 'rider' &&
  user.approved &&
  !user.createdByAdmin &&
  user.walletBalance === 0 &&
  user.walletHistory === undefined

/**
 * Returns the paths of a profile that a sign-up replaces. The account keeps its uid, creation date
 * and wallet.
 */
export const buildProfileReplacement = ({
  id,
  createdAt: _createdAt,
  walletBalance: _balance,
  ...signedUp
}: User): Record<string, DatabaseValue> => ({
  ...Object.fromEntries(
    Object.entries(toJson(signedUp) as Record<string, DatabaseValue>).map(([field, value]) => [
      `${dbPaths.user(id)}/${field}`,
      value,
    ]),
  ),
  [dbPaths.role(id)]: getRole(signedUp),
})
