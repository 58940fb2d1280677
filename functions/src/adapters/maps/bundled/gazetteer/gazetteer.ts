import { EARTH_RADIUS_METERS, RADIANS_PER_DEGREE, type Position } from '../../../../ports/positions'
import {
  createCityWords,
  findLongestRequired,
  parseAddress,
  type AddressQuery,
  type CityWords,
} from './addressText'
import { joinCanonically, splitAddressWords } from './addressWords'
import { listCountryNames } from './countryNames'
import { readCrossing } from './crossings'
import { readGazetteerFile, type Columns, type Header } from './gazetteerFile'
import { HouseNumbers } from './houseNumbers'
import { readHouse, selectFreeNumbers } from './houseReading'
import {
  BestReadings,
  getCostLimit,
  getDistanceRank,
  getMissingCost,
  getNameRank,
  getWordRank,
  hasWholeName,
  HOUSE_POINTS,
  MAX_ACCEPTED_COST,
  MAX_NAME_RANK,
  MISSING_HOUSE_COSTS,
  MISSING_NAME_COST,
  NAMED_POINTS,
  sortReadings,
  type Reading,
} from './placeRanking'
import { listAttempts, type SearchMode } from './searchAttempts'
import { StreetNames } from './streetNames'
import { WordIndex } from './wordIndex'
import { getFirstPosition, getLastPosition } from './wordMask'

/** A place in the city that matches the typed text. */
export interface FoundPlace {
  name: string
  /** The name on the map, in the city's language. */
  ownName: string
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

export interface SearchOptions {
  limit: number
  near?: Position | undefined
  language?: string | undefined
}

/** A place, or one house of a street, as a reading of the typed text. */
interface PlaceReading extends Reading {
  item: number
  house: number | null
}

const DUPLICATE_METERS = 1_500
/** Kinds of places whose names appear in the addresses of other places. */
const AREA_KINDS = new Set(['city', 'suburb', 'street'])

/** Remembers the results for texts, because most places share their quarter's name. */
const memoize = <T>(compute: (text: string) => T): ((text: string) => T) => {
  const results = new Map<string, T>()
  return (text) => {
    const result = results.get(text) ?? compute(text)
    results.set(text, result)
    return result
  }
}

/** Names, streets and house numbers of one city, indexed for search as the user types. */
export class Gazetteer {
  private readonly header: Header
  private readonly columns: Columns
  private readonly translations: Map<number, Record<string, string>>
  private readonly aliases = new Map<number, string[]>()
  private readonly areaItems = new Map<string, number>()
  private readonly canonicalNames: string[]
  private readonly canonicalContexts: string[]
  private readonly cityWords: CityWords
  private readonly index: WordIndex
  private readonly houses: HouseNumbers
  private readonly streetNames: StreetNames

  /** Reads `gaz.bin`. Throws when the file has another format. */
  constructor(file: Buffer) {
    const { header, columns } = readGazetteerFile(file)
    this.header = header
    this.columns = columns
    this.translations = new Map(header.translations)
    for (const [item] of header.translations) {
      if (AREA_KINDS.has(this.getKind(item))) this.areaItems.set(header.names[item]!, item)
    }
    for (const [item, alias] of header.aliases) {
      this.aliases.set(item, [...(this.aliases.get(item) ?? []), alias])
    }
    const nameWords = header.names.map(splitAddressWords)
    this.canonicalNames = nameWords.map(joinCanonically)
    this.canonicalContexts = this.createContexts()
    this.cityWords = this.collectCityWords()
    this.index = this.createIndex(nameWords)
    this.houses = new HouseNumbers(header.houseNumbers.split('\n'), columns)
    header.houseNumbers = ''
    this.streetNames = this.createStreetNames()
  }

  private getKind(item: number): string {
    return this.header.kinds[this.columns.kind[item]!] ?? ''
  }

  /** Returns a text in all languages in which the map has it. */
  private listTranslations(text: string): string[] {
    const item = this.areaItems.get(text)
    return [text, ...Object.values((item !== undefined && this.translations.get(item)) || {})]
  }

  private collectCityWords(): CityWords {
    const { city, country, contexts } = this.header
    const quarters = new Set(contexts.filter((_, item) => this.getKind(item) === 'street'))
    return createCityWords(
      [...this.listTranslations(city), ...listCountryNames(country)],
      [...quarters].flatMap((quarter) => this.listTranslations(quarter)),
    )
  }

  /** Returns what each place's text has behind its name, canonically. */
  private createContexts(): string[] {
    const { names, contexts, city } = this.header
    const toCanonical = memoize((text: string) => joinCanonically(splitAddressWords(text)))
    // The text of a quarter has the city behind its name.
    return contexts.map((context, item) => toCanonical(context === names[item] ? city : context))
  }

  private createStreetNames(): StreetNames {
    const streets = [...this.header.names.keys()].filter((item) => this.getKind(item) === 'street')
    return new StreetNames(streets.map((item) => [item, this.listNames(item)]))
  }

