/** The folder of the maps that `scripts/maps/build.ts` builds. */
export const BUNDLED_URL = '/maps'

/** The output of `scripts/maps/build.ts` about the city it drew. */
export interface CityMap {
  slug: string
  city: string
  /** The two-letter code; maps that were built earlier have none. */
  country?: string
  bounds: [number, number, number, number]
  tileBounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  worldMaxZoom: number
  date: string
}

const cities = new Map<string, Promise<CityMap | null>>()

/** Loads the city map in a folder; returns null when no map was built there. */
export const loadCityMap = (baseUrl: string): Promise<CityMap | null> => {
  const cachedMap = cities.get(baseUrl)
  if (cachedMap) return cachedMap
  const pendingMap = fetch(`${baseUrl}/meta.json`)
    .then((response) =>
      response.ok && !response.headers.get('content-type')?.includes('html')
        ? (response.json() as Promise<CityMap>)
        : null,
    )
    .catch(() => {
      cities.delete(baseUrl)
      return null
    })
  cities.set(baseUrl, pendingMap)
  return pendingMap
}
