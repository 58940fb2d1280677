import {
  expandWord,
  joinCanonically,
  NUMBER_MARKERS,
  splitAddressWords,
  STOP_WORDS,
  STREET_TYPES,
} from './addressWords'
import { markIgnored } from './ignoredWords'
import { hasPosition, selectMask } from './wordMask'
import type { WordRole } from './wordRole'

/** Typed text behind this many characters is ignored. */
export const MAX_TEXT_LENGTH = 300
/** A word is a bit of a mask, and a mask has 32 bits. */
const MAX_WORDS = 24
const MAX_HEADS = 3

const isHouseNumber = (word: string) => /^\d{1,6}[a-z]?$/.test(word)

export interface AddressWord {
  text: string
  /** The word itself and the words that it can abbreviate. */
  forms: readonly string[]
  role: WordRole
  isNumber: boolean
  /** True in the part that names the place or the street, false in "…, Cordón, Montevideo". */
  isInHead: boolean
}

/** A typed address. Bit i of every mask is word i. */
export interface AddressQuery {
  words: AddressWord[]
  /** All words, joined canonically. */
  text: string
  /** The words of the part that names the place or the street. */
  head: string
  all: number
  inHead: number
  numbers: number
  stops: number
  /** Words that fit every place. */
  free: number
  /** Words that only a matching name explains. */
  significant: number
  /** The words of the name before the first number; a place without one is another place. */
  required: number
}

/** Names with a meaning of their own in one city. */
export interface CityWords {
  /** The words of the city's and the country's names, in several languages. */
  city: ReadonlySet<string>
  /** The names of its quarters as words, in several languages, by their first word. */
  areas: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** Collects the names that an address can have beside the place itself. */
export const createCityWords = (
  cityNames: readonly string[],
  areaNames: readonly string[],
): CityWords => {
  const areas = new Map<string, string[][]>()
  for (const words of areaNames.map(splitAddressWords)) {
    const [first = ''] = words
    areas.set(first, [...(areas.get(first) ?? []), words])
  }
  return { city: new Set(cityNames.flatMap(splitAddressWords)), areas }
}

const getRole = (word: string, { city }: CityWords): WordRole => {
  if (isHouseNumber(word)) return 'number'
  if (city.has(word)) return 'city'
  if (STOP_WORDS.has(word)) return 'stop'
  return expandWord(word).some((form) => STREET_TYPES.has(form)) ? 'streetType' : 'name'
}

/** Returns the role of each word. Only the words of a quarter's whole name are an `area`. */
const getRoles = (words: readonly string[], city: CityWords): WordRole[] => {
  const roles = words.map((word) => getRole(word, city))
  words.forEach((word, start) => {
    for (const area of expandWord(word).flatMap((form) => city.areas.get(form) ?? [])) {
      const isHere = area.every((one, i) => expandWord(words[start + i] ?? '').includes(one))
      if (isHere) roles.fill('area', start, start + area.length)
    }
  })
  return roles
}

const isMarker = (word: string, next: string | undefined) =>
  NUMBER_MARKERS.has(word) && next !== undefined && isHouseNumber(next)

/** Returns true for both words of "s/n" behind a name, but not for the street "Calle S/N". */
const isMissingNumber = (words: readonly string[], i: number) => {
  const start = words[i] === 'n' ? i - 1 : i
  const isName = start === 1 && STREET_TYPES.has(words[0]!)
  return start > 0 && !isName && words[start] === 's' && words[start + 1] === 'n'
}

/** Returns words without those that announce a house number: "1234" for "nro 1234". */
export const removeNumberMarkers = (words: readonly string[]): string[] =>
  words.filter((word, i) => !isMarker(word, words[i + 1]) && !isMissingNumber(words, i))

/** Returns the words of each part between commas, without markers of a house number. */
export const splitParts = (typed: string): string[][] => {
  let room = MAX_WORDS
  const parts: string[][] = []
  for (const part of typed.slice(0, MAX_TEXT_LENGTH).split(/[,;|\n]|\s[-–—]\s/)) {
    const words = removeNumberMarkers(splitAddressWords(part)).slice(0, room)
    room -= words.length
    if (words.length > 0) parts.push(words)
  }
  return parts
}

const createQuery = (
  parts: readonly (readonly string[])[],
  roles: readonly (readonly WordRole[])[],
  head: number,
): AddressQuery => {
  const words = parts.flatMap((part, p) =>
    part.map((text, i): AddressWord => {
      const role = roles[p]![i]!
      const forms = expandWord(text)
      return { text, forms, role, isNumber: role === 'number', isInHead: p === head }
    }),
  )
  const number = words.findIndex(({ isNumber, isInHead }) => isNumber && isInHead)
  return {
    words,
    text: joinCanonically(words.map(({ text }) => text)),
    head: joinCanonically(parts[head]!.filter((_, i) => roles[head]![i] !== 'ignored')),
    all: selectMask(words, () => true),
    inHead: selectMask(words, ({ isInHead }) => isInHead),
    numbers: selectMask(words, ({ isNumber }) => isNumber),
    stops: selectMask(words, ({ role }) => role === 'stop'),
    free: selectMask(words, ({ role }) => role === 'city' || role === 'ignored'),
    significant: selectMask(words, ({ role }) => role === 'name' || role === 'number'),
    required: selectMask(
      number < 0 ? words : words.slice(0, number),
      ({ role, isInHead }) => isInHead && role === 'name',
    ),
  }
}

/** Returns true for the words of a name, and for a kind of street with others: "Pasaje 59". */
const isHead = (roles: readonly WordRole[]) =>
  roles.includes('name') ||
  (roles.includes('streetType') && (roles.includes('number') || roles.includes('area')))

/**
 * Reads a typed address in each way that its commas allow, the likeliest first: "San José 1234,
 * Cordón" and "Edificio Sol, San José 1234". Decides neither which number is the house number nor
 * which words are the street's name, because only a match with a name can tell: "18 de Julio 1234".
 * Reads at most 300 characters, 24 words and three parts.
 */
export const parseAddress = (typed: string, city: CityWords): AddressQuery[] => {
  const parts = splitParts(typed)
  if (parts.length === 0) return []
  const roles = parts.map((part) => getRoles(part, city))
  markIgnored(parts, roles)
  const heads = [...parts.keys()].filter((p) => isHead(roles[p]!)).slice(0, MAX_HEADS)
  return (heads.length === 0 ? [0] : heads).map((head) => createQuery(parts, roles, head))
}

/** Returns the position of the longest required word, which the fewest names have, or null. */
export const findLongestRequired = ({ words, required }: AddressQuery): number | null => {
  let longest: number | null = null
  words.forEach(({ text }, i) => {
    if (!hasPosition(required, i)) return
    if (longest === null || text.length > words[longest]!.text.length) longest = i
  })
  return longest
}
