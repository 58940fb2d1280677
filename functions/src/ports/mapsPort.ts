import { isValidPosition } from './positions'
import type { Position } from './positions'
import type { Kilometers, Seconds } from '~/domain/language/units'

/** A place offered as the user types. */
export interface Suggestion {
  /** One line, most specific part first. */
  description: string
  /** Identifies its provider, so that it remains valid after a change of provider. */
  place_id: string
  mainText: string
  secondaryText: string
  /**
   * The kind of place: address, street, hotel, settlement …; empty when the service does not return
   * it.
   */
  kind: string
  /** Present when the service returns the position immediately. */
  coords?: Position
}

interface PlaceCoords extends Position {
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

/** One instruction: the maneuver at a position and the distance to follow the street. */
export interface Step {
  maneuver: Maneuver
  /** The street after the maneuver; empty when it has no name. */
  street: string
  distance_in_km: Kilometers
  time_in_secs: Seconds
  at: Position
  /** The exit of a roundabout, counted from 1. */
  exit?: number
}

export interface Route {
  /** Kilometers, rounded to the meter. */
  distance_in_km: Kilometers
  /** Whole seconds. */
  time_in_secs: Seconds
  /** Google's encoding, precision 5. */
  polylinePoints: string
  coords: Position[]
  steps: Step[]
  /** True when it was not measured along streets. */
  approximate: boolean
}

export interface MatrixCell {
  found: boolean
  distance_in_km: Kilometers
  time_in_secs: Seconds
  approximate: boolean
}

export interface AutocompleteOptions {
  /** Two-letter country code; results are limited to this country. */
  country?: string
  /** Ranks closer places first. */
  near?: Position
  language?: string
  limit?: number
  /**
   * Links a person's typing to the place they choose, because some services bill both as one
   * session.
   */
  sessionToken?: string
}

/** The maps operations that the endpoints need. A failed call rejects with a `MapsError`. */
export interface MapsPort {
  readonly id: 'bundled' | 'osm' | 'google'
  autocomplete(searchKeyword: string, options?: AutocompleteOptions): Promise<Suggestion[]>
  /** Returns null for an unknown place. */
  getCoords(placeId: string, options?: { sessionToken?: string }): Promise<PlaceCoords | null>
  /** Returns one line, or null when no address is nearby. */
  getAddress(at: Position, options?: { language?: string }): Promise<string | null>
  /** Returns null when no route exists, or when a place has no street in reach. */
  getDirections(
    start: Position,
    dest: Position,
    waypoints?: readonly Position[],
    options?: { language?: string },
  ): Promise<Route | null>
  /** Returns one row for each origin and one cell for each destination. */
  getDistanceMatrix(
    origins: readonly Position[],
    destinations: readonly Position[],
  ): Promise<MatrixCell[][]>
  /**
   * Returns the distance of each position from the nearest street in meters, or null outside the
   * area with known streets. Only services with the streets in memory offer it: a request for each
   * position would cost more than the booking it checks.
   */
  getStreetDistances?(points: readonly Position[]): Promise<(number | null)[]>
}

/** A pair without a route. */
export const NO_ROUTE: MatrixCell = {
  found: false,
  distance_in_km: 0,
  time_in_secs: 0,
  approximate: false,
}

/** Joins the parts of an address into one line, most specific first, without duplicates. */
export const joinAddressParts = (...parts: (string | undefined)[]): string =>
  parts.filter((part, i) => part && parts.indexOf(part) === i).join(', ')

export type MapsOperation = 'address' | 'directions' | 'autocomplete' | 'coords' | 'distanceMatrix'

/** Texts for a failed call when the service gives no reason. */
const OPERATION_ERROR_TEXTS: Record<MapsOperation, string> = {
  address: 'fetchAddressfromCoords Call Error',
  directions: 'getDirectionsApi Call Error',
  autocomplete: 'fetchPlacesAutocomplete Call Error',
  coords: 'fetchCoordsfromPlace Call Error',
  distanceMatrix: 'getDistanceMatrix Call Error',
}

export type MapsErrorKind = 'unavailable' | 'timeout' | 'quota' | 'denied' | 'invalid'

/** A failed maps call. `serviceText` is the service's own text, if any. */
export class MapsError extends Error {
  readonly kind: MapsErrorKind
  readonly serviceText: string | undefined

  constructor(kind: MapsErrorKind, serviceText?: string, options?: ErrorOptions) {
    super(serviceText ?? `The maps service is ${kind}.`, options)
    this.name = 'MapsError'
    this.kind = kind
    this.serviceText = serviceText
  }
}

/** Returns the text of a failed call: the service's own, or the default. */
export const getOperationErrorText = (call: MapsOperation, error: unknown): string =>
  (error instanceof MapsError ? error.serviceText : undefined) ?? OPERATION_ERROR_TEXTS[call]

/** Parses 'lat,lng|lat,lng'. Returns null when any position is invalid. */
export const parsePositions = (text: string): Position[] | null => {
  if (text.trim() === '') return []
  const points: Position[] = []
  for (const pair of text.split('|')) {
    const match = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(pair)
    if (!match) return null
    const point = { lat: Number(match[1]), lng: Number(match[2]) }
    if (!isValidPosition(point)) return null
    points.push(point)
  }
  return points
}
