import { EARTH_METRES, RADIANS } from './geo'
import { readPack } from './pack'
import type { Point } from './geo'
import type { Column } from './pack'

/** Flags of an edge, as `npm run maps:build` writes them. */
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

/** The place on a street nearest to some point. */
export interface Snap {
  edge: number
  /** How far along the edge, 0 at its start to 1 at its end, by metres. */
  along: number
  at: Point
  /** From the point to the street. */
  metres: number
}

/** Half-edges by node; the halves of node n are `halves[start[n] … start[n + 1]]`. */
export interface Adjacency {
  start: Uint32Array
  halves: Uint32Array
}

const CELL = 250 // metres; a few dozen stretches of street in each
const MAX_RINGS = 12

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
 * A city's streets in typed arrays. Edge e runs from one junction to the next; half 2e goes with it,
 * half 2e + 1 against it. Positions are also kept in flat metres around the city's middle, where a
 * straight line is one square root.
 */
export class StreetGraph {
  readonly streets: string[]
  readonly nodeCount: number
  readonly edgeCount: number
  readonly edges: Columns
  readonly tail: Uint32Array
  readonly head: Uint32Array
  readonly leaving: Adjacency
  readonly entering: Adjacency
  readonly x: Float32Array
  readonly y: Float32Array
  /** No street is faster than this, in metres a second: what makes A* exact. */
  readonly topSpeed: number
  private readonly originLng: number
  private readonly originLat: number
  private readonly eastScale: number
  private readonly northScale = (EARTH_METRES * RADIANS) / 1e6
  private readonly shapeX: Float32Array
  private readonly shapeY: Float32Array
  private readonly grid: {
    left: number
    top: number
    columns: number
    rows: number
    start: Uint32Array
    segments: Uint32Array
    edgeOf: Uint32Array
  }

  /** Reads `graph.bin`; throws when the file is not one. */
  constructor(file: Buffer) {
    const { header, columns } = readPack<Header, Columns>(file)
    this.streets = header.streets
    this.edges = columns
    this.nodeCount = columns.nodeLng.length
    this.edgeCount = columns.from.length
    this.tail = new Uint32Array(2 * this.edgeCount)
    this.head = new Uint32Array(2 * this.edgeCount)
    const allowed: number[] = []
    let topSpeed = 1
    for (let e = 0; e < this.edgeCount; e++) {
      this.tail[2 * e] = this.head[2 * e + 1] = columns.from[e]!
      this.head[2 * e] = this.tail[2 * e + 1] = columns.to[e]!
      allowed.push(2 * e)
      if (!(columns.flags[e]! & ONE_WAY)) allowed.push(2 * e + 1)
      topSpeed = Math.max(topSpeed, columns.metres[e]! / columns.seconds[e]!)
    }
    this.topSpeed = topSpeed
    this.leaving = this.adjacency(allowed, this.tail)
    this.entering = this.adjacency(allowed, this.head)

    this.originLng = columns.nodeLng[this.nodeCount >> 1] ?? 0
    this.originLat = columns.nodeLat[this.nodeCount >> 1] ?? 0
    this.eastScale = this.northScale * Math.cos((this.originLat / 1e6) * RADIANS)
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
    this.grid = this.index()
  }

  private adjacency(allowed: number[], node: Uint32Array): Adjacency {
    const { start, order } = groupBy(
      allowed.map((half) => node[half]!),
      this.nodeCount,
    )
    return { start, halves: order.map((i) => allowed[i]!) }
  }

