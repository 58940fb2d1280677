import type { LatLng } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { pointText } from '~/domain/geo'
import { tagOf } from '~/src/i18n/speak'
import { operation } from '~/src/store/operation'

export interface Suggestion {
  description: string
  place_id: string
}

const inLanguage = (locale: string | undefined) => {
  const language = tagOf(locale)
  return language ? { language } : {}
}

/** Places whose name begins like the text, within the configured country. */
export const findPlaces = operation<
  {
    searchKeyword: string
    near?: LatLng
    language?: string
    sessionToken?: string
    quiet?: boolean
  },
  Suggestion[]
>('places/find', async ({ searchKeyword, near, language, sessionToken }, { functions }) => {
  const { searchResults } = await functions.post<{ searchResults?: Suggestion[] }>(
    'googleapis-autocomplete',
    {
      searchKeyword,
      ...(near && { near: pointText(near) }),
      ...inLanguage(language),
      ...(sessionToken && { sessionToken }),
    },
  )
  // A search that failed is not one that found nothing.
  if (!searchResults) throw refusal('google_places_error')
  return searchResults
})

/** Where a suggested place is. */
export const fetchCoordsfromPlace = operation<
  { place_id: string; sessionToken?: string; quiet?: boolean },
  LatLng
>('places/coords', async ({ place_id, sessionToken }, { functions }) => {
  const { coords } = await functions
    .post<{ coords?: LatLng }>('googleapis-getcoords', {
      place_id,
      ...(sessionToken && { sessionToken }),
    })
    .catch(() => ({ coords: undefined }))
  if (!coords) throw refusal('google_places_error')
  return coords
})

/** The address of a point. */
export const fetchAddressfromCoords = operation<
  LatLng & { language?: string; quiet?: boolean },
  string
>('places/address', async ({ language, ...point }, { functions }) => {
  const { address } = await functions.post<{ address?: string }>('googleapis-getaddress', {
    latlng: pointText(point),
    ...inLanguage(language),
  })
  if (!address) throw refusal('google_places_error')
  return address
})
