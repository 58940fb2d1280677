import { encodeColumnFile } from '~/functions/src/adapters/maps/bundled/columnFile'
import { ONE_WAY, ROUNDABOUT } from '~/functions/src/adapters/maps/bundled/streetGraph'
import { distanceMeters, toLngLat, toMicrodegrees } from './mercator'
import type { CityInput, OsmFeature, Tags } from './osmFeature'
import type { Cell } from './mercator'
import type { Seconds } from '~/domain/language/units'

/**
 * Speed without traffic in km/h, seconds lost at each junction and share of the speed limit, by
 * road class.
 */
const ROAD_CLASSES: Record<string, { speed: number; junction: number; ofLimit: number }> = {
  motorway: { speed: 100, junction: 0, ofLimit: 0.95 },
  trunk: { speed: 70, junction: 0.7, ofLimit: 0.9 },
  primary: { speed: 50, junction: 1, ofLimit: 0.85 },
  secondary: { speed: 45, junction: 1.3, ofLimit: 0.78 },
  tertiary: { speed: 40, junction: 2, ofLimit: 0.7 },
  unclassified: { speed: 35, junction: 3.5, ofLimit: 0.62 },
  residential: { speed: 30, junction: 3.5, ofLimit: 0.55 },
  living_street: { speed: 15, junction: 3.5, ofLimit: 0.5 },
  service: { speed: 15, junction: 3.5, ofLimit: 0.45 },
  road: { speed: 30, junction: 3.5, ofLimit: 0.6 },
  motorway_link: { speed: 55, junction: 0, ofLimit: 0.95 },
  trunk_link: { speed: 45, junction: 0.7, ofLimit: 0.9 },
  primary_link: { speed: 35, junction: 1, ofLimit: 0.85 },
  secondary_link: { speed: 35, junction: 1.3, ofLimit: 0.78 },
  tertiary_link: { speed: 30, junction: 2, ofLimit: 0.7 },
}
const ROAD_CLASS_NAMES = Object.keys(ROAD_CLASSES)
const SIGNAL_SECONDS = 8
const STOP_SECONDS = 4
/** Source tiles cut lines at their seams; the ends differ by at most one rounding step. */
const SEAM_TOLERANCE = 6

const isForbidden = (value: string | undefined) => value === 'no' || value === 'private'
const isAllowed = (value: string | undefined) =>
  ['yes', 'designated', 'permissive', 'destination'].includes(value ?? '')

/** Returns true when a taxi may use the street. */
export const isDrivable = ({ kind, tags }: Pick<OsmFeature, 'kind' | 'tags'>): boolean => {
  if (kind !== 'line' || !ROAD_CLASSES[tags.highway ?? ''] || tags.area === 'yes') return false
  if (isForbidden(tags.motor_vehicle) || isForbidden(tags.motorcar) || isForbidden(tags.vehicle)) {
    return false
  }
  return !isForbidden(tags.access) || isAllowed(tags.motor_vehicle ?? tags.motorcar)
}

/**
 * Returns 1 for traffic in the line's direction only, -1 for the opposite direction only, 0 for
 * both.
 */
export const getOneWayDirection = (tags: Tags): -1 | 0 | 1 => {
  if (tags.oneway === '-1' || tags.oneway === 'reverse') return -1
  if (['yes', '1', 'true'].includes(tags.oneway ?? '')) return 1
  if (tags.oneway === 'no') return 0
  return tags.junction === 'roundabout' || tags.highway === 'motorway' ? 1 : 0
}

const getSpeedLimit = (tags: Tags): number => {
  const limit = Number.parseFloat(tags.maxspeed ?? '')
  return /mph/i.test(tags.maxspeed ?? '') ? limit * 1.609_344 : limit
}

const getSpeedKmh = (tags: Tags): number => {
  const road = ROAD_CLASSES[tags.highway!]!
  const limit = getSpeedLimit(tags)
  if (!(limit > 5 && limit < 140)) return road.speed
  return Math.max(8, Math.min(road.speed * 1.15, limit * road.ofLimit))
}

interface Edge {
  from: number
  to: number
  metres: number
  seconds: Seconds
  street: number
  road: number
  flags: number
  cells: Cell[]
}

/**
 * Finds the component of each vertex with Tarjan's algorithm, without recursion, because a city
 * would overflow the stack.
 */
const findStrongComponents = (count: number, heads: number[][]) => {
  const low = new Int32Array(count)
  const order = new Int32Array(count).fill(-1)
  const onStack = new Uint8Array(count)
  const component = new Int32Array(count).fill(-1)
  const sizes: number[] = []
  const stack: number[] = []
  let clock = 0
  const enter = (vertex: number) => {
    order[vertex] = low[vertex] = clock++
    stack.push(vertex)
    onStack[vertex] = 1
    return { vertex, next: 0 }
  }
  for (let root = 0; root < count; root++) {
    if (order[root]! >= 0) continue
    const calls = [enter(root)]
    while (calls.length) {
      const call = calls[calls.length - 1]!
      const { vertex } = call
      const head = heads[vertex]![call.next++]
      if (head !== undefined) {
        if (order[head]! < 0) calls.push(enter(head))
        else if (onStack[head]) low[vertex] = Math.min(low[vertex]!, order[head]!)
        continue
      }
      calls.pop()
      if (low[vertex] === order[vertex]) {
        let size = 0
        for (let member = -1; member !== vertex; size++) {
          member = stack.pop()!
          onStack[member] = 0
          component[member] = sizes.length
        }
        sizes.push(size)
      }
      const parent = calls[calls.length - 1]?.vertex
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[vertex]!)
    }
  }
  return { component, sizes }
}

