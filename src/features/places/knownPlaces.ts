import { NAMED_PLACES, type NamedPlace } from '~/domain/accounts/namedPlaces'
import type { Place } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

/** A saved address of a rider: their home, their workplace or a past drop-off. */
export interface KnownPlace extends Place {
  name?: NamedPlace | undefined
  /** How often it was the drop-off. */
  count: number
}

/** Returns the saved addresses: home and work, then the drop-offs, the most frequent first. */
export const listKnownPlaces = ({ savedAddresses = {} }: Pick<User, 'savedAddresses'>) =>
  Object.entries(savedAddresses)
    .map(([key, { description: add, ...place }]): KnownPlace => ({
      ...place,
      add,
      name: NAMED_PLACES.find((name) => name === key),
    }))
    .sort((a, b) => b.count - a.count)
