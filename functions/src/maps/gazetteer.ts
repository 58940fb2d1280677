import { EARTH_RADIUS_METERS, RADIANS_PER_DEGREE } from './geo'
import { decodeColumnFile } from './columnFile'
import { countBits, foldText, getLetterMask, countTypos, splitWords } from './typoMatching'
import type { Position } from './geo'
import type { Column } from './columnFile'

interface Header {
  country: string
  city: string
  kinds: string[]
  names: string[]
  contexts: string[]
  aliases: [number, string][]
  translations: [number, Record<string, string>][]
  houseNumbers: string
}

interface Columns extends Record<string, Column> {
  kind: Uint8Array
  weight: Float32Array
  lng: Int32Array
  lat: Int32Array
  houseStreet: Uint32Array
  houseStart: Uint32Array
  houseLng: Int32Array
  houseLat: Int32Array
}

/** A place in the city that matches the typed text. */
export interface FoundPlace {
  name: string
  /** The neighborhood, or the street and house number. */
  context: string
  kind: string
  at: Position
}

export interface House {
  street: string
  number: string
  context: string
}

const ABBREVIATIONS: Record<string, string> = {
  av: 'avenida',
  avda: 'avenida',
  ave: 'avenida',
  bv: 'bulevar',
  bvar: 'bulevar',
  blvr: 'bulevar',
  blvd: 'boulevard',
  dr: 'doctor',
  dra: 'doctora',
  gral: 'general',
  gal: 'general',
  ing: 'ingeniero',
  cno: 'camino',
  pza: 'plaza',
  sta: 'santa',
  cnel: 'coronel',
  cap: 'capitan',
  tte: 'teniente',
  prof: 'profesor',
  pque: 'parque',
  rbla: 'rambla',
  st: 'street',
  rd: 'road',
  str: 'strasse',
}
/** Words too common to allow a typo in. Skipped when nothing else would match. */
const STOP_WORDS = new Set(['de', 'del', 'la', 'el', 'los', 'las', 'y', 'the', 'of'])

const EXACT_SCORE = 1.3
const PREFIX_SCORE = 1
const TYPO_PENALTY = 0.35
const ALIAS_FACTOR = 0.85
const MAX_NUMBER_DIFFERENCE = 60
const OTHER_SIDE_PENALTY = 8
const DUPLICATE_METERS = 1_500
const MAX_HOUSE_METERS = 60
const HOUSE_CELL_MICRODEGREES = 600 // millionths of a degree, about 60 m
/** Kinds of places whose names appear in the addresses of other places. */
const AREA_KINDS = new Set(['city', 'suburb', 'street'])
const isHouseNumber = (word: string) => /^\d{1,6}[a-z]?$/.test(word)

const getAllowedTypos = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** Names, streets and house numbers of one city, indexed for search as the user types. */
export class Gazetteer {
  private readonly header: Header
  private readonly columns: Columns
  private readonly translations: Map<number, Record<string, string>>
  private readonly foldedNames: string[]
  private readonly vocabulary: string[]
  private readonly masks: Int32Array
  private readonly postings: { start: Uint32Array; items: Uint32Array; isName: Uint8Array }
  private readonly houseNumbers: string[]
  private readonly houseRowByStreet = new Map<number, number>()
  private readonly houseCells = new Map<number, number[]>()
  private readonly cityWords: Set<string>
  // Working memory of one search, marked with a stamp instead of cleared.
  private readonly score: Float32Array
  private readonly matchCount: Uint8Array
  private readonly wordScore: Float32Array
  private readonly itemStamp: Uint32Array
  private readonly wordStamp: Uint32Array
  private searchNumber = 0

