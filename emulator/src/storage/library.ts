import { RE2JS } from 're2js'
import {
  contains,
  Duration,
  isList,
  isMap,
  isNumber,
  MapDiff,
  PathValue,
  sameValue,
  SetValue,
  Timestamp,
  typeName,
} from './values'
import type { MapValue, Value } from './values'

/** What goes wrong inside a function or method; the caller knows where. */
export class CallError extends Error {}

/** A function or method: what it takes, for the check at loading, and what it does. */
interface Callable {
  readonly arity: readonly number[]
  readonly call: (...values: Value[]) => Value
}

const MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1, ns: 1e-6 }
const MAX_PATTERNS = 200
const patterns = new Map<string, RE2JS>()

/** RE2, because a pattern may come from the request: nothing it holds can take long. */
export const pattern = (source: string): RE2JS => {
  const known = patterns.get(source)
  if (known) return known
  if (patterns.size >= MAX_PATTERNS) patterns.clear()
  try {
    const compiled = RE2JS.compile(source)
    patterns.set(source, compiled)
    return compiled
  } catch {
    throw new CallError('Invalid regular expression')
  }
}

const wrong = (value: Value, wanted: string) =>
  new CallError(`Expected ${wanted}, received ${typeName(value)}`)

const string = (value: Value = null): string => {
  if (typeof value !== 'string') throw wrong(value, 'string')
  return value
}
const int = (value: Value = null): bigint => {
  if (typeof value !== 'bigint') throw wrong(value, 'int')
  return value
}
const number = (value: Value = null): number => {
  if (!isNumber(value)) throw wrong(value, 'number')
  return Number(value)
}
const duration = (value: Value = null): Duration => {
  if (!(value instanceof Duration)) throw wrong(value, 'duration')
  return value
}
const map = (value: Value = null): MapValue => {
  if (!isMap(value)) throw wrong(value, 'map')
  return value
}
const items = (value: Value = null): readonly Value[] => {
  if (value instanceof SetValue) return value.items
  if (!isList(value)) throw wrong(value, 'list or set')
  return value
}
const list = (value: Value = null): readonly Value[] => {
  if (!isList(value)) throw wrong(value, 'list')
  return value
}
const set = (value: Value = null): SetValue => {
  if (!(value instanceof SetValue)) throw wrong(value, 'set')
  return value
}

/** An int, refused when it takes more than 64 bits. */
export const int64 = (value: bigint): bigint => {
  if (BigInt.asIntN(64, value) !== value) throw new CallError('Integer overflow')
  return value
}

const integer = (value: number): bigint => {
  if (!Number.isFinite(value)) throw new CallError('Not a finite number')
  return int64(BigInt(value))
}

type Method = (self: never, ...values: Value[]) => Value
interface TypedMethod {
  readonly arity: readonly number[]
  readonly call: Method
}
const method = <T extends Value>(
  arity: number | readonly number[],
  call: (self: T, ...values: Value[]) => Value,
): TypedMethod => ({ arity: typeof arity === 'number' ? [arity] : arity, call: call as Method })

const STRING: Record<string, TypedMethod> = {
  size: method<string>(0, (self) => BigInt(self.length)),
  matches: method<string>(1, (self, re) => pattern(string(re)).testExact(self)),
  replace: method<string>(2, (self, re, by) =>
    pattern(string(re))
      .matcher(self)
      .replaceAll(RE2JS.quoteReplacement(string(by))),
  ),
  split: method<string>(1, (self, re) => pattern(string(re)).split(self)),
  trim: method<string>(0, (self) => self.trim()),
  lower: method<string>(0, (self) => self.replace(/[A-Z]+/g, (text) => text.toLowerCase())),
  upper: method<string>(0, (self) => self.replace(/[a-z]+/g, (text) => text.toUpperCase())),
}

const hasAll = (self: readonly Value[], wanted: readonly Value[]) =>
  wanted.every((value) => contains(self, value))
