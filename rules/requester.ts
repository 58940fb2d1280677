import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { schemaPaths } from '~/domain/data/schemaVersion'
import { all, any, beforeWrite, quoteLiteral, type Condition } from './ruleBuilders'
import type { UserType } from '~/domain/access/types'

/**
 * Conditions on the requester. The role is read from roles/{uid}, always in its state before the
 * write. It exists only while the account is approved and has a known type, and its owner cannot
 * write it (test/rules proves both).
 */

/** Holds for the functions' Admin SDK, which also writes under these rules. */
export const isServer: Condition = `auth.uid === ${quoteLiteral(FUNCTIONS_UID)}`

// A visitor has no uid. Adding null to a string is an error, which makes the whole expression
// refuse.
export const requesterRole = beforeWrite('roles/{auth.uid}')

/** Holds when the requester is signed in, approved, and of a user type that the product knows. */
export const isMember: Condition = `${requesterRole}.isString()`
/** Holds when the requester is signed in, approved, and of this user type. */
export const hasRole = (type: UserType): Condition =>
  `${requesterRole}.val() === ${quoteLiteral(type)}`
/** Holds for the account whose uid is in the path. */
export const isSelf = (variable: `$${string}`): Condition => `auth.uid === ${variable}`

/** False in demo mode, in which an admin changes nothing and the office sees no contacts. */
export const isEditingAllowed: Condition = `${beforeWrite('settings/AllowCriticalEditsAdmin')}.val() !== false`
const officeHours = beforeWrite('settings/officeSessionHours')
/** False for a sign-in that is older than the office's setting allows; true without the setting. */
const isRecentSignIn: Condition = any(
  `!${officeHours}.exists()`,
  `${officeHours}.val() * 3600 > now / 1000 - auth.token.auth_time`,
)
/**
 * Holds when the office may read whole records and lists of people and their contacts: outside demo
 * mode, with a recent sign-in. Only these reads ask for one, because the file has no room for more.
 */
export const arePeopleOpen: Condition = all(isEditingAllowed, isRecentSignIn)
export const isAdmin: Condition = hasRole('admin')
/** Holds for an admin outside demo mode. */
export const isEditor: Condition = all(isAdmin, isEditingAllowed)

const isNotServer = `auth.uid !== ${quoteLiteral(FUNCTIONS_UID)}`
const writeLock = beforeWrite(schemaPaths.closed)
/**
 * False while a migration or a restore has exclusive access to the database. A backup excludes only
 * the functions.
 */
const isWriteOpen: Condition = any(
  `!${writeLock}.exists()`,
  `${writeLock}.child('until').val() < now`,
  all(isNotServer, `${writeLock}.child('all').val() !== true`),
)
/**
 * The functions state the schema version that they know. The rules refuse their writes when the
 * data has another version. Before setup there is no data.
 */
const isSameSchema: Condition = any(
  'auth === null',
  isNotServer,
  `auth.schema === ${beforeWrite(schemaPaths.version)}.val()`,
  `!${beforeWrite('settings/appName')}.exists()`,
)
const sessionsEnd = beforeWrite('users/{auth.uid}/sessionsEnd')
/** False for a session that its owner or an admin has ended. */
const isSessionOpen: Condition = any(
  'auth === null',
  `!${sessionsEnd}.exists()`,
  `${sessionsEnd}.val() <= auth.token.auth_time * 1000`,
)
/** False for an old sign-in of an admin or a fleet admin. */
const isOfficeSessionOpen: Condition = any(
  'auth === null',
  all(`${requesterRole}.val() !== 'admin'`, `${requesterRole}.val() !== 'fleetadmin'`),
  isRecentSignIn,
)
/**
 * Holds when writes are currently allowed. The condition is checked at the root, so it is part of
 * every write.
 */
export const isWritable: Condition = all(
  isWriteOpen,
  isSameSchema,
  isSessionOpen,
  isOfficeSessionOpen,
)
