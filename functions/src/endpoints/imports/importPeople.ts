import type { ImportResult } from '~/domain/api/outputFields'
import type { ImportPeopleInput } from '~/domain/api/inputs/imports'
import { mayManageUser } from '~/domain/access/permissions'
import { DomainException, fail } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { findUsers } from '../../services/users/userLookup'
import { getChangedFields } from '../../services/users/editableFields'
import { addUser, editUser } from '../users/saveUser'
import { importRows } from './importResults'
import type { UserHandlerContext } from '../../ports/handlerContext'
import { BANK_FIELDS, type User } from '~/domain/accounts/types'

type PersonRow = ImportPeopleInput['rows'][number]

/** Imports riders or drivers. */
export const import_people = defineUserEndpoint({
  name: 'import_people',
  summary:
    'Adds riders or drivers from rows of a file, or changes those who have the phone number of a row (admin: both; fleet admin: their own drivers). Returns the outcome of each row. A repeat changes nothing. An absent field stays as it is; the phone number and the email address of an existing person are never changed.',
  allow: ['admin', 'fleetadmin'],
  limit: 240,
  spends: ['messages'],
  dailyLimit: 1000,
  // As in `save_user`: bank details say where money goes.
  needsFreshSignIn: ({ rows }) =>
    rows.some((row) => BANK_FIELDS.some((field) => row[field] !== undefined)),
  errors: ['fresh_sign_in_needed', 'plate_not_allowed', 'not_allowed'],
  handle: ({ usertype, rows }, context) => {
    if (context.actor.role !== 'admin' && usertype !== 'driver') fail('not_allowed', 'usertype')
    return importRows<PersonRow>(rows, (row) => importPerson(usertype, row, context))
  },
})

const importPerson = async (
  usertype: ImportPeopleInput['usertype'],
  row: PersonRow,
  context: UserHandlerContext<'messages'>,
): Promise<ImportResult> => {
  const existingUsers = await findUsers(context.db, row)
  if (existingUsers.length > 0) return updatePerson(usertype, row, existingUsers, context)
  try {
    const { id } = await addUser({ usertype, ...row }, context)
    return { status: 'added', id }
  } catch (error) {
    if (!(error instanceof DomainException) || error.error.key !== 'user_exists') throw error
    // Another request has added the person since.
    const added = await findUsers(context.db, row)
    if (added.length === 0) throw error
    return updatePerson(usertype, row, added, context)
  }
}

/** Changes what differs of the person with the row's number, when they have its e-mail address. */
const updatePerson = async (
  usertype: ImportPeopleInput['usertype'],
  { mobile, email, ...fields }: PersonRow,
  existingUsers: readonly User[],
  context: UserHandlerContext<'messages'>,
): Promise<ImportResult> => {
  const { actor } = context
  const person = existingUsers.find((user) => user.mobile === mobile)
  if (!person) return fail('user_exists', 'email')
  const isOther = existingUsers.length > 1 || person.usertype !== usertype
  if (isOther || !mayManageUser({ uid: actor.uid, usertype: actor.role }, person))
    return fail('user_exists', 'mobile')
  if (person.email.toLowerCase() !== email) return fail('import_other_email', 'email')
  if (Object.keys(getChangedFields(person, fields)).length === 0)
    return { status: 'unchanged', id: person.id }
  await editUser(person.id, fields, context)
  return { status: 'changed', id: person.id }
}
