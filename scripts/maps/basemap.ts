import type { Feature, Geometry } from 'geojson'
import { addFrame } from './coastline'
import { findCenter } from './osmFeature'
import { toLngLat } from './mercator'
import { KIND_WEIGHT, getPlaceKind } from './places'
import { signedArea2 } from './ringArea'
import { writeTiles } from './vectorTiles'
import type { CityInput, OsmFeature, Tags } from './osmFeature'
import type { Cell, LngLat } from './mercator'
import type { Layers, Properties } from './vectorTiles'

export const MIN_ZOOM = 9
export const MAX_ZOOM = 14

const LANDUSE: Record<string, string> = {
  grass: 'grass',
  village_green: 'grass',
  meadow: 'grass',
  orchard: 'grass',
  allotments: 'grass',
  recreation_ground: 'park',
  forest: 'wood',
  cemetery: 'cemetery',
  industrial: 'industrial',
  railway: 'industrial',
  commercial: 'commercial',
  retail: 'commercial',
  military: 'military',
  farmland: 'farmland',
}
const LEISURE: Record<string, string> = {
  park: 'park',
  garden: 'park',
  golf_course: 'park',
  sports_centre: 'park',
  playground: 'park',
  common: 'park',
  recreation_ground: 'park',
  pitch: 'pitch',
  stadium: 'pitch',
  track: 'pitch',
}
const NATURAL: Record<string, string> = {
  beach: 'sand',
  sand: 'sand',
  wood: 'wood',
  scrub: 'wood',
  wetland: 'grass',
  grassland: 'grass',
}
const AMENITY: Record<string, string> = {
  school: 'school',
  university: 'school',
  college: 'school',
  kindergarten: 'school',
  hospital: 'hospital',
  parking: 'parking',
}
/** The drawn class of a road, its importance and the zoom at which it appears. */
const ROAD_STYLES: Record<string, { rank: number; from: number }> = {
  motorway: { rank: 9, from: 9 },
  trunk: { rank: 8, from: 9 },
  primary: { rank: 7, from: 9 },
  secondary: { rank: 6, from: 10 },
  tertiary: { rank: 5, from: 11 },
  minor: { rank: 4, from: 12 },
  service: { rank: 2, from: 13 },
  path: { rank: 1, from: 14 },
}
const PATHS = ['pedestrian', 'footway', 'path', 'steps', 'cycleway', 'track']
const MINOR = ['residential', 'unclassified', 'living_street', 'road']
const LAYER_MIN_ZOOM: Record<string, number> = {
  landuse: 10,
  waterway: 11,
  building: 13,
  rail: 10,
  pier: 11,
  poi: 13,
}

const getRoadClass = (highway: string): string | null => {
  const name = highway.replace(/_link$/, '')
  if (PATHS.includes(name)) return 'path'
  if (MINOR.includes(name)) return 'minor'
  return ROAD_STYLES[name] && name !== 'path' && name !== 'minor' ? name : null
}

const isYes = (value: string | undefined) => value !== undefined && value !== 'no'

const getLandClass = (tags: Tags): string | undefined =>
  LANDUSE[tags.landuse ?? ''] ??
  LEISURE[tags.leisure ?? ''] ??
  NATURAL[tags.natural ?? ''] ??
  (tags.aeroway === 'aerodrome' ? 'aerodrome' : undefined) ??
  AMENITY[tags.amenity ?? ''] ??
  (tags.highway === 'pedestrian' || tags.place === 'square' ? 'plaza' : undefined)

/** Returns the local name and the different names in other languages. */
const getNames = (tags: Tags): Properties =>
  Object.fromEntries(
    Object.entries(tags).filter(
      ([key, value]) => key === 'name' || (/^name:[a-z]{2}$/.test(key) && value !== tags.name),
    ),
  )

const closeRing = (ring: Cell[]): LngLat[] => {
  const points = ring.map(toLngLat)
  const [first, last] = [points[0]!, points[points.length - 1]!]
  if (first[0] !== last[0] || first[1] !== last[1]) points.push(first)
  return points
}

/** Converts the rings of one area to polygons in degrees; an outer ring runs counterclockwise. */
const toPolygons = (shape: Cell[][]): LngLat[][][] => {
  const out: LngLat[][][] = []
  for (const cells of shape) {
    if (cells.length < 3) continue
    const ring = closeRing(cells)
    const parent = out[out.length - 1]
    if (!parent || Math.sign(signedArea2(ring)) === Math.sign(signedArea2(parent[0]!))) {
      out.push([ring])
    } else parent.push(ring)
  }
  return out
}

const createFeature = (
  geometry: Geometry,
  properties: Properties,
): Feature<Geometry, Properties> => ({
  type: 'Feature',
  properties,
  geometry,
})

const toGeometries = ({ kind, shape }: OsmFeature): Geometry[] => {
  if (kind === 'point') return [{ type: 'Point', coordinates: toLngLat(shape[0]![0]!) }]
  if (kind === 'line') {
    return [{ type: 'MultiLineString', coordinates: shape.map((part) => part.map(toLngLat)) }]
  }
  return toPolygons(shape).map((coordinates) => ({ type: 'Polygon', coordinates }))
}

