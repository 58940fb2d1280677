/**
 * The words the rules are written in. A `Condition` is text of Firebase's rules language; a `Rule` is one
 * place of the tree. Two oddities of the database shape everything here: a `.write` that holds
 * cascades to all that is below it and cannot be taken back there, and removing something skips its `.validate`,
 * so what must not disappear is asked for in `.write`.
 */
import { LATEST } from '~/domain/clock'

export type Condition = string

export interface Rule {
  read?: Condition
  write?: Condition
  validate?: Condition
  indexOn?: readonly string[]
  /** Literal names, and at most one `$variable`. */
  children?: Record<string, Rule>
  /** A part of a record that may be missing. */
  optional?: boolean
}
export type OptionalRule = Rule & { optional: true }
export type RequiredRule = Rule & { optional?: false }
export type Fields = Record<string, Rule>
/**
 * A rule for every field of an entity, so that an entity that grows asks for its rule. What may be missing or null is
 * optional; an array may be either, for the database keeps no empty ones.
 */
export type FieldsOf<Entity> = {
  [K in keyof Entity]-?: object extends Pick<Entity, K>
    ? OptionalRule
    : null extends Entity[K]
      ? OptionalRule
      : Entity[K] extends readonly unknown[]
        ? Rule
        : RequiredRule
}

// Conditions

/** Holds when each of the conditions does. */
export const all = (...conditions: Condition[]): Condition => conditions.join(' && ')
/**
 * Holds when one of the conditions does. They are tried in order, and one that cannot be evaluated (a number
 * compared with nothing, say) refuses the whole: the safe ones go first.
 */
export const any = (...conditions: Condition[]): Condition =>
  `(${conditions.map((one) => (one.includes(' && ') ? `(${one})` : one)).join(' || ')})`
export const quoted = (value: string | number | boolean): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : `${value}`

const below = (base: string, path: string): string =>
  path
    .split('/')
    .reduce((at, part) => `${at}.child(${part.startsWith('$') ? part : quoted(part)})`, base)
/** A place of the tree as it was before the write; a part that begins with `$` is a captured key. */
export const before = (path: string): string => below('root', path)
/** A place of the tree as the whole write leaves it, seen from a rule `depth` keys below the root. */
export const after = (depth: number, path: string): string =>
  below(`newData${'.parent()'.repeat(depth)}`, path)

export const isNew: Condition = '!data.exists()'
export const stays: Condition = 'newData.exists()'
export const isRemoved: Condition = '!newData.exists()'
export const unchanged: Condition = 'newData.val() === data.val()'

/** Holds when the write leaves every part of `names` in place. */
const has = (names: readonly string[], place = 'newData'): Condition =>
  names.length === 0
    ? `${place}.exists()`
    : `${place}.hasChildren([${names.map(quoted).join(', ')}])`

/** Holds for a query ordered by `child` that asks for exactly the requester's own rows. */
export const asksOwn = (child: string): Condition =>
  // Without the first part a visitor's null uid would equal the null of a query without equalTo.
  `auth !== null && query.orderByChild === ${quoted(child)} && query.equalTo === auth.uid`
/** Holds for a query that can return at most `rows` rows. */
export const asksAtMost = (rows: number): Condition =>
  any(
    all('query.limitToFirst !== null', `query.limitToFirst <= ${rows}`),
    all('query.limitToLast !== null', `query.limitToLast <= ${rows}`),
  )

// Values

export const leaf = (validate: Condition): RequiredRule => ({ validate })
/** A string of `min` to `max` characters, and more conditions on `newData` if given. */
export const text = (min: number, max: number, ...more: Condition[]): RequiredRule =>
  leaf(
    all(
      'newData.isString()',
      ...(min > 0 ? [`newData.val().length >= ${min}`] : []),
      `newData.val().length <= ${max}`,
      ...more,
    ),
  )
/** A number from `min` to `max`, both included. */
export const number = (min = -1e15, max = 1e15, ...more: Condition[]): RequiredRule =>
  leaf(all('newData.isNumber()', `newData.val() >= ${min}`, `newData.val() <= ${max}`, ...more))
