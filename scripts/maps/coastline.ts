import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { contours } from 'd3-contour'
import { feature } from 'topojson-client'
import type { FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { fromLngLat, toLngLat } from './mercator'
import { signedArea2 } from './ringArea'
import type { CityInput, OsmFeature, Tags } from './osmFeature'
import type { Cell, LngLat } from './mercator'

// The city's tiles have no coastline (OpenStreetMap keeps it separately), and Natural Earth's is
// off by up to 800 m. So we flood a fine grid from the open sea and stop at everything mapped on
// land. The result is an approximation, and the license page says so.
const GRID_CELLS = 2_048 // map cells in one grid cell: about 16 m
const STRAIGHT_STEP = 3
const DIAGONAL_STEP = 4
const OPEN_SEA = 40 * STRAIGHT_STEP // at this distance from any mapped feature, water is certain
const REACH = 6 * STRAIGHT_STEP // gaps narrower than about 110 m are closed
const LAND_CORE = 58 * STRAIGHT_STEP // deeper than about 900 m inside Natural Earth's land is dry
const MARGIN = 4

type Grid = Uint8Array
type Path = readonly (readonly [number, number])[]

/** Reads a file of the world-atlas package. */
export const readAtlas = <Name extends string>(
  file: string,
): Topology<Record<Name, GeometryCollection<{ name: string }>>> =>
  JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`world-atlas/${file}.json`), 'utf8'),
  ) as Topology<Record<Name, GeometryCollection<{ name: string }>>>

class Raster {
  readonly width: number
  readonly height: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }

  fill(grid: Grid, rings: readonly Path[]): void {
    let [top, bottom] = [Infinity, -Infinity]
    const edges: [Path[number], Path[number]][] = []
    for (const ring of rings)
      ring.forEach((a, i) => {
        const b = ring[(i + 1) % ring.length]!
        if (a[1] === b[1]) return
        edges.push(a[1] < b[1] ? [a, b] : [b, a])
        top = Math.min(top, a[1], b[1])
        bottom = Math.max(bottom, a[1], b[1])
      })
    for (let y = Math.max(0, Math.ceil(top - 0.5)); y <= Math.min(this.height - 1, bottom); y++) {
      const middle = y + 0.5
      const crossings = edges
        .filter(([a, b]) => a[1] <= middle && b[1] > middle)
        .map(([a, b]) => a[0] + ((middle - a[1]) / (b[1] - a[1])) * (b[0] - a[0]))
        .sort((p, q) => p - q)
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, Math.ceil(crossings[i]! - 0.5))
        const to = Math.min(this.width, Math.ceil(crossings[i + 1]! - 0.5))
        if (to > from) grid.fill(1, y * this.width + from, y * this.width + to)
      }
    }
  }

  stroke(grid: Grid, path: Path): void {
    for (let i = 1; i < path.length; i++) {
      const [a, b] = [path[i - 1]!, path[i]!]
      const steps = Math.ceil(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) * 2) + 1
      for (let k = 0; k <= steps; k++) {
        this.mark(grid, [a[0] + ((b[0] - a[0]) * k) / steps, a[1] + ((b[1] - a[1]) * k) / steps])
      }
    }
  }

  mark(grid: Grid, [x, y]: Path[number]): void {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    if (column >= 0 && row >= 0 && column < this.width && row < this.height) {
      grid[row * this.width + column] = 1
    }
  }

  /** Returns the chamfer distance to the nearest marked cell, in thirds of a cell. */
  distance(grid: Grid): Uint16Array {
    const { width, height } = this
    const out = new Uint16Array(grid.length).fill(60_000)
    for (let i = 0; i < out.length; i++) if (grid[i]) out[i] = 0
    const relax = (i: number, j: number, cost: number) => {
      if (out[j]! + cost < out[i]!) out[i] = out[j]! + cost
    }
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const i = y * width + x
        if (x) relax(i, i - 1, STRAIGHT_STEP)
        if (!y) continue
        relax(i, i - width, STRAIGHT_STEP)
        if (x) relax(i, i - width - 1, DIAGONAL_STEP)
        if (x < width - 1) relax(i, i - width + 1, DIAGONAL_STEP)
      }
    for (let y = height - 1; y >= 0; y--)
      for (let x = width - 1; x >= 0; x--) {
        const i = y * width + x
        if (x < width - 1) relax(i, i + 1, STRAIGHT_STEP)
        if (y === height - 1) continue
        relax(i, i + width, STRAIGHT_STEP)
        if (x) relax(i, i + width - 1, DIAGONAL_STEP)
        if (x < width - 1) relax(i, i + width + 1, DIAGONAL_STEP)
      }
    return out
  }

  blur(values: Float32Array): void {
    const { width, height } = this
    const pass = (stride: number, count: number, lineStride: number, lines: number) => {
      const line = new Float32Array(count)
      for (let n = 0; n < lines; n++) {
        const base = n * lineStride
        for (let i = 0; i < count; i++) line[i] = values[base + i * stride]!
        for (let i = 0; i < count; i++) {
          let sum = 0
          for (let d = -2; d <= 2; d++) sum += line[Math.max(0, Math.min(count - 1, i + d))]!
          values[base + i * stride] = sum / 5
        }
      }
    }
    pass(1, width, width, height)
    pass(width, height, 1, width)
  }
}

