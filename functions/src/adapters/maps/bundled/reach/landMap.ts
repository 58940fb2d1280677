import { decodeColumnFile, type Column } from '../columnFile'
import { EARTH_RADIUS_METERS, RADIANS_PER_DEGREE, type Position } from '../../../../ports/positions'
import type { Meters } from '~/domain/language/units'

interface Columns extends Record<string, Column> {
  ringStart: Uint32Array
  /** Longitude and latitude of each vertex in millionths of a degree. */
  shape: Int32Array
}

const COLUMN_COUNT = 360
const METERS_PER_DEGREE = EARTH_RADIUS_METERS * RADIANS_PER_DEGREE

/** Returns the difference of two longitudes in degrees, from -180 to 180. */
const wrapDegrees = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180

const toColumn = (lng: number): number =>
  (((Math.floor(lng) + 180) % COLUMN_COUNT) + COLUMN_COUNT) % COLUMN_COUNT

/**
 * The world's land, for places outside the known streets. Its shores are up to 800 m off. Edges are
 * listed by the degrees of longitude they touch.
 */
export class LandMap {
  private readonly shape: Int32Array
  private readonly columns: number[][] = Array.from({ length: COLUMN_COUNT }, () => [])

  /** Reads `land.bin`. Throws when the file has another format. */
  constructor(file: Buffer) {
    const { ringStart, shape } = decodeColumnFile<object, Columns>(file).columns
    this.shape = shape
    for (let ring = 0; ring < ringStart.length - 1; ring++) {
      for (let i = ringStart[ring]!; i < ringStart[ring + 1]! - 1; i++) this.addEdge(i)
    }
  }

  private addEdge(vertex: number): void {
    const lng = this.shape[2 * vertex]! / 1e6
    const span = wrapDegrees(this.shape[2 * vertex + 2]! / 1e6 - lng)
    const [west, east] = span < 0 ? [lng + span, lng] : [lng, lng + span]
    for (let degree = Math.floor(west); degree <= Math.floor(east); degree++) {
      this.columns[toColumn(degree)]!.push(vertex)
    }
  }

  /** Returns an edge's ends in degrees from a position, so that no edge breaks at the date line. */
  private getEdge(vertex: number, { lat, lng }: Position) {
    const { shape } = this
    const west = shape[2 * vertex]! / 1e6
    const x = wrapDegrees(west - lng)
    return {
      x,
      y: shape[2 * vertex + 1]! / 1e6 - lat,
      dx: wrapDegrees(shape[2 * vertex + 2]! / 1e6 - west),
      dy: (shape[2 * vertex + 3]! - shape[2 * vertex + 1]!) / 1e6,
    }
  }

  /** Counts the shores on the way to the North Pole, which is at sea. */
  private isLand(position: Position): boolean {
    let crossings = 0
    for (const vertex of this.columns[toColumn(position.lng)]!) {
      const { x, y, dx, dy } = this.getEdge(vertex, position)
      if (x > 0 === x + dx > 0) continue
      if (y - (x / dx) * dy > 0) crossings++
    }
    return crossings % 2 === 1
  }

  /** Returns 0 on land, otherwise the meters to the nearest shore; null when none is in reach. */
  measureToLand(position: Position, maxMeters: Meters): number | null {
    if (this.isLand(position)) return 0
    const scale = Math.max(0.01, Math.cos(position.lat * RADIANS_PER_DEGREE))
    const reach = Math.min(180, Math.ceil(maxMeters / (METERS_PER_DEGREE * scale)))
    let nearest = Infinity
    for (let side = -reach; side <= reach; side++) {
      for (const vertex of this.columns[toColumn(position.lng + side)]!) {
        const { x, y, dx, dy } = this.getEdge(vertex, position)
        const [ax, bx] = [x * scale, dx * scale]
        const length = bx * bx + dy * dy
        const t = length ? Math.max(0, Math.min(1, -(ax * bx + y * dy) / length)) : 0
        nearest = Math.min(nearest, (ax + bx * t) ** 2 + (y + dy * t) ** 2)
      }
    }
    const meters = Math.sqrt(nearest) * METERS_PER_DEGREE
    return meters <= maxMeters ? meters : null
  }
}
