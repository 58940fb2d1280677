import { RE2JS } from 're2js'
import {
  hasItem,
  Duration,
  isList,
  isMap,
  isNumber,
  MapDiff,
  PathValue,
  isEqualValue,
  SetValue,
  Timestamp,
  getTypeName,
} from './values'
import type { MapValue, Value } from './values'

/** An error inside a function or method. The caller knows the position. */
export class CallTypeError extends Error {}

/** A function or method: its parameters for the check at load time, and its implementation. */
interface LibraryFunction {
  readonly arity: readonly number[]
  readonly call: (...values: Value[]) => Value
}

const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1, ns: 1e-6 }
const MAX_PATTERNS = 200
const patternCache = new Map<string, RE2JS>()

/** Compiles with RE2, because a pattern may come from the request and must not run long. */
export const compilePattern = (source: string): RE2JS => {
  const cachedPattern = patternCache.get(source)
  if (cachedPattern) return cachedPattern
  if (patternCache.size >= MAX_PATTERNS) patternCache.clear()
  try {
    const compiled = RE2JS.compile(source)
    patternCache.set(source, compiled)
    return compiled
  } catch {
    throw new CallTypeError('Invalid regular expression')
  }
}

const createTypeError = (value: Value, expectedType: string) =>
  new CallTypeError(`Expected ${expectedType}, received ${getTypeName(value)}`)

const expectString = (value: Value = null): string => {
  if (typeof value !== 'string') throw createTypeError(value, 'string')
  return value
}
const expectInt = (value: Value = null): bigint => {
  if (typeof value !== 'bigint') throw createTypeError(value, 'int')
  return value
}
const expectNumber = (value: Value = null): number => {
  if (!isNumber(value)) throw createTypeError(value, 'number')
  return Number(value)
}
const expectDuration = (value: Value = null): Duration => {
  if (!(value instanceof Duration)) throw createTypeError(value, 'duration')
  return value
}
const expectMap = (value: Value = null): MapValue => {
  if (!isMap(value)) throw createTypeError(value, 'map')
  return value
}
const expectItems = (value: Value = null): readonly Value[] => {
  if (value instanceof SetValue) return value.items
  if (!isList(value)) throw createTypeError(value, 'list or set')
  return value
}
const expectList = (value: Value = null): readonly Value[] => {
  if (!isList(value)) throw createTypeError(value, 'list')
  return value
}
const expectSet = (value: Value = null): SetValue => {
  if (!(value instanceof SetValue)) throw createTypeError(value, 'set')
  return value
}

/** Returns an int. Refuses a value of more than 64 bits. */
export const toInt64 = (value: bigint): bigint => {
  if (BigInt.asIntN(64, value) !== value) throw new CallTypeError('Integer overflow')
  return value
}

const floatToInt = (value: number): bigint => {
  if (!Number.isFinite(value)) throw new CallTypeError('Not a finite number')
  return toInt64(BigInt(value))
}

type Method = (self: never, ...values: Value[]) => Value
interface TypedMethod {
  readonly arity: readonly number[]
  readonly call: Method
}
const createMethod = <T extends Value>(
  arity: number | readonly number[],
  call: (self: T, ...values: Value[]) => Value,
): TypedMethod => ({ arity: typeof arity === 'number' ? [arity] : arity, call: call })

const STRING_METHODS: Record<string, TypedMethod> = {
  size: createMethod<string>(0, (self) => BigInt(self.length)),
  matches: createMethod<string>(1, (self, re) => compilePattern(expectString(re)).testExact(self)),
  replace: createMethod<string>(2, (self, re, by) =>
    compilePattern(expectString(re))
      .matcher(self)
      .replaceAll(RE2JS.quoteReplacement(expectString(by))),
  ),
  split: createMethod<string>(1, (self, re) => compilePattern(expectString(re)).split(self)),
  trim: createMethod<string>(0, (self) => self.trim()),
  lower: createMethod<string>(0, (self) => self.replace(/[A-Z]+/g, (text) => text.toLowerCase())),
  upper: createMethod<string>(0, (self) => self.replace(/[a-z]+/g, (text) => text.toUpperCase())),
}

const hasAll = (self: readonly Value[], requiredItems: readonly Value[]) =>
  requiredItems.every((value) => hasItem(self, value))