  private index() {
    const { shapeX, shapeY } = this
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let i = 0; i < shapeX.length; i++) {
      left = Math.min(left, shapeX[i]!)
      right = Math.max(right, shapeX[i]!)
      top = Math.min(top, shapeY[i]!)
      bottom = Math.max(bottom, shapeY[i]!)
    }
    const columns = Math.floor((right - left) / CELL) + 1
    const rows = Math.floor((bottom - top) / CELL) + 1
    const edgeOf = new Uint32Array(shapeX.length)
    const cells: number[] = []
    const owners: number[] = []
    for (let e = 0; e < this.edgeCount; e++) {
      for (let i = this.edges.shapeStart[e]!; i < this.edges.shapeStart[e + 1]!; i++) edgeOf[i] = e
      for (let i = this.edges.shapeStart[e]!; i < this.edges.shapeStart[e + 1]! - 1; i++) {
        const column = (x: number) => Math.floor((x - left) / CELL)
        const row = (y: number) => Math.floor((y - top) / CELL)
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
    return { left, top, columns, rows, start, segments: order.map((i) => owners[i]!), edgeOf }
  }

  /**
   * The nearest place on any street, or on any named one; null when none is within about 3 km.
   */
  snap(point: Point, onlyNamed = false): Snap | null {
    const { shapeX, shapeY, grid, edges } = this
    const { x, y } = this.flatten(point)
    const column = Math.floor((x - grid.left) / CELL)
    const row = Math.floor((y - grid.top) / CELL)
    let [best, bestT, nearest] = [-1, 0, Infinity]
    const look = (c: number, r: number) => {
      if (c < 0 || r < 0 || c >= grid.columns || r >= grid.rows) return
      const cell = r * grid.columns + c
      for (let k = grid.start[cell]!; k < grid.start[cell + 1]!; k++) {
        const i = grid.segments[k]!
        if (onlyNamed && edges.street[grid.edgeOf[i]!] === 0) continue
        const [ax, ay] = [shapeX[i]! - x, shapeY[i]! - y]
        const [dx, dy] = [shapeX[i + 1]! - shapeX[i]!, shapeY[i + 1]! - shapeY[i]!]
        const length = dx * dx + dy * dy
        const t = length ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length)) : 0
        const off = (ax + dx * t) ** 2 + (ay + dy * t) ** 2
        if (off < nearest) [best, bestT, nearest] = [i, t, off]
      }
    }
    for (let ring = 0; ring < MAX_RINGS; ring++) {
      for (let c = column - ring; c <= column + ring; c++) {
        look(c, row - ring)
        if (ring) look(c, row + ring)
      }
      for (let r = row - ring + 1; r < row + ring; r++) {
        look(column - ring, r)
        look(column + ring, r)
      }
      // Nothing in a farther ring can be nearer than the ring's own distance.
      if (best >= 0 && Math.sqrt(nearest) <= ring * CELL) break
    }
    if (best < 0) return null
    const edge = grid.edgeOf[best]!
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
      along: whole ? before / whole : 0,
      at: { lng: at(0), lat: at(1) },
      metres: Math.sqrt(nearest),
    }
  }

  /** East and north of the city's middle, in metres. */
  flatten({ lat, lng }: Point): { x: number; y: number } {
    return {
      x: (lng * 1e6 - this.originLng) * this.eastScale,
      y: (lat * 1e6 - this.originLat) * this.northScale,
    }
  }

  /** Name of an edge's street; empty when it has none. */
  streetOf(edge: number): string {
    return this.streets[this.edges.street[edge]!] ?? ''
  }

  isOneWay(edge: number): boolean {
    return (this.edges.flags[edge]! & ONE_WAY) !== 0
  }

  isRoundabout(edge: number): boolean {
    return (this.edges.flags[edge]! & ROUNDABOUT) !== 0
  }

  /** The line of an edge between two fractions of it; runs backwards when `from` is the larger. */
  line(edge: number, from = 0, to = 1): Point[] {
    const { shapeX, shapeY, edges } = this
    const [first, last] = [edges.shapeStart[edge]!, edges.shapeStart[edge + 1]! - 1]
    const reached = [0]
    for (let i = first; i < last; i++) {
      const length = Math.hypot(shapeX[i + 1]! - shapeX[i]!, shapeY[i + 1]! - shapeY[i]!)
      reached.push(reached[reached.length - 1]! + length)
    }
    const whole = reached[reached.length - 1]! || 1
    const vertex = (i: number): Point => ({
      lng: edges.shape[2 * (first + i)]! / 1e6,
      lat: edges.shape[2 * (first + i) + 1]! / 1e6,
    })
    const pointAt = (fraction: number): Point => {
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
