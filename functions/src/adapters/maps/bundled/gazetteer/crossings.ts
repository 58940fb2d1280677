import { MAX_TEXT_LENGTH, splitParts, type CityWords } from './addressText'
import type { StreetNames } from './streetNames'

/** The words and signs between two streets that cross: "18 de Julio y Ejido". */
const CONNECTIVES =
  /\s+(?:y|e|esq|esquina|con|casi|and|at|corner|com|et|angle|und|ecke|و|ו|और)(?:\.|\s+(?:con|de|of))?\s+|\s*[&/+@]\s*/giu

/** Texts with more connectives hardly name a crossing. */
const MAX_CONNECTIVES = 4

const getHead = (typed: string) => typed.slice(0, MAX_TEXT_LENGTH).split(/[,;|\n]/)[0]!

/** Returns the two sides of each connective in the first part of a text. */
export const listCrossingSides = (typed: string): [string, string][] => {
  const head = getHead(typed)
  return [...head.matchAll(CONNECTIVES)]
    .slice(0, MAX_CONNECTIVES)
    .map(({ index, 0: connective }): [string, string] => [
      head.slice(0, index).trim(),
      head.slice(index + connective.length).trim(),
    ])
    .filter(([first, second]) => first !== '' && second !== '')
}

/** Returns the streets that have exactly this name, without the city behind it. */
const findStreets = (words: readonly string[], names: StreetNames, { city }: CityWords) => {
  const items = names.findNamed(words)
  if (items.length > 0) return items
  const end = words.findLastIndex((word) => !city.has(word)) + 1
  return end < words.length ? names.findNamed(words.slice(0, end)) : []
}

/**
 * Returns the streets of each side when a text names two that may cross, or null. Both names have
 * to be whole; a street such as "José Batlle y Ordóñez" is one name.
 */
export const readCrossing = (
  typed: string,
  names: StreetNames,
  city: CityWords,
): [readonly number[], readonly number[]] | null => {
  const head = getHead(typed)
  const toWords = (text: string) => splitParts(text).flat()
  if (findStreets(toWords(head), names, city).length > 0) return null
  for (const sides of listCrossingSides(head)) {
    const [first, second] = sides.map((side) => findStreets(toWords(side), names, city))
    if (first!.length > 0 && second!.length > 0) return [first!, second!]
  }
  return null
}
