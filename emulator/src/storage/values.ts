/** A value of the storage rules' language: `bigint` is its int, `number` its float. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | MapValue
  | SetValue
  | MapDiff
  | PathValue
  | Timestamp
  | Duration

export type MapValue = ReadonlyMap<string, Value>

/** An instant, in milliseconds since the epoch. */
export class Timestamp {
  constructor(readonly ms: number) {}
}

/** A length of time in milliseconds. */
export class Duration {
  constructor(readonly ms: number) {}
}

export class PathValue {
  constructor(readonly segments: readonly string[]) {}

  toString(): string {
    return `/${this.segments.join('/')}`
  }
}

/** The distinct values of a list. */
export class SetValue {
  readonly items: readonly Value[]

  constructor(values: readonly Value[]) {
    const items: Value[] = []
    for (const value of values) if (!hasItem(items, value)) items.push(value)
    this.items = items
  }
}

/** The result of `map.diff(other)`: the keys that differ. */
export class MapDiff {
  constructor(
    readonly after: MapValue,
    readonly before: MapValue,
  ) {}
}

/** Returns the name of a value's type, as used by `is` and in messages. */
export const getTypeName = (value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float'
  if (typeof value === 'string') return 'string'
  if (value instanceof Timestamp) return 'timestamp'
  if (value instanceof Duration) return 'duration'
  if (value instanceof PathValue) return 'path'
  if (value instanceof SetValue) return 'set'
  if (value instanceof MapDiff) return 'map_diff'
  return value instanceof Map ? 'map' : 'list'
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)
export const isMap = (value: Value): value is MapValue => value instanceof Map
export const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number'

/** Compares values by content. Values of different types are never equal. */
export const isEqualValue = (a: Value, b: Value): boolean => {
  if (a === b) return true
  if (isList(a)) {
    return (
      isList(b) && a.length === b.length && a.every((item, i) => isEqualValue(item, b[i] ?? null))
    )
  }
  if (isMap(a)) {
    return (
      isMap(b) && a.size === b.size && [...a].every(([key, value]) => hasEqualEntry(b, key, value))
    )
  }
  if (a instanceof SetValue) {
    const { items } = a
    return (
      b instanceof SetValue &&
      items.length === b.items.length &&
      items.every((item) => hasItem(b.items, item))
    )
  }
  if (a instanceof Timestamp) return b instanceof Timestamp && a.ms === b.ms
  if (a instanceof Duration) return b instanceof Duration && a.ms === b.ms
  if (a instanceof PathValue) return b instanceof PathValue && a.toString() === b.toString()
  return false
}

const hasEqualEntry = (map: MapValue, key: string, value: Value): boolean =>
  map.has(key) && isEqualValue(map.get(key) ?? null, value)

export const hasItem = (items: readonly Value[], value: Value): boolean =>
  items.some((item) => isEqualValue(item, value))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a value in the suite's format, `{"int_value": 1}`. Throws for an unknown format. */
export const parseWireValue = (wire: unknown): Value => {
  const [[kind, value] = ['nothing', null]] = isObject(wire) ? Object.entries(wire) : []
  switch (kind) {
    case 'null_value':
      return null
    case 'bool_value':
      return Boolean(value)
    case 'int_value':
      return BigInt(String(value))
    case 'float_value':
      return Number(value)
    case 'string_value':
      return String(value)
    case 'timestamp_value': {
      const ms = Date.parse(String(value))
      if (Number.isNaN(ms)) throw new Error('Invalid timestamp')
      return new Timestamp(ms)
    }
    case 'list_value':
      return parseWireValues(value)
    case 'set_value':
      return new SetValue(parseWireValues(value))
    case 'map_value': {
      const fields = isObject(value) && isObject(value['fields']) ? value['fields'] : {}
      return new Map(Object.entries(fields).map(([key, field]) => [key, parseWireValue(field)]))
    }
    case 'path_value': {
      const segments = isObject(value) ? value['segments'] : []
      const simple = (segment: unknown) => (isObject(segment) ? String(segment['simple']) : '')
      return new PathValue(Array.isArray(segments) ? segments.map(simple) : [])
    }
    default:
      throw new Error(`Unknown kind of value: ${kind}`)
  }
}

const parseWireValues = (list: unknown): Value[] => {
  const values = isObject(list) ? list['values'] : []
  return Array.isArray(values) ? values.map(parseWireValue) : []
}