/** The nodes of the streets: one for each position, also where two source tiles meet. */
interface NodeIndex {
  cells: Cell[]
  /** Returns the node at a position, if it has one. */
  find(cell: Cell): number | undefined
  /** Returns the node at a position; adds it if there is none. */
  add(cell: Cell): number
}

const TILE = 2 ** 20

const createNodeIndex = (box: CityInput['box']): NodeIndex => {
  const nodes = new Map<number, number>()
  const cells: Cell[] = []
  // A double is exact up to 64 tiles per side (about 600 km), which is more than any city.
  const originX = (Math.floor(box[0] / TILE) - 1) * TILE
  const originY = (Math.floor(box[1] / TILE) - 1) * TILE
  const getKey = ([x, y]: Cell, dx = 0, dy = 0) => (x - originX + dx) * 2 ** 26 + (y - originY + dy)
  const findTwin = (cell: Cell): number | undefined => {
    const [rx, ry] = [cell[0] % TILE, cell[1] % TILE]
    if (rx > 1 && ry > 1 && rx < TILE - 1 && ry < TILE - 1) return undefined
    for (let dx = -SEAM_TOLERANCE; dx <= SEAM_TOLERANCE; dx++)
      for (let dy = -SEAM_TOLERANCE; dy <= SEAM_TOLERANCE; dy++) {
        const twin = nodes.get(getKey(cell, dx, dy))
        if (twin !== undefined) return twin
      }
    return undefined
  }
  return {
    cells,
    find: (cell) => nodes.get(getKey(cell)),
    add(cell) {
      const node = nodes.get(getKey(cell)) ?? findTwin(cell) ?? cells.push(cell) - 1
      nodes.set(getKey(cell), node)
      return node
    },
  }
}

interface Way {
  nodes: number[]
  tags: Tags
}

const collectWays = (features: readonly OsmFeature[], index: NodeIndex): Way[] => {
  const ways: Way[] = []
  for (const feature of features) {
    if (!isDrivable(feature)) continue
    for (const part of feature.shape) {
      const nodes: number[] = []
      for (const cell of part) {
        const node = index.add(cell)
        if (nodes[nodes.length - 1] !== node) nodes.push(node)
      }
      if (nodes.length > 1) ways.push({ nodes, tags: feature.tags })
    }
  }
  return ways
}

/** Counts the ways through each node, at most 3; the ends of a way count as 3. */
const countUses = (ways: readonly Way[], count: number): Uint8Array => {
  const uses = new Uint8Array(count)
  for (const { nodes } of ways) {
    for (const node of nodes) uses[node] = Math.min(3, uses[node]! + 1)
    uses[nodes[0]!] = uses[nodes[nodes.length - 1]!] = 3
  }
  return uses
}

/** Returns the seconds lost at each node, and the number of lights and stop signs. */
const findDelays = (features: readonly OsmFeature[], index: NodeIndex) => {
  const delays = new Float32Array(index.cells.length)
  let signals = 0
  for (const { kind, tags, shape } of features) {
    if (kind !== 'point') continue
    const isSignal = tags.highway === 'traffic_signals' || tags.crossing === 'traffic_signals'
    if (!isSignal && tags.highway !== 'stop') continue
    const node = index.find(shape[0]![0]!)
    if (node === undefined) continue
    delays[node] = isSignal ? SIGNAL_SECONDS : STOP_SECONDS
    signals++
  }
  return { delays, signals }
}

/** Returns the function that numbers street names in the order of their first use. */
const createStreetNames = () => {
  const streets = ['']
  const ids = new Map([['', 0]])
  const getId = (name: string) => {
    const id = ids.get(name) ?? streets.push(name) - 1
    ids.set(name, id)
    return id
  }
  return { streets, getId }
}

interface Junctions {
  cells: readonly Cell[]
  uses: Uint8Array
  delays: Float32Array
}

