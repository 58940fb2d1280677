import * as v from 'valibot'
import type { MapsHttpClient } from '../mapsHttp'
import { joinAddressParts, type Suggestion } from '../../../ports/mapsPort'
import {
  getMessageText,
  parseResponse,
  textSchema,
  toServiceUrl,
  type OsmPlaces,
} from './osmServices'
import { createPlaceId } from './placeId'

/** The languages that Photon supports; it refuses others. */
const PHOTON_LANGUAGES = ['en', 'de', 'fr']
const toPhotonLanguage = (language: string | undefined) =>
  PHOTON_LANGUAGES.find((supportedLanguage) =>
    language?.toLowerCase().startsWith(supportedLanguage),
  )

const photonResponseSchema = v.object({
  features: v.array(
    v.object({
      geometry: v.object({ coordinates: v.tuple([v.number(), v.number()]) }),
      properties: v.object({
        name: textSchema,
        street: textSchema,
        housenumber: textSchema,
        district: textSchema,
        locality: textSchema,
        city: textSchema,
        county: textSchema,
        state: textSchema,
        country: textSchema,
        countrycode: textSchema,
        osm_value: textSchema,
        type: textSchema,
      }),
    }),
  ),
})
type PhotonFeature = v.InferOutput<typeof photonResponseSchema>['features'][number]

const formatPhotonPlace = ({ properties: p }: PhotonFeature) => {
  const streetAddress = p.street && [p.street, p.housenumber].filter(Boolean).join(' ')
  const main = p.name ?? streetAddress ?? p.city ?? p.county ?? p.state ?? p.country ?? ''
  const secondary = joinAddressParts(
    p.name ? streetAddress : undefined,
    p.district,
    p.city,
    p.state,
    p.country,
  )
  return { main, secondary, description: joinAddressParts(main, ...secondary.split(', ')) }
}

const toPhotonSuggestion = (feature: PhotonFeature): Suggestion => {
  const [lng, lat] = feature.geometry.coordinates
  const { main, secondary, description } = formatPhotonPlace(feature)
  return {
    description,
    place_id: createPlaceId('osm', { lat, lng, label: description }),
    mainText: main,
    secondaryText: secondary,
    kind: feature.properties.osm_value ?? feature.properties.type ?? '',
    coords: { lat, lng },
  }
}

/** Creates the search and the addresses of a Photon server. */
export const createPhoton = (base: string, http: MapsHttpClient): OsmPlaces => {
  const fetchFeatures = async (path: string, query: Record<string, string | number | undefined>) =>
    (
      await http({ url: toServiceUrl(base, path, query) }, (reply) =>
        parseResponse(photonResponseSchema, reply, getMessageText),
      )
    ).features
  return {
    search: async (typed, { country, near, language, limit }) => {
      const features = await fetchFeatures('/api', {
        q: typed,
        lat: near?.lat,
        lon: near?.lng,
        // Older servers ignore the country, so request more results and filter them here.
        limit: country ? limit * 4 : limit,
        countrycode: country?.toUpperCase(),
        lang: toPhotonLanguage(language),
      })
      return features
        .filter(
          ({ properties }) =>
            !country || properties.countrycode?.toUpperCase() === country.toUpperCase(),
        )
        .slice(0, limit)
        .map(toPhotonSuggestion)
    },
    getAddress: async ({ lat, lng }, language) => {
      const [feature] = await fetchFeatures('/reverse', {
        lat,
        lon: lng,
        lang: toPhotonLanguage(language),
      })
      return feature ? formatPhotonPlace(feature).description : null
    },
  }
}
