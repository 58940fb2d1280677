/**
 * The building blocks of the rules. A `Condition` is text in Firebase's rules language; a `Rule` is
 * one place in the tree. Two properties of the database shape the code: a `.write` that holds also
 * applies to everything below it and cannot be revoked there, and removals skip `.validate`, so
 * `.write` must check that required parts stay.
 */
import { MAX_TIMESTAMP } from '~/domain/language/zonedTime'

export type Condition = string

export interface Rule {
  read?: Condition
  write?: Condition
  validate?: Condition
  indexOn?: readonly string[]
  /** Literal names, and at most one `$variable`. */
  children?: Record<string, Rule>
  /** True for a part of a record that may be missing. */
  isOptional?: boolean
  /**
   * True when the place's own `.write` checks everything that its `.validate` checks, except when
   * the whole place is removed.
   */
  isWriteComplete?: boolean
}
export type OptionalRule = Rule & { isOptional: true }
export type RequiredRule = Rule & { isOptional?: false }
export type Fields = Record<string, Rule>
/**
 * A rule for every field of an entity, so that a new field requires a rule. Fields that may be
 * missing or null are optional; arrays may be either, because the database does not store empty
 * ones.
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

/** Holds when all conditions hold. */
export const all = (...conditions: Condition[]): Condition => conditions.join(' && ')
/**
 * Holds when one of the conditions holds. They are evaluated in order, and an error in one (such as
 * comparing a number with null) refuses the whole expression, so the safe ones go first. Conditions
 * joined by `all` need no parentheses, because `&&` binds more tightly.
 */
export const any = (...conditions: Condition[]): Condition =>
  conditions.length === 1 ? (conditions[0] ?? 'false') : `(${conditions.join(' || ')})`
export const quoteLiteral = (value: string | number | boolean): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : `${value}`

// `.child('users/' + $uid + '/queue')`: one lookup, however deep the place is.
const buildPath = (base: string, path: string): string => {
  const parts = path
    .split(/(\$\w+|\{[^}]+\})/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('$') ? part : part.startsWith('{') ? part.slice(1, -1) : quoteLiteral(part),
    )
  return `${base}.child(${parts.join(' + ')})`
}
/**
 * Returns a place in the tree as it was before the write. A part that starts with `$` is a captured
 * key; a part in braces is an expression for a key.
 */
export const beforeWrite = (path: string): string => buildPath('root', path)
/**
 * Returns a place in the tree as it is after the whole write, from a rule `depth` keys below the
 * root.
 */
export const afterWrite = (depth: number, path: string): string =>
  buildPath(`newData${'.parent()'.repeat(depth)}`, path)

/** Holds when the record existed before the write, so that a single field cannot create it. */
export const hasRecord: Condition = 'data.parent().exists()'
export const isNew: Condition = '!data.exists()'
export const isKept: Condition = 'newData.exists()'
export const isRemoved: Condition = '!newData.exists()'
export const isUnchanged: Condition = 'newData.val() === data.val()'

/** Holds when every part in `names` exists after the write. */
export const hasParts = (names: readonly string[], place = 'newData'): Condition =>
  names.length === 0
    ? `${place}.exists()`
    : `${place}.hasChildren([${names.map(quoteLiteral).join(', ')}])`

const LITERAL = /('(?:[^'\\]|\\.)*'|\.matches\(\/(?:[^/\\]|\\.)*\/\))/
/**
 * Returns the condition as written in the rules file: outside strings and patterns without spaces,
 * and with `==` and `!=`, which mean the same as `===` and `!==` in rules.
 */
export const toFileForm = (condition: Condition): Condition =>
  condition.replace(RegExp(`${LITERAL.source}| |([=!]=)=`, 'g'), '$1$2')
/**
 * Returns the strings, patterns, brackets and operators of a condition, each with its bracket
 * depth.
 */
const tokens = (condition: Condition): [token: string, depth: number][] => {
  let depth = 0
  return condition.split(LITERAL).flatMap((part, i) =>
    (i % 2 === 1 ? [part] : part.split(/([()[\]]| && | \|\| | \? )/)).map((token) => {
      if (token === ')' || token === ']') depth -= 1
      const entry: [string, number] = [token, depth]
      if (token === '(' || token === '[') depth += 1
      return entry
    }),
  )
}
/**
 * Returns the conditions that `all` joined. Any other condition is returned as one, in parentheses
 * if needed.
 */
