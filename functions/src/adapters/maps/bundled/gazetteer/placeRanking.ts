import type { AddressQuery } from './addressText'
import type { WordRole } from './wordRole'
import { removePlaceType, removeStreetType } from './addressWords'
import type { NameFit } from './streetNames'
import { getFirstPosition, hasPosition } from './wordMask'
import type { Meters } from '~/domain/language/units'

/** The cost of a missing word that only a name explains. */
export const MISSING_NAME_COST = 4
/**
 * How much a place lacks when it does not have a typed word. A place without a word that only a
 * name explains is another place, hence `MAX_ACCEPTED_COST`.
 */
const MISSING_WORD_COSTS: Readonly<Record<WordRole, number>> = {
  name: MISSING_NAME_COST,
  number: 1.5,
  area: 0.75,
  streetType: 0.5,
  stop: 0.25,
  city: 0,
  ignored: 0,
}
/** The cost of a missing word behind the house number or in another part of the address. */
const SIDE_WORD_COST = 0.5
/** A place with a higher cost does not match the text, unless the text has its whole name. */
export const MAX_ACCEPTED_COST = 3.9
/** A place this much worse than the best one is not offered. */
const MAX_COST_DIFFERENCE = 0.5

const WORD_POINTS = 4
const WEIGHT_POINTS = 0.9
const MAX_DISTANCE_POINTS = 6
const MAX_LENGTH_POINTS = 3
const WHOLE_NAME_POINTS = 4
const NAME_WITHOUT_TYPE_POINTS = 3.5
const NAME_START_POINTS = 3
const NAME_PART_POINTS = 2
const WHOLE_ADDRESS_POINTS = 10
/** At least the length of the longest kind of street and the space behind it. */
const MAX_STREET_TYPE_LENGTH = 12

/** Returns the words of a mask that are behind the house number at word `numberAt`. */
const selectBehind = (mask: number, numberAt: number) =>
  numberAt < 0 ? 0 : mask & ~((2 << numberAt) - 1)

/**
 * Returns the cost of the missing words of an address. `numberAt` is the word that is the house
 * number, or -1: "San José 1234 apto 3".
 */
export const getMissingCost = (
  { words }: AddressQuery,
  missingWords: number,
  numberAt: number,
): number => {
  const behind = selectBehind(missingWords, numberAt)
  let cost = 0
  for (let rest = missingWords; rest !== 0; rest &= rest - 1) {
    const position = getFirstPosition(rest)
    const { role, isInHead } = words[position]!
    const isSide = !isInHead || hasPosition(behind, position)
    cost += isSide ? Math.min(SIDE_WORD_COST, MISSING_WORD_COSTS[role]) : MISSING_WORD_COSTS[role]
  }
  return cost
}

const hasPhrase = (text: string, phrase: string) =>
  text.includes(phrase) && ` ${text} `.includes(` ${phrase} `)

/** Returns true when the address has all words of a canonical name in their order. */
export const hasWholeName = ({ text }: AddressQuery, name: string): boolean =>
  hasPhrase(text, name) || hasPhrase(text, removeStreetType(name))

/** Returns points for typing the words of a canonical name together and from its beginning. */
const getNamePoints = ({ text, head }: AddressQuery, { name, context }: RankedPlace): number => {
  if (hasPhrase(text, name)) {
    const isWholeAddress = context !== '' && `${text} `.startsWith(`${name} ${context} `)
    return WHOLE_NAME_POINTS + (isWholeAddress ? WHOLE_ADDRESS_POINTS : 0)
  }
  if (name.startsWith(head)) return NAME_START_POINTS
  const isInside = name.includes(` ${head}`)
  if (!isInside && text.length < name.length - MAX_STREET_TYPE_LENGTH) return 0
  const core = removePlaceType(removeStreetType(name))
  if (core !== name && hasPhrase(text, core)) return NAME_WITHOUT_TYPE_POINTS
  if (core.startsWith(head)) return NAME_START_POINTS
  return isInside ? NAME_PART_POINTS : 0
}

/** A place as the ranking sees it; texts are canonical. */
interface RankedPlace {
  name: string
  context: string
}

/** The rank of a place before its name and its distance are compared. */
export const getWordRank = (wordScore: number, weight: number): number =>
  wordScore * WORD_POINTS + weight * WEIGHT_POINTS

/** Returns what a place's name adds to its rank. */
export const getNameRank = (query: AddressQuery, place: RankedPlace): number =>
  getNamePoints(query, place) -
  Math.min(MAX_LENGTH_POINTS, Math.max(0, place.name.length - query.head.length) * 0.06)

/** The most that a place's name can add to its rank. */
export const MAX_NAME_RANK = WHOLE_NAME_POINTS + WHOLE_ADDRESS_POINTS

/**
 * Returns what the distance takes from the rank of a place: as much as a typed word for 16 km, so
 * that a terminal nearby comes before a street of the same name at the other end of the city.
 */
export const getDistanceRank = (meters: Meters): number =>
  -Math.min(MAX_DISTANCE_POINTS, Math.log2(1 + meters / 1000))

/** The rank that a matching house number adds to its street's. */
export const HOUSE_POINTS = { exact: 1.3 * WORD_POINTS, near: 0.5 * WORD_POINTS }
/** The costs of a house number on the map, of one near it, and of one that the map lacks. */
export const MISSING_HOUSE_COSTS = { exact: 0, near: 0.6, missing: 1 }

/**
 * Points of a street whose whole name an address with a house number has, so that no house of
 * another street comes before it.
 */
export const NAMED_POINTS: Readonly<Record<NameFit, number>> = { whole: 20, core: 16 }

/** One way to read the typed text as a place, with the cost of the words it lacks. */
export interface Reading {
  cost: number
  rank: number
  /** True for a street whose whole name the text has; it is offered whatever it lacks. */
  isNamed: boolean
}

const getTotal = ({ rank, cost }: Pick<Reading, 'rank' | 'cost'>) => rank - cost * WORD_POINTS

const sortByTotal = <T extends Reading>(readings: T[]) =>
  readings.sort((a, b) => getTotal(b) - getTotal(a))

/** Returns the highest cost at which a place is offered when the best one has `least`. */
export const getCostLimit = (least: number): number => least + MAX_COST_DIFFERENCE

/** Returns the readings whose cost is near the lowest one, best first. */
export const sortReadings = <T extends Reading>(readings: readonly T[]): T[] => {
  const limit = getCostLimit(Math.min(...readings.map(({ cost }) => cost)))
  return sortByTotal(readings.filter(({ cost, isNamed }) => isNamed || cost <= limit))
}

/** The best of many readings; sorts only a few of them at a time. */
export class BestReadings<T extends Reading> {
  private readings: T[] = []
  private floor = -Infinity
  private readonly count: number

  constructor(count: number) {
    this.count = count
  }

  /** Returns true when a reading with this rank and cost can be among the best. */
  accepts(rank: number, cost: number): boolean {
    return getTotal({ rank, cost }) > this.floor
  }

  /** Adds a reading unless there are enough better ones. */
  add(reading: T): void {
    if (!this.accepts(reading.rank, reading.cost)) return
    this.readings.push(reading)
    if (this.readings.length < this.count * 4) return
    this.readings = this.list()
    this.floor = getTotal(this.readings.at(-1)!)
  }

  /** Returns the best readings, best first. */
  list(): T[] {
    return sortByTotal(this.readings).slice(0, this.count)
  }
}
