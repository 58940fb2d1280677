import { EARTH_RADIUS_METERS, RADIANS_PER_DEGREE } from '../../../ports/positions'
import { decodeColumnFile } from './columnFile'
import type { Position } from '../../../ports/positions'
import type { Column } from './columnFile'
import type { Meters } from '~/domain/language/units'

/** Flags of an edge, as written by `scripts/maps/build.ts`. */
export const ONE_WAY = 1
export const ROUNDABOUT = 2

interface Header {
  streets: string[]
  classes: string[]
}

interface Columns extends Record<string, Column> {
  nodeLng: Int32Array
  nodeLat: Int32Array
  from: Uint32Array
  to: Uint32Array
  metres: Float32Array
  seconds: Float32Array
  street: Uint32Array
  road: Uint8Array
  flags: Uint8Array
  shapeStart: Uint32Array
  shape: Int32Array
}

/** The place on a street that is nearest to a position. */
export interface Snap {
  edge: number
  /** Position along the edge by distance, from 0 at its start to 1 at its end. */
  edgeFraction: number
  position: Position
  /** Distance from the position to the street. */
  meters: Meters
}

/** Half-edges by node. The halves of node n are `halves[start[n] … start[n + 1]]`. */
export interface Adjacency {
  start: Uint32Array
  halves: Uint32Array
}

const CELL_METERS = 250 // meters; each cell has a few dozen street segments
const DEFAULT_SEARCH_METERS = 3_000

const groupBy = (
  keys: Uint32Array | number[],
  count: number,
): { start: Uint32Array; order: Uint32Array } => {
  const start = new Uint32Array(count + 1)
  for (const key of keys) start[key + 1]!++
  for (let i = 0; i < count; i++) start[i + 1]! += start[i]!
  const next = start.slice()
  const order = new Uint32Array(keys.length)
  keys.forEach((key: number, i: number) => {
    order[next[key]!++] = i
  })
  return { start, order }
}

/**
 * A city's streets in typed arrays. Edge e connects two junctions: half 2e follows its direction,
 * half 2e + 1 is the reverse. Positions are also stored in flat meters around the city center,
 * where a distance needs only one square root.
 */
export class StreetGraph {
  readonly streets: string[]
  readonly nodeCount: number
  readonly edgeCount: number
  readonly edges: Columns
  readonly startNode: Uint32Array
  readonly endNode: Uint32Array
  readonly outgoing: Adjacency
  readonly incoming: Adjacency
  readonly x: Float32Array
  readonly y: Float32Array
  /** The highest speed of any street in meters a second, which makes A* exact. */
  readonly topSpeed: number
  private readonly originLng: number
  private readonly originLat: number
  private readonly eastScale: number
  private readonly northScale = (EARTH_RADIUS_METERS * RADIANS_PER_DEGREE) / 1e6
  private readonly shapeX: Float32Array
  private readonly shapeY: Float32Array
  private readonly grid: {
    left: number
    top: number
    columns: number
    rows: number
    start: Uint32Array
    segments: Uint32Array
    edgeByShapeIndex: Uint32Array
  }

  /** Reads `graph.bin`. Throws when the file has another format. */
  constructor(file: Buffer) {
    const { header, columns } = decodeColumnFile<Header, Columns>(file)
    this.streets = header.streets
    this.edges = columns
    this.nodeCount = columns.nodeLng.length
    this.edgeCount = columns.from.length
    this.startNode = new Uint32Array(2 * this.edgeCount)
    this.endNode = new Uint32Array(2 * this.edgeCount)
    const allowed: number[] = []
    let topSpeed = 1
    for (let e = 0; e < this.edgeCount; e++) {
      this.startNode[2 * e] = this.endNode[2 * e + 1] = columns.from[e]!
      this.endNode[2 * e] = this.startNode[2 * e + 1] = columns.to[e]!
      allowed.push(2 * e)
      if (!(columns.flags[e]! & ONE_WAY)) allowed.push(2 * e + 1)
      topSpeed = Math.max(topSpeed, columns.metres[e]! / columns.seconds[e]!)
    }
    this.topSpeed = topSpeed
    this.outgoing = this.buildAdjacency(allowed, this.startNode)
    this.incoming = this.buildAdjacency(allowed, this.endNode)

    this.originLng = columns.nodeLng[this.nodeCount >> 1] ?? 0
    this.originLat = columns.nodeLat[this.nodeCount >> 1] ?? 0
    this.eastScale = this.northScale * Math.cos((this.originLat / 1e6) * RADIANS_PER_DEGREE)
    const toX = (lng: number) => (lng - this.originLng) * this.eastScale
    const toY = (lat: number) => (lat - this.originLat) * this.northScale
    this.x = Float32Array.from(columns.nodeLng, toX)
    this.y = Float32Array.from(columns.nodeLat, toY)
    const points = columns.shape.length / 2
    this.shapeX = new Float32Array(points)
    this.shapeY = new Float32Array(points)
    for (let i = 0; i < points; i++) {
      this.shapeX[i] = toX(columns.shape[2 * i]!)
      this.shapeY[i] = toY(columns.shape[2 * i + 1]!)
    }
    this.grid = this.buildGrid()
  }

