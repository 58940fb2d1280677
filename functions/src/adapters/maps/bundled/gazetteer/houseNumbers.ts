import { EARTH_RADIUS_METERS, RADIANS_PER_DEGREE, type Position } from '../../../../ports/positions'
import { splitAddressWords } from './addressWords'

const MAX_NUMBER_DIFFERENCE = 60
const OTHER_SIDE_PENALTY = 8
const MAX_HOUSE_METERS = 60
const HOUSE_CELL_MICRODEGREES = 600 // millionths of a degree, about 60 m
/** "1234 BIS", "12-14 A": no number of a house has more words. */
const MAX_NUMBER_WORDS = 4

export interface HouseColumns {
  /** The streets with house numbers. */
  houseStreet: Uint32Array
  /** The first house of each of these streets, and the end of the last one. */
  houseStart: Uint32Array
  houseLng: Int32Array
  houseLat: Int32Array
}

/** A house on a street whose number is the typed one or, when `isExact` is false, near it. */
export interface HouseMatch {
  house: number
  isExact: boolean
  /** The number of typed words that are the house number. */
  wordCount: number
}

/** Joins "1234 B", "1234-B" and "1234b" to one text, but keeps "12-34" apart from "1234". */
const joinNumberWords = (words: readonly string[]) =>
  words.join(' ').replace(/(\d) (?=\p{L})/gu, '$1')

const toCell = (column: number, row: number) => column * 1e6 + row

/** The house numbers of one city. A street's houses are sorted by number. */
export class HouseNumbers {
  private readonly columns: HouseColumns
  private readonly labels: string[]
  /** The row of each street, -1 for one without houses. */
  private readonly rows: Int32Array
  private readonly cells = new Map<number, number[]>()

  /** Takes the number of each house as the map writes it. */
  constructor(labels: string[], columns: HouseColumns) {
    this.labels = labels
    this.columns = columns
    const streetCount = columns.houseStreet.reduce((most, street) => Math.max(most, street + 1), 0)
    this.rows = new Int32Array(streetCount).fill(-1)
    columns.houseStreet.forEach((street, row) => (this.rows[street] = row))
    for (let i = 0; i < columns.houseLng.length; i++) {
      const cell = toCell(
        Math.floor(columns.houseLng[i]! / HOUSE_CELL_MICRODEGREES),
        Math.floor(columns.houseLat[i]! / HOUSE_CELL_MICRODEGREES),
      )
      const list = this.cells.get(cell)
      if (list) list.push(i)
      else this.cells.set(cell, [i])
    }
  }

  private getRow(street: number): number {
    return this.rows[street] ?? -1
  }

  /** Returns true when the map has houses of the street. */
  hasStreet(street: number): boolean {
    return this.getRow(street) >= 0
  }

  /** Returns the number of a house as the map writes it. */
  getLabel(house: number): string {
    return this.labels[house] ?? ''
  }

  /** Returns the position of a house. */
  getPosition(house: number): Position {
    return { lat: this.columns.houseLat[house]! / 1e6, lng: this.columns.houseLng[house]! / 1e6 }
  }

  private getNumber(house: number): number {
    return Number.parseInt(this.labels[house]!) || 0
  }

  /** Returns the first house of the row whose number is at least `number`. */
  private findFirst(row: number, number: number): number {
    let [low, high] = [this.columns.houseStart[row]!, this.columns.houseStart[row + 1]!]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.getNumber(middle) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Returns the house of a street whose number begins the typed words, or the nearest one within 60
   * numbers. Returns null without either.
   */
  findHouse(street: number, words: readonly string[]): HouseMatch | null {
    const row = this.getRow(street)
    const number = Number.parseInt(words[0] ?? '')
    if (row < 0 || Number.isNaN(number)) return null
    const end = this.columns.houseStart[row + 1]!
    const typed = words
      .slice(0, MAX_NUMBER_WORDS)
      .map((_, i) => joinNumberWords(words.slice(0, i + 1)))
    let exact: HouseMatch | null = null
    for (let i = this.findFirst(row, number); i < end && this.getNumber(i) === number; i++) {
      const wordCount = typed.indexOf(joinNumberWords(splitAddressWords(this.labels[i]!))) + 1
      if (wordCount > (exact?.wordCount ?? 0)) exact = { house: i, isExact: true, wordCount }
    }
    if (exact) return exact
    let [best, off] = [-1, MAX_NUMBER_DIFFERENCE + 1]
    for (let i = this.findFirst(row, number - MAX_NUMBER_DIFFERENCE); i < end; i++) {
      const difference = Math.abs(this.getNumber(i) - number)
      if (this.getNumber(i) - number > MAX_NUMBER_DIFFERENCE) break
      // The even neighbor of an odd number is across the street.
      const distance = difference + (difference % 2) * OTHER_SIDE_PENALTY
      if (this.getNumber(i) > 0 && distance < off) [best, off] = [i, distance]
    }
    return best < 0 ? null : { house: best, isExact: false, wordCount: 1 }
  }

  /** Returns the street and the number of the nearest house within 60 m, or null. */
  findNearest({ lat, lng }: Position): { street: number; label: string } | null {
    const column = Math.floor((lng * 1e6) / HOUSE_CELL_MICRODEGREES)
    const row = Math.floor((lat * 1e6) / HOUSE_CELL_MICRODEGREES)
    const shrink = Math.cos(lat * RADIANS_PER_DEGREE)
    let [best, nearest] = [-1, MAX_HOUSE_METERS]
    // Cells get narrower toward the poles, so search as many columns as 60 m requires.
    const sides = Math.ceil(1 / shrink)
    for (let c = column - sides; c <= column + sides; c++)
      for (let r = row - 1; r <= row + 1; r++) {
        for (const i of this.cells.get(toCell(c, r)) ?? []) {
          const at = this.getPosition(i)
          const meters =
            Math.hypot(at.lat - lat, (at.lng - lng) * shrink) *
            RADIANS_PER_DEGREE *
            EARTH_RADIUS_METERS
          if (meters < nearest) [best, nearest] = [i, meters]
        }
      }
    return best < 0 ? null : { street: this.getStreet(best), label: this.getLabel(best) }
  }

  private getStreet(house: number): number {
    const { houseStart, houseStreet } = this.columns
    let [low, high] = [0, houseStreet.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (houseStart[middle]! <= house) low = middle
      else high = middle
    }
    return houseStreet[low]!
  }
}
