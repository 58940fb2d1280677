import * as v from 'valibot'
import { toKilometers, type Position } from '../../../ports/positions'
import { toStatusError, type MapsHttpResponse } from '../mapsHttp'
import {
  MapsError,
  NO_ROUTE,
  type AutocompleteOptions,
  type MatrixCell,
  type Route,
  type Suggestion,
} from '../../../ports/mapsPort'
import type { Meters, Seconds } from '~/domain/language/units'

/** Finds places by name and by position: Photon or Nominatim. */
export interface OsmPlaces {
  search(typed: string, options: AutocompleteOptions & { limit: number }): Promise<Suggestion[]>
  getAddress(at: Position, language: string | undefined): Promise<string | null>
}

/** Finds routes along streets: OSRM or Valhalla. */
export interface OsmRoutes {
  getRoute(stops: Position[], language: string | undefined): Promise<Route | null>
  getMatrix(from: readonly Position[], to: readonly Position[]): Promise<MatrixCell[][]>
}

export const textSchema = v.optional(v.string())

/** Returns the URL of a service's path with the query parameters that have a value. */
export const toServiceUrl = (
  base: string,
  path: string,
  query: Record<string, string | number | undefined> = {},
): URL => {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(key, String(value))
  }
  return url
}

export const parseResponse = <Schema extends v.GenericSchema>(
  schema: Schema,
  reply: MapsHttpResponse,
  getErrorText: (body: unknown) => string | undefined,
): v.InferOutput<Schema> => {
  if (reply.status !== 200) throw toStatusError(reply, getErrorText(reply.body))
  const parsed = v.safeParse(schema, reply.body)
  // Another server responded, such as a login page or a proxy error.
  if (!parsed.success) throw new MapsError('unavailable')
  return parsed.output
}

/** Returns the error text of Photon and of OSRM, which have the same form. */
export const getMessageText = (body: unknown): string | undefined => {
  const parsed = v.safeParse(v.object({ message: v.string() }), body)
  return parsed.success ? parsed.output.message : undefined
}

/** Fills a matrix with the cost of each pair; a pair without meters or seconds has no route. */
export const fillMatrix = (
  from: readonly Position[],
  to: readonly Position[],
  getCost: (
    i: number,
    j: number,
  ) => { meters: Meters | null | undefined; seconds: Seconds | null | undefined },
): MatrixCell[][] =>
  from.map((_, i) =>
    to.map((__, j) => {
      const { meters, seconds } = getCost(i, j)
      if (typeof meters !== 'number' || typeof seconds !== 'number') return NO_ROUTE
      return {
        found: true,
        distance_in_km: toKilometers(meters),
        time_in_secs: Math.round(seconds),
        approximate: false,
      }
    }),
  )

export const createEmptyMatrix = (
  from: readonly Position[],
  to: readonly Position[],
): MatrixCell[][] => from.map(() => to.map(() => NO_ROUTE))
