import type { User } from '~/domain/accounts/types'

/** The name fields of a profile. */
export const NAME_FIELDS = [
  { field: 'firstName', type: 'text', autoComplete: 'given-name' },
  { field: 'lastName', type: 'text', autoComplete: 'family-name' },
] as const
/** The profile fields that a booking needs. */
export const PROFILE_FIELDS = [
  ...NAME_FIELDS,
  { field: 'email', type: 'email', autoComplete: 'email' },
] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]['field']

/** Returns the fields that a booking needs and this profile lacks. */
export const getMissingFields = (profile: User | null): ProfileField[] =>
  profile ? PROFILE_FIELDS.map(({ field }) => field).filter((field) => !profile[field]?.trim()) : []
