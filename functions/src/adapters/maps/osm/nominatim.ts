import * as v from 'valibot'
import type { MapsHttpClient } from '../mapsHttp'
import type { Suggestion } from '../../../ports/mapsPort'
import { parseResponse, textSchema, toServiceUrl, type OsmPlaces } from './osmServices'
import { createPlaceId } from './placeId'

const nominatimPlaceSchema = v.object({
  lat: v.pipe(v.string(), v.transform(Number), v.number()),
  lon: v.pipe(v.string(), v.transform(Number), v.number()),
  display_name: v.string(),
  name: textSchema,
  type: textSchema,
})
const nominatimReverseSchema = v.union([nominatimPlaceSchema, v.object({ error: v.string() })])

const getNominatimErrorText = (body: unknown) => {
  const parsed = v.safeParse(
    v.object({ error: v.union([v.string(), v.object({ message: v.string() })]) }),
    body,
  )
  if (!parsed.success) return undefined
  const { error } = parsed.output
  return typeof error === 'string' ? error : error.message
}

const toNominatimSuggestion = (place: v.InferOutput<typeof nominatimPlaceSchema>): Suggestion => {
  const [first = '', ...rest] = place.display_name.split(', ')
  const at = { lat: place.lat, lng: place.lon }
  return {
    description: place.display_name,
    place_id: createPlaceId('osm', { ...at, label: place.display_name }),
    mainText: place.name || first,
    secondaryText: rest.join(', '),
    kind: place.type ?? '',
    coords: at,
  }
}

/** Creates the search and the addresses of a Nominatim server. */
export const createNominatim = (base: string, http: MapsHttpClient): OsmPlaces => ({
  search: async (typed, { country, near, language, limit }) => {
    const url = toServiceUrl(base, '/search', {
      q: typed,
      format: 'jsonv2',
      limit,
      countrycodes: country?.toLowerCase(),
      'accept-language': language,
      viewbox: near && [near.lng - 0.3, near.lat + 0.3, near.lng + 0.3, near.lat - 0.3].join(','),
    })
    const places = await http({ url }, (reply) =>
      parseResponse(v.array(nominatimPlaceSchema), reply, getNominatimErrorText),
    )
    return places.map(toNominatimSuggestion)
  },
  getAddress: ({ lat, lng }, language) => {
    const url = toServiceUrl(base, '/reverse', {
      lat,
      lon: lng,
      format: 'jsonv2',
      'accept-language': language,
    })
    return http({ url }, (reply) => {
      const place = parseResponse(nominatimReverseSchema, reply, getNominatimErrorText)
      return 'display_name' in place ? place.display_name : null
    })
  },
})
