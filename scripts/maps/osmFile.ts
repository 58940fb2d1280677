import { createOSMStream } from 'osm-pbf-parser-node'
import { fromLngLat } from './mercator'
import { signedArea2 } from './ringArea'
import type { OsmFeature, Tags } from './osmFeature'
import type { Cell } from './mercator'
import type { Seconds } from '~/domain/language/units'

interface Header {
  bbox?: { left: number; right: number; top: number; bottom: number }
  osmosis_replication_timestamp?: number
}
interface Node {
  type: 'node'
  id: number
  lat: number
  lon: number
  tags?: Tags
}
interface Way {
  type: 'way'
  id: number
  refs: number[]
  tags?: Tags
}
interface Relation {
  type: 'relation'
  members: { type: string; ref: number; role: string }[]
  tags?: Tags
}
type Item = Header | Node | Way | Relation

/** West, north, east, south in map cells. */
export type CellBox = readonly [number, number, number, number]
export const toCellBox = ([left, top]: Cell, [right, bottom]: Cell): CellBox => [
  Math.round(left),
  Math.round(top),
  Math.round(right),
  Math.round(bottom),
]

interface OsmFile {
  features: OsmFeature[]
  box: CellBox
  /** Year and month of the copy; empty when unknown. */
  date: string
}

const AREA_KEYS = [
  'building',
  'landuse',
  'leisure',
  'amenity',
  'shop',
  'tourism',
  'historic',
  'place',
  'office',
  'aeroway',
  'military',
]
const NATURAL_LINES = ['coastline', 'tree_row', 'cliff', 'ridge', 'arete']

/** Returns true when a closed way describes an area. */
export const isArea = (tags: Tags): boolean => {
  if (tags.area === 'yes') return true
  if (tags.area === 'no' || tags.highway || tags.barrier || tags.railway) return false
  if (tags.aeroway === 'runway' || tags.aeroway === 'taxiway') return false
  if (tags.natural) return !NATURAL_LINES.includes(tags.natural)
  return tags.waterway === 'riverbank' || AREA_KEYS.some((key) => tags[key] !== undefined)
}

const orientRing = (ring: Cell[], positive: boolean): Cell[] =>
  signedArea2(ring) > 0 === positive ? ring : ring.toReversed()

/** Joins ways end to end into closed rings; drops those that do not close. */
export const joinRings = (ways: readonly (readonly number[])[]): number[][] => {
  const rings: number[][] = []
  const open = ways.filter(({ length }) => length > 1).map((way) => [...way])
  while (open.length) {
    const ring = open.pop()!
    while (ring[0] !== ring[ring.length - 1]) {
      const end = ring[ring.length - 1]
      const at = open.findIndex((way) => way[0] === end || way[way.length - 1] === end)
      if (at < 0) break
      const [way] = open.splice(at, 1)
      ring.push(...(way![0] === end ? way! : way!.toReversed()).slice(1))
    }
    if (ring.length > 3 && ring[0] === ring[ring.length - 1]) rings.push(ring)
  }
  return rings
}

const formatMonth = (seconds: Seconds | undefined) =>
  seconds ? new Date(seconds * 1_000).toISOString().slice(0, 7) : ''

/** The features read so far, and the nodes and ways that later parts refer to. */
interface OsmContents {
  places: Map<number, Cell>
  ways: Map<number, readonly number[]>
  features: OsmFeature[]
}

const addWay = ({ places, ways, features }: OsmContents, { id, refs, tags }: Way): void => {
  ways.set(id, refs)
  if (!tags) return
  const isClosed = refs.length > 3 && refs[0] === refs[refs.length - 1]
  const parts: Cell[][] = [[]]
  for (const ref of refs) {
    const cell = places.get(ref)
    if (cell) parts[parts.length - 1]!.push(cell)
    else if (parts[parts.length - 1]!.length) parts.push([])
  }
  const lines = parts.filter(({ length }) => length > 1)
  if (lines.length === 0) return
  if (isClosed && isArea(tags)) {
    if (lines.length === 1 && lines[0]!.length === refs.length) {
      features.push({ kind: 'area', tags, shape: [lines[0]!.slice(0, -1)] })
    }
  } else features.push({ kind: 'line', tags, shape: lines })
}

const addRelation = (
  { places, ways, features }: OsmContents,
  { members, tags }: Relation,
): void => {
  if (tags?.type !== 'multipolygon') return
  const collectRings = (hasRole: (name: string) => boolean) =>
    joinRings(
      members
        .filter((member) => member.type === 'way' && hasRole(member.role))
        .map(({ ref }) => ways.get(ref) ?? []),
    )
      .map((ring) => ring.map((ref) => places.get(ref)))
      .filter((ring): ring is Cell[] => ring.every((cell) => cell !== undefined))
      .map((ring) => ring.slice(0, -1))
  const outer = collectRings((name) => name !== 'inner').map((ring) => orientRing(ring, true))
  const inner = collectRings((name) => name === 'inner').map((ring) => orientRing(ring, false))
  // Holes follow their outer ring; with several outer rings, finding the right one would be
  // expensive.
  if (outer.length === 1) features.push({ kind: 'area', tags, shape: [outer[0]!, ...inner] })
  else for (const ring of outer) features.push({ kind: 'area', tags, shape: [ring] })
}

/** Returns the box that the file says it covers. */
const readBox = ({ bbox }: Header): CellBox | undefined => {
  if (!bbox) return undefined
  const { left, right, top, bottom } = bbox
  return toCellBox(fromLngLat([left / 1e9, top / 1e9]), fromLngLat([right / 1e9, bottom / 1e9]))
}

const isInside = ([x, y]: Cell, [west, north, east, south]: CellBox): boolean =>
  x >= west && x <= east && y >= north && y <= south

/** Returns the smallest box around positions. */
const getExtent = (cells: Iterable<Cell>): CellBox => {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of cells) {
    west = Math.min(west, x)
    north = Math.min(north, y)
    east = Math.max(east, x)
    south = Math.max(south, y)
  }
  return [west, north, east, south]
}

/**
 * Reads an `.osm.pbf` file. With an `area`, keeps only its content and cuts streets at its edge;
 * throws when the file has nothing inside it.
 */
export const readOsmFile = async (file: string, area?: CellBox): Promise<OsmFile> => {
  const contents: OsmContents = { places: new Map(), ways: new Map(), features: [] }
  const { places, features } = contents
  let box = area
  let date = ''
  const addNode = ({ id, lat, lon, tags }: Node) => {
    const [x, y] = fromLngLat([lon, lat])
    const cell: Cell = [Math.round(x), Math.round(y)]
    if (area && !isInside(cell, area)) return
    places.set(id, cell)
    if (tags) features.push({ kind: 'point', tags, shape: [[cell]] })
  }
  for await (const item of createOSMStream(file, { withInfo: false }) as AsyncIterable<Item>) {
    if (!('type' in item)) {
      date = formatMonth(item.osmosis_replication_timestamp)
      box ??= readBox(item)
    } else if (item.type === 'node') addNode(item)
    else if (item.type === 'way') addWay(contents, item)
    else addRelation(contents, item)
  }
  if (places.size === 0)
    throw new Error('The file has no data for this area. Choose another --bbox.')
  return { features, box: box ?? getExtent(places.values()), date }
}