/** A whole number from `min` to `max`. */
export const whole = (min: number, max: number, ...more: Condition[]): RequiredRule =>
  number(min, max, 'newData.val() % 1 === 0', ...more)
/** Milliseconds since 1970, up to the year 2286. */
export const time = (...more: Condition[]): RequiredRule => number(0, LATEST, ...more)
export const bool = (...more: Condition[]): RequiredRule =>
  leaf(all('newData.isBoolean()', ...more))
export const onlyTrue: RequiredRule = leaf('newData.val() === true')
/** One of the values. */
export const oneOf = (...values: readonly (string | number | boolean)[]): RequiredRule =>
  leaf(any(...values.map((value) => `newData.val() === ${quoted(value)}`)))
export const matching = (pattern: string): Condition => `newData.val().matches(/${pattern}/)`
/** A web address, or a path of our own site; never a scheme a browser would run. */
export const url = text(2, 2000, matching('^(https?:\\/)?\\/[^\\s]+$'))
/** A key of the database or a uid. */
export const key = text(1, 128, matching('^[A-Za-z0-9_\\-]+$'))
/** Any JSON: only where nobody reads it as anything but text to show. */
export const anything: RequiredRule = {}
export const optional = (rule: Rule): OptionalRule => ({ ...rule, optional: true })

// Shapes

const refused: Rule = { validate: 'false' }
const requiredOf = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.optional !== true)

/** Who may make, change and remove a record; what is not said is not allowed. */
export interface Permits {
  read?: Condition
  create?: Condition
  update?: Condition
  remove?: Condition
  indexOn?: readonly string[]
}
const permits = (
  { read, create, update, remove, indexOn }: Permits,
  intact: Condition,
): Omit<Rule, 'optional'> => {
  const same = create !== undefined && create === update
  const ways = [
    ...(same ? [all(intact, create)] : []),
    ...(create !== undefined && !same ? [all(isNew, intact, create)] : []),
    ...(update !== undefined && !same ? [all('data.exists()', intact, update)] : []),
    ...(remove !== undefined ? [all(isRemoved, remove)] : []),
  ]
  return {
    ...(read !== undefined && { read }),
    ...(ways.length > 0 && { write: ways.length === 1 ? ways[0] : any(...ways) }),
    ...(indexOn !== undefined && { indexOn }),
  }
}

/** A record with these parts and no others; the required ones can be neither left out nor removed. */
export const record = (fields: Fields, permitted: Permits = {}): RequiredRule => {
  const intact = has(requiredOf(fields))
  return {
    ...permits(permitted, intact),
    validate: intact,
    children: { ...fields, $other: refused },
  }
}
/** A single value somebody may write. */
export const value = (rule: RequiredRule, permitted: Permits): RequiredRule => ({
  ...rule,
  ...permits(permitted, stays),
})
/**
 * Parts that are written one by one, so that each has its own `.write`. `whole` says who may also make
 * and remove all of it at once; its `create` still asks for every required part.
 */
export const parts = (fields: Fields, whole: Permits = {}): Rule => ({
  ...permits(whole, has(requiredOf(fields))),
  children: { ...fields, $other: refused },
})
/** Any number of the same thing, under keys the rules see as `name` (which begins with `$`). */
export const each = (name: string, rule: Rule, around: Rule = {}): RequiredRule => ({
  ...around,
  optional: false,
  children: { [name]: rule },
})
/** An array: the same thing under whole numbers. */
export const list = (rule: Rule, name = '$index'): RequiredRule =>
  each(name, { ...rule, validate: all(`${name}.matches(/^[0-9]{1,4}$/)`, rule.validate ?? 'true') })

/** The rule, refused to whoever does not meet the condition as well; removal is asked about only by `.write`. */
export const writableBy = <R extends Rule>(condition: Condition, rule: R): R => ({
  ...rule,
  write: rule.optional === true ? condition : all(stays, condition),
})
