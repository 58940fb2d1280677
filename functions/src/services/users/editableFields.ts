import type { Actor } from '~/domain/booking/eventTypes'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { SaveUserInput } from '~/domain/api/inputs/people'
import {
  getFieldSetter,
  isEditableField,
  mayEnterField,
  maySetField,
  USER_FIELDS,
  type EditableField,
  type FieldSetter,
  type UserField,
} from '~/domain/accounts/fieldOwners'
import { fail } from '../../domainException'
import type { User } from '~/domain/accounts/types'

const EDITABLE_FIELDS: readonly (EditableField & keyof SaveUserInput)[] =
  USER_FIELDS.filter(isEditableField)

const assertFields = (
  fields: readonly string[],
  isAllowed: (field: UserField) => boolean,
): void => {
  const refused = USER_FIELDS.find((field) => fields.includes(field) && !isAllowed(field))
  if (refused) fail('not_allowed', refused)
}

/** Refuses the first field of an existing person that the caller does not set. */
export const assertMaySetFields = (
  fields: readonly string[],
  owner: string,
  actor: Actor,
): void => {
  const setter = getFieldSetter(actor, owner)
  assertFields(fields, (field) => maySetField(field, setter))
}

/**
 * Refuses the first field of a new person that this setter does not enter. Every way in calls it:
 * the sign-up, an addition by the office, and an import. A form sends an empty text for a missing
 * field.
 */
export const assertMayEnterFields = (input: object, setter: FieldSetter): void => {
  const fields = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  assertFields(
    fields.map(([field]) => field),
    (field) => mayEnterField(field, setter),
  )
}

// A form sends an empty text for a missing field.
const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** Returns the given fields that differ from the user's. */
export const getChangedFields = (
  user: User,
  input: SaveUserInput,
): Partial<SaveUserInput> & Record<string, DatabaseValue> =>
  Object.fromEntries(
    EDITABLE_FIELDS.filter(
      (field) => input[field] !== undefined && !isSameValue(input[field], user[field]),
    ).map((field): [string, DatabaseValue] => [field, input[field] as DatabaseValue]),
  )
