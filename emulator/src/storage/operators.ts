import {
  hasItem,
  Duration,
  isList,
  isMap,
  isNumber,
  PathValue,
  isEqualValue,
  SetValue,
  Timestamp,
  getTypeName,
} from './values'
import type { Value } from './values'
import { CallTypeError, toInt64 } from './standardLibrary'

type Operator = (a: Value, b: Value) => Value

const createTypeError = (operator: string, a: Value, b: Value) =>
  new CallTypeError(`Unsupported operation: ${getTypeName(a)} ${operator} ${getTypeName(b)}`)

const createArithmetic =
  (
    operator: string,
    ints: (a: bigint, b: bigint) => bigint,
    floats: (a: number, b: number) => number,
  ): Operator =>
  (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return toInt64(ints(a, b))
    if (isNumber(a) && isNumber(b)) return floats(Number(a), Number(b))
    throw createTypeError(operator, a, b)
  }

const assertNotZero = (value: bigint): bigint => {
  if (value === 0n) throw new CallTypeError('Division by zero')
  return value
}

const addNumbers = createArithmetic(
  '+',
  (a, b) => a + b,
  (a, b) => a + b,
)
const addValues: Operator = (a, b) => {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms + b.ms)
  if (a instanceof Duration && b instanceof Timestamp) return new Timestamp(a.ms + b.ms)
  if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms + b.ms)
  return addNumbers(a, b)
}

const subtractNumbers = createArithmetic(
  '-',
  (a, b) => a - b,
  (a, b) => a - b,
)
const subtractValues: Operator = (a, b) => {
  if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms - b.ms)
  if (a instanceof Timestamp && b instanceof Timestamp) return new Duration(a.ms - b.ms)
  if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms - b.ms)
  return subtractNumbers(a, b)
}

const createComparison =
  (operator: string, holds: (order: number) => boolean): Operator =>
  (a, b) => {
    const compare = <T>(left: T, right: T) => holds(left < right ? -1 : left > right ? 1 : 0)
    if (isNumber(a) && isNumber(b)) {
      // NaN is neither less than, greater than nor equal to any number.
      if (Number.isNaN(Number(a)) || Number.isNaN(Number(b))) return false
      return compare<bigint | number>(a, b)
    }
    if (typeof a === 'string' && typeof b === 'string') return compare(a, b)
    if (a instanceof Timestamp && b instanceof Timestamp) return compare(a.ms, b.ms)
    if (a instanceof Duration && b instanceof Duration) return compare(a.ms, b.ms)
    throw createTypeError(operator, a, b)
  }

const isEqual = (a: Value, b: Value): boolean => {
  if (isNumber(a) && isNumber(b)) return a == b // oxlint-disable-line eqeqeq -- an int equals its float
  // A wildcard of several segments is a path. A comparison of it with text is always a mistake,
  // which `!=` would turn into a permission.
  if ([a, b].some((side) => side instanceof PathValue)) {
    if ([a, b].some((side) => typeof side === 'string')) throw createTypeError('==', a, b)
  }
  return isEqualValue(a, b)
}

const isMember: Operator = (a, b) => {
  if (isList(b)) return hasItem(b, a)
  if (b instanceof SetValue) return hasItem(b.items, a)
  if (isMap(b) && typeof a === 'string') return b.has(a)
  throw createTypeError('in', a, b)
}

/**
 * The implementation of each operator except `&&` and `||`. Throws a CallTypeError for invalid
 * types.
 */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', addValues],
  ['-', subtractValues],
  [
    '*',
    createArithmetic(
      '*',
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  [
    '/',
    createArithmetic(
      '/',
      (a, b) => a / assertNotZero(b),
      (a, b) => a / b,
    ),
  ],
  [
    '%',
    createArithmetic(
      '%',
      (a, b) => a % assertNotZero(b),
      (a, b) => a % b,
    ),
  ],
  ['==', isEqual],
  ['!=', (a, b) => !isEqual(a, b)],
  ['<', createComparison('<', (order) => order < 0)],
  ['<=', createComparison('<=', (order) => order <= 0)],
  ['>', createComparison('>', (order) => order > 0)],
  ['>=', createComparison('>=', (order) => order >= 0)],
  ['in', isMember],
])

/** Returns the negative of a number. */
export const negateValue = (value: Value): Value => {
  if (typeof value === 'bigint') return toInt64(-value)
  if (typeof value === 'number') return -value
  if (value instanceof Duration) return new Duration(-value.ms)
  throw new CallTypeError(`Unsupported operation: -${getTypeName(value)}`)
}