const COLLECTION_METHODS: Record<string, TypedMethod> = {
  size: createMethod<readonly Value[] | SetValue>(0, (self) => BigInt(expectItems(self).length)),
  hasAll: createMethod<Value>(1, (self, other) => hasAll(expectItems(self), expectItems(other))),
  hasAny: createMethod<Value>(1, (self, other) =>
    expectItems(other).some((value) => hasItem(expectItems(self), value)),
  ),
  hasOnly: createMethod<Value>(1, (self, other) => hasAll(expectItems(other), expectItems(self))),
}
const LIST_METHODS: Record<string, TypedMethod> = {
  ...COLLECTION_METHODS,
  concat: createMethod<readonly Value[]>(1, (self, other) => [...self, ...expectList(other)]),
  join: createMethod<readonly Value[]>(1, (self, by) =>
    self.map((value) => toText(value)).join(expectString(by)),
  ),
  removeAll: createMethod<readonly Value[]>(1, (self, other) =>
    self.filter((value) => !hasItem(expectList(other), value)),
  ),
  toSet: createMethod<readonly Value[]>(0, (self) => new SetValue(self)),
}
const SET_METHODS: Record<string, TypedMethod> = {
  ...COLLECTION_METHODS,
  union: createMethod<SetValue>(
    1,
    (self, other) => new SetValue([...self.items, ...expectSet(other).items]),
  ),
  intersection: createMethod<SetValue>(1, (self, other) => {
    const { items: others } = expectSet(other)
    return new SetValue(self.items.filter((value) => hasItem(others, value)))
  }),
  difference: createMethod<SetValue>(1, (self, other) => {
    const { items: others } = expectSet(other)
    return new SetValue(self.items.filter((value) => !hasItem(others, value)))
  }),
}

const getOrDefault = (self: MapValue, key: Value, missing: Value): Value => {
  const steps = isList(key) ? key.map(expectString) : [expectString(key)]
  let current: Value = self
  for (const part of steps) {
    if (!isMap(current) || !current.has(part)) return missing
    current = current.get(part) ?? null
  }
  return current
}
const MAP_METHODS: Record<string, TypedMethod> = {
  size: createMethod<MapValue>(0, (self) => BigInt(self.size)),
  keys: createMethod<MapValue>(0, (self) => [...self.keys()]),
  values: createMethod<MapValue>(0, (self) => [...self.values()]),
  get: createMethod<MapValue>(2, (self, key = null, missing = null) =>
    getOrDefault(self, key, missing),
  ),
  diff: createMethod<MapValue>(1, (self, other) => new MapDiff(self, expectMap(other))),
}

const filterKeys = (
  { after, before }: MapDiff,
  isIncluded: (inAfter: boolean, inBefore: boolean, same: boolean) => boolean,
): SetValue =>
  new SetValue(
    [...new Set([...after.keys(), ...before.keys()])].filter((key) => {
      const both = after.has(key) && before.has(key)
      const same = both && isEqualValue(after.get(key) ?? null, before.get(key) ?? null)
      return isIncluded(after.has(key), before.has(key), same)
    }),
  )
const MAP_DIFF_METHODS: Record<string, TypedMethod> = {
  addedKeys: createMethod<MapDiff>(0, (self) => filterKeys(self, (a, b) => a && !b)),
  removedKeys: createMethod<MapDiff>(0, (self) => filterKeys(self, (a, b) => b && !a)),
  changedKeys: createMethod<MapDiff>(0, (self) =>
    filterKeys(self, (a, b, same) => a && b && !same),
  ),
  affectedKeys: createMethod<MapDiff>(0, (self) => filterKeys(self, (_a, _b, same) => !same)),
  unchangedKeys: createMethod<MapDiff>(0, (self) => filterKeys(self, (_a, _b, same) => same)),
}

const startOfDay = (ms: number) => Math.floor(ms / UNIT_MS.d) * UNIT_MS.d
const createDateMethod = (read: (date: Date) => number) =>
  createMethod<Timestamp>(0, (self) => BigInt(read(new Date(self.ms))))
const TIMESTAMP_METHODS: Record<string, TypedMethod> = {
  date: createMethod<Timestamp>(0, (self) => new Timestamp(startOfDay(self.ms))),
  time: createMethod<Timestamp>(0, (self) => new Duration(self.ms - startOfDay(self.ms))),
  toMillis: createMethod<Timestamp>(0, (self) => BigInt(Math.floor(self.ms))),
  year: createDateMethod((date) => date.getUTCFullYear()),
  month: createDateMethod((date) => date.getUTCMonth() + 1),
  day: createDateMethod((date) => date.getUTCDate()),
  // Monday is 1, Sunday 7.
  dayOfWeek: createDateMethod((date) => date.getUTCDay() || 7),
  dayOfYear: createDateMethod(
    (date) => (startOfDay(date.getTime()) - Date.UTC(date.getUTCFullYear(), 0)) / UNIT_MS.d + 1,
  ),
  hours: createDateMethod((date) => date.getUTCHours()),
  minutes: createDateMethod((date) => date.getUTCMinutes()),
  seconds: createDateMethod((date) => date.getUTCSeconds()),
  nanos: createDateMethod((date) => date.getUTCMilliseconds() * 1e6),
}
const DURATION_METHODS: Record<string, TypedMethod> = {
  seconds: createMethod<Duration>(0, (self) => BigInt(Math.trunc(self.ms / UNIT_MS.s))),
  nanos: createMethod<Duration>(0, (self) => BigInt(Math.round((self.ms % UNIT_MS.s) * 1e6))),
}

