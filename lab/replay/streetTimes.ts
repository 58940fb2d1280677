import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDistanceKm } from '~/domain/geo/geo'
import type { TravelCost, TravelTimes } from '~/domain/replay/scenario'
import { isInBounds, type Bounds } from '~/functions/src/ports/positions'
import { Pathfinder } from '~/functions/src/adapters/maps/bundled/pathfinder'
import { estimateCost } from '~/functions/src/adapters/maps/osm/routeLegs'
import { StreetGraph, type Snap } from '~/functions/src/adapters/maps/bundled/streetGraph'
import { ROOT } from '~/scripts/local/build'
import type { LatLng } from '~/domain/geo/types'

/** Size of the cells whose places share one position on the streets, degrees: about 500 m. */
const CELL_DEGREES = 0.005
/** A place farther than this from every street is reached in a straight line, as on the map. */
const MAX_SNAP_METERS = 2_000

export interface CityStreets {
  travel: TravelTimes
  /** Junctions spread over the city's cells, in a fixed order. */
  places: readonly LatLng[]
  center: LatLng
}

interface Cell {
  index: number
  position: LatLng
  snap: Snap | null
}

/**
 * Opens the streets of the built city for a replay. Places of one cell share the position of the
 * first junction in it, so each cell needs one search, when a way first begins there. Times within
 * a cell and outside the city are estimated by distance.
 */
export const openCityStreets = (
  directory = join(ROOT, 'functions', 'data', 'maps'),
): CityStreets => {
  const file = join(directory, 'graph.bin')
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Run \`npm run --prefix lab maps:build\` first.`)
  const graph = new StreetGraph(readFileSync(file))
  const meta = readFileSync(join(directory, 'meta.json'), 'utf8')
  const { bounds } = JSON.parse(meta) as { bounds: Bounds }
  const pathfinder = new Pathfinder(graph)
  const cells = new Map<string, Cell>()
  const list: Cell[] = []

  const toKey = ({ lat, lng }: LatLng) =>
    `${Math.floor(lat / CELL_DEGREES)} ${Math.floor(lng / CELL_DEGREES)}`
  const addCell = (key: string, position: LatLng): Cell => {
    // Like the maps, which know no ways beyond the city's bounds.
    const snap = isInBounds(bounds, position) ? graph.snapToStreet(position) : null
    const isNear = snap !== null && snap.meters <= MAX_SNAP_METERS
    const cell = { index: list.length, position, snap: isNear ? snap : null }
    list.push(cell)
    cells.set(key, cell)
    return cell
  }
  for (let node = 0; node < graph.nodeCount; node++) {
    const position = {
      lat: (graph.edges.nodeLat[node] ?? 0) / 1e6,
      lng: (graph.edges.nodeLng[node] ?? 0) / 1e6,
    }
    const key = toKey(position)
    if (!cells.has(key) && isInBounds(bounds, position)) addCell(key, position)
  }
  const onStreets = [...list]
  const snaps = onStreets.map(({ snap }) => snap)
  const rows = new Map<number, { seconds: Float32Array; km: Float32Array }>()
  const getRow = (cell: Cell & { snap: Snap }) => {
    const cachedCosts = rows.get(cell.index)
    if (cachedCosts) return cachedCosts
    const costs = pathfinder.getCostsFromOne(cell.snap, snaps)
    const row = {
      seconds: Float32Array.from(costs, (cost) => cost?.seconds ?? Number.NaN),
      km: Float32Array.from(costs, (cost) => (cost ? cost.meters / 1000 : Number.NaN)),
    }
    rows.set(cell.index, row)
    return row
  }

  const estimate = (from: LatLng, to: LatLng): TravelCost => {
    const cost = estimateCost(from, to)
    return cost
      ? { seconds: cost.seconds, km: cost.meters / 1000 }
      : { seconds: 0, km: getDistanceKm(from, to) }
  }
  const getCell = (place: LatLng): Cell => {
    const key = toKey(place)
    return cells.get(key) ?? addCell(key, { lat: place.lat, lng: place.lng })
  }
  const travel: TravelTimes = (from, to) => {
    const [start, end] = [getCell(from), getCell(to)]
    if (start === end || !start.snap || end.index >= onStreets.length) return estimate(from, to)
    const row = getRow({ ...start, snap: start.snap })
    const [seconds, km] = [row.seconds[end.index] ?? Number.NaN, row.km[end.index] ?? Number.NaN]
    return Number.isNaN(seconds) || Number.isNaN(km) ? estimate(from, to) : { seconds, km }
  }
  // Junctions are dense downtown, so the median of all of them is near the center.
  const getMedian = (values: Int32Array) => (values.toSorted()[values.length >> 1] ?? 0) / 1e6
  return {
    travel,
    places: onStreets.map(({ position }) => position),
    center: { lat: getMedian(graph.edges.nodeLat), lng: getMedian(graph.edges.nodeLng) },
  }
}
