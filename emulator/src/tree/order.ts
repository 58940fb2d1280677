/** The two orders of the database: of keys, and of the values in an index. */

/** Sort below and above every key that a client can store. Queries use them as open ends. */
export const MIN_KEY = '[MIN_NAME]'
export const MAX_KEY = '[MAX_NAME]'

const ZERO = 48
const NINE = 57
const MINUS = 45
const INTEGER_KEY = /^-?0*\d{1,10}$/

const parseIntegerKey = (key: string): number | null => {
  const first = key.charCodeAt(0)
  // Push ids also begin with '-', so run the costly regular expression only for a digit.
  const digit = first === MINUS ? key.charCodeAt(1) : first
  if (!(digit >= ZERO && digit <= NINE) || !INTEGER_KEY.test(key)) return null
  const value = Number(key)
  return value >= -2147483648 && value <= 2147483647 ? value : null
}

/**
 * Compares keys as the SDK does: 32-bit integers by number, then other keys by UTF-16 code unit.
 */
export const compareKeys = (a: string, b: string): number => {
  if (a === b) return 0
  if (a === MIN_KEY || b === MAX_KEY) return -1
  if (b === MIN_KEY || a === MAX_KEY) return 1
  const left = parseIntegerKey(a)
  const right = parseIntegerKey(b)
  if (left === null) return right === null ? (a < b ? -1 : 1) : 1
  if (right === null) return -1
  return left === right ? a.length - b.length : left - right
}

/** Represents any value with children. These values sort equally, after strings. */
export const OBJECT_VALUE = Symbol('object')
export type IndexValue = null | boolean | number | string | typeof OBJECT_VALUE

const getTypeRank = (value: IndexValue): number => {
  switch (typeof value) {
    case 'boolean':
      return 1
    case 'number':
      return 2
    case 'string':
      return 3
    case 'symbol':
      return 4
    default:
      return 0
  }
}

/** Compares index values in the order missing, false, true, numbers, strings, objects. */
export const compareValues = (a: IndexValue, b: IndexValue): number => {
  if (a === b) return 0
  const difference = getTypeRank(a) - getTypeRank(b)
  if (difference !== 0) return difference
  if (a === null || b === null || typeof a === 'symbol' || typeof b === 'symbol') return 0
  return a < b ? -1 : 1
}

/** One row of an index: the sort value of a child, and its key to break ties. */
export interface Row {
  readonly value: IndexValue
  readonly key: string
}

/** Compares rows by value, then key. */
export const compareRows = (a: Row, b: Row): number =>
  compareValues(a.value, b.value) || compareKeys(a.key, b.key)
