/**
 * Keys of the saved addresses that a rider has named; all others are past drop-offs. Apart from the
 * entities, because the form of the home page needs nothing else of them.
 */
export const NAMED_PLACES = ['home', 'work'] as const
export type NamedPlace = (typeof NAMED_PLACES)[number]
