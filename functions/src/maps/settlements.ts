import { metresBetween } from './geo'
import { readPack } from './pack'
import { fold, typos, wordsOf } from './words'
import type { Point } from './geo'
import type { Column } from './pack'

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
  /** State or province letters, where the country uses them; else empty. */
  region: string
  /** Two-letter code. */
  country: string
  population: number
  at: Point
}

export interface TownSearch {
  country?: string | undefined
  near?: Point | undefined
  limit: number
  /** Whether to look for misspelt names when nothing fits as typed. */
  withMistakes?: boolean
}

const NEAREST_METRES = 30_000
/** Past so many rows starting alike, the rest are hamlets nobody meant with so few letters. */
const ENOUGH = 4_000

/** The world's towns: what can be offered where no streets are known. */
export class Settlements {
  private readonly names: string[]
  private readonly folded: string[]
  private readonly regions: string[]
  private readonly countries: string[]
  private readonly columns: Columns
  private readonly cells = new Map<number, number[]>()
  private readonly entries = new Map<number, Uint32Array>()

  /** Reads `world.bin`; throws when the file is not one. */
  constructor(file: Buffer) {
    const { header, columns } = readPack<Header, Columns>(file)
    this.columns = columns
    this.countries = header.countries
    this.names = header.names.split('\n')
    this.folded = header.folded.split('\n')
    this.regions = header.regions.split('\n')
    for (let row = 0; row < columns.lng.length; row++) {
      const cell = this.cellOf(columns.lat[row]! / 1e6, columns.lng[row]! / 1e6)
      const list = this.cells.get(cell)
      if (list) list.push(row)
      else this.cells.set(cell, [row])
    }
  }

  private cellOf(lat: number, lng: number): number {
    return Math.floor(lat) * 1000 + ((Math.floor(lng) + 540) % 360)
  }

  /** Searchable words of one country, or of all, in the order of the alphabet. */
  private entriesOf(country: number): Uint32Array {
    const known = this.entries.get(country)
    if (known) return known
    const { entryRow, country: countries } = this.columns
    const list = Uint32Array.from(entryRow.keys())
    const own = country < 0 ? list : list.filter((entry) => countries[entryRow[entry]!] === country)
    this.entries.set(country, own)
    return own
  }

  private startsWith(entry: number, prefix: string): boolean {
    const { entryRow, entryOffset } = this.columns
    return this.folded[entryRow[entry]!]!.startsWith(prefix, entryOffset[entry])
  }

  private firstEntry(entries: Uint32Array, prefix: string): number {
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

  private at(row: number): Point {
    return { lat: this.columns.lat[row]! / 1e6, lng: this.columns.lng[row]! / 1e6 }
  }

  private settlement(row: number): Settlement {
    return {
      name: this.names[row] ?? '',
      region: this.regions[row] ?? '',
      country: this.countries[this.columns.country[row]!] ?? '',
      population: this.columns.population[row]!,
      at: this.at(row),
    }
  }

  /** Towns with a word that starts with what was typed, large and near ones first. */
  search(typed: string, { country, near, limit, withMistakes = true }: TownSearch): Settlement[] {
    const wanted = wordsOf(typed.split(',')[0] ?? '').join(' ')
    const only = country ? this.countries.indexOf(country.toUpperCase()) : -1
    if (wanted === '' || (country && only < 0)) return []
    const { population, entryRow, entryOffset } = this.columns
    const entries = this.entriesOf(only)
    const best = new Map<number, number>()
    const consider = (entry: number, penalty: number) => {
      const row = entryRow[entry]!
      let score = Math.log10(population[row]! + 10) * 2 - penalty
      if (entryOffset[entry] === 0) score += 1
      if (this.folded[row] === wanted) score += 2
      if (near) score -= Math.min(6, Math.log2(1 + metresBetween(near, this.at(row)) / 100_000))
      const known = best.get(row)
      if (known === undefined || score > known) best.set(row, score)
    }
    let floor = 0
    for (let i = this.firstEntry(entries, wanted), seen = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if (!this.startsWith(entry, wanted)) break
      if (++seen === ENOUGH) floor = 50_000
      if (population[entryRow[entry]!]! >= floor) consider(entry, 0)
    }
    if (best.size === 0 && withMistakes && wanted.length >= 4) {
      this.considerMistakes(entries, wanted, consider)
    }
    return [...best]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([row]) => this.settlement(row))
  }

  /** First letters are rarely mistyped, so only towns that share it are read. */
  private considerMistakes(
    entries: Uint32Array,
    wanted: string,
    consider: (entry: number, penalty: number) => void,
  ): void {
    const { entryRow, entryOffset } = this.columns
    const limit = wanted.length < 8 ? 1 : 2
    const [first, second, third] = [...wanted]
    for (let i = this.firstEntry(entries, first!); i < entries.length; i++) {
      const entry = entries[i]!
      const offset = entryOffset[entry]!
      const name = this.folded[entryRow[entry]!]!
      if (name[offset] !== first) break
      // One mistake leaves the second typed letter at most one place off; most towns end here.
      const next = name[offset + 1]
      const isLikely = next === second || next === third || name[offset + 2] === second
      if (!isLikely && name[offset + 2] !== third) continue
      const mistakes = typos(wanted, name, limit, offset)
      if (mistakes <= limit) consider(entry, mistakes * 3)
    }
  }

  /** The nearest town within 30 km; null when there is none. */
  nearest(point: Point): Settlement | null {
    let [best, nearest] = [-1, NEAREST_METRES]
    const sides = Math.min(
      180,
      Math.ceil(1 / Math.max(0.01, Math.cos((point.lat * Math.PI) / 180))),
    )
    for (let lat = point.lat - 1; lat <= point.lat + 1; lat++)
      for (let side = -sides; side <= sides; side++) {
        for (const row of this.cells.get(this.cellOf(lat, point.lng + side)) ?? []) {
          const metres = metresBetween(point, this.at(row))
          if (metres < nearest) [best, nearest] = [row, metres]
        }
      }
    return best < 0 ? null : this.settlement(best)
  }
}

/** Folded name, to tell whether two lists speak of the same town. */
export const sameName = (a: string, b: string): boolean => fold(a) === fold(b)
