import { domainError } from '~/domain/api/errors'
import { formatPosition } from '~/domain/geo/geo'
import { toLanguageTag } from '~/domain/language/locales'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { LatLng } from '~/domain/geo/types'

export interface Suggestion {
  description: string
  place_id: string
}

const toLanguageParam = (locale: string | undefined) => {
  const language = toLanguageTag(locale)
  return language ? { language } : {}
}

/** Returns places whose name starts with the text, within the configured country. */
export const searchPlaces = createServiceThunk<
  {
    searchKeyword: string
    near?: LatLng
    language?: string
    sessionToken?: string
  },
  Suggestion[]
>('places/find', async ({ searchKeyword, near, language, sessionToken }, { functions }) => {
  const response = await functions.post('googleapis-autocomplete', {
    searchKeyword,
    ...(near && { near: formatPosition(near) }),
    ...toLanguageParam(language),
    ...(sessionToken && { sessionToken }),
  })
  // A failed search must not look like one without results.
  if (!('searchResults' in response)) throw domainError('google_places_error')
  return response.searchResults
})

/** Returns the position of a suggested place. */
export const fetchCoordsfromPlace = createServiceThunk<
  { place_id: string; sessionToken?: string },
  LatLng
>('places/coords', async ({ place_id, sessionToken }, { functions }) => {
  const response = await functions
    .post('googleapis-getcoords', { place_id, ...(sessionToken && { sessionToken }) })
    .catch(() => null)
  if (!response || !('coords' in response)) throw domainError('google_places_error')
  return response.coords
})

/** Returns the address of a position. */
export const fetchAddressfromCoords = createServiceThunk<LatLng & { language?: string }, string>(
  'places/address',
  async ({ language, ...point }, { functions }) => {
    const response = await functions.post('googleapis-getaddress', {
      latlng: formatPosition(point),
      ...toLanguageParam(language),
    })
    if (!('address' in response)) throw domainError('google_places_error')
    return response.address
  },
)