const METHODS: ReadonlyMap<string, Record<string, TypedMethod>> = new Map([
  ['string', STRING_METHODS],
  ['list', LIST_METHODS],
  ['set', SET_METHODS],
  ['map', MAP_METHODS],
  ['map_diff', MAP_DIFF_METHODS],
  ['timestamp', TIMESTAMP_METHODS],
  ['duration', DURATION_METHODS],
])

/**
 * Returns the possible numbers of arguments of a method on any type, or null when no type has it.
 */
export const getMethodArity = (name: string): readonly number[] | null => {
  const methodTables = [...METHODS.values()].filter((methods) => Object.hasOwn(methods, name))
  return methodTables.length > 0
    ? methodTables.flatMap((methods) => methods[name]?.arity ?? [])
    : null
}

/**
 * Calls a method. Throws a CallTypeError when the value's type lacks the method or the arguments
 * are invalid.
 */
export const callMethod = (self: Value, name: string, values: Value[]): Value => {
  const methods = METHODS.get(getTypeName(self)) ?? {}
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!method?.arity.includes(values.length)) {
    throw new CallTypeError(
      `${getTypeName(self)} has no method ${name} with ${values.length} argument(s)`,
    )
  }
  // METHODS lists each method under the type of its receiver, which the table's type loses.
  return method.call(self as never, ...values)
}

const toText = (value: Value = null): string => {
  if (typeof value === 'string') return value
  if (value === null || typeof value === 'boolean' || isNumber(value)) return String(value)
  if (value instanceof PathValue) return value.toString()
  throw createTypeError(value, 'a plain value')
}

const toInt = (value: Value = null): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return floatToInt(Math.trunc(value))
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return toInt64(BigInt(value))
  throw createTypeError(value, 'a number or its digits')
}

const toFloat = (value: Value = null): number => {
  if (isNumber(value)) return Number(value)
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))
    return Number(value)
  throw createTypeError(value, 'a number or its digits')
}

const toBool = (value: Value = null): boolean => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return /^true$/i.test(value)
  throw createTypeError(value, 'a bool or its name')
}

const createRoundingFunction = (round: (value: number) => number): LibraryFunction => ({
  arity: [1],
  call: (value = null) =>
    typeof value === 'bigint' ? value : floatToInt(round(expectNumber(value))),
})

const createDuration = (magnitude: Value = null, unit: Value = null): Duration => {
  const name = expectString(unit)
  if (!Object.hasOwn(UNIT_MS, name)) throw new CallTypeError(`Unknown unit of time '${name}'`)
  return new Duration(Number(expectInt(magnitude)) * UNIT_MS[name as keyof typeof UNIT_MS])
}

/** The global functions, such as `int(…)` and `math.abs(…)`. */
export const FUNCTIONS: ReadonlyMap<string, LibraryFunction> = new Map<string, LibraryFunction>([
  ['bool', { arity: [1], call: toBool }],
  ['float', { arity: [1], call: toFloat }],
  ['int', { arity: [1], call: toInt }],
  ['string', { arity: [1], call: toText }],
  [
    'math.abs',
    {
      arity: [1],
      call: (value = null) =>
        typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(expectNumber(value)),
    },
  ],
  ['math.ceil', createRoundingFunction(Math.ceil)],
  ['math.floor', createRoundingFunction(Math.floor)],
  ['math.round', createRoundingFunction(Math.round)],
  ['math.isInfinite', { arity: [1], call: (value) => Math.abs(expectNumber(value)) === Infinity }],
  ['math.isNaN', { arity: [1], call: (value) => Number.isNaN(expectNumber(value)) }],
  [
    'math.pow',
    { arity: [2], call: (base, exponent) => expectNumber(base) ** expectNumber(exponent) },
  ],
  ['math.sqrt', { arity: [1], call: (value) => Math.sqrt(expectNumber(value)) }],
  [
    'duration.abs',
    { arity: [1], call: (value) => new Duration(Math.abs(expectDuration(value).ms)) },
  ],
  [
    'duration.time',
    {
      arity: [4],
      call: (...values) => {
        const [hours = 0, minutes = 0, seconds = 0, nanos = 0] = values.map((v) =>
          Number(expectInt(v)),
        )
        return new Duration(
          hours * UNIT_MS.h + minutes * UNIT_MS.m + seconds * UNIT_MS.s + nanos * UNIT_MS.ns,
        )
      },
    },
  ],
  ['duration.value', { arity: [2], call: createDuration }],
  [
    'timestamp.date',
    {
      arity: [3],
      call: (...values) => {
        const [year = 0, month = 1, day = 1] = values.map((value) => Number(expectInt(value)))
        return new Timestamp(Date.UTC(year, month - 1, day))
      },
    },
  ],
  ['timestamp.value', { arity: [1], call: (value) => new Timestamp(Number(expectInt(value))) }],
])

/** The namespaces of functions, such as `math`. */
export const NAMESPACES: ReadonlySet<string> = new Set(['math', 'duration', 'timestamp'])