const COLLECTION: Record<string, TypedMethod> = {
  size: method<readonly Value[] | SetValue>(0, (self) => BigInt(items(self).length)),
  hasAll: method<Value>(1, (self, other) => hasAll(items(self), items(other))),
  hasAny: method<Value>(1, (self, other) =>
    items(other).some((value) => contains(items(self), value)),
  ),
  hasOnly: method<Value>(1, (self, other) => hasAll(items(other), items(self))),
}
const LIST: Record<string, TypedMethod> = {
  ...COLLECTION,
  concat: method<readonly Value[]>(1, (self, other) => [...self, ...list(other)]),
  join: method<readonly Value[]>(1, (self, by) =>
    self.map((value) => text(value)).join(string(by)),
  ),
  removeAll: method<readonly Value[]>(1, (self, other) =>
    self.filter((value) => !contains(list(other), value)),
  ),
  toSet: method<readonly Value[]>(0, (self) => new SetValue(self)),
}
const SET: Record<string, TypedMethod> = {
  ...COLLECTION,
  union: method<SetValue>(1, (self, other) => new SetValue([...self.items, ...set(other).items])),
  intersection: method<SetValue>(1, (self, other) => {
    const { items: others } = set(other)
    return new SetValue(self.items.filter((value) => contains(others, value)))
  }),
  difference: method<SetValue>(1, (self, other) => {
    const { items: others } = set(other)
    return new SetValue(self.items.filter((value) => !contains(others, value)))
  }),
}

const get = (self: MapValue, key: Value, missing: Value): Value => {
  const steps = isList(key) ? key.map(string) : [string(key)]
  let found: Value = self
  for (const step of steps) {
    if (!isMap(found) || !found.has(step)) return missing
    found = found.get(step) ?? null
  }
  return found
}
const MAP: Record<string, TypedMethod> = {
  size: method<MapValue>(0, (self) => BigInt(self.size)),
  keys: method<MapValue>(0, (self) => [...self.keys()]),
  values: method<MapValue>(0, (self) => [...self.values()]),
  get: method<MapValue>(2, (self, key = null, missing = null) => get(self, key, missing)),
  diff: method<MapValue>(1, (self, other) => new MapDiff(self, map(other))),
}

const keysWhere = (
  { after, before }: MapDiff,
  wanted: (inAfter: boolean, inBefore: boolean, same: boolean) => boolean,
): SetValue =>
  new SetValue(
    [...new Set([...after.keys(), ...before.keys()])].filter((key) => {
      const both = after.has(key) && before.has(key)
      const same = both && sameValue(after.get(key) ?? null, before.get(key) ?? null)
      return wanted(after.has(key), before.has(key), same)
    }),
  )
const MAP_DIFF: Record<string, TypedMethod> = {
  addedKeys: method<MapDiff>(0, (self) => keysWhere(self, (a, b) => a && !b)),
  removedKeys: method<MapDiff>(0, (self) => keysWhere(self, (a, b) => b && !a)),
  changedKeys: method<MapDiff>(0, (self) => keysWhere(self, (a, b, same) => a && b && !same)),
  affectedKeys: method<MapDiff>(0, (self) => keysWhere(self, (_a, _b, same) => !same)),
  unchangedKeys: method<MapDiff>(0, (self) => keysWhere(self, (_a, _b, same) => same)),
}

const dayOf = (ms: number) => Math.floor(ms / MS.d) * MS.d
const fromDate = (read: (date: Date) => number) =>
  method<Timestamp>(0, (self) => BigInt(read(new Date(self.ms))))
const TIMESTAMP: Record<string, TypedMethod> = {
  date: method<Timestamp>(0, (self) => new Timestamp(dayOf(self.ms))),
  time: method<Timestamp>(0, (self) => new Duration(self.ms - dayOf(self.ms))),
  toMillis: method<Timestamp>(0, (self) => BigInt(Math.floor(self.ms))),
  year: fromDate((date) => date.getUTCFullYear()),
  month: fromDate((date) => date.getUTCMonth() + 1),
  day: fromDate((date) => date.getUTCDate()),
  // Monday is 1, Sunday 7.
  dayOfWeek: fromDate((date) => date.getUTCDay() || 7),
  dayOfYear: fromDate(
    (date) => (dayOf(date.getTime()) - Date.UTC(date.getUTCFullYear(), 0)) / MS.d + 1,
  ),
  hours: fromDate((date) => date.getUTCHours()),
  minutes: fromDate((date) => date.getUTCMinutes()),
  seconds: fromDate((date) => date.getUTCSeconds()),
  nanos: fromDate((date) => date.getUTCMilliseconds() * 1e6),
}
const DURATION: Record<string, TypedMethod> = {
  seconds: method<Duration>(0, (self) => BigInt(Math.trunc(self.ms / MS.s))),
  nanos: method<Duration>(0, (self) => BigInt(Math.round((self.ms % MS.s) * 1e6))),
}

