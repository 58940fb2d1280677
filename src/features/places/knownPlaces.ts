import { type NamedPlace, NAMED_PLACES, type Place, type User } from '~/domain/entities'

/** A saved address of a rider: their home, their workplace or a past drop-off. */
export interface KnownPlace extends Place {
  name?: NamedPlace
  /** How often it was the drop-off. */
  count: number
}

const findName = (key: string) => NAMED_PLACES.find((name) => name === key)

/** Returns the saved addresses: home, work, then the drop-offs, the most frequent first. */
export const listKnownPlaces = (user: Pick<User, 'savedAddresses'> | null): KnownPlace[] =>
  Object.entries(user?.savedAddresses ?? {})
    .map(([key, { lat, lng, description: add, count }]): KnownPlace => {
      const name = findName(key)
      return { lat, lng, add, count, ...(name && { name }) }
    })
    .sort((a, b) => {
      const rank = ({ name }: KnownPlace) => (name ? NAMED_PLACES.indexOf(name) : 2)
      return rank(a) - rank(b) || b.count - a.count
    })