  /** Reads `gaz.bin`. Throws when the file has another format. */
  constructor(file: Buffer) {
    const { header, columns } = decodeColumnFile<Header, Columns>(file)
    this.header = header
    this.columns = columns
    this.translations = new Map(header.translations)
    for (const [item] of header.translations) {
      const kind = header.kinds[columns.kind[item]!] ?? ''
      if (AREA_KINDS.has(kind)) this.areaItems.set(header.names[item]!, item)
    }
    this.foldedNames = header.names.map((name) => splitWords(name).join(' '))
    this.cityWords = new Set(splitWords(header.city))

    const index = new Map<string, Map<number, number>>()
    const put = (item: number, text: string, isName: number) => {
      for (const word of splitWords(text)) {
        const items = index.get(word) ?? new Map<number, number>()
        index.set(word, items)
        if (!items.get(item)) items.set(item, isName)
      }
    }
    header.names.forEach((name, item) => put(item, name, 1))
    for (const [item, alias] of header.aliases) put(item, alias, 0)
    this.vocabulary = [...index.keys()].sort()
    this.masks = Int32Array.from(this.vocabulary, getLetterMask)
    const start = [0]
    const items: number[] = []
    const isName: number[] = []
    for (const word of this.vocabulary) {
      for (const [item, fromName] of index.get(word) ?? []) {
        items.push(item)
        isName.push(fromName)
      }
      start.push(items.length)
    }
    this.postings = {
      start: Uint32Array.from(start),
      items: Uint32Array.from(items),
      isName: Uint8Array.from(isName),
    }
    const count = header.names.length
    this.score = new Float32Array(count)
    this.matchCount = new Uint8Array(count)
    this.wordScore = new Float32Array(count)
    this.itemStamp = new Uint32Array(count)
    this.wordStamp = new Uint32Array(count)

    this.houseNumbers = header.houseNumbers.split('\n')
    header.houseNumbers = ''
    columns.houseStreet.forEach((street, row) => this.houseRowByStreet.set(street, row))
    for (let i = 0; i < columns.houseLng.length; i++) {
      const cell = this.getHouseCell(columns.houseLng[i]!, columns.houseLat[i]!)
      const list = this.houseCells.get(cell)
      if (list) list.push(i)
      else this.houseCells.set(cell, [i])
    }
  }

  private getHouseCell(lng: number, lat: number): number {
    return (
      Math.floor(lng / HOUSE_CELL_MICRODEGREES) * 1e6 + Math.floor(lat / HOUSE_CELL_MICRODEGREES)
    )
  }