/** Divides a way into the stretches between its junctions. */
const divideWay = (
  { nodes, tags }: Way,
  { cells, uses, delays }: Junctions,
  street: number,
): Edge[] => {
  const direction = getOneWayDirection(tags)
  const speed = getSpeedKmh(tags) / 3.6
  const { junction } = ROAD_CLASSES[tags.highway!]!
  const flags = (direction === 0 ? 0 : ONE_WAY) | (tags.junction === 'roundabout' ? ROUNDABOUT : 0)
  const edges: Edge[] = []
  let start = 0
  let length = 0
  // The roads that meet at a light share it, so each road adds half its delay and a pass through
  // adds it once.
  let waiting = delays[nodes[0]!]! / 2
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i]!
    length += distanceMeters(toLngLat(cells[nodes[i - 1]!]!), toLngLat(cells[node]!))
    if (uses[node]! < 2) {
      waiting += delays[node]!
      continue
    }
    waiting += delays[node]! / 2
    const part = nodes.slice(start, i + 1)
    if (direction < 0) part.reverse()
    edges.push({
      from: part[0]!,
      to: part[part.length - 1]!,
      metres: length,
      seconds: length / speed + waiting + junction,
      street,
      road: ROAD_CLASS_NAMES.indexOf(tags.highway!),
      flags,
      cells: part.map((member) => cells[member]!),
    })
    start = i
    length = 0
    waiting = delays[node]! / 2
  }
  return edges
}

/**
 * Returns the part that cars can both enter and leave, so that every place on it is reachable from
 * any other. Gives the ends of the stretches new numbers.
 */
const keepReachable = (stretches: readonly Edge[]): Edge[] => {
  const vertices = new Map<number, number>()
  const getVertex = (node: number) => {
    const vertex = vertices.get(node) ?? vertices.size
    vertices.set(node, vertex)
    return vertex
  }
  const edges = stretches.map((edge) => ({
    ...edge,
    from: getVertex(edge.from),
    to: getVertex(edge.to),
  }))
  const heads: number[][] = Array.from({ length: vertices.size }, () => [])
  for (const { from, to, flags } of edges) {
    heads[from]!.push(to)
    if (!(flags & ONE_WAY)) heads[to]!.push(from)
  }
  const { component, sizes } = findStrongComponents(vertices.size, heads)
  const largest = sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b), 0))
  return edges.filter(({ from, to }) => component[from] === largest && component[to] === largest)
}

/** Returns the vertices by their position on the map, so that neighbors share cache lines. */
const sortVertices = (edges: readonly Edge[]): [vertex: number, cell: Cell][] => {
  const places = new Map<number, Cell>()
  for (const { from, to, cells } of edges) {
    places.set(from, cells[0]!)
    places.set(to, cells[cells.length - 1]!)
  }
  const strip = 2 ** 17
  return [...places].sort(
    ([, a], [, b]) => Math.floor(a[1] / strip) - Math.floor(b[1] / strip) || a[0] - b[0],
  )
}

/** Returns the positions of all stretches, one after the other, and where each begins. */
const flattenShapes = (edges: readonly Edge[]) => {
  const shape: number[] = []
  const shapeStart = [0]
  for (const { cells } of edges) {
    for (const cell of cells) shape.push(...toLngLat(cell).map(toMicrodegrees))
    shapeStart.push(shape.length / 2)
  }
  return { shapeStart: Uint32Array.from(shapeStart), shape: Int32Array.from(shape) }
}

/** Returns the road network as `graph.bin`, and a summary line to print. */
export const buildStreets = ({ features, box }: CityInput): { file: Buffer; summary: string } => {
  const index = createNodeIndex(box)
  const { cells } = index
  const ways = collectWays(features, index)
  const { delays, signals } = findDelays(features, index)
  const junctions = { cells, uses: countUses(ways, cells.length), delays }
  const { streets, getId } = createStreetNames()
  const stretches = ways.flatMap((way) =>
    divideWay(way, junctions, getId(way.tags.name ?? way.tags.ref ?? '')),
  )
  const edges = keepReachable(stretches)
  if (edges.length === 0)
    throw new Error('The area has no street that a car may use. Choose another --bbox.')
  const vertices = sortVertices(edges)
  const rank = new Map(vertices.map(([vertex], i) => [vertex, i]))
  const km = edges.reduce((sum, edge) => sum + edge.metres, 0) / 1000
  const file = encodeColumnFile(
    { streets, classes: ROAD_CLASS_NAMES },
    {
      nodeLng: Int32Array.from(vertices, ([, cell]) => toMicrodegrees(toLngLat(cell)[0])),
      nodeLat: Int32Array.from(vertices, ([, cell]) => toMicrodegrees(toLngLat(cell)[1])),
      from: Uint32Array.from(edges, ({ from }) => rank.get(from)!),
      to: Uint32Array.from(edges, ({ to }) => rank.get(to)!),
      metres: Float32Array.from(edges, ({ metres }) => metres),
      seconds: Float32Array.from(edges, ({ seconds }) => seconds),
      street: Uint32Array.from(edges, ({ street }) => street),
      road: Uint8Array.from(edges, ({ road }) => road),
      flags: Uint8Array.from(edges, ({ flags }) => flags),
      ...flattenShapes(edges),
    },
  )
  return {
    file,
    summary:
      `${km.toFixed(0)} km of streets: ${vertices.length} junctions, ${edges.length} stretches ` +
      `(${stretches.length - edges.length} cut off from the rest left out), ${signals} lights and stop signs`,
  }
}