  /** Returns the name of a place and its other names. */
  private listNames(item: number): string[] {
    return [this.header.names[item]!, ...(this.aliases.get(item) ?? [])]
  }

  private createIndex(nameWords: readonly string[][]): WordIndex {
    const { aliases, contexts } = this.header
    const listContextWords = memoize((context: string) =>
      this.listTranslations(context).flatMap(splitAddressWords),
    )
    return new WordIndex(nameWords.length, (put) => {
      nameWords.forEach((words, item) => put(item, words, 'name'))
      for (const [item, alias] of aliases) put(item, splitAddressWords(alias), 'alias')
      contexts.forEach((context, item) => put(item, listContextWords(context), 'context'))
    })
  }

  private getPosition(item: number): Position {
    return { lat: this.columns.lat[item]! / 1e6, lng: this.columns.lng[item]! / 1e6 }
  }

  private getMetersFrom({ lat, lng }: Position, item: number): number {
    const north = this.columns.lat[item]! / 1e6 - lat
    const east = (this.columns.lng[item]! / 1e6 - lng) * Math.cos(lat * RADIANS_PER_DEGREE)
    return Math.hypot(north, east) * RADIANS_PER_DEGREE * EARTH_RADIUS_METERS
  }

  /** Returns the position of the city itself, or null when the map lacks it. */
  getCenter(): Position | null {
    const item = this.header.names.findIndex(
      (name, i) => name === this.header.city && this.getKind(i) === 'city',
    )
    return item < 0 ? null : this.getPosition(item)
  }

  /** Returns the name in a language when the map has it, otherwise the local name. */
  getName(item: number, language?: string): string {
    const own = language && this.translations.get(item)?.[language.slice(0, 2).toLowerCase()]
    return own || (this.header.names[item] ?? '')
  }

  /**
   * Returns the name of a neighborhood, city or street in a language when the map has it, otherwise
   * unchanged.
   */
  translateName(name: string, language?: string): string {
    const item = this.areaItems.get(name)
    return item === undefined ? name : this.getName(item, language)
  }

  private getContext(item: number, language?: string): string {
    return this.translateName(this.header.contexts[item] ?? '', language)
  }

  private getCanonicalName(item: number, language?: string): string {
    return language && this.translations.has(item)
      ? joinCanonically(splitAddressWords(this.getName(item, language)))
      : this.canonicalNames[item]!
  }

  /**
   * Returns the cost of the words that a place lacks. A number is free for a street, because it can
   * be the house number, also one that the map lacks.
   */
  private getCost(query: AddressQuery, item: number): number {
    const missingWords = query.all & ~(this.index.getMask(item) | query.free)
    if (missingWords === 0) return 0
    if ((missingWords & query.required) !== 0) return MISSING_NAME_COST
    if (this.getKind(item) !== 'street') return getMissingCost(query, missingWords, -1)
    const numbers = missingWords & query.numbers
    const numberAt = numbers === 0 ? -1 : getFirstPosition(numbers)
    const name = this.index.getNameMask(item) & query.inHead & ~query.stops
    const isBehind = numberAt > getLastPosition(name)
    return getMissingCost(query, missingWords & ~numbers, isBehind ? numberAt : -1)
  }

  /** Returns true when the text has the whole name of a street. */
  private isNamed(query: AddressQuery, item: number, language: string | undefined): boolean {
    return (
      this.getKind(item) === 'street' &&
      (this.index.getNameMask(item) & query.significant) !== 0 &&
      hasWholeName(query, this.getCanonicalName(item, language))
    )
  }

  /** Returns the places that match best, a few more than the limit, best first. */
  private selectCandidates(
    query: AddressQuery,
    matches: readonly number[],
    { near, language, limit }: SearchOptions,
    mode: SearchMode,
  ): PlaceReading[] {
    const items =
      mode === 'named' ? matches.filter((item) => this.isNamed(query, item, language)) : matches
    const costs = items.map((item) => this.getCost(query, item))
    const least = costs.reduce((a, b) => Math.min(a, b), Infinity)
    const costLimit =
      mode === 'named' ? getCostLimit(least) : Math.min(MAX_ACCEPTED_COST, getCostLimit(least))
    const fits = this.streetNames.findInAddress(query)
    const best = new BestReadings<PlaceReading>(limit * 4)
    for (const [i, item] of items.entries()) {
      const cost = costs[i]!
      const isWholeHead = fits.size > 0 && this.canonicalNames[item] === query.head
      const fit = fits.get(item) ?? (isWholeHead ? 'whole' : null)
      if (cost > costLimit && !fit) continue
      let rank = getWordRank(this.index.getScore(item), this.columns.weight[item]!)
      if (fit) rank += NAMED_POINTS[fit]
      if (!best.accepts(rank + MAX_NAME_RANK, cost)) continue
      if (near) rank += getDistanceRank(this.getMetersFrom(near, item))
      const name = this.getCanonicalName(item, language)
      rank += getNameRank(query, { name, context: this.canonicalContexts[item]! })
      best.add({ item, house: null, cost, rank, isNamed: fit !== null })
    }
    return best.list()
  }