const WATER_TAGS = ['waterway', 'boundary'] as const
/** Margin around the city, in map cells: one tile at zoom 12, about 10 km. */
const FRAME = 2 ** 20

/** Returns the city's box with the margin around it. */
export const addFrame = ([west, north, east, south]: CityInput['box']): CityInput['box'] => [
  west - FRAME,
  north - FRAME,
  east + FRAME,
  south + FRAME,
]

const isDrawnOnWater = (tags: Tags) =>
  WATER_TAGS.some((key) => tags[key]) ||
  isOneOf(tags.natural, 'water', 'cape', 'bay', 'coastline') ||
  tags.route === 'ferry' ||
  tags.highway === 'proposed'
const isOneOf = (value: string | undefined, ...values: string[]) => values.includes(value ?? '')

const drawBarrier = (raster: Raster, grid: Grid, { kind, tags, shape }: OsmFeature, at: ToGrid) => {
  if (isDrawnOnWater(tags)) return
  if (kind === 'point') {
    const isOnLand = tags['addr:housenumber'] || tags.shop || tags.amenity || tags.highway
    if (isOnLand) raster.mark(grid, at(shape[0]![0]!))
  } else if (kind === 'area') {
    if (!tags.highway)
      raster.fill(
        grid,
        shape.map((ring) => ring.map(at)),
      )
  } else if (
    tags.highway ||
    tags.railway ||
    tags.barrier ||
    isOneOf(tags.man_made, 'pier', 'breakwater', 'groyne')
  ) {
    for (const part of shape) raster.stroke(grid, part.map(at))
  }
}
type ToGrid = (cell: Cell) => readonly [number, number]

const simplifyLine = (points: Position[], tolerance: number): Position[] => {
  const keep = new Uint8Array(points.length)
  keep[0] = keep[points.length - 1] = 1
  const spans: [number, number][] = [[0, points.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span
    const [a, b] = [points[from]!, points[to]!]
    const length = Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!) || 1e-9
    let [farthest, off] = [-1, tolerance]
    for (let i = from + 1; i < to; i++) {
      const p = points[i]!
      const cross = (b[1]! - a[1]!) * (p[0]! - a[0]!) - (b[0]! - a[0]!) * (p[1]! - a[1]!)
      if (Math.abs(cross) / length > off) [farthest, off] = [i, Math.abs(cross) / length]
    }
    if (farthest < 0) continue
    keep[farthest] = 1
    spans.push([from, farthest], [farthest, to])
  }
  return points.filter((_, i) => keep[i])
}

const computeArea = (ring: Position[]) => Math.abs(signedArea2(ring)) / 2

const findLand = (raster: Raster, at: ToGrid, corners: [LngLat, LngLat]): Grid => {
  const grid = new Uint8Array(raster.width * raster.height)
  const atlas = readAtlas<'land'>('land-10m')
  const land = feature(atlas, atlas.objects.land) as FeatureCollection<Polygon | MultiPolygon>
  const [[west, north], [east, south]] = corners
  for (const { geometry } of land.features) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    for (const polygon of polygons) {
      const outer = polygon[0] ?? []
      const touches =
        outer.some((p) => p[0]! > west) &&
        outer.some((p) => p[0]! < east) &&
        outer.some((p) => p[1]! > south) &&
        outer.some((p) => p[1]! < north)
      if (!touches) continue
      raster.fill(
        grid,
        polygon.map((ring) => ring.map((p) => at(fromLngLat([p[0]!, p[1]!])))),
      )
    }
  }
  return grid
}

