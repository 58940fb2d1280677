import type { BundledFiles, LoadedCity } from './bundledFiles'
import { searchCrossing } from './crossingSearch'
import { MAX_TEXT_LENGTH } from './gazetteer/addressText'
import { splitAddressWords } from './gazetteer/addressWords'
import { formatCountryName } from './gazetteer/countryNames'
import { isInBounds, type Position } from '../../../ports/positions'
import {
  joinAddressParts,
  type AutocompleteOptions,
  type Suggestion,
} from '../../../ports/mapsPort'
import { createPlaceId } from '../osm/placeId'
import { isSameName, type Settlement } from './settlements'

const DEFAULT_LIMIT = 6
/** Towns of one name among which the region and the country of an address choose. */
const MAX_NAMESAKES = 60
const FAMOUS_POPULATION = 100_000
const MAX_ADDRESS_METERS = 500

const formatSettlement = (one: Settlement, language?: string) =>
  joinAddressParts(one.name, one.region, formatCountryName(one.country, language))

const toSuggestion = (place: {
  description: string
  at: Position
  name: string
  secondaryText: string
  kind: string
}): Suggestion => ({
  description: place.description,
  place_id: createPlaceId('bundled', { ...place.at, label: place.description }),
  mainText: place.name,
  secondaryText: place.secondaryText,
  kind: place.kind,
  coords: place.at,
})

type SearchOptions = Pick<AutocompleteOptions, 'near' | 'language'> & { limit: number }

const searchCity = (
  loaded: LoadedCity,
  typed: string,
  { near, language, limit }: SearchOptions,
): Suggestion[] => {
  const { gazetteer, meta } = loaded
  const city = gazetteer.translateName(meta.city, language)
  const country = formatCountryName(meta.country, language)
  const options = { limit, language, near }
  const places = searchCrossing(loaded, typed, options) ?? gazetteer.search(typed, options)
  return places.slice(0, limit).map(({ name, context, kind, at }) => {
    const secondaryText = joinAddressParts(context === name ? '' : context, city, country)
    const description = joinAddressParts(name, secondaryText)
    return toSuggestion({ description, at, name, secondaryText, kind })
  })
}

/** Returns true for a text of several parts, such as the suggestions have. */
const isAddress = (typed: string) => typed.includes(',')

const toWords = (text: string) => splitAddressWords(text.slice(0, MAX_TEXT_LENGTH)).join(' ')

const isOwnCity = ({ meta }: LoadedCity, { name, at, country }: Settlement) =>
  country === meta.country && (isSameName(name, meta.city) || isInBounds(meta.bounds, at))

/** Returns towns elsewhere, the well-known ones apart. */
const searchTowns = (
  files: BundledFiles,
  typed: string,
  {
    country,
    near,
    language,
    limit,
    isTypoTolerant,
  }: SearchOptions & { country: string | undefined; isTypoTolerant: boolean },
) => {
  const towns = files
    .getWorld()
    .search(typed, {
      country,
      near,
      limit: isAddress(typed) ? MAX_NAMESAKES : limit,
      isTypoTolerant,
    })
    .filter(
      (one) =>
        !isOwnCity(files.getCity(), one) ||
        (isAddress(typed) && toWords(formatSettlement(one, language)) === toWords(typed)),
    )
  const suggest = (one: Settlement) =>
    toSuggestion({
      description: formatSettlement(one, language),
      at: one.at,
      name: one.name,
      secondaryText: joinAddressParts(one.region, formatCountryName(one.country, language)),
      kind: 'settlement',
    })
  // A user who types just "London" and has no position means the famous one.
  const isFamous = (one: Settlement) =>
    one.population >= FAMOUS_POPULATION && isSameName(one.name, typed.trim())
  return {
    all: towns.map(suggest),
    famous: towns.filter(isFamous).map(suggest),
    others: towns.filter((one) => !isFamous(one)).map(suggest),
  }
}

/** Puts the places first whose shown text was typed, because a person copied or remembers it. */
const putTypedFirst = (suggestions: Suggestion[], typed: string): Suggestion[] => {
  if (!isAddress(typed)) return suggestions
  const [text, words] = [typed.trim(), toWords(typed)]
  const getLikeness = ({ description }: Suggestion) =>
    description === text ? 2 : toWords(description) === words ? 1 : 0
  return suggestions.toSorted((a, b) => getLikeness(b) - getLikeness(a))
}

/** Returns places of the city and towns elsewhere, those that the user most likely means first. */
export const searchBundledPlaces = (
  files: BundledFiles,
  typed: string,
  { country, near, language, limit = DEFAULT_LIMIT }: AutocompleteOptions,
): Suggestion[] => {
  const code = country?.toUpperCase()
  const city = files.getCity()
  const options = { near, language, limit }
  const inCity =
    !code || code === city.meta.country
      ? searchCity(city, typed, {
          ...options,
          near: near ?? city.gazetteer.getCenter() ?? undefined,
        })
      : []
  const isHere = near && isInBounds(city.meta.bounds, near)
  // Only the text of a whole address can mean a town when the city has enough places.
  if (inCity.length >= limit && (!near || isHere) && !isAddress(typed)) return inCity
  const towns = searchTowns(files, typed, {
    ...options,
    country: code,
    // A misspelled shop in the city is more likely than a misspelled town on another continent.
    isTypoTolerant: inCity.length === 0,
  })
  const inOrder = !near
    ? [...towns.famous, ...inCity, ...towns.others]
    : isHere
      ? [...inCity, ...towns.all]
      : [...towns.all, ...inCity]
  return putTypedFirst(inOrder, typed).slice(0, limit)
}

const getCityAddress = (
  { meta, gazetteer, graph }: LoadedCity,
  at: Position,
  language: string | undefined,
): string | null => {
  if (!isInBounds(meta.bounds, at)) return null
  const country = formatCountryName(meta.country, language)
  const city = gazetteer.translateName(meta.city, language)
  const house = gazetteer.findNearestHouse(at, language)
  if (house)
    return joinAddressParts(`${house.street} ${house.number}`, house.context, city, country)
  const snap = graph.snapToStreet(at, { onlyNamed: true })
  if (!snap || snap.meters >= MAX_ADDRESS_METERS) return null
  const street = graph.getStreetName(snap.edge)
  const quarter = gazetteer.getStreetQuarter(street, language)
  return joinAddressParts(gazetteer.translateName(street, language), quarter, city, country)
}

/** Returns the nearest house, street or town; null when no place is near. */
export const getBundledAddress = (
  files: BundledFiles,
  at: Position,
  language: string | undefined,
): string | null => {
  const address = getCityAddress(files.getCity(), at, language)
  if (address !== null) return address
  const town = files.getWorld().findNearest(at)
  return town && formatSettlement(town, language)
}
