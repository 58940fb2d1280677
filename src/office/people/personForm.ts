import * as v from 'valibot'
import { getFieldSetter, mayEnterField, maySetField } from '~/domain/accounts/fieldOwners'
import { shouldShowBankFields } from '~/domain/access/permissions'
import { type DriverForm, driverForm } from '~/domain/forms/userForms'
import { BANK_FIELDS, type User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'
import type { useOfficeSession } from '../useOfficeSession'

// One form serves all user types: fields that a type lacks are neither shown nor sent.
export const personForm = v.object({ ...driverForm.entries, fleetadmin: v.optional(v.string()) })
export type PersonForm = DriverForm & { fleetadmin?: string | undefined }
/** Only adding a person sets their mobile number and email. */
export const editForm = v.object({
  ...v.omit(personForm, ['mobile', 'email']).entries,
  mobile: v.string(),
  email: v.string(),
})
const VEHICLE_FIELDS = [
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'other_info',
  'carType',
] as const

/** The person whom the form shows, and what the signed-in user may do with them. */
export interface EditedPerson {
  usertype: UserType
  /** Null for a new person. */
  person: User | null
  isAdmin: boolean
  isDriver: boolean
  /** True for an admin with another person than themselves. */
  isPrivileged: boolean
  hasBank: boolean
  /** Returns true for a field that the signed-in user enters or sets, as `save_user` decides it. */
  maySet: (field: keyof PersonForm) => boolean
}

export const describePerson = (
  usertype: UserType,
  person: User | null,
  {
    profile,
    isAdmin,
    settings,
  }: Pick<ReturnType<typeof useOfficeSession>, 'profile' | 'isAdmin' | 'settings'>,
): EditedPerson => {
  const isDriver = usertype === 'driver'
  const uid = profile?.id ?? ''
  const setter = getFieldSetter({ uid, role: isAdmin ? 'admin' : 'fleetadmin' }, person?.id ?? null)
  return {
    usertype,
    person,
    isAdmin,
    isDriver,
    isPrivileged: setter === 'admin',
    // A fleet admin must not decide where the money of their drivers goes.
    hasBank: isDriver && isAdmin && settings !== null && shouldShowBankFields(settings),
    maySet: (field) => (person ? maySetField(field, setter) : mayEnterField(field, setter)),
  }
}

export const toPersonForm = (person: User | null): PersonForm => ({
  firstName: person?.firstName ?? '',
  lastName: person?.lastName ?? '',
  mobile: person?.mobile ?? '',
  email: person?.email ?? '',
  approved: person?.approved ?? true,
  ...Object.fromEntries(
    [...VEHICLE_FIELDS, ...BANK_FIELDS].map((field) => [field, person?.[field] ?? '']),
  ),
  fleetadmin: person?.fleetadmin ?? '',
})

/** Returns the fields that this user type has and the signed-in user sets. */
const getSettableFields = ({
  person,
  isDriver,
  hasBank,
  maySet,
}: EditedPerson): (keyof PersonForm)[] =>
  (
    [
      'firstName',
      'lastName',
      'approved',
      ...(isDriver ? ([...VEHICLE_FIELDS, 'fleetadmin'] as const) : []),
      ...(hasBank ? BANK_FIELDS : []),
      // People change their own number and address in their profile, which proves them.
      ...(person ? [] : (['mobile', 'email'] as const)),
    ] as const
  ).filter(maySet)

/** Returns the values that are sent. */
export const getSentFields = (edited: EditedPerson, values: Partial<PersonForm>): Partial<User> =>
  Object.fromEntries(
    getSettableFields(edited)
      .map((field) => [field, values[field]] as const)
      .filter(([, value]) => value !== undefined),
  )
