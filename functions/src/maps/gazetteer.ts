import { EARTH_METRES, RADIANS } from './geo'
import { readPack } from './pack'
import { countBits, fold, letterMask, typos, wordsOf } from './words'
import type { Point } from './geo'
import type { Column } from './pack'

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

/** A place of the city that fits what was typed. */
export interface Found {
  name: string
  /** The quarter, or street and number. */
  context: string
  kind: string
  at: Point
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
/** Which words too common to be worth a mistake in: skipped when nothing else would match. */
const SMALL_WORDS = new Set(['de', 'del', 'la', 'el', 'los', 'las', 'y', 'the', 'of'])

const EXACT = 1.3
const PREFIX = 1
const MISTAKE = 0.35
const FROM_ALIAS = 0.85
const NEAR_NUMBER = 60
const OTHER_SIDE = 8
const TWIN_METRES = 1_500
const HOUSE_METRES = 60
const HOUSE_CELL = 600 // millionths of a degree, some 60 m
/** Kinds of places whose names are parts of other places' addresses. */
const AREAS = new Set(['city', 'suburb', 'street'])
const isHouseNumber = (word: string) => /^\d{1,6}[a-z]?$/.test(word)

const allowedTypos = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** Names, streets and house numbers of one city, searchable while somebody types. */
export class Gazetteer {
  private readonly header: Header
  private readonly columns: Columns
  private readonly translations: Map<number, Record<string, string>>
  private readonly foldedNames: string[]
  private readonly vocabulary: string[]
  private readonly masks: Int32Array
  private readonly postings: { start: Uint32Array; items: Uint32Array; isName: Uint8Array }
  private readonly houseNumbers: string[]
  private readonly streetRow = new Map<number, number>()
  private readonly houseCells = new Map<number, number[]>()
  private readonly placeWords: Set<string>
  // Scratch of one search, stamped instead of cleared.
  private readonly score: Float32Array
  private readonly hits: Uint8Array
  private readonly wordScore: Float32Array
  private readonly stamp: Uint32Array
  private readonly wordStamp: Uint32Array
  private clock = 0

  /** Reads `gaz.bin`; throws when the file is not one. */
  constructor(file: Buffer) {
    const { header, columns } = readPack<Header, Columns>(file)
    this.header = header
    this.columns = columns
    this.translations = new Map(header.translations)
    for (const [item] of header.translations) {
      const kind = header.kinds[columns.kind[item]!] ?? ''
      if (AREAS.has(kind)) this.areas.set(header.names[item]!, item)
    }
    this.foldedNames = header.names.map((name) => wordsOf(name).join(' '))
    this.placeWords = new Set(wordsOf(header.city))

    const index = new Map<string, Map<number, number>>()
    const put = (item: number, text: string, isName: number) => {
      for (const word of wordsOf(text)) {
        const items = index.get(word) ?? new Map<number, number>()
        index.set(word, items)
        if (!items.get(item)) items.set(item, isName)
      }
    }
    header.names.forEach((name, item) => put(item, name, 1))
    for (const [item, alias] of header.aliases) put(item, alias, 0)
    this.vocabulary = [...index.keys()].sort()
    this.masks = Int32Array.from(this.vocabulary, letterMask)
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
    this.hits = new Uint8Array(count)
    this.wordScore = new Float32Array(count)
    this.stamp = new Uint32Array(count)
    this.wordStamp = new Uint32Array(count)

    this.houseNumbers = header.houseNumbers.split('\n')
    header.houseNumbers = ''
    columns.houseStreet.forEach((street, row) => this.streetRow.set(street, row))
    for (let i = 0; i < columns.houseLng.length; i++) {
      const cell = this.houseCell(columns.houseLng[i]!, columns.houseLat[i]!)
      const list = this.houseCells.get(cell)
      if (list) list.push(i)
      else this.houseCells.set(cell, [i])
    }
  }

  private houseCell(lng: number, lat: number): number {
    return Math.floor(lng / HOUSE_CELL) * 1e6 + Math.floor(lat / HOUSE_CELL)
  }

  private firstWord(prefix: string): number {
    let [low, high] = [0, this.vocabulary.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.vocabulary[middle]! < prefix) low = middle + 1
      else high = middle
    }
    return low
  }