const METHODS: ReadonlyMap<string, Record<string, TypedMethod>> = new Map([
  ['string', STRING],
  ['list', LIST],
  ['set', SET],
  ['map', MAP],
  ['map_diff', MAP_DIFF],
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
])

/** The numbers of arguments a method of this name takes on any type; null when no type has it. */
export const methodArity = (name: string): readonly number[] | null => {
  const found = [...METHODS.values()].filter((methods) => Object.hasOwn(methods, name))
  return found.length > 0 ? found.flatMap((methods) => methods[name]?.arity ?? []) : null
}

/** Calls a method; throws a CallError when the value's type has none of the name, or on bad arguments. */
export const callMethod = (self: Value, name: string, values: Value[]): Value => {
  const methods = METHODS.get(typeName(self)) ?? {}
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!found?.arity.includes(values.length)) {
    throw new CallError(`${typeName(self)} has no method ${name} with ${values.length} argument(s)`)
  }
  return found.call(self as never, ...values)
}

const text = (value: Value = null): string => {
  if (typeof value === 'string') return value
  if (value === null || typeof value === 'boolean' || isNumber(value)) return String(value)
  if (value instanceof PathValue) return value.toString()
  throw wrong(value, 'a plain value')
}

const toInt = (value: Value = null): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return integer(Math.trunc(value))
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return int64(BigInt(value))
  throw wrong(value, 'a number or its digits')
}

const toFloat = (value: Value = null): number => {
  if (isNumber(value)) return Number(value)
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))
    return Number(value)
  throw wrong(value, 'a number or its digits')
}

const toBool = (value: Value = null): boolean => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return /^true$/i.test(value)
  throw wrong(value, 'a bool or its name')
}

const rounded = (round: (value: number) => number): Callable => ({
  arity: [1],
  call: (value = null) => (typeof value === 'bigint' ? value : integer(round(number(value)))),
})

const unitDuration = (magnitude: Value = null, unit: Value = null): Duration => {
  const name = string(unit)
  if (!Object.hasOwn(MS, name)) throw new CallError(`Unknown unit of time '${name}'`)
  return new Duration(Number(int(magnitude)) * MS[name as keyof typeof MS])
}

/** The functions there are by themselves: `int(…)`, `math.abs(…)`. */
export const FUNCTIONS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['bool', { arity: [1], call: toBool }],
  ['float', { arity: [1], call: toFloat }],
  ['int', { arity: [1], call: toInt }],
  ['string', { arity: [1], call: text }],
  [
    'math.abs',
    {
      arity: [1],
      call: (value = null) =>
        typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(number(value)),
    },
  ],
  ['math.ceil', rounded(Math.ceil)],
  ['math.floor', rounded(Math.floor)],
  ['math.round', rounded(Math.round)],
  ['math.isInfinite', { arity: [1], call: (value) => Math.abs(number(value)) === Infinity }],
  ['math.isNaN', { arity: [1], call: (value) => Number.isNaN(number(value)) }],
  ['math.pow', { arity: [2], call: (base, exponent) => number(base) ** number(exponent) }],
  ['math.sqrt', { arity: [1], call: (value) => Math.sqrt(number(value)) }],
  ['duration.abs', { arity: [1], call: (value) => new Duration(Math.abs(duration(value).ms)) }],
  [
    'duration.time',
    {
      arity: [4],
      call: (...values) => {
        const [hours = 0, minutes = 0, seconds = 0, nanos = 0] = values.map((v) => Number(int(v)))
        return new Duration(hours * MS.h + minutes * MS.m + seconds * MS.s + nanos * MS.ns)
      },
    },
  ],
  ['duration.value', { arity: [2], call: unitDuration }],
  [
    'timestamp.date',
    {
      arity: [3],
      call: (...values) => {
        const [year = 0, month = 1, day = 1] = values.map((value) => Number(int(value)))
        return new Timestamp(Date.UTC(year, month - 1, day))
      },
    },
  ],
  ['timestamp.value', { arity: [1], call: (value) => new Timestamp(Number(int(value))) }],
])

/** The first halves of the functions that have two. */
export const NAMESPACES: ReadonlySet<string> = new Set(['math', 'duration', 'timestamp'])
