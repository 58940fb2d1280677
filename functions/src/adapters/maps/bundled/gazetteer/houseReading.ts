import type { AddressQuery } from './addressText'
import { toCanonical } from './addressWords'
import type { HouseMatch, HouseNumbers } from './houseNumbers'
import { getFirstPosition, getLastPosition, hasPosition, selectMask } from './wordMask'

/** A house number in an address: its first word, all its words as a mask, and the house. */
export interface HouseReading extends HouseMatch {
  at: number
  mask: number
}

/**
 * Returns the numbers of an address that do not belong to the street's name: 1234 of "18 de Julio
 * 1234", the second 18 of "18 de Julio 18". `names` are the words of each name of the street.
 */
export const selectFreeNumbers = (
  { words, numbers }: AddressQuery,
  names: readonly (readonly string[])[],
): number => {
  let mask = numbers
  // "3" of "3 Cruces" belongs to the name "Tres Cruces".
  const count = (list: readonly string[], text: string) =>
    list.filter((word) => toCanonical(word) === text).length
  words.forEach(({ text, isNumber }, position) => {
    if (!isNumber) return
    const earlierWords = words.slice(0, position).map((word) => word.text)
    if (names.some((name) => count(name, text) > count(earlierWords, text)))
      mask &= ~(1 << position)
  })
  return mask
}

/**
 * Returns the numbers that can be the house number, most likely first: behind the name, before it,
 * apart from it. None is inside the name.
 */
const listHousePositions = (freeNumbers: number, name: number): number[] => {
  const [first, last] = [getFirstPosition(name), getLastPosition(name)]
  if (hasPosition(freeNumbers, last + 1)) return [last + 1]
  const inside = ((2 << last) - 1) & ~((1 << first) - 1)
  const apart = freeNumbers & ~inside
  const positions = apart === 0 ? [] : [getFirstPosition(apart)]
  return first > 0 && hasPosition(freeNumbers, first - 1) ? [first - 1, ...positions] : positions
}

/** A street as an address names it. */
interface NamedStreet {
  street: number
  /** The words of each of its names. */
  names: readonly (readonly string[])[]
  /** The words of the address that match its names. */
  nameMask: number
  /** The numbers of the address that do not belong to its names. */
  freeNumbers: number
}

/** Returns the words of the address that are the street's name, whole words if there are any. */
const selectName = ({ words, inHead, stops }: AddressQuery, { names, nameMask }: NamedStreet) => {
  const own = nameMask & inHead & ~stops
  const wholeWords = selectMask(words, ({ forms }) =>
    names.some((name) => forms.some((form) => name.includes(form))),
  )
  return own & wholeWords || own || nameMask
}

/** Returns the house that the address names on a street, or one with a number near it, or null. */
export const readHouse = (
  query: AddressQuery,
  street: NamedStreet,
  houses: HouseNumbers,
): HouseReading | null => {
  const texts = query.words.map(({ text }) => text)
  const positions = listHousePositions(street.freeNumbers, selectName(query, street))
  const readings = positions.flatMap((at): HouseReading[] => {
    const match = houses.findHouse(street.street, texts.slice(at))
    return match ? [{ ...match, at, mask: ((1 << match.wordCount) - 1) << at }] : []
  })
  return readings.find(({ isExact }) => isExact) ?? readings[0] ?? null
}
