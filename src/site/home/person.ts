import type { User } from '~/domain/entities'

export type PersonField = 'firstName' | 'lastName' | 'email'
/** The parts of a profile a booking needs, as fields. */
export const PERSON: { field: PersonField; type: string; autoComplete: string }[] = [
  { field: 'firstName', type: 'text', autoComplete: 'given-name' },
  { field: 'lastName', type: 'text', autoComplete: 'family-name' },
  { field: 'email', type: 'email', autoComplete: 'email' },
]
/** What a booking needs of a profile and this one lacks. */
export const missingOf = (profile: User | null): PersonField[] =>
  profile ? PERSON.map(({ field }) => field).filter((field) => !profile[field]?.trim()) : []