export const splitConjuncts = (condition: Condition): Condition[] => {
  const parts = ['']
  for (const [token, depth] of tokens(condition)) {
    if (depth === 0 && (token === ' || ' || token === ' ? ')) return [`(${condition})`]
    if (depth === 0 && token === ' && ') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${token}`)
  }
  return parts
}
/** Returns the condition without parentheses that enclose the whole. */
export const removeOuterParentheses = (condition: Condition): Condition => {
  const inner = /^\((.*)\)$/.exec(condition)?.[1]
  return inner !== undefined && tokens(inner).every(([, depth]) => depth >= 0) ? inner : condition
}

/** Returns the conditions that `any` joined. Any other condition is returned as one. */
export const splitDisjuncts = (condition: Condition): Condition[] => {
  const inner = removeOuterParentheses(condition)
  const parts = ['']
  for (const [token, depth] of tokens(inner)) {
    if (depth === 0 && token === ' ? ') return [condition]
    if (depth === 0 && token === ' || ') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${token}`)
  }
  return parts.length === 1 ? [condition] : parts
}

/**
 * Holds for a query ordered by `child` that returns exactly the requester's own rows, if the
 * requester meets `who`. Without `who`, a visitor's null uid would equal the null of a query
 * without equalTo.
 */
export const isQueryOfOwnRows = (child: string, who: Condition): Condition =>
  all(`query.orderByChild === ${quoteLiteral(child)}`, 'query.equalTo === auth.uid', who)
/**
 * Holds for the queries of `isQueryOfOwnRows`, and for later pages of them: those begin before a
 * key, which `equalTo` cannot express.
 */
export const isPagedQueryOfOwnRows = (child: string, who: Condition): Condition =>
  all(
    `query.orderByChild === ${quoteLiteral(child)}`,
    any(
      'query.equalTo === auth.uid',
      all('query.startAt === auth.uid', 'query.endAt === auth.uid'),
    ),
    who,
  )
/**
 * Holds for a query that can return at most `rows` rows. Without a limit the comparison is an
 * error, which refuses the query.
 */
export const isQueryLimitedTo = (rows: number): Condition =>
  `(query.limitToFirst !== null ? query.limitToFirst : query.limitToLast) <= ${rows}`

export const valueRule = (validate: Condition): RequiredRule => ({ validate })
/**
 * Returns a rule for a string of `min` to `max` characters that also meets the given conditions on
 * `newData`.
 */
export const textRule = (min: number, max: number, ...more: Condition[]): RequiredRule =>
  valueRule(
    all(
      'newData.isString()',
      ...(min === 1 ? [`newData.val() !== ''`] : []),
      ...(min > 1 && min < max ? [`newData.val().length >= ${min}`] : []),
      `newData.val().length ${min === max ? '===' : '<='} ${max}`,
      ...more,
    ),
  )
/** Returns a rule for a number from `min` to `max`, both inclusive. */
export const numberRule = (min = -1e15, max = 1e15, ...more: Condition[]): RequiredRule =>
  valueRule(
    all('newData.isNumber()', `newData.val() >= ${min}`, `newData.val() <= ${max}`, ...more),
  )
/** Returns a rule for an integer from `min` to `max`, both inclusive. */
export const integerRule = (min: number, max: number, ...more: Condition[]): RequiredRule =>
  numberRule(min, max, 'newData.val() % 1 === 0', ...more)
/** Returns a rule for milliseconds since 1970, up to the year 2286. */
export const timestampRule = (...more: Condition[]): RequiredRule =>
  numberRule(0, MAX_TIMESTAMP, ...more)
export const booleanRule = (...more: Condition[]): RequiredRule =>
  valueRule(all('newData.isBoolean()', ...more))
export const trueRule: RequiredRule = valueRule('newData.val() === true')
/** Holds when `value`, which must be a string, matches the pattern. */
export const isMatching = (pattern: string, value = 'newData.val()'): Condition =>
  `${value}.matches(/${pattern}/)`
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w ]+$/.test(value)
/** Holds when `value`, which must be a string, is one of the words. */
export const isAmong = (words: readonly string[], value = 'newData.val()'): Condition => {
  const odd = words.find((word) => !isWord(word))
  if (odd !== undefined)
    throw new Error(
      `The value '${String(odd)}' would need an escape in a pattern. Use letters, digits and simple signs.`,
    )
  return words.length === 1
    ? `${value} === ${quoteLiteral(words[0] ?? '')}`
    : isMatching(`^(${words.join('|')})$`, value)
}
/**
 * Holds when the value stays unchanged or changes to one that `next` allows from its previous
 * state.
 */
export const isNextState = <State extends string>(
  states: readonly State[],
  next: (from: State) => readonly State[],
): Condition => {
  const steps = states.flatMap((from) => {
    const onwards = [...new Set(next(from))].filter((to) => to !== from)
    const words = onwards.length > 1 ? `(${onwards.join('|')})` : onwards[0]
    return words === undefined ? [] : [`${from}>${words}`]
  })
  return any(
    isUnchanged,
    isMatching(`^(${steps.join('|')})$`, `(data.val() + '>' + newData.val())`),
  )
}
/** Returns a rule that accepts only these values. */
export const choiceRule = (...values: readonly (string | number | boolean)[]): RequiredRule => {
  const words = values.filter(isWord)
  return valueRule(
    words.length === values.length
      ? all('newData.isString()', isAmong(words))
      : any(...values.map((value) => `newData.val() === ${quoteLiteral(value)}`)),
  )
}
/** A web address or a path on our own site; never a scheme that a browser would run. */
export const urlRule = textRule(0, 2000, isMatching('^(https?:\\/)?\\/[^\\s]+$'))
/** A database key or a uid. */
export const keyRule = valueRule(all('newData.isString()', isMatching('^[\\w-]{1,128}$')))
/** Any JSON. Use it only when readers treat it as text to display. */
export const anyJsonRule: RequiredRule = {}
export const makeOptional = (rule: Rule): OptionalRule => ({ ...rule, isOptional: true })

