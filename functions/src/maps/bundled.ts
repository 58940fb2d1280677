import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Gazetteer } from './gazetteer'
import { isInside, isPoint, kilometres } from './geo'
import { Pathfinder } from './pathfinder'
import { parsePlaceId, placeIdOf } from './placeId'
import { MapsError, NO_WAY, oneLine } from './port'
import { guessedCost, guessedLeg, joinLegs, streetLeg } from './route'
import { sameName, Settlements } from './settlements'
import { StreetGraph } from './streetGraph'
import type { Bounds, Point } from './geo'
import type { Cost } from './pathfinder'
import type { MapsPort, MatrixCell, Step, Suggestion } from './port'
import type { Leg } from './route'
import type { Settlement } from './settlements'
import type { Snap } from './streetGraph'

interface Meta {
  slug: string
  city: string
  country: string
  bounds: Bounds
  date: string
}

interface City {
  meta: Meta
  graph: StreetGraph
  pathfinder: Pathfinder
  gazetteer: Gazetteer
}

const LIMIT = 6
const FAMOUS = 100_000
/** A stop farther from any street than this is not on our map. */
const OFF_STREET_METRES = 2_000
const STREET_METRES = 500
const MANY_CELLS = 10_000

/** "Uruguay" for "UY" in the reader's language; the code itself when unknown. */
const countryName = (code: string, language = 'en'): string => {
  try {
    return new Intl.DisplayNames([language, 'en'], { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

export interface BundledMaps extends MapsPort {
  /** Reads the files now instead of at the first call. */
  warm(): void
  /** Where streets are known. */
  coverage(): Pick<Meta, 'country' | 'city' | 'bounds'>
}

/**
 * Maps out of the files `npm run maps:build` makes in `directory`: no network, no key. They are read
 * at the first call, so that functions which need no map start without them.
 */
export const createBundledMaps = (directory: string): BundledMaps => {
  const once = <T>(load: () => T): (() => T) => {
    let value: { is: T } | null = null
    return () => (value ??= { is: load() }).is
  }
  const file = (name: string) => {
    const path = join(directory, name)
    if (!existsSync(path)) {
      throw new MapsError('unavailable', 'The map is not built. Run "npm run maps:build".')
    }
    return readFileSync(path)
  }
  const metaOf = once(() => JSON.parse(file('meta.json').toString('utf8')) as Meta)
  const cityOf = once((): City => {
    const graph = new StreetGraph(file('graph.bin'))
    return {
      meta: metaOf(),
      graph,
      pathfinder: new Pathfinder(graph),
      gazetteer: new Gazetteer(file('gaz.bin')),
    }
  })
  const worldOf = once(() => new Settlements(file('world.bin')))

  const snapped = ({ graph, meta }: City, point: Point): Snap | null => {
    if (!isInside(meta.bounds, point)) return null
    const snap = graph.snap(point)
    return snap && snap.metres <= OFF_STREET_METRES ? snap : null
  }

  const cityPlaces = (
    typed: string,
    language: string | undefined,
    near: Point | undefined,
    limit: number,
  ) => {
    const { gazetteer, meta } = cityOf()
    return gazetteer.search(typed, { limit, language, near }).map((found): Suggestion => {
      const context = found.context === found.name ? '' : found.context
      const city = gazetteer.named(meta.city, language)
      const secondaryText = oneLine(context, city, countryName(meta.country, language))
      const description = oneLine(found.name, secondaryText)
      return {
        description,
        place_id: placeIdOf('bundled', { ...found.at, label: description }),
        mainText: found.name,
        secondaryText,
        kind: found.kind,
        coords: found.at,
      }
    })
  }

  const isOwnCity = ({ name, at, country }: Settlement) => {
    const { meta } = cityOf()
    return country === meta.country && (sameName(name, meta.city) || isInside(meta.bounds, at))
  }

  const settlementText = (one: Settlement, language?: string) =>
    oneLine(one.name, one.region, countryName(one.country, language))

  const towns = (
    typed: string,
    country: string | undefined,
    language: string | undefined,
    near: Point | undefined,
    limit: number,
    withMistakes: boolean,
  ) =>
    worldOf()
      .search(typed, { country, near, limit, withMistakes })
      .filter((one) => !isOwnCity(one))
      .map((one) => {
        const description = settlementText(one, language)
        return {
          description,
          place_id: placeIdOf('bundled', { ...one.at, label: description }),
          mainText: one.name,
          secondaryText: oneLine(one.region, countryName(one.country, language)),
          kind: 'settlement',
          coords: one.at,
          // Who types just "London" and is nowhere in particular means that one.
          isFamous: one.population >= FAMOUS && sameName(one.name, typed.trim()),
        }
      })

  const legBetween = (a: Point, b: Point, arrival: 'stop' | 'arrive'): Leg | null => {
    const city = cityOf()
    const [start, end] = [snapped(city, a), snapped(city, b)]
    const path = start && end && city.pathfinder.path(start, end)
    return path ? streetLeg(city.graph, path, end.at, arrival) : guessedLeg(a, b, arrival)
  }

  const cell = (a: Point, b: Point, cost: Cost | null): MatrixCell => {
    const known = cost ?? guessedCost(a, b)
    if (!known) return NO_WAY
    return {
      found: true,
      distance_in_km: kilometres(known.metres),
      time_in_secs: Math.round(known.seconds),
      approximate: cost === null,
    }
  }

  // A search that fails as an event of its own would look like a crash: refuse it by name instead.
  const checked = (points: readonly Point[]) => {
    if (!points.every(isPoint)) throw new MapsError('invalid', 'Not a place on earth.')
  }

  return {
    id: 'bundled',

    warm: () => {
      cityOf()
      worldOf()
    },

    autocomplete: async (typed, { country, near, language, limit = LIMIT } = {}) => {
      const code = country?.toUpperCase()
      const { meta } = cityOf()
      const inCity = !code || code === meta.country ? cityPlaces(typed, language, near, limit) : []
      if (inCity.length >= limit && (!near || isInside(meta.bounds, near))) return inCity
      // A misspelt shop is nearer than a misspelt town on another continent.
      const elsewhere = towns(typed, code, language, near, limit, inCity.length === 0)
      const isHere = near !== undefined && isInside(meta.bounds, near)
      const isAway = near !== undefined && !isHere
      const famous = elsewhere.filter(({ isFamous }) => isFamous)
      const others = elsewhere.filter(({ isFamous }) => !isFamous)
      const inOrder = isAway
        ? [...elsewhere, ...inCity]
        : isHere
          ? [...inCity, ...elsewhere]
          : [...famous, ...inCity, ...others]
      return inOrder
        .slice(0, limit)
        .map(({ isFamous: _, ...suggestion }: Suggestion & { isFamous?: boolean }) => suggestion)
    },

    coords: async (placeId) => {
      const place = parsePlaceId(placeId)
      return place && { lat: place.lat, lng: place.lng, description: place.label }
    },

    address: async (at, { language } = {}) => {
      checked([at])
      const { meta, gazetteer, graph } = cityOf()
      if (isInside(meta.bounds, at)) {
        const country = countryName(meta.country, language)
        const city = gazetteer.named(meta.city, language)
        const house = gazetteer.houseNear(at, language)
        if (house) return oneLine(`${house.street} ${house.number}`, house.context, city, country)
        const snap = graph.snap(at, true)
        if (snap && snap.metres < STREET_METRES) {
          return oneLine(gazetteer.named(graph.streetOf(snap.edge), language), city, country)
        }
      }
      const town = worldOf().nearest(at)
      return town && settlementText(town, language)
    },

    directions: async (start, dest, waypoints = [], { language } = {}) => {
      const stops = [start, ...waypoints, dest]
      checked(stops)
      const legs: Leg[] = []
      for (let i = 1; i < stops.length; i++) {
        const leg = legBetween(stops[i - 1]!, stops[i]!, i < stops.length - 1 ? 'stop' : 'arrive')
        if (!leg) return null
        legs.push(leg)
      }
      const { gazetteer } = cityOf()
      const route = joinLegs(legs)
      const inLanguage = ({ street, ...step }: Step) => ({
        ...step,
        street: gazetteer.named(street, language),
      })
      return { ...route, steps: route.steps.map(inLanguage) }
    },

    distanceMatrix: async (origins, destinations) => {
      checked([...origins, ...destinations])
      if (origins.length * destinations.length > MANY_CELLS) {
        throw new MapsError('invalid', 'Too many places for one matrix.')
      }
      const city = cityOf()
      const starts = origins.map((point) => snapped(city, point))
      const ends = destinations.map((point) => snapped(city, point))
      const costs = origins.map(() => destinations.map((): Cost | null => null))
      // One search answers for everything on its other side, so run as few as possible.
      if (destinations.length <= origins.length) {
        ends.forEach((end, j) => {
          if (!end) return
          city.pathfinder.toOne(starts, end).forEach((cost, i) => {
            costs[i]![j] = cost
          })
        })
      } else {
        starts.forEach((start, i) => {
          if (start) costs[i] = city.pathfinder.fromOne(start, ends)
        })
      }
      return origins.map((a, i) => destinations.map((b, j) => cell(a, b, costs[i]![j] ?? null)))
    },

    coverage: () => {
      const { country, city, bounds } = metaOf()
      return { country, city, bounds }
    },
  }
}
