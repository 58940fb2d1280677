import { isPoint } from './geo'
import type { Point } from './geo'

/** A place offered while somebody types. */
export interface Suggestion {
  /** One line, most particular part first. */
  description: string
  /** Says itself which service it belongs to, so that it outlives a change of provider. */
  place_id: string
  mainText: string
  secondaryText: string
  /** What it is: address, street, hotel, settlement …; empty when the service does not say. */
  kind: string
  /** Present when the service says at once where it is. */
  coords?: Point
}

export interface PlaceCoords extends Point {
  description?: string
}

export type Maneuver =
  | 'depart'
  | 'continue'
  | 'slight-left'
  | 'left'
  | 'sharp-left'
  | 'slight-right'
  | 'right'
  | 'sharp-right'
  | 'u-turn'
  | 'roundabout'
  | 'stop'
  | 'arrive'

/** One instruction: what to do at a point, then how far to follow the street. */
export interface Step {
  maneuver: Maneuver
  /** The street one is on after it; empty when it has no name. */
  street: string
  distance_in_km: number
  time_in_secs: number
  at: Point
  /** Roundabouts: which exit, counted from 1. */
  exit?: number
}

export interface Route {
  /** Kilometres, to the metre. */
  distance_in_km: number
  /** Seconds, whole. */
  time_in_secs: number
  /** Google's encoding, precision 5. */
  polylinePoints: string
  coords: Point[]
  steps: Step[]
  /** True when it was not measured along streets. */
  approximate: boolean
}

export interface MatrixCell {
  found: boolean
  distance_in_km: number
  time_in_secs: number
  approximate: boolean
}

export interface AutocompleteOptions {
  /** Two-letter code; only places of this country are offered. */
  country?: string
  /** Nearer things come first. */
  near?: Point
  language?: string
  limit?: number
  /** Ties what one person types to the place he chooses: some services bill that as one. */
  sessionToken?: string
}

/** What the endpoints need of any maps service. A failed call rejects with a `MapsError`. */
export interface MapsPort {
  readonly id: 'bundled' | 'osm' | 'google'
  autocomplete(searchKeyword: string, options?: AutocompleteOptions): Promise<Suggestion[]>
  /** Null when no such place is known. */
  coords(placeId: string, options?: { sessionToken?: string }): Promise<PlaceCoords | null>
  /** One line, or null where nothing is near. */
  address(at: Point, options?: { language?: string }): Promise<string | null>
  /** Null when no way leads there. */
  directions(
    start: Point,
    dest: Point,
    waypoints?: readonly Point[],
    options?: { language?: string },
  ): Promise<Route | null>
  /** One row for each origin, one cell for each destination. */
  distanceMatrix(origins: readonly Point[], destinations: readonly Point[]): Promise<MatrixCell[][]>
}

/** A pair without a way. */
export const NO_WAY: MatrixCell = {
  found: false,
  distance_in_km: 0,
  time_in_secs: 0,
  approximate: false,
}

/** Parts of an address in one line, most particular first, none twice. */
export const oneLine = (...parts: (string | undefined)[]): string =>
  parts.filter((part, i) => part && parts.indexOf(part) === i).join(', ')

export type MapsCall = 'address' | 'directions' | 'autocomplete' | 'coords' | 'distanceMatrix'

/** What to show when a call failed and the service gave no reason (specification, section 8). */
export const CALL_ERRORS: Record<MapsCall, string> = {
  address: 'fetchAddressfromCoords Call Error',
  directions: 'getDirectionsApi Call Error',
  autocomplete: 'fetchPlacesAutocomplete Call Error',
  coords: 'fetchCoordsfromPlace Call Error',
  distanceMatrix: 'getDistanceMatrix Call Error',
}

export type MapsFailure = 'unavailable' | 'timeout' | 'quota' | 'denied' | 'invalid'

/** A call that could not be answered; `serviceText` is the service's own words, when it had any. */
export class MapsError extends Error {
  readonly kind: MapsFailure
  readonly serviceText: string | undefined

  constructor(kind: MapsFailure, serviceText?: string, options?: ErrorOptions) {
    super(serviceText ?? `The maps service is ${kind}.`, options)
    this.name = 'MapsError'
    this.kind = kind
    this.serviceText = serviceText
  }
}

/** The text of a failed call: the service's own, else the catalogue's. */
export const callError = (call: MapsCall, error: unknown): string =>
  (error instanceof MapsError ? error.serviceText : undefined) ?? CALL_ERRORS[call]

/** Points out of 'lat,lng|lat,lng'; null when any is not a point on earth. */
export const parsePoints = (text: string): Point[] | null => {
  if (text.trim() === '') return []
  const points: Point[] = []
  for (const pair of text.split('|')) {
    const match = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(pair)
    if (!match) return null
    const point = { lat: Number(match[1]), lng: Number(match[2]) }
    if (!isPoint(point)) return null
    points.push(point)
  }
  return points
}
