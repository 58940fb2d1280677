import { getDistanceMeters } from '../../../ports/positions'
import { decodeColumnFile } from './columnFile'
import { foldText, splitWords } from '~/domain/language/foldedWords'
import { countTypos } from './typoMatching'
import type { Position } from '../../../ports/positions'
import type { Column } from './columnFile'

interface Header {
  countries: string[]
  names: string
  folded: string
  regions: string
}

interface Columns extends Record<string, Column> {
  country: Uint8Array
  population: Uint32Array
  lng: Int32Array
  lat: Int32Array
  entryRow: Uint32Array
  entryOffset: Uint8Array
}

export interface Settlement {
  name: string
  /** State or province letters in countries that use them; otherwise empty. */
  region: string
  /** Two-letter country code. */
  country: string
  population: number
  at: Position
}

export interface TownSearchOptions {
  country?: string | undefined
  near?: Position | undefined
  limit: number
  /** Allows misspelled names when nothing matches the typed text. */
  isTypoTolerant?: boolean
}

const MAX_TOWN_METERS = 30_000
/** More than any difference in size. */
const REGION_POINTS = 20
/**
 * After this number of rows with the same prefix, the rest are hamlets that are unlikely matches
 * for a short text.
 */
const MAX_UNFILTERED_ROWS = 4_000

/** The world's towns, offered where no streets are known. */
export class Settlements {
  private readonly names: string[]
  private readonly folded: string[]
  private readonly regions: string[]
  private readonly countries: string[]
  private readonly columns: Columns
  private readonly cells = new Map<number, number[]>()
  private readonly entries = new Map<number, Uint32Array>()

  /** Reads `world.bin`. Throws when the file has another format. */
  constructor(file: Buffer) {
    const { header, columns } = decodeColumnFile<Header, Columns>(file)
    this.columns = columns
    this.countries = header.countries
    this.names = header.names.split('\n')
    this.folded = header.folded.split('\n')
    this.regions = header.regions.split('\n')
    for (let row = 0; row < columns.lng.length; row++) {
      const cell = this.getCell(columns.lat[row]! / 1e6, columns.lng[row]! / 1e6)
      const list = this.cells.get(cell)
      if (list) list.push(row)
      else this.cells.set(cell, [row])
    }
  }

  private getCell(lat: number, lng: number): number {
    return Math.floor(lat) * 1000 + ((Math.floor(lng) + 540) % 360)
  }

  /** Returns the searchable words of one country, or of all, in alphabetical order. */
  private listEntries(country: number): Uint32Array {
    const cachedEntries = this.entries.get(country)
    if (cachedEntries) return cachedEntries
    const { entryRow, country: countries } = this.columns
    const list = Uint32Array.from(entryRow.keys())
    const own = country < 0 ? list : list.filter((entry) => countries[entryRow[entry]!] === country)
    this.entries.set(country, own)
    return own
  }

  private hasPrefix(entry: number, prefix: string): boolean {
    const { entryRow, entryOffset } = this.columns
    return this.folded[entryRow[entry]!]!.startsWith(prefix, entryOffset[entry])
  }

  private findFirstEntry(entries: Uint32Array, prefix: string): number {
    const { entryRow, entryOffset } = this.columns
    let [low, high] = [0, entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = entries[middle]!
      if (this.folded[entryRow[entry]!]!.slice(entryOffset[entry]) < prefix) low = middle + 1
      else high = middle
    }
    return low
  }

  private getPosition(row: number): Position {
    return { lat: this.columns.lat[row]! / 1e6, lng: this.columns.lng[row]! / 1e6 }
  }

  private toSettlement(row: number): Settlement {
    return {
      name: this.names[row] ?? '',
      region: this.regions[row] ?? '',
      country: this.countries[this.columns.country[row]!] ?? '',
      population: this.columns.population[row]!,
      at: this.getPosition(row),
    }
  }

