import type { User } from '~/domain/entities'

/** What somebody is called, as fields. */
export const NAMES = [
  { field: 'firstName', type: 'text', autoComplete: 'given-name' },
  { field: 'lastName', type: 'text', autoComplete: 'family-name' },
] as const
/** The parts of a profile a booking needs, as fields. */
export const PERSON = [...NAMES, { field: 'email', type: 'email', autoComplete: 'email' }] as const
export type PersonField = (typeof PERSON)[number]['field']

/** What a booking needs of a profile and this one lacks. */
export const missingOf = (profile: User | null): PersonField[] =>
  profile ? PERSON.map(({ field }) => field).filter((field) => !profile[field]?.trim()) : []
