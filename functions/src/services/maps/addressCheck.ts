import {
  isAddressElsewhere,
  listAddressSearches,
  type MapPlace,
} from '~/domain/geo/addressAgreement'
import type { MapsPort } from '../../ports/mapsPort'
import type { Place } from '~/domain/geo/types'

/** Suggestions for one address; the nearest are among the first. */
const MAX_SUGGESTIONS = 10
/** Lookups and searches for the places of one request, of which many may be stops. */
const MAX_QUERIES = 40

/**
 * Returns true when the map knows the address, but only far from its position. Costs one reverse
 * lookup, and for an address that this does not explain at most eight searches, which it takes from
 * `budget`.
 */
const isElsewhere = async (
  maps: MapsPort,
  place: Place,
  { country, budget }: { country: string | undefined; budget: { left: number } },
): Promise<boolean> => {
  const { add, lat, lng } = place
  budget.left -= 1
  const own = await maps.getAddress({ lat, lng })
  const results: MapPlace[] = []
  for (const text of listAddressSearches(add, own)) {
    budget.left -= 1
    const suggestions = await maps.autocomplete(text, {
      near: { lat, lng },
      limit: MAX_SUGGESTIONS,
      ...(country && { country }),
    })
    results.push(...suggestions)
    if (isAddressElsewhere(place, own, results)) return true
  }
  return false
}

/** A place with the name of the field in which it was entered. */
export type EnteredPlace = readonly [field: string, place: Place]

/** Returns the places of a request with the names under which a booking refuses them. */
export const toEnteredPlaces = ({
  pickup,
  drop,
  waypoints = [],
}: {
  pickup?: Place | undefined
  drop?: Place | undefined
  waypoints?: readonly Place[] | undefined
}): EnteredPlace[] => [
  ...(pickup ? [['pickup', pickup] as const] : []),
  ...waypoints.map((place, at) => [`stop${at}`, place] as const),
  ...(drop ? [['drop', drop] as const] : []),
]

const isEnd = (field: string): boolean => field === 'pickup' || field === 'drop'
/** Puts pickup and drop-off before the stops, because the price depends on them most. */
const compareByPrice = ([one]: EnteredPlace, [other]: EnteredPlace): number =>
  Number(isEnd(other)) - Number(isEnd(one))

/**
 * Returns the field of the first place whose address the map knows, but only far from its position;
 * null without one. Accepts an address that the map does not know, every address when the service
 * bills each request (Google) or fails, and stops above `MAX_QUERIES`.
 */
export const findMisplacedAddress = async (
  loadMaps: () => Promise<MapsPort>,
  places: readonly EnteredPlace[],
  country: string | undefined,
): Promise<string | null> => {
  const budget = { left: MAX_QUERIES }
  try {
    for (const [field, place] of places.toSorted(compareByPrice)) {
      const maps = await loadMaps()
      if (maps.id === 'google' || budget.left <= 0) return null
      if (await isElsewhere(maps, place, { country, budget })) return field
    }
  } catch {
    // The service does not respond.
  }
  return null
}