/** Marks the cells that the sea reaches without crossing what the city's map has. */
const floodFromSea = (
  { width, height }: Raster,
  sea: ArrayLike<number>,
  { fromMapped, fromSea }: { fromMapped: ArrayLike<number>; fromSea: ArrayLike<number> },
): Uint8Array => {
  // Beyond the city's edge, no mapped features would stop the flood. There the coast blends into
  // Natural Earth's, so that the two meet at the frame.
  const margin = FRAME / GRID_CELLS
  const getCore = (cell: number) => {
    const [x, y] = [cell % width, Math.floor(cell / width)]
    const fromFrame = Math.min(x, y, width - 1 - x, height - 1 - y)
    return LAND_CORE * Math.max(0, Math.min(1, fromFrame / margin))
  }
  const reached = new Uint8Array(sea.length)
  const queue = new Int32Array(sea.length)
  let [head, tail] = [0, 0]
  const enter = (cell: number) => {
    reached[cell] = 1
    queue[tail++] = cell
  }
  for (let i = 0; i < reached.length; i++) if (sea[i] && fromMapped[i]! > OPEN_SEA) enter(i)
  while (head < tail) {
    const cell = queue[head++]!
    const column = cell % width
    for (const next of [
      column > 0 ? cell - 1 : -1,
      column < width - 1 ? cell + 1 : -1,
      cell - width,
      cell + width,
    ]) {
      if (next < 0 || next >= reached.length || reached[next]) continue
      if (fromMapped[next]! > REACH + STRAIGHT_STEP && fromSea[next]! <= getCore(next)) enter(next)
    }
  }
  return reached
}

/**
 * Returns the sea next to a city as polygons in degrees, each with one outer ring and its islands;
 * none for an inland city.
 */
export const buildSea = ({ box, features }: CityInput): LngLat[][][] => {
  const [left, top, right, bottom] = addFrame(box)
  const raster = new Raster(
    Math.ceil((right - left) / GRID_CELLS),
    Math.ceil((bottom - top) / GRID_CELLS),
  )
  const at: ToGrid = ([x, y]) => [(x - left) / GRID_CELLS, (y - top) / GRID_CELLS]
  const land = findLand(raster, at, [
    toLngLat([left, top]),
    toLngLat([left + raster.width * GRID_CELLS, top + raster.height * GRID_CELLS]),
  ])
  const sea = land.map((dry) => (dry ? 0 : 1))
  if (sea.reduce((sum, wet) => sum + wet, 0) < sea.length * 0.005) return []

  const mapped = new Uint8Array(land.length)
  for (const one of features) drawBarrier(raster, mapped, one, at)
  const fromMapped = raster.distance(mapped)
  const fromSea = raster.distance(sea)
  const fromReached = raster.distance(floodFromSea(raster, sea, { fromMapped, fromSea }))
  const water = new Float32Array(land.length)
  for (let i = 0; i < water.length; i++) {
    water[i] = fromReached[i]! <= REACH && fromMapped[i]! > MARGIN ? 1 : 0
  }
  raster.blur(water)
  raster.blur(water)

  const outline = contours().size([raster.width, raster.height]).thresholds([0.5])(
    water as unknown as number[],
  )[0]
  const toDegrees = (ring: Position[]): LngLat[] => {
    const half = ring.length >> 1
    return [
      ...simplifyLine(ring.slice(0, half + 1), 0.35),
      ...simplifyLine(ring.slice(half), 0.35).slice(1),
    ].map(([x = 0, y = 0]) => toLngLat([left + x * GRID_CELLS, top + y * GRID_CELLS]))
  }
  return (outline?.coordinates ?? [])
    .filter(([outer]) => outer && computeArea(outer) >= 400)
    .map((polygon) => polygon.filter((ring, i) => i === 0 || computeArea(ring) > 60).map(toDegrees))
}
