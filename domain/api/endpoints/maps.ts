import * as v from 'valibot'
import {
  autocompleteSchema,
  getAddressSchema,
  getCoordsSchema,
  getDirectionsSchema,
  getDistanceMatrixSchema,
} from '../inputs/maps'
import { position, mapsError, route, routeStep } from '../outputFields'

export const MAPS_ENDPOINTS = {
  'googleapis-getaddress': {
    input: getAddressSchema,
    output: v.union([v.object({ address: v.string() }), mapsError]),
  },
  'googleapis-getdirections': {
    input: getDirectionsSchema,
    output: v.union([v.object({ ...route, steps: v.array(routeStep) }), mapsError]),
  },
  'googleapis-autocomplete': {
    input: autocompleteSchema,
    output: v.union([
      v.object({
        searchResults: v.array(
          v.object({
            description: v.string(),
            place_id: v.string(),
            mainText: v.string(),
            secondaryText: v.string(),
            kind: v.string(),
            coords: v.optional(position),
          }),
        ),
      }),
      mapsError,
    ]),
  },
  'googleapis-getcoords': {
    input: getCoordsSchema,
    output: v.union([
      v.object({
        coords: v.object({
          lat: v.number(),
          lng: v.number(),
          description: v.optional(v.string()),
        }),
      }),
      mapsError,
    ]),
  },
  'googleapis-getdistancematrix': {
    input: getDistanceMatrixSchema,
    output: v.union([
      v.object({
        data: v.array(
          v.array(
            v.object({
              found: v.boolean(),
              distance_in_km: v.number(),
              time_in_secs: v.number(),
              approximate: v.boolean(),
            }),
          ),
        ),
      }),
      mapsError,
    ]),
  },
} as const
