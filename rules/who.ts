import { USER_TYPES, type UserType } from '~/domain/entities'
import { SERVER_UID } from '~/domain/paths'
import { all, before, quoted, type Condition } from './language'

/**
 * Named questions about the requester. Roles and approval are looked up in users/{uid}, at two places their owner
 * cannot write (test/rules proves it), and always as they were before the write.
 */

/** The functions' Admin SDK, which writes under these rules too. */
export const server: Condition = `auth.uid === ${quoted(SERVER_UID)}`
const signedIn: Condition = 'auth !== null'

const mine = `root.child('users').child(auth.uid)`
const typed = (type: UserType) => `${mine}.child('usertype').val() === ${quoted(type)}`
const approved = `${mine}.child('approved').val() === true`

/** Signed in, approved, and of a user type the product knows. */
export const member: Condition = all(
  signedIn,
  approved,
  `${mine}.child('usertype').isString()`,
  `${mine}.child('usertype').val().matches(/^(${USER_TYPES.join('|')})$/)`,
)
/** Signed in, approved, and of this user type. */
export const role = (type: UserType): Condition => all(signedIn, approved, typed(type))
/** The account whose uid the path names. */
export const self = (variable: `$${string}`): Condition => `auth.uid === ${variable}`

/** False in demo mode, in which an admin may look at everything and spoil nothing. */
const criticalEdits: Condition = `${before('settings/AllowCriticalEditsAdmin')}.val() !== false`
export const admin: Condition = role('admin')
/** An admin outside demo mode. */
export const editor: Condition = all(admin, criticalEdits)