  /**
   * Returns towns with a word that starts with the typed text, large and near ones first, and
   * before them those in the region behind its comma: "Albany, TX".
   */
  search(
    typed: string,
    { country, near, limit, isTypoTolerant = true }: TownSearchOptions,
  ): Settlement[] {
    const [name = '', ...parts] = typed.split(',')
    const searchText = splitWords(name).join(' ')
    const regions = new Set(parts.flatMap(splitWords))
    const only = country ? this.countries.indexOf(country.toUpperCase()) : -1
    if (searchText === '' || (country && only < 0)) return []
    const { population, entryRow, entryOffset } = this.columns
    const entries = this.listEntries(only)
    const best = new Map<number, number>()
    const consider = (entry: number, penalty: number) => {
      const row = entryRow[entry]!
      let score = Math.log10(population[row]! + 10) * 2 - penalty
      if (entryOffset[entry] === 0) score += 1
      if (this.folded[row] === searchText) score += 2
      if (regions.has(foldText(this.regions[row]!))) score += REGION_POINTS
      if (near)
        score -= Math.min(
          6,
          Math.log2(1 + getDistanceMeters(near, this.getPosition(row)) / 100_000),
        )
      const bestScore = best.get(row)
      if (bestScore === undefined || score > bestScore) best.set(row, score)
    }
    let floor = 0
    for (
      let i = this.findFirstEntry(entries, searchText), visitCount = 0;
      i < entries.length;
      i++
    ) {
      const entry = entries[i]!
      if (!this.hasPrefix(entry, searchText)) break
      if (++visitCount === MAX_UNFILTERED_ROWS) floor = 50_000
      if (population[entryRow[entry]!]! >= floor) consider(entry, 0)
    }
    if (best.size === 0 && isTypoTolerant && searchText.length >= 4) {
      this.considerTypos(entries, searchText, consider)
    }
    return [...best]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([row]) => this.toSettlement(row))
  }

  /**
   * Adds towns with a similar name. Reads only towns with the same first letter, because people
   * rarely mistype it.
   */
  private considerTypos(
    entries: Uint32Array,
    searchText: string,
    consider: (entry: number, penalty: number) => void,
  ): void {
    const { entryRow, entryOffset } = this.columns
    const limit = searchText.length < 8 ? 1 : 2
    const [first, second, third] = [...searchText]
    for (let i = this.findFirstEntry(entries, first!); i < entries.length; i++) {
      const entry = entries[i]!
      const offset = entryOffset[entry]!
      const name = this.folded[entryRow[entry]!]!
      if (name[offset] !== first) break
      // One typo shifts the second typed letter by at most one place, so this check excludes most
      // towns.
      const next = name[offset + 1]
      const isLikely = next === second || next === third || name[offset + 2] === second
      if (!isLikely && name[offset + 2] !== third) continue
      const mistakes = countTypos(searchText, name, limit, offset)
      if (mistakes <= limit) consider(entry, mistakes * 3)
    }
  }

  /** Returns the nearest town within 30 km, or null. */
  findNearest(point: Position): Settlement | null {
    let [best, nearest] = [-1, MAX_TOWN_METERS]
    const sides = Math.min(
      180,
      Math.ceil(1 / Math.max(0.01, Math.cos((point.lat * Math.PI) / 180))),
    )
    for (let lat = point.lat - 1; lat <= point.lat + 1; lat++)
      for (let side = -sides; side <= sides; side++) {
        for (const row of this.cells.get(this.getCell(lat, point.lng + side)) ?? []) {
          const metres = getDistanceMeters(point, this.getPosition(row))
          if (metres < nearest) [best, nearest] = [row, metres]
        }
      }
    return best < 0 ? null : this.toSettlement(best)
  }
}

/** Compares folded names, to tell whether two lists mean the same town. */
export const isSameName = (a: string, b: string): boolean => foldText(a) === foldText(b)
