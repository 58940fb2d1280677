import { splitWords } from '../language/foldedWords'

/**
 * Shortens addresses for the people who work with them: the operator's own country and city, which
 * nearly every address ends with, hide the part in which the addresses differ.
 */

/** The operator's own place, whose names tell its people nothing. */
export interface HomeArea {
  /** The names of the country in the languages of the addresses. */
  countries: readonly string[]
  /** The name of the city; null when it is not known. */
  city: string | null
  /** The parts of an address that always stay: more for a city that was only inferred. */
  minParts?: number
}

interface AddressPart {
  text: string
  /** The index behind the part in the address. */
  end: number
}

/** The fewest digits of a postcode; a shorter number is a house, or a district as in "Dublin 2". */
const POSTCODE_DIGITS = 4
/** The fewest different addresses from which a city is inferred. */
const MIN_ADDRESSES = 3
/** The parts that stay of an address whose city was inferred. */
const INFERRED_MIN_PARTS = 2

/** Returns the parts between commas, also Arabic and full-width ones. */
const splitParts = (address: string): AddressPart[] =>
  [...address.matchAll(/[^,،，]+/g)].map(({ 0: text, index }) => ({
    text: text.trim(),
    end: index + text.trimEnd().length,
  }))

const fold = (text: string): string => splitWords(text).join(' ')

/** Returns the text without a postcode and without the code of a state: "New York NY 10118". */
const removeCodes = (text: string): string => {
  const words = text.split(/[\s-]+/).filter(Boolean)
  const hasPostcode =
    text.replace(/\D/g, '').length >= POSTCODE_DIGITS || /\p{L}\d|\d\p{L}/u.test(text)
  const names = hasPostcode ? words.filter((word) => !/\d/.test(word)) : words
  const hasState = names.length > 1 && /^\p{Lu}{2,3}$/u.test(names.at(-1) ?? '')
  return fold((hasState ? names.slice(0, -1) : names).join(' '))
}

/** Returns true for a postcode, and for the code of a state: "SW1A 2AA", "NY 10118". */
const isCode = (text: string): boolean =>
  removeCodes(text) === '' || /^\p{Lu}{2,3}( |$)/u.test(text)

/** Returns true for an area with the city's name, such as "Greater London". */
const isAreaOf = (text: string, city: string): boolean => {
  const words = removeCodes(text).split(' ')
  return city.split(' ').every((word) => words.includes(word))
}

/** Returns the number of parts before the country. */
const countBeforeCountry = (parts: AddressPart[], { countries }: Pick<HomeArea, 'countries'>) =>
  countries.some((country) => fold(country) === fold(parts.at(-1)?.text ?? ''))
    ? parts.length - 1
    : parts.length

/** Returns the index of the part that names the city; -1 when the address is not in it. */
const findCity = (parts: AddressPart[], city: string): number => {
  let index = parts.findLastIndex(({ text }) => removeCodes(text) === city)
  const behind = parts.slice(index + 1)
  if (!behind.every(({ text }) => isCode(text) || isAreaOf(text, city))) return -1
  // A region can have the name of its city: "Wien, Wien".
  while (index > 0 && fold(parts[index - 1]?.text ?? '') === city) index -= 1
  return index
}

/**
 * Returns the address without the operator's country and city at its end. The street stays, and an
 * address in another city keeps that city; one in another country stays as it is.
 */
export const shortenAddress = (address: string, home: HomeArea): string => {
  const parts = splitParts(address)
  const inCountry = countBeforeCountry(parts, home)
  const cityIndex = home.city ? findCity(parts.slice(0, inCountry), fold(home.city)) : -1
  // Some services write the number of the house as the first part.
  const street = parts.findIndex(({ text }) => /\p{L}/u.test(text)) + 1
  const minParts = Math.max(street, cityIndex < 0 ? 1 : Math.min(home.minParts ?? 1, inCountry))
  const count = Math.max(cityIndex < 0 ? inCountry : cityIndex, minParts)
  return count < parts.length ? address.slice(0, parts[count - 1]?.end).trim() : address
}

/**
 * Returns the city in which all addresses of a list are; null when they are too few or in several.
 * Serves operators whose city nothing else tells.
 */
export const inferHomeArea = (
  addresses: readonly string[],
  home: Pick<HomeArea, 'countries'>,
): HomeArea => {
  const different = [...new Set(addresses)].filter(Boolean)
  const cities = different.map((address) => {
    const parts = splitParts(address)
    const inCountry = parts.slice(1, countBeforeCountry(parts, home))
    return removeCodes(inCountry.findLast(({ text }) => !isCode(text))?.text ?? '')
  })
  const [city] = cities
  const isShared = different.length >= MIN_ADDRESSES && cities.every((one) => one === city)
  return { ...home, city: (isShared && city) || null, minParts: INFERRED_MIN_PARTS }
}