  private addWord(word: number, weight: number): void {
    const { start, items, isName } = this.postings
    for (let k = start[word]!; k < start[word + 1]!; k++) {
      const item = items[k]!
      const value = isName[k] ? weight : weight * FROM_ALIAS
      if (this.wordStamp[item] !== this.clock) {
        this.wordStamp[item] = this.clock
        this.wordScore[item] = value
        this.touched.push(item)
      } else if (value > this.wordScore[item]!) this.wordScore[item] = value
    }
  }
  private touched: number[] = []

  private addStarts(word: string): boolean {
    const first = this.firstWord(word)
    for (let i = first; this.vocabulary[i]?.startsWith(word); i++) {
      this.addWord(i, this.vocabulary[i] === word ? EXACT : PREFIX)
    }
    return this.vocabulary[first]?.startsWith(word) ?? false
  }

  private addMistakes(word: string): void {
    const limit = allowedTypos(word)
    if (limit === 0) return
    const mask = letterMask(word)
    for (let i = 0; i < this.vocabulary.length; i++) {
      const candidate = this.vocabulary[i]!
      // Each mistake hides at most one letter: most words fall out before the exact count.
      if (candidate.length < 3 || countBits(mask & ~this.masks[i]!) > limit) continue
      const mistakes = typos(word, candidate, limit)
      if (mistakes <= limit) this.addWord(i, PREFIX - MISTAKE * mistakes)
    }
  }

  /** Items in which every word was found, with the sum of how well. */
  private matching(words: readonly string[], withMistakes: boolean): number[] {
    let candidates: number[] | null = null
    const search = ++this.clock
    for (const [position, word] of words.entries()) {
      this.clock++
      this.touched = []
      const known = this.addStarts(word)
      if (!known || withMistakes) this.addMistakes(word)
      const isOptional = this.placeWords.has(word) && words.length > 1
      for (const item of this.touched) {
        if (this.stamp[item]! < search) {
          this.stamp[item] = search
          this.score[item] = 0
          this.hits[item] = 0
        }
        this.score[item]! += this.wordScore[item]!
        this.hits[item]!++
      }
      if (isOptional && position > 0) {
        for (const item of candidates ?? []) {
          if (this.wordStamp[item] !== this.clock) this.hits[item]!++
        }
      } else {
        candidates = this.touched.filter((item) => this.hits[item] === position + 1)
      }
      if (candidates && candidates.length === 0) break
    }
    return candidates ?? []
  }

  private metresFrom({ lat, lng }: Point, item: number): number {
    const north = this.columns.lat[item]! / 1e6 - lat
    const east = (this.columns.lng[item]! / 1e6 - lng) * Math.cos(lat * RADIANS)
    return Math.hypot(north, east) * RADIANS * EARTH_METRES
  }

