import { domainError, type DomainError } from '../api/errors'
import { fnv1a } from './fnv1a'

/**
 * The version of the data's shape that this release reads and writes. domain/migrations upgrades
 * older data to it.
 */
export const SCHEMA_VERSION = 7

/** The paths of the `schema` node. */
export const schemaPaths = {
  root: 'schema',
  version: 'schema/version',
  texts: 'schema/texts',
  closed: 'schema/closed',
  running: 'schema/running',
} as const

/** An interval during which the rules refuse writes. */
export interface WriteLock {
  /** Server time in ms; the rules ignore the lock afterwards. */
  until: number
  /** True when clients are refused in addition to the functions. */
  all?: boolean
}

/** The `schema` node without the state of the running job. */
export interface SchemaNode {
  /** Absent in data from before versions existed. */
  version?: number
  /** The hash of the shipped texts that the languages were last updated with. */
  texts?: string
  closed?: WriteLock
}

/**
 * Returns the reason the functions of this release may not write now, or undefined. `now` is in ms.
 */
export const checkWritesAllowed = (
  schema: SchemaNode | null,
  now: number,
): DomainError | undefined => {
  if (schema?.closed && schema.closed.until >= now) return domainError('maintenance')
  const version = schema?.version ?? 0
  if (version === SCHEMA_VERSION) return undefined
  return domainError(version > SCHEMA_VERSION ? 'schema_newer' : 'schema_older')
}

/**
 * Returns a short hash of the shipped texts, the same in any order. It shows whether a release has
 * different texts from those the languages were last updated with (FNV-1a, 32 bits).
 */
export const hashTexts = (texts: Readonly<Record<string, Record<string, string>>>): string => {
  const lines = Object.entries(texts)
    .flatMap(([locale, pairs]) =>
      Object.entries(pairs).map(([key, text]) => JSON.stringify([locale, key, text])),
    )
    .sort()
  const hash = lines.reduce<number | undefined>((before, line) => fnv1a(line, before), undefined)
  return (hash ?? fnv1a('')).toString(16).padStart(8, '0')
}
