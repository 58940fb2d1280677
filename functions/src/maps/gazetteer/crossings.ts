import { MAX_TEXT_LENGTH, splitParts, type CityWords } from './addressText'
import type { StreetNames } from './streetNames'

/** The words and signs between two streets that cross: "18 de Julio y Ejido". */
const CONNECTIVES =
  /\s+(?:y|e|esq|esquina|con|casi|and|at|corner|com|et|angle|und|ecke|و|ו|और)(?:\.|\s+(?:con|de|of))?\s+|\s*[&/+@]\s*/giu

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
  const head = typed.slice(0, MAX_TEXT_LENGTH).split(/[,;|\n]/)[0]!
  const toWords = (text: string) => splitParts(text).flat()
  if (findStreets(toWords(head), names, city).length > 0) return null
  for (const { index, 0: connective } of head.matchAll(CONNECTIVES)) {
    const first = findStreets(toWords(head.slice(0, index)), names, city)
    const second = findStreets(toWords(head.slice(index + connective.length)), names, city)
    if (first.length > 0 && second.length > 0) return [first, second]
  }
  return null
}