const refusedRule: Rule = { validate: 'false' }
const getRequiredNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isOptional !== true)

/**
 * Conditions for reading, creating, updating and removing a record. A missing condition means that
 * it is not allowed.
 */
export interface Permissions {
  read?: Condition
  create?: Condition
  update?: Condition
  remove?: Condition
  indexOn?: readonly string[]
}
/**
 * Holds when `yes` or `no` holds, depending on the question. Checks what both require only once.
 */
const combineByQuestion = (question: Condition, yes: Condition, no: Condition): Condition => {
  const [whenSo, whenNot] = [
    splitConjuncts(yes).filter((part) => part !== question),
    splitConjuncts(no),
  ]
  const common = whenSo.filter((part) => whenNot.includes(part))
  const [so, not] = [whenSo, whenNot].map((parts) =>
    all(...parts.filter((part) => !common.includes(part))),
  )
  if (so && not) return all(...common, `(${question} ? ${so} : ${not})`)
  if (so) return all(...common, any(`!${question}`, so))
  return not ? all(...common, any(question, not)) : all(...common)
}
/** Combines the three conditions. Each applies only to the writes that it is named for. */
const buildWriteCondition = (
  { create, update, remove }: Permissions,
  intact: Condition,
): Condition | undefined => {
  if (create === undefined && update === undefined)
    return remove === undefined ? undefined : all(isRemoved, remove)
  const [createRule, allowed] =
    create === update
      ? [[], create]
      : create === undefined
        ? [['data.exists()'], update]
        : update === undefined
          ? [[isNew], create]
          : [[], combineByQuestion('data.exists()', update, create)]
  // The check of required parts goes last: it is the slowest, and the write of each part repeats
  // it.
  const keptRule = all(...createRule, allowed ?? 'false', intact)
  return remove === undefined ? keptRule : combineByQuestion(isKept, keptRule, remove)
}
const buildPermissions = (permitted: Permissions, intact: Condition): Omit<Rule, 'isOptional'> => {
  const { read, indexOn } = permitted
  const write = buildWriteCondition(permitted, intact)
  return {
    ...(read !== undefined && { read }),
    ...(write !== undefined && { write }),
    ...(indexOn !== undefined && { indexOn }),
  }
}

/**
 * Returns a rule for a record with exactly these parts. Required parts can be neither omitted nor
 * removed.
 */
export const recordRule = (fields: Fields, permitted: Permissions = {}): RequiredRule => {
  const intact = hasParts(getRequiredNames(fields))
  return {
    ...buildPermissions(permitted, intact),
    validate: intact,
    isWriteComplete: permitted.create !== undefined || permitted.update !== undefined,
    children: { ...fields, $other: refusedRule },
  }
}
/** Returns a rule for a single value that clients can write under these permissions. */
export const writableValueRule = (rule: RequiredRule, permitted: Permissions): RequiredRule => ({
  ...rule,
  ...buildPermissions(permitted, isKept),
})
/**
 * Returns a rule for a record whose parts have their own `.write` rules. `whole` permits writes of
 * the whole record, which must then contain every required part.
 */
export const editablePartsRule = (fields: Fields, whole: Permissions = {}): Rule => ({
  ...buildPermissions(whole, hasParts(getRequiredNames(fields))),
  children: { ...fields, $other: refusedRule },
})
/**
 * Returns a rule for any number of equal entries, under keys that the rules see as `name` (which
 * starts with `$`).
 */
export const collectionRule = (name: string, rule: Rule, around: Rule = {}): RequiredRule => ({
  ...around,
  isOptional: false,
  children: { [name]: rule },
})
/** Returns a rule for an array: equal entries under integer keys. */
export const arrayRule = (rule: Rule, name = '$index'): RequiredRule =>
  collectionRule(name, withValidation(isMatching('^\\d{1,4}$', name), rule))

/** Returns the rule with an additional condition on written values, which is checked first. */
export const withValidation = <R extends Rule>(condition: Condition, rule: R): R => ({
  ...rule,
  validate: rule.validate === undefined ? condition : all(condition, rule.validate),
})
/** Returns the rule with an additional condition on the writer. Only `.write` covers removals. */
export const withWriteCondition = <R extends Rule>(condition: Condition, rule: R): R => ({
  ...rule,
  write: rule.isOptional === true ? condition : all(isKept, condition),
})