  /** Returns the ways to read a text as a place: itself, a house of a street, or one near it. */
  private readPlace(query: AddressQuery, { item, rank, isNamed }: PlaceReading): PlaceReading[] {
    const mask = this.index.getMask(item)
    const missingWords = query.all & ~(mask | query.free)
    const itselfCost = getMissingCost(query, missingWords, -1)
    const itself = { item, house: null, rank, isNamed, cost: itselfCost }
    if (this.getKind(item) !== 'street') return [itself]
    const names = this.listNames(item).map(splitAddressWords)
    const freeNumbers = selectFreeNumbers(query, names)
    const nameMask = this.index.getNameMask(item) & ~freeNumbers
    if (freeNumbers === 0 || (nameMask & ~query.stops) === 0) return [itself]

    const house = readHouse(query, { street: item, names, nameMask, freeNumbers }, this.houses)
    const at = house?.at ?? getFirstPosition(freeNumbers)
    const explained = (mask & ~freeNumbers) | query.free | (house?.mask ?? 1 << at)
    const cost = getMissingCost(query, query.all & ~explained, at)
    const street = { ...itself, cost: cost + MISSING_HOUSE_COSTS.missing }
    // A number that begins one in the name is also that one: "Calle 1" of "Calle 12".
    const isWholeName = (missingWords & query.numbers) === 0
    const others = isWholeName ? [itself] : house?.isExact ? [] : [street]
    if (!house) return others
    const fit = house.isExact ? 'exact' : 'near'
    const reading = {
      item,
      isNamed,
      house: house.house,
      rank: rank + HOUSE_POINTS[fit],
      cost: cost + MISSING_HOUSE_COSTS[fit],
    }
    return [reading, ...others]
  }

  private describeItem(item: number, language?: string): FoundPlace {
    return {
      name: this.getName(item, language),
      ownName: this.header.names[item]!,
      context: this.getContext(item, language),
      kind: this.getKind(item),
      at: this.getPosition(item),
    }
  }

  private toFoundPlace({ item, house }: PlaceReading, language?: string): FoundPlace {
    const place = this.describeItem(item, language)
    if (house === null) return place
    return {
      ...place,
      name: `${place.name} ${this.houses.getLabel(house)}`,
      kind: 'address',
      at: this.houses.getPosition(house),
    }
  }

  private readAddress(
    query: AddressQuery,
    options: SearchOptions,
    mode: SearchMode,
  ): PlaceReading[] {
    const items = this.index.findMatches(query, {
      acceptsTypos: mode !== 'exact',
      // A place that lacks a required word does not match, so the others need not be collected.
      opener: mode === 'named' ? null : findLongestRequired(query),
    })
    const candidates = this.selectCandidates(query, items, options, mode)
    return sortReadings(candidates.flatMap((candidate) => this.readPlace(query, candidate)))
  }

  /**
   * Returns the places that match the words typed so far, best first. Each number can be the house
   * number or a part of the name; the best reading wins. District, city and country help to rank,
   * and a house number that the map lacks leads to one near it or to the street.
   */
  search(typed: string, options: SearchOptions): FoundPlace[] {
    for (const [text, mode] of listAttempts(typed, this.index))
      for (const query of parseAddress(text, this.cityWords)) {
        const readings = this.readAddress(query, options, mode)
        if (readings.length > 0) return this.listPlaces(readings, options)
      }
    return []
  }

  private listPlaces(
    readings: readonly PlaceReading[],
    { limit, language }: SearchOptions,
  ): FoundPlace[] {
    const places: FoundPlace[] = []
    for (const reading of readings) {
      if (places.length === limit) break
      const place = this.toFoundPlace(reading, language)
      // Maps often contain the same place twice: as an area and as a point inside it.
      const isTwin = places.some(
        ({ name, at }) =>
          name === place.name && this.getMetersFrom(at, reading.item) < DUPLICATE_METERS,
      )
      if (!isTwin) places.push(place)
    }
    return places
  }

  /** Returns the streets of each side when a text names two that may cross, or null. */
  findCrossing(typed: string, language?: string): [FoundPlace[], FoundPlace[]] | null {
    const sides = readCrossing(typed, this.streetNames, this.cityWords)
    if (!sides) return null
    const describe = (item: number) => this.describeItem(item, language)
    return [sides[0].map(describe), sides[1].map(describe)]
  }

  /** Returns the quarter of a street that has exactly this name, in a language of the map. */
  getStreetQuarter(name: string, language?: string): string {
    const item = this.streetNames.findOwn(name)
    return item === null ? '' : this.getContext(item, language)
  }

  /** Returns the nearest house number within 60 m, or null. */
  findNearestHouse(at: Position, language?: string): House | null {
    const house = this.houses.findNearest(at)
    return (
      house && {
        street: this.getName(house.street, language),
        number: house.label,
        context: this.getContext(house.street, language),
      }
    )
  }
}