const getAreaLayer = (tags: Tags): [string, Properties] | null => {
  if (tags.building) return ['building', {}]
  const isWater =
    tags.natural === 'water' ||
    tags.waterway === 'riverbank' ||
    tags.landuse === 'reservoir' ||
    tags.landuse === 'basin'
  if (isWater) return ['water', {}]
  const kind = getLandClass(tags)
  return kind ? ['landuse', { kind }] : null
}

const getLineLayer = (tags: Tags): [string, Properties] | null => {
  const road = getRoadClass(tags.highway ?? '')
  if (road) {
    return [
      'road',
      {
        class: road,
        rank: ROAD_STYLES[road]!.rank,
        ...(tags.highway!.endsWith('_link') && { link: 1 }),
        ...(tags.name && getNames(tags)),
        ...(['yes', '1', 'true'].includes(tags.oneway ?? '') && { oneway: 1 }),
        ...(tags.oneway === '-1' && { oneway: -1 }),
        ...(isYes(tags.bridge) && { bridge: 1 }),
        ...(isYes(tags.tunnel) && { tunnel: 1 }),
      },
    ]
  }
  if (tags.railway === 'rail' || tags.railway === 'light_rail') return ['rail', {}]
  if (tags.waterway) return ['waterway', {}]
  if (['pier', 'breakwater', 'groyne'].includes(tags.man_made ?? '')) return ['pier', {}]
  if (tags.aeroway === 'runway') return ['runway', { main: 1 }]
  return tags.aeroway === 'taxiway' ? ['runway', { main: 0 }] : null
}

const isNamedPlace = ({ kind, tags }: OsmFeature) =>
  kind === 'point' &&
  tags.name !== undefined &&
  /^(city|town|suburb|neighbourhood|quarter|village)$/.test(tags.place ?? '')

const createLayers = (city: CityInput, sea: LngLat[][][]): Layers => {
  const layers: Layers = {
    land: [],
    landuse: [],
    water: [],
    waterway: [],
    building: [],
    road: [],
    rail: [],
    pier: [],
    runway: [],
    place: [],
    poi: [],
  }
  const [left, top, right, bottom] = addFrame(city.box)
  const [west, north] = toLngLat([left, top])
  const [east, south] = toLngLat([right, bottom])
  const frame = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  layers.land!.push(createFeature({ type: 'Polygon', coordinates: [frame] }, {}))
  for (const coordinates of sea) {
    layers.water!.push(createFeature({ type: 'Polygon', coordinates }, { sea: 1 }))
  }
  const usedKeys = new Set<string>()
  for (const one of city.features) {
    const { kind, tags } = one
    const target =
      kind === 'area' ? getAreaLayer(tags) : kind === 'line' ? getLineLayer(tags) : null
    if (target) {
      for (const geometry of toGeometries(one)) {
        layers[target[0]]!.push(createFeature(geometry, target[1]))
      }
    }
    if (isNamedPlace(one)) {
      const point: Geometry = { type: 'Point', coordinates: findCenter(one) }
      layers.place!.push(createFeature(point, { ...getNames(tags), kind: tags.place! }))
    } else if (tags.name && kind !== 'line' && !tags.place && !tags.public_transport) {
      const poi = tags.highway ? null : getPlaceKind(tags)
      const at = findCenter(one)
      const key = `${tags.name}|${at.map((degrees) => degrees.toFixed(3)).join()}`
      if (!poi || usedKeys.has(key)) continue
      usedKeys.add(key)
      const properties = { ...getNames(tags), kind: poi, rank: KIND_WEIGHT[poi] }
      layers.poi!.push(createFeature({ type: 'Point', coordinates: at }, properties))
    }
  }
  return layers
}

/**
 * Writes the city's vector tiles for zoom 9 to 14 under `directory`; the map scales them up beyond
 * that.
 */
export const writeBasemap = (directory: string, city: CityInput, sea: LngLat[][][]) =>
  writeTiles(directory, createLayers(city, sea), {
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    range: (zoom) => {
      const size = 2 ** (32 - zoom)
      const [left, top, right, bottom] = addFrame(city.box)
      return {
        left: Math.floor(left / size),
        top: Math.floor(top / size),
        right: Math.ceil(right / size),
        bottom: Math.ceil(bottom / size),
      }
    },
    detail: (layer) => ({
      tolerance: layer === 'water' ? 2 : 3,
      buffer: layer === 'poi' || layer === 'place' ? 64 : 96,
    }),
    pick: (layer, features, zoom) => {
      if (zoom < (LAYER_MIN_ZOOM[layer] ?? 0)) return []
      if (layer === 'poi') {
        return zoom < MAX_ZOOM ? features.filter(({ tags }) => Number(tags?.rank) >= 7) : features
      }
      if (layer !== 'road') return features
      const visible = features.filter(({ tags }) => zoom >= ROAD_STYLES[String(tags?.class)]!.from)
      if (zoom >= 13) return visible
      // The map does not draw names of side streets at this zoom, and they take most of the bytes.
      return visible.map((road): typeof road => {
        const { class: kind, rank, name } = road.tags ?? {}
        return {
          ...road,
          tags: { class: kind, rank, ...(Number(rank) >= 6 && name ? { name } : {}) },
        }
      })
    },
  })
