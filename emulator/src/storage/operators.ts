import {
  contains,
  Duration,
  isList,
  isMap,
  isNumber,
  PathValue,
  sameValue,
  SetValue,
  Timestamp,
  typeName,
} from './values'
import type { Value } from './values'
import { CallError, int64 } from './library'

type Operator = (a: Value, b: Value) => Value

const wrong = (operator: string, a: Value, b: Value) =>
  new CallError(`Unsupported operation: ${typeName(a)} ${operator} ${typeName(b)}`)

const arithmetic =
  (
    operator: string,
    ints: (a: bigint, b: bigint) => bigint,
    floats: (a: number, b: number) => number,
  ): Operator =>
  (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return int64(ints(a, b))
    if (isNumber(a) && isNumber(b)) return floats(Number(a), Number(b))
    throw wrong(operator, a, b)
  }

const notZero = (value: bigint): bigint => {
  if (value === 0n) throw new CallError('Division by zero')
  return value
}

const addNumbers = arithmetic(
  '+',
  (a, b) => a + b,
  (a, b) => a + b,
)
const add: Operator = (a, b) => {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms + b.ms)
  if (a instanceof Duration && b instanceof Timestamp) return new Timestamp(a.ms + b.ms)
  if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms + b.ms)
  return addNumbers(a, b)
}

const subtractNumbers = arithmetic(
  '-',
  (a, b) => a - b,
  (a, b) => a - b,
)
const subtract: Operator = (a, b) => {
  if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms - b.ms)
  if (a instanceof Timestamp && b instanceof Timestamp) return new Duration(a.ms - b.ms)
  if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms - b.ms)
  return subtractNumbers(a, b)
}

const comparison =
  (operator: string, holds: (order: number) => boolean): Operator =>
  (a, b) => {
    const compare = <T>(left: T, right: T) => holds(left < right ? -1 : left > right ? 1 : 0)
    if (isNumber(a) && isNumber(b)) {
      // Nothing is less or more than NaN, nor equal to it.
      if (Number.isNaN(Number(a)) || Number.isNaN(Number(b))) return false
      return compare<bigint | number>(a, b)
    }
    if (typeof a === 'string' && typeof b === 'string') return compare(a, b)
    if (a instanceof Timestamp && b instanceof Timestamp) return compare(a.ms, b.ms)
    if (a instanceof Duration && b instanceof Duration) return compare(a.ms, b.ms)
    throw wrong(operator, a, b)
  }

const equal = (a: Value, b: Value): boolean => {
  if (isNumber(a) && isNumber(b)) return a == b // eslint-disable-line eqeqeq -- an int equals its float
  // A wildcard of several segments is a path. Comparing it with text could only ever be a mistake,
  // and one that `!=` would turn into a permission.
  if ([a, b].some((side) => side instanceof PathValue)) {
    if ([a, b].some((side) => typeof side === 'string')) throw wrong('==', a, b)
  }
  return sameValue(a, b)
}

const within: Operator = (a, b) => {
  if (isList(b)) return contains(b, a)
  if (b instanceof SetValue) return contains(b.items, a)
  if (isMap(b) && typeof a === 'string') return b.has(a)
  throw wrong('in', a, b)
}

/** What each operator does with two values, `&&` and `||` excepted; a CallError when it can't. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', add],
  ['-', subtract],
  [
    '*',
    arithmetic(
      '*',
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  [
    '/',
    arithmetic(
      '/',
      (a, b) => a / notZero(b),
      (a, b) => a / b,
    ),
  ],
  [
    '%',
    arithmetic(
      '%',
      (a, b) => a % notZero(b),
      (a, b) => a % b,
    ),
  ],
  ['==', equal],
  ['!=', (a, b) => !equal(a, b)],
  ['<', comparison('<', (order) => order < 0)],
  ['<=', comparison('<=', (order) => order <= 0)],
  ['>', comparison('>', (order) => order > 0)],
  ['>=', comparison('>=', (order) => order >= 0)],
  ['in', within],
])

/** Unary minus. */
export const negate = (value: Value): Value => {
  if (typeof value === 'bigint') return int64(-value)
  if (typeof value === 'number') return -value
  if (value instanceof Duration) return new Duration(-value.ms)
  throw new CallError(`Unsupported operation: -${typeName(value)}`)
}
