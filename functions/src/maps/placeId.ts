import { isPoint } from './geo'
import type { Point } from './geo'

export type PlaceOwner = 'bundled' | 'osm' | 'google'

export interface PlaceRef extends Point {
  label: string
}

const PREFIX = { bundled: 'emb1:', osm: 'osm1:' } as const
const MAX_LABEL = 300

/** Which service gave this place id; Google's have no prefix of ours. */
export const placeOwner = (id: string): PlaceOwner =>
  id.startsWith(PREFIX.bundled) ? 'bundled' : id.startsWith(PREFIX.osm) ? 'osm' : 'google'

/**
 * The id holds the place itself: one kept in a booking still means the same corner after the map
 * was rebuilt from newer streets.
 */
export const placeIdOf = (owner: 'bundled' | 'osm', { lat, lng, label }: PlaceRef): string => {
  const text = `${Math.round(lat * 1e6)},${Math.round(lng * 1e6)},${label.slice(0, MAX_LABEL)}`
  return PREFIX[owner] + Buffer.from(text).toString('base64url')
}

/** The place inside an id of ours; null for a foreign, damaged or out-of-range one. */
export const parsePlaceId = (id: string): PlaceRef | null => {
  const owner = placeOwner(id)
  if (owner === 'google' || id.length > 2_000) return null
  const text = Buffer.from(id.slice(PREFIX[owner].length), 'base64url').toString('utf8')
  const match = /^(-?\d{1,8}),(-?\d{1,9}),([^\p{Cc}]{1,300})$/u.exec(text)
  if (!match) return null
  const place = { lat: Number(match[1]) / 1e6, lng: Number(match[2]) / 1e6, label: match[3] ?? '' }
  return isPoint(place) ? place : null
}
