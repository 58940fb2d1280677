import { removeNumberMarkers, type AddressQuery, type AddressWord } from './addressText'
import {
  COMMON_STREET_TYPES,
  joinCanonically,
  removeStreetType,
  splitAddressWords,
} from './addressWords'

/** How an address names a street: as the map does, or with its kind added or left out. */
export type NameFit = 'whole' | 'core'

interface NamedItem {
  item: number
  fit: NameFit
}

/** Returns a name as an address has it: canonical and without markers of a number. */
const toPhrase = (name: string) => joinCanonically(removeNumberMarkers(splitAddressWords(name)))

const toFits = (items: readonly NamedItem[]): ReadonlyMap<number, NameFit> =>
  new Map(items.map(({ item, fit }) => [item, fit]))

const removeCommonType = (phrase: string) => {
  const end = phrase.indexOf(' ')
  return end > 0 && COMMON_STREET_TYPES.has(phrase.slice(0, end)) ? phrase.slice(end + 1) : null
}

const toText = (words: readonly AddressWord[]) => joinCanonically(words.map(({ text }) => text))

/**
 * Returns the texts that can be the street's name in an address, the longest ones first: the words
 * before a number, and those behind a number at the beginning.
 */
const listPhrases = (head: readonly AddressWord[]): string[] => {
  const ends = [...head.keys()].filter((end) => end > 0 && head[end]!.isNumber)
  const spans = ends.map((end) => head.slice(0, end))
  if (head[0]?.isNumber && head.length > 1) spans.push(head.slice(1))
  return spans.sort((a, b) => b.length - a.length).map(toText)
}

/** The streets of a city by their whole names. */
export class StreetNames {
  private readonly items = new Map<string, NamedItem[]>()
  private readonly ownNames = new Map<string, number>()

  /** Takes each street with its names. */
  constructor(streets: Iterable<readonly [number, readonly string[]]>) {
    for (const [item, [own = '', ...others]] of streets) {
      this.ownNames.set(own, item)
      const phrase = toPhrase(own)
      this.put(phrase, item, 'whole')
      for (const other of [phrase, ...others.map(toPhrase)]) {
        this.put(other, item, 'core')
        this.put(removeStreetType(other), item, 'core')
      }
    }
  }

  private put(phrase: string, item: number, fit: NameFit): void {
    const items = this.items.get(phrase)
    if (!items) this.items.set(phrase, [{ item, fit }])
    else if (!items.some((other) => other.item === item)) items.push({ item, fit })
  }

  /** Returns the street whose name is written exactly like this, or null. */
  findOwn(name: string): number | null {
    return this.ownNames.get(name) ?? null
  }

  /** Returns the streets whose whole name these words are, those written like them first. */
  findNamed(words: readonly string[]): number[] {
    const items = this.findPhrase(joinCanonically(words))
    return items
      .toSorted((a, b) => Number(b.fit === 'whole') - Number(a.fit === 'whole'))
      .map(({ item }) => item)
  }

  private findPhrase(phrase: string): readonly NamedItem[] {
    const items = this.items.get(phrase)
    if (items) return items
    const core = removeCommonType(phrase)
    const namesakes = core === null ? [] : (this.items.get(core) ?? [])
    return namesakes.flatMap(({ item, fit }): NamedItem[] =>
      fit === 'whole' ? [{ item, fit: 'core' }] : [],
    )
  }

  /**
   * Returns the streets whose whole name an address has beside a house number, a postcode or an
   * administrative area.
   */
  findInAddress({ words, numbers }: AddressQuery): ReadonlyMap<number, NameFit> {
    const hasIgnored = words.some(({ role }) => role === 'ignored')
    if (numbers === 0 && !hasIgnored) return new Map()
    const head = words.filter(({ isInHead, role }) => isInHead && role !== 'ignored')
    const streets = this.findPhrase(toText(head))
    const isNumberApart = words.some(({ isInHead, isNumber }) => isNumber && !isInHead)
    // The only number can be a part of the name: "Pasaje 7" is no house of "Pasaje".
    if (streets.length > 0) return toFits(isNumberApart || hasIgnored ? streets : [])
    for (const phrase of listPhrases(head)) {
      const items = this.findPhrase(phrase)
      if (items.length > 0) return toFits(items)
    }
    return new Map()
  }
}
