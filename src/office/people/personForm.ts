import * as v from 'valibot'
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
  isSelf: boolean
  isDriver: boolean
  /** True for the back office, which alone decides approval and a driver's vehicle type. */
  isPrivileged: boolean
  hasBank: boolean
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
  const isSelf = person?.id === profile?.id
  return {
    usertype,
    person,
    isAdmin,
    isSelf,
    isDriver,
    isPrivileged: isAdmin && !isSelf,
    // A fleet admin must not decide where the money of their drivers goes.
    hasBank: isDriver && isAdmin && settings !== null && shouldShowBankFields(settings),
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

/** Returns the fields that this user type has and the current user may set. */
const getSettableFields = ({
  person,
  isAdmin,
  isDriver,
  isPrivileged,
  hasBank,
}: EditedPerson): (keyof PersonForm)[] => [
  'firstName',
  'lastName',
  ...(isDriver
    ? VEHICLE_FIELDS.filter((field) => field !== 'carType' || isPrivileged || !person)
    : []),
  ...(hasBank ? BANK_FIELDS : []),
  ...(isDriver && isAdmin ? (['fleetadmin'] as const) : []),
  ...((person ? isPrivileged : isAdmin) ? (['approved'] as const) : []),
  ...(person ? [] : (['mobile', 'email'] as const)),
]

/** Returns the values that are sent. */
export const getSentFields = (edited: EditedPerson, values: Partial<PersonForm>): Partial<User> =>
  Object.fromEntries(
    getSettableFields(edited)
      .map((field) => [field, values[field]] as const)
      .filter(([, value]) => value !== undefined),
  )
