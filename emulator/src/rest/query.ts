import { MAX_KEY, MIN_KEY } from '../tree/order'
import {
  ALL,
  boundAt,
  indexOf,
  KEY_INDEX,
  PRIORITY_INDEX,
  QueryError,
  VALUE_INDEX,
} from '../query/query'
import type { Bound, Query } from '../query/query'
import { parseJson } from '../auth'
import type { Index } from '../tree/node'

const FILTERS = [
  'startAt',
  'startAfter',
  'endAt',
  'endBefore',
  'equalTo',
  'limitToFirst',
  'limitToLast',
] as const

const SPECIAL = new Map([
  ['$key', KEY_INDEX],
  ['$priority', PRIORITY_INDEX],
  ['$value', VALUE_INDEX],
])

const indexFrom = (text: string): Index => {
  const name = parseJson(text)
  if (typeof name !== 'string') throw new QueryError('orderBy must be a valid JSON encoded path')
  return SPECIAL.get(name) ?? indexOf(name)
}

const limitFrom = (name: string, text: string): number => {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) {
    throw new QueryError(`${name} must be a positive integer`)
  }
  return Number(text)
}

const only = (params: URLSearchParams, ...names: string[]): string | null => {
  const given = names.filter((name) => params.has(name))
  if (given.length > 1) {
    throw new QueryError(`Only one of ${names.join(', ')} can be given`)
  }
  return given[0] ?? null
}

/**
 * Reads the query of a REST request from its parameters; null when it asks for the whole value.
 * Throws a QueryError in the original's words.
 */
export const queryFromParams = (params: URLSearchParams): Query | null => {
  const orderBy = params.get('orderBy')
  const filters = FILTERS.filter((name) => params.has(name))
  if (orderBy === null) {
    if (filters.length === 0) return null
    // The suite's export looks for data with exactly this.
    const glance = params.get('shallow') === 'true' && filters.join() === 'limitToFirst'
    if (!glance)
      throw new QueryError('orderBy must be defined when other query parameters are defined')
    return { ...ALL, limit: limitFrom('limitToFirst', params.get('limitToFirst') ?? '') }
  }
  const index = indexFrom(orderBy)
  const bound = (
    name: string,
    inclusive: boolean,
    open: typeof MIN_KEY | typeof MAX_KEY,
  ): Bound => {
    // The SDK writes the key that breaks ties behind a comma.
    const value = parseJson(`[${params.get(name) ?? ''}]`)
    if (!Array.isArray(value) || value.length < 1 || value.length > 2) {
      throw new QueryError(`${name} must be a valid JSON encoded value`)
    }
    const [at, key]: unknown[] = value
    return boundAt(index, at, key, inclusive, open)
  }
  const start = only(params, 'startAt', 'startAfter', 'equalTo')
  const end = only(params, 'endAt', 'endBefore', 'equalTo')
  const limit = only(params, 'limitToFirst', 'limitToLast')
  return {
    index,
    start:
      start === null
        ? null
        : bound(start, start !== 'startAfter', start === 'startAfter' ? MAX_KEY : MIN_KEY),
    end:
      end === null
        ? null
        : bound(end, end !== 'endBefore', end === 'endBefore' ? MIN_KEY : MAX_KEY),
    limit: limit === null ? null : limitFrom(limit, params.get(limit) ?? ''),
    from: limit === 'limitToLast' ? 'last' : 'first',
  }
}