  private findFirstWord(prefix: string): number {
    let [low, high] = [0, this.vocabulary.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.vocabulary[middle]! < prefix) low = middle + 1
      else high = middle
    }
    return low
  }

  private addWordMatches(word: number, weight: number): void {
    const { start, items, isName } = this.postings
    for (let k = start[word]!; k < start[word + 1]!; k++) {
      const item = items[k]!
      const value = isName[k] ? weight : weight * ALIAS_FACTOR
      if (this.wordStamp[item] !== this.searchNumber) {
        this.wordStamp[item] = this.searchNumber
        this.wordScore[item] = value
        this.matchedItems.push(item)
      } else if (value > this.wordScore[item]!) this.wordScore[item] = value
    }
  }
  private matchedItems: number[] = []

  private addPrefixMatches(word: string): boolean {
    const first = this.findFirstWord(word)
    for (let i = first; this.vocabulary[i]?.startsWith(word); i++) {
      this.addWordMatches(i, this.vocabulary[i] === word ? EXACT_SCORE : PREFIX_SCORE)
    }
    return this.vocabulary[first]?.startsWith(word) ?? false
  }

  private addTypoMatches(word: string): void {
    const limit = getAllowedTypos(word)
    if (limit === 0) return
    const mask = getLetterMask(word)
    for (let i = 0; i < this.vocabulary.length; i++) {
      const candidate = this.vocabulary[i]!
      // Each typo hides at most one letter, so this check excludes most words before the exact
      // count.
      if (candidate.length < 3 || countBits(mask & ~this.masks[i]!) > limit) continue
      const mistakes = countTypos(word, candidate, limit)
      if (mistakes <= limit) this.addWordMatches(i, PREFIX_SCORE - TYPO_PENALTY * mistakes)
    }
  }

  /** Returns the items that match every word, and stores each item's total score. */
  private findMatches(words: readonly string[], withMistakes: boolean): number[] {
    let candidates: number[] | null = null
    const search = ++this.searchNumber
    for (const [position, word] of words.entries()) {
      this.searchNumber++
      this.matchedItems = []
      const known = this.addPrefixMatches(word)
      if (!known || withMistakes) this.addTypoMatches(word)
      const isOptional = this.cityWords.has(word) && words.length > 1
      for (const item of this.matchedItems) {
        if (this.itemStamp[item]! < search) {
          this.itemStamp[item] = search
          this.score[item] = 0
          this.matchCount[item] = 0
        }
        this.score[item]! += this.wordScore[item]!
        this.matchCount[item]!++
      }
      if (isOptional && position > 0) {
        for (const item of candidates ?? []) {
          if (this.wordStamp[item] !== this.searchNumber) this.matchCount[item]!++
        }
      } else {
        candidates = this.matchedItems.filter((item) => this.matchCount[item] === position + 1)
      }
      if (candidates && candidates.length === 0) break
    }
    return candidates ?? []
  }

  private getMetersFrom({ lat, lng }: Position, item: number): number {
    const north = this.columns.lat[item]! / 1e6 - lat
    const east = (this.columns.lng[item]! / 1e6 - lng) * Math.cos(lat * RADIANS_PER_DEGREE)
    return Math.hypot(north, east) * RADIANS_PER_DEGREE * EARTH_RADIUS_METERS
  }

  /** Returns the best items, a few more than requested because duplicates are dropped later. */
  private selectBest(
    items: number[],
    words: readonly string[],
    { near, limit }: SearchOptions,
  ): number[] {
    const typed = words.join(' ')
    const keep = limit * 4
    let kept: [number, number][] = []
    let floor = -Infinity
    for (const item of items) {
      const name = this.foldedNames[item]!
      let score = this.score[item]! * 4 + this.columns.weight[item]! * 0.9
      if (name.startsWith(typed)) score += name.length === typed.length ? 6 : 4
      score -= Math.min(3, Math.max(0, name.length - typed.length) * 0.06)
      if (score <= floor) continue
      if (near) score -= Math.min(6, Math.log2(1 + this.getMetersFrom(near, item) / 1000))
      if (score <= floor) continue
      kept.push([score, item])
      if (kept.length < keep * 4) continue
      kept = kept.sort((a, b) => b[0] - a[0]).slice(0, keep)
      floor = kept[keep - 1]![0]
    }
    return kept
      .sort((a, b) => b[0] - a[0])
      .slice(0, keep)
      .map(([, item]) => item)
  }

  /** Returns the name in a language when the map has it, otherwise the local name. */
  getName(item: number, language?: string): string {
    const own = language && this.translations.get(item)?.[language.slice(0, 2).toLowerCase()]
    return own || (this.header.names[item] ?? '')
  }

  private readonly areaItems = new Map<string, number>()

  /**
   * Returns the name of a neighborhood, city or street in a language when the map has it, otherwise
   * unchanged.
   */
  translateName(name: string, language?: string): string {
    const item = this.areaItems.get(name)
    return item === undefined ? name : this.getName(item, language)
  }

  private toFoundPlace(item: number, language?: string): FoundPlace {
    return {
      name: this.getName(item, language),
      context: this.translateName(this.header.contexts[item] ?? '', language),
      kind: this.header.kinds[this.columns.kind[item]!] ?? '',
      at: { lat: this.columns.lat[item]! / 1e6, lng: this.columns.lng[item]! / 1e6 },
    }
  }

  private searchPlaces(words: string[], options: SearchOptions): FoundPlace[] {
    let items = this.findMatches(words, false)
    if (items.length === 0) items = this.findMatches(words, true)
    if (items.length === 0) {
      const important = words.filter((word) => !STOP_WORDS.has(word))
      if (important.length === words.length || important.length === 0) return []
      items = this.findMatches(important, true)
    }
    const out: FoundPlace[] = []
    for (const item of this.selectBest(items, words, options)) {
      const found = this.toFoundPlace(item, options.language)
      // Maps often contain the same place twice: as an area and as a point inside it.
      const isTwin = out.some(
        (other) =>
          other.name === found.name && this.getMetersFrom(other.at, item) < DUPLICATE_METERS,
      )
      if (!isTwin) out.push(found)
      if (out.length === options.limit) break
    }
    return out
  }

  private searchHouses(
    words: string[],
    number: string,
    options: SearchOptions,
  ): (FoundPlace & { exact: boolean })[] {
    let items = this.findMatches(words, false)
    if (items.length === 0) items = this.findMatches(words, true)
    const wanted = Number.parseInt(number)
    const out: (FoundPlace & { exact: boolean })[] = []
    for (const street of this.selectBest(items, words, options)) {
      if (out.length >= options.limit) break
      const row = this.houseRowByStreet.get(street)
      if (row === undefined) continue
      let [best, off] = [-1, MAX_NUMBER_DIFFERENCE + 1]
      for (let i = this.columns.houseStart[row]!; i < this.columns.houseStart[row + 1]!; i++) {
        const house = this.houseNumbers[i]!
        const distance = Math.abs((Number.parseInt(house) || 1e9) - wanted)
        // The even neighbor of an odd number is across the street.
        const difference =
          foldText(house) === number ? -1 : distance + (distance % 2) * OTHER_SIDE_PENALTY
        if (difference < off) [best, off] = [i, difference]
      }
      if (best < 0) continue
      out.push({
        name: `${this.getName(street, options.language)} ${this.houseNumbers[best]}`,
        context: this.translateName(this.header.contexts[street] ?? '', options.language),
        kind: 'address',
        at: this.getHousePosition(best),
        exact: off <= 0,
      })
    }
    return out
  }

  private getHousePosition(i: number): Position {
    return { lat: this.columns.houseLat[i]! / 1e6, lng: this.columns.houseLng[i]! / 1e6 }
  }

  /**
   * Returns the places that match the words typed so far, best first. Reads a number both as a
   * house number and as part of a name.
   */
  search(typed: string, options: SearchOptions): FoundPlace[] {
    const words = splitWords(typed.slice(0, 200))
      .slice(0, 10)
      .map((word) => ABBREVIATIONS[word] ?? word)
    if (words.length === 0) return []
    // "18 de Julio" is a street, but "Rivera 18" is a house, so try both readings. Text after the
    // number ("…, Pocitos, Montevideo") does not narrow the search.
    const numberAt = words.findIndex((word, i) => i > 0 && isHouseNumber(word))
    const houses =
      numberAt > 0
        ? this.searchHouses(words.slice(0, numberAt), words[numberAt]!, options)
        : words.length > 1 && isHouseNumber(words[0]!)
          ? this.searchHouses(words.slice(1), words[0]!, options)
          : []
    const named = this.searchPlaces(words, options)
    const certain = houses.filter(({ exact }) => exact)
    const nearby = houses.filter(({ exact }) => !exact)
    return [...certain, ...named, ...nearby].slice(0, options.limit)
  }

  /** Returns the nearest house number within 60 m, or null. */
  findNearestHouse({ lat, lng }: Position, language?: string): House | null {
    const column = Math.floor((lng * 1e6) / HOUSE_CELL_MICRODEGREES)
    const row = Math.floor((lat * 1e6) / HOUSE_CELL_MICRODEGREES)
    const shrink = Math.cos(lat * RADIANS_PER_DEGREE)
    let [best, nearest] = [-1, MAX_HOUSE_METERS]
    // Cells get narrower toward the poles, so search as many columns as 60 m requires.
    const sides = Math.ceil(1 / shrink)
    for (let c = column - sides; c <= column + sides; c++)
      for (let r = row - 1; r <= row + 1; r++) {
        for (const i of this.houseCells.get(c * 1e6 + r) ?? []) {
          const at = this.getHousePosition(i)
          const metres =
            Math.hypot(at.lat - lat, (at.lng - lng) * shrink) *
            RADIANS_PER_DEGREE *
            EARTH_RADIUS_METERS
          if (metres < nearest) [best, nearest] = [i, metres]
        }
      }
    if (best < 0) return null
    const { houseStart, houseStreet } = this.columns
    let [low, high] = [0, houseStreet.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (houseStart[middle]! <= best) low = middle
      else high = middle
    }
    const street = houseStreet[low]!
    return {
      street: this.getName(street, language),
      number: this.houseNumbers[best] ?? '',
      context: this.translateName(this.header.contexts[street] ?? '', language),
    }
  }
}

export interface SearchOptions {
  limit: number
  near?: Position | undefined
  language?: string | undefined
}
