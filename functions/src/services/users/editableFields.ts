import type { Actor } from '~/domain/booking/eventTypes'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { SaveUserInput } from '~/domain/api/endpointSchemas'
import {
  getFieldSetter,
  isEditableField,
  maySetField,
  USER_FIELDS,
  type EditableField,
} from '~/domain/accounts/fieldOwners'
import { fail } from '../../domainException'
import type { User } from '~/domain/accounts/types'

const EDITABLE_FIELDS: readonly (EditableField & keyof SaveUserInput)[] =
  USER_FIELDS.filter(isEditableField)

/**
 * Refuses the first field that the caller does not set. `owner` is null for a person who is only
 * being added.
 */
export const assertMaySetFields = (
  fields: readonly string[],
  owner: string | null,
  actor: Actor,
): void => {
  const setter = getFieldSetter(actor, owner)
  const refused = EDITABLE_FIELDS.find(
    (field) => fields.includes(field) && !maySetField(field, setter),
  )
  if (refused) fail('not_allowed', refused)
}

// A form sends an empty text for a missing field.
const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** Returns the given fields that differ from the user's. */
export const getChangedFields = (
  user: User,
  given: SaveUserInput,
): Partial<SaveUserInput> & Record<string, DatabaseValue> =>
  Object.fromEntries(
    EDITABLE_FIELDS.filter(
      (field) => given[field] !== undefined && !isSameValue(given[field], user[field]),
    ).map((field): [string, DatabaseValue] => [field, given[field] as DatabaseValue]),
  )