  private buildAdjacency(allowed: number[], node: Uint32Array): Adjacency {
    const { start, order } = groupBy(
      allowed.map((half) => node[half]!),
      this.nodeCount,
    )
    return { start, halves: order.map((i) => allowed[i]!) }
  }

  private buildGrid() {
    const { shapeX, shapeY } = this
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let i = 0; i < shapeX.length; i++) {
      left = Math.min(left, shapeX[i]!)
      right = Math.max(right, shapeX[i]!)
      top = Math.min(top, shapeY[i]!)
      bottom = Math.max(bottom, shapeY[i]!)
    }
    const columns = Math.floor((right - left) / CELL_METERS) + 1
    const rows = Math.floor((bottom - top) / CELL_METERS) + 1
    const edgeByShapeIndex = new Uint32Array(shapeX.length)
    const cells: number[] = []
    const owners: number[] = []
    for (let e = 0; e < this.edgeCount; e++) {
      for (let i = this.edges.shapeStart[e]!; i < this.edges.shapeStart[e + 1]!; i++)
        edgeByShapeIndex[i] = e
      for (let i = this.edges.shapeStart[e]!; i < this.edges.shapeStart[e + 1]! - 1; i++) {
        const column = (x: number) => Math.floor((x - left) / CELL_METERS)
        const row = (y: number) => Math.floor((y - top) / CELL_METERS)
        const [x1, x2] = [shapeX[i]!, shapeX[i + 1]!]
        const [y1, y2] = [shapeY[i]!, shapeY[i + 1]!]
        for (let r = row(Math.min(y1, y2)); r <= row(Math.max(y1, y2)); r++)
          for (let c = column(Math.min(x1, x2)); c <= column(Math.max(x1, x2)); c++) {
            cells.push(r * columns + c)
            owners.push(i)
          }
      }
    }
    const { start, order } = groupBy(cells, columns * rows)
    return {
      left,
      top,
      columns,
      rows,
      start,
      segments: order.map((i) => owners[i]!),
      edgeByShapeIndex,
    }
  }

  /**
   * Returns the nearest place on any street, or on any named street. A street farther than
   * `maxMeters` may be missed: the result is then null.
   */
  snapToStreet(
    point: Position,
    { onlyNamed = false, maxMeters = DEFAULT_SEARCH_METERS } = {},
  ): Snap | null {
    const { shapeX, shapeY, grid, edges } = this
    const { x, y } = this.toFlatMeters(point)
    const column = Math.floor((x - grid.left) / CELL_METERS)
    const row = Math.floor((y - grid.top) / CELL_METERS)
    let [best, bestT, nearest] = [-1, 0, Infinity]
    const searchCell = (c: number, r: number) => {
      if (c < 0 || r < 0 || c >= grid.columns || r >= grid.rows) return
      const cell = r * grid.columns + c
      for (let k = grid.start[cell]!; k < grid.start[cell + 1]!; k++) {
        const i = grid.segments[k]!
        if (onlyNamed && edges.street[grid.edgeByShapeIndex[i]!] === 0) continue
        const [ax, ay] = [shapeX[i]! - x, shapeY[i]! - y]
        const [dx, dy] = [shapeX[i + 1]! - shapeX[i]!, shapeY[i + 1]! - shapeY[i]!]
        const length = dx * dx + dy * dy
        const t = length ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length)) : 0
        const off = (ax + dx * t) ** 2 + (ay + dy * t) ** 2
        if (off < nearest) [best, bestT, nearest] = [i, t, off]
      }
    }
    for (let ring = 0; ring <= maxMeters / CELL_METERS + 1; ring++) {
      for (let c = column - ring; c <= column + ring; c++) {
        searchCell(c, row - ring)
        if (ring) searchCell(c, row + ring)
      }
      for (let r = row - ring + 1; r < row + ring; r++) {
        searchCell(column - ring, r)
        searchCell(column + ring, r)
      }
      // Nothing in a farther ring can be closer than that ring's distance.
      if (best >= 0 && Math.sqrt(nearest) <= ring * CELL_METERS) break
    }
    if (best < 0) return null
    const edge = grid.edgeByShapeIndex[best]!
    let [before, whole] = [0, 0]
    for (let i = edges.shapeStart[edge]!; i < edges.shapeStart[edge + 1]! - 1; i++) {
      const length = Math.hypot(shapeX[i + 1]! - shapeX[i]!, shapeY[i + 1]! - shapeY[i]!)
      if (i < best) before += length
      else if (i === best) before += length * bestT
      whole += length
    }
    const at = (axis: number) => {
      const [a, b] = [edges.shape[2 * best + axis]!, edges.shape[2 * best + 2 + axis]!]
      return (a + (b - a) * bestT) / 1e6
    }
    return {
      edge,
      edgeFraction: whole ? before / whole : 0,
      position: { lng: at(0), lat: at(1) },
      meters: Math.sqrt(nearest),
    }
  }

  /** Converts a position to meters east and north of the city center. */
  toFlatMeters({ lat, lng }: Position): { x: number; y: number } {
    return {
      x: (lng * 1e6 - this.originLng) * this.eastScale,
      y: (lat * 1e6 - this.originLat) * this.northScale,
    }
  }

  /** Returns the corners of each street, by its name. */
  private listCorners(names: readonly string[]): Set<number>[] {
    const { street, from, to } = this.edges
    const corners = names.map(() => new Set<number>())
    const rows = new Map(names.map((name, row) => [this.streets.indexOf(name), row]))
    for (let edge = 0; edge < this.edgeCount; edge++) {
      const row = rows.get(street[edge]!)
      if (row !== undefined) corners[row]!.add(from[edge]!).add(to[edge]!)
    }
    return corners
  }

  /**
   * Returns the first of the streets that meet one of the others, with their indexes, and a corner
   * in the middle of those they share; null when none meet.
   */
  findCrossing(
    firsts: readonly string[],
    seconds: readonly string[],
  ): { first: number; second: number; at: Position } | null {
    const [ones, others] = [this.listCorners(firsts), this.listCorners(seconds)]
    const { nodeLng, nodeLat } = this.edges
    for (const [first, nodes] of ones.entries())
      for (const [second, otherNodes] of others.entries()) {
        const shared =
          firsts[first] === seconds[second] ? [] : [...otherNodes].filter((n) => nodes.has(n))
        const corner = shared[shared.length >> 1]
        if (corner === undefined) continue
        return { first, second, at: { lat: nodeLat[corner]! / 1e6, lng: nodeLng[corner]! / 1e6 } }
      }
    return null
  }

  /** Returns the name of an edge's street, or an empty text when it has none. */
  getStreetName(edge: number): string {
    return this.streets[this.edges.street[edge]!] ?? ''
  }

  isOneWay(edge: number): boolean {
    return (this.edges.flags[edge]! & ONE_WAY) !== 0
  }

  isRoundabout(edge: number): boolean {
    return (this.edges.flags[edge]! & ROUNDABOUT) !== 0
  }

  /** Returns the line of an edge between two fractions of it, reversed when `from` is larger. */
  getEdgeLine(edge: number, from = 0, to = 1): Position[] {
    const { shapeX, shapeY, edges } = this
    const [first, last] = [edges.shapeStart[edge]!, edges.shapeStart[edge + 1]! - 1]
    const reached = [0]
    for (let i = first; i < last; i++) {
      const length = Math.hypot(shapeX[i + 1]! - shapeX[i]!, shapeY[i + 1]! - shapeY[i]!)
      reached.push(reached[reached.length - 1]! + length)
    }
    const whole = reached[reached.length - 1]! || 1
    const vertex = (i: number): Position => ({
      lng: edges.shape[2 * (first + i)]! / 1e6,
      lat: edges.shape[2 * (first + i) + 1]! / 1e6,
    })
    const pointAt = (fraction: number): Position => {
      const goal = fraction * whole
      let i = 1
      while (i < reached.length - 1 && reached[i]! < goal) i++
      const [a, b] = [vertex(i - 1), vertex(i)]
      const span = reached[i]! - reached[i - 1]!
      const t = span ? Math.max(0, Math.min(1, (goal - reached[i - 1]!) / span)) : 0
      return { lat: a.lat + (b.lat - a.lat) * t, lng: a.lng + (b.lng - a.lng) * t }
    }
    const [low, high] = from <= to ? [from, to] : [to, from]
    const inner = reached.flatMap((metres, i) =>
      metres > low * whole && metres < high * whole ? [vertex(i)] : [],
    )
    const line = [pointAt(low), ...inner, pointAt(high)]
    return from <= to ? line : line.reverse()
  }
}
