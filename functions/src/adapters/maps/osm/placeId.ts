import { isValidPosition } from '../../../ports/positions'
import type { Position } from '../../../ports/positions'

export type PlaceIdProvider = 'bundled' | 'osm' | 'google'

export interface PlaceRef extends Position {
  label: string
}

const ID_PREFIXES = { bundled: 'emb1:', osm: 'osm1:' } as const
const MAX_LABEL_LENGTH = 300

/** Returns the service that created this place id. Google's ids have no prefix of ours. */
export const getPlaceIdProvider = (id: string): PlaceIdProvider =>
  id.startsWith(ID_PREFIXES.bundled) ? 'bundled' : id.startsWith(ID_PREFIXES.osm) ? 'osm' : 'google'

/**
 * Encodes the place itself in the id, so that a stored id still means the same corner after a
 * rebuild with newer streets.
 */
export const createPlaceId = (owner: 'bundled' | 'osm', { lat, lng, label }: PlaceRef): string => {
  const text = `${Math.round(lat * 1e6)},${Math.round(lng * 1e6)},${label.slice(0, MAX_LABEL_LENGTH)}`
  return ID_PREFIXES[owner] + Buffer.from(text).toString('base64url')
}

/**
 * Returns the place encoded in one of our ids, or null for a foreign, damaged or out-of-range id.
 */
export const parsePlaceId = (id: string): PlaceRef | null => {
  const owner = getPlaceIdProvider(id)
  if (owner === 'google' || id.length > 2_000) return null
  const text = Buffer.from(id.slice(ID_PREFIXES[owner].length), 'base64url').toString('utf8')
  const match = /^(-?\d{1,8}),(-?\d{1,9}),([^\p{Cc}]{1,300})$/u.exec(text)
  if (!match) return null
  const place = { lat: Number(match[1]) / 1e6, lng: Number(match[2]) / 1e6, label: match[3] ?? '' }
  return isValidPosition(place) ? place : null
}