  /** The best few of the items: some more than asked for, as twins are dropped. */
  private best(
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
      if (near) score -= Math.min(6, Math.log2(1 + this.metresFrom(near, item) / 1000))
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

  /** The name in a language when the map has it, else the local one. */
  nameOf(item: number, language?: string): string {
    const own = language && this.translations.get(item)?.[language.slice(0, 2).toLowerCase()]
    return own || (this.header.names[item] ?? '')
  }

  private readonly areas = new Map<string, number>()

  /** A quarter's, the city's or a street's name in a language when the map has it, else as it is. */
  named(name: string, language?: string): string {
    const item = this.areas.get(name)
    return item === undefined ? name : this.nameOf(item, language)
  }

  private found(item: number, language?: string): Found {
    return {
      name: this.nameOf(item, language),
      context: this.named(this.header.contexts[item] ?? '', language),
      kind: this.header.kinds[this.columns.kind[item]!] ?? '',
      at: { lat: this.columns.lat[item]! / 1e6, lng: this.columns.lng[item]! / 1e6 },
    }
  }

  private places(words: string[], options: SearchOptions): Found[] {
    let items = this.matching(words, false)
    if (items.length === 0) items = this.matching(words, true)
    if (items.length === 0) {
      const important = words.filter((word) => !SMALL_WORDS.has(word))
      if (important.length === words.length || important.length === 0) return []
      items = this.matching(important, true)
    }
    const out: Found[] = []
    for (const item of this.best(items, words, options)) {
      const found = this.found(item, options.language)
      // The same place is often mapped twice, as an area and as a point in it.
      const isTwin = out.some(
        (other) => other.name === found.name && this.metresFrom(other.at, item) < TWIN_METRES,
      )
      if (!isTwin) out.push(found)
      if (out.length === options.limit) break
    }
    return out
  }

  private houses(
    words: string[],
    number: string,
    options: SearchOptions,
  ): (Found & { exact: boolean })[] {
    let items = this.matching(words, false)
    if (items.length === 0) items = this.matching(words, true)
    const wanted = Number.parseInt(number)
    const out: (Found & { exact: boolean })[] = []
    for (const street of this.best(items, words, options)) {
      if (out.length >= options.limit) break
      const row = this.streetRow.get(street)
      if (row === undefined) continue
      let [best, off] = [-1, NEAR_NUMBER + 1]
      for (let i = this.columns.houseStart[row]!; i < this.columns.houseStart[row + 1]!; i++) {
        const house = this.houseNumbers[i]!
        const distance = Math.abs((Number.parseInt(house) || 1e9) - wanted)
        // An odd number's even neighbour is across the street.
        const difference = fold(house) === number ? -1 : distance + (distance % 2) * OTHER_SIDE
        if (difference < off) [best, off] = [i, difference]
      }
      if (best < 0) continue
      out.push({
        name: `${this.nameOf(street, options.language)} ${this.houseNumbers[best]}`,
        context: this.named(this.header.contexts[street] ?? '', options.language),
        kind: 'address',
        at: this.houseAt(best),
        exact: off <= 0,
      })
    }
    return out
  }

  private houseAt(i: number): Point {
    return { lat: this.columns.houseLat[i]! / 1e6, lng: this.columns.houseLng[i]! / 1e6 }
  }

  /** What fits the words typed so far, best first; a number is read as a house's and as a name's. */
  search(typed: string, options: SearchOptions): Found[] {
    const words = wordsOf(typed.slice(0, 200))
      .slice(0, 10)
      .map((word) => ABBREVIATIONS[word] ?? word)
    if (words.length === 0) return []
    // "18 de Julio" is a street, "Rivera 18" a house: both readings are tried. What follows the
    // number ("…, Pocitos, Montevideo") narrows nothing we do not already know.
    const numberAt = words.findIndex((word, i) => i > 0 && isHouseNumber(word))
    const houses =
      numberAt > 0
        ? this.houses(words.slice(0, numberAt), words[numberAt]!, options)
        : words.length > 1 && isHouseNumber(words[0]!)
          ? this.houses(words.slice(1), words[0]!, options)
          : []
    const named = this.places(words, options)
    const certain = houses.filter(({ exact }) => exact)
    const nearby = houses.filter(({ exact }) => !exact)
    return [...certain, ...named, ...nearby].slice(0, options.limit)
  }

  /** The nearest house number within 60 m; null when there is none. */
  houseNear({ lat, lng }: Point, language?: string): House | null {
    const column = Math.floor((lng * 1e6) / HOUSE_CELL)
    const row = Math.floor((lat * 1e6) / HOUSE_CELL)
    const shrink = Math.cos(lat * RADIANS)
    let [best, nearest] = [-1, HOUSE_METRES]
    // Cells get narrower towards the poles: look as many to the side as 60 m need.
    const sides = Math.ceil(1 / shrink)
    for (let c = column - sides; c <= column + sides; c++)
      for (let r = row - 1; r <= row + 1; r++) {
        for (const i of this.houseCells.get(c * 1e6 + r) ?? []) {
          const at = this.houseAt(i)
          const metres = Math.hypot(at.lat - lat, (at.lng - lng) * shrink) * RADIANS * EARTH_METRES
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
      street: this.nameOf(street, language),
      number: this.houseNumbers[best] ?? '',
      context: this.named(this.header.contexts[street] ?? '', language),
    }
  }
}

export interface SearchOptions {
  limit: number
  near?: Point | undefined
  language?: string | undefined
}
