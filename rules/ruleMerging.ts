/**
 * Merges the rules of several fields into one. The merged rule captures the field's name as `$f`,
 * checks the name first, then applies that field's own checks, and refuses every other name. The
 * parts of such fields share one `$g`, whose rule also checks the field's name, and so on at lower
 * levels. An error in one field's rule does not refuse another field: only the rule of the written
 * field is evaluated, and shared checks either cannot fail or apply to all fields.
 */
import {
  all,
  isAmong,
  any,
  toFileForm,
  splitConjuncts,
  splitDisjuncts,
  isMatching,
  isKept,
  type Condition,
  type Rule,
} from './ruleBuilders'

/** The keys that a merged rule captures, from the fields of the record downward. */
export const CAPTURE_VARIABLES = ['$f', '$g', '$h', '$i', '$j', '$k'] as const
/** Type checks, which are also shared because their evaluation never fails. */
const TYPE_CONDITIONS = ['newData.isString()', 'newData.isNumber()', 'newData.isBoolean()']
/**
 * Conditions on a value that cannot fail once its type is known, so several fields can share them.
 */
const VALUE_CONDITION =
  /^newData\.val\(\)(?:( % 1|\.length)? [!<=>]+ (?:-?[\d.]+|'\w*')|\.matches\(.*\))$/

export type NamedRule = readonly [name: string, rule: Rule]
export type NamedRules = readonly NamedRule[]
/** Fields of one kind, and their remaining checks. */
type ConditionGroup = readonly [fields: NamedRules, asked: readonly Condition[]]

export const groupBy = <Item>(items: readonly Item[], getKey: (item: Item) => string): Item[][] => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = getKey(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups.values()]
}
const joinConditions = (...conditions: Condition[]): Condition =>
  all(...conditions.filter((condition) => condition !== ''))
const removeCondition = (conditions: readonly Condition[], part: Condition): Condition[] =>
  conditions.filter((condition) => condition !== part)
const isCaptured = (name: string): boolean => name.startsWith('$')

/** Holds for the names of these fields. A field with a captured name needs no check. */
const buildNameCondition = (fields: NamedRules, key: string): Condition =>
  fields.some(([name]) => isCaptured(name))
    ? ''
    : isAmong(
        fields.map(([name]) => name),
        key,
      )

/** The conjuncts of each condition, cached because every choice of fields needs them. */
const conjunctsCache = new Map<Condition, Condition[]>([['', []]])
const getConjuncts = (condition: Condition = ''): Condition[] => {
  const parts = conjunctsCache.get(condition) ?? splitConjuncts(condition)
  conjunctsCache.set(condition, parts)
  return parts
}
const groupByConditions = (
  fields: NamedRules,
  askedBy: (rule: Rule) => readonly Condition[],
): ConditionGroup[] =>
  groupBy(fields, ([, rule]) => joinConditions(...askedBy(rule))).map((its) => [
    its,
    its[0] ? askedBy(its[0][1]) : [],
  ])

/**
 * Holds for the names of the fields that stay, if `isKept` holds too. Where that is shorter, checks
 * that the name is none of the other ones: `.validate` refuses an unknown name of a written value.
 */
const buildStayingCondition = (
  its: NamedRules,
  staying: NamedRules,
  fields: NamedRules,
  key: string,
): Condition => {
  if (its.length === fields.length) return ''
  const named = buildNameCondition(staying, key)
  const others = fields.filter((field) => !its.includes(field))
  const excluding = buildNameCondition(others, key)
  const excluded = others.length === 1 ? excluding.replace(' === ', ' !== ') : `!${excluding}`
  return excluding !== '' && excluded.length < named.length ? excluded : named
}

/**
 * Holds for the names of these fields, and for unknown ones, which have no data. Where that is
 * shorter, checks that the name is none of the other ones.
 */
const buildExistingCondition = (its: NamedRules, fields: NamedRules, key: string): Condition =>
  buildStayingCondition(its, its, fields, key)

/**
 * Returns the write condition of the fields. A field without a `.write` is in none of its parts.
 */
const mergeWrites = (fields: NamedRules, key: string): Condition | undefined => {
  const writable = fields.filter(([, { write }]) => write !== undefined)
  const [first, ...others] = groupByConditions(writable, ({ write }) =>
    removeCondition(getConjuncts(write), isKept),
  )
  if (first === undefined) return undefined
  // Conditions that every writable field shares; a field without a `.write` is refused anyway.
  const common =
    others.length > 0
      ? first[1].filter((part) => others.every(([, parts]) => parts.includes(part)))
      : []
  const conditions = [first, ...others].flatMap(([its, parts]) => {
    const staying = its.filter(([, { write }]) => getConjuncts(write).includes(isKept))
    const going = its.filter((field) => !staying.includes(field))
    // `.validate` refuses a value under an unknown name, and removing one there changes nothing.
    const names = [
      ...(going.length > 0 ? [buildExistingCondition(going, fields, key)] : []),
      ...(staying.length > 0
        ? [joinConditions(buildStayingCondition(its, staying, fields, key), isKept)]
        : []),
    ].filter((name) => name !== '')
    const special = parts.filter((part) => !common.includes(part))
    if (names.length === 0 || special.length > 0)
      return [joinConditions(...(names.length > 0 ? [any(...names)] : []), ...special)]
    return names
  })
  return joinConditions(...common, any(...conditions))
}

const BOUND_CONDITION = /^(newData\.val\(\)(?:\.length)?) <= (\d+)$/
const PATTERN_CONDITION =
  /^newData\.val\(\)(?: === '(\w+)'|\.matches\(\/\^((?:[^|()]|\([^()]*\))+)\$\/\))$/

/** Combines the bounds of all fields in one condition. */
const mergeBounds = (kinds: readonly ConditionGroup[], key: string, subject: string): Condition => {
  const bounds = kinds.map(
    ([fields, [bound = '']]) =>
      `${buildNameCondition(fields, key)} ? ${bound.replace(BOUND_CONDITION, '$2')} : `,
  )
  // The bound of -1 refuses every other name.
  return `${subject} <= (${bounds.join('')}-1)`
}
/**
 * Combines the patterns of all fields in one condition, after the name and a character that no key
 * contains.
 */
const mergePatterns = (kinds: readonly ConditionGroup[], key: string): Condition => {
  const patterns = kinds.map(([fields, [condition = '']]) => {
    const names = fields.map(([name]) => name).join('|')
    return `${fields.length > 1 ? `(${names})` : names}#${condition.replace(PATTERN_CONDITION, '$1$2')}`
  })
  return isMatching(`^(${patterns.join('|')})$`, `(${key} + '#' + newData.val())`)
}
/**
 * Returns the conditions of the fields. Combines those that differ only in a bound or a pattern.
 */
const mergeSimilar = (
  kinds: readonly ConditionGroup[],
  key: string,
  isNonNegative: boolean,
): Condition[] => {
  const getForm = ([fields, [condition = '', ...others]]: ConditionGroup): string => {
    if (others.length > 0 || buildNameCondition(fields, key) === '') return ''
    if (PATTERN_CONDITION.test(condition)) return 'pattern'
    const [, subject = ''] = BOUND_CONDITION.exec(condition) ?? []
    return isNonNegative || subject.endsWith('length') ? subject : ''
  }
  return groupBy(kinds, getForm).flatMap((alikes) => {
    const form = alikes[0] ? getForm(alikes[0]) : ''
    if (form === '' || alikes.length === 1)
      return alikes.map(([fields, its]) => joinConditions(buildNameCondition(fields, key), ...its))
    return [form === 'pattern' ? mergePatterns(alikes, key) : mergeBounds(alikes, key, form)]
  })
}

/** Returns the conditions of the fields. Checks only once what several of them share. */
const factorOutCommon = (
  kinds: readonly ConditionGroup[],
  key: string,
  isNonNegative = false,
): Condition[] => {
  const parts = [...new Set(kinds.flatMap(([, its]) => its))].filter((part) =>
    VALUE_CONDITION.test(part),
  )
  const saved = (part: Condition) =>
    (kinds.filter(([, its]) => its.includes(part)).length - 1) * toFileForm(part).length
  const [part] = parts.sort((a, b) => saved(b) - saved(a))
  if (part === undefined || saved(part) <= 0) return mergeSimilar(kinds, key, isNonNegative)
  const asking = kinds.filter(([, its]) => its.includes(part))
  const rest = asking.map(([fields, its]): ConditionGroup => [fields, removeCondition(its, part)])
  const others = kinds.filter((kind) => !asking.includes(kind))
  return [
    joinConditions(
      part,
      any(...factorOutCommon(rest, key, isNonNegative || part === 'newData.val() >= 0')),
    ),
    ...factorOutCommon(others, key, isNonNegative),
  ]
}

const mergeValidations = (fields: NamedRules, key: string): Condition => {
  const getType = ({ validate = '' }: Rule) =>
    TYPE_CONDITIONS.find((type) => getConjuncts(validate)[0] === type) ?? ''
  const conditions = groupBy(fields, ([, rule]) => getType(rule)).flatMap((its) => {
    const type = its[0] ? getType(its[0][1]) : ''
    const kinds = groupByConditions(its, ({ validate }) =>
      removeCondition(getConjuncts(validate), type),
    )
    return type === ''
      ? kinds.map(([alikes, parts]) => joinConditions(buildNameCondition(alikes, key), ...parts))
      : [joinConditions(type, any(...factorOutCommon(kinds, key)))]
  })
  return conditions.includes('') ? '' : any(...conditions)
}

/** A reader of several fields, and the latest position at which a field names it. */
interface SharedReader {
  condition: Condition
  fields: NamedRules
  position: number
}
const listSharedReaders = (fields: NamedRules, common: readonly Condition[]): SharedReader[] => {
  const readers = new Map<Condition, SharedReader>()
  for (const field of fields) {
    const own = getConjuncts(field[1].read).filter((part) => !common.includes(part))
    const alternatives = own.length === 1 ? splitDisjuncts(own[0] ?? '') : [joinConditions(...own)]
    for (const [position, condition] of alternatives.entries()) {
      const reader = readers.get(condition) ?? { condition, fields: [], position }
      const latest = Math.max(reader.position, position)
      readers.set(condition, { ...reader, fields: [...reader.fields, field], position: latest })
    }
  }
  return [...readers.values()]
}
/**
 * Merges reads by their readers instead of their fields: each reader is named once, with the fields
 * that they read. Keeps the order of each field's readers, because the last ones may fail.
 */
const mergeReadsByReader = (readable: NamedRules, fields: NamedRules, key: string): Condition => {
  const [first = [], ...others] = readable.map(([, rule]) => getConjuncts(rule.read))
  const common = first.filter((part) => others.every((parts) => parts.includes(part)))
  const groups = groupBy(listSharedReaders(readable, common), (reader) =>
    reader.fields.map(([name]) => name).join(),
  ).sort((a, b) => getLatest(a) - getLatest(b))
  return joinConditions(
    ...common,
    any(
      ...groups.map((readers) => {
        const its = readers[0]?.fields ?? []
        const condition = any(...readers.map((reader) => reader.condition))
        return joinConditions(buildExistingCondition(its, fields, key), condition)
      }),
    ),
  )
}
const getLatest = (readers: readonly SharedReader[]): number =>
  Math.max(...readers.map(({ position }) => position))

const mergeReads = (fields: NamedRules, key: string): Condition | undefined => {
  const readable = fields.filter(([, rule]) => rule.read !== undefined)
  if (readable.length === 0) return undefined
  const byField = any(
    ...groupByConditions(readable, (rule) => getConjuncts(rule.read)).map(([its, parts]) =>
      joinConditions(buildExistingCondition(its, fields, key), ...parts),
    ),
  )
  const byReader = mergeReadsByReader(readable, fields, key)
  return byReader.length < byField.length ? byReader : byField
}

/** Renames a captured key in the rule. */
const renameCapture = (rule: Rule, from: string, to: string): Rule => {
  const inText = (condition: Condition) => condition.replaceAll(RegExp(`\\${from}\\b`, 'g'), to)
  return {
    ...(rule.read !== undefined && { read: inText(rule.read) }),
    ...(rule.write !== undefined && { write: inText(rule.write) }),
    ...(rule.validate !== undefined && { validate: inText(rule.validate) }),
    ...(rule.children && {
      children: Object.fromEntries(
        Object.entries(rule.children).map(([name, child]) => [
          name,
          renameCapture(child, from, to),
        ]),
      ),
    }),
  }
}
export const getNamedRules = ({ children = {} }: Rule): NamedRules =>
  Object.entries(children).filter(([name]) => name !== '$other')
const getParts = (rule: Rule, key: string): NamedRules =>
  getNamedRules(rule).map(([name, child]) =>
    isCaptured(name) ? [key, renameCapture(child, name, key)] : [name, child],
  )

/** Distinguishes the records of one level by the names of each key above them. */
type RecordPath = readonly (readonly [key: string, names: readonly string[]])[]

const buildPathCondition = (where: RecordPath): Condition =>
  joinConditions(...where.map(([key, names]) => isAmong(names, key)))
/**
 * Merges two paths that differ in the names of one key. Returns undefined when they differ in more.
 */
const joinPaths = (one: RecordPath, other: RecordPath): RecordPath | undefined => {
  const isSameLevel = one.length === other.length && one.every(([key], i) => key === other[i]?.[0])
  const unlike = one.filter(([, names], i) => names.join() !== other[i]?.[1].join())
  if (!isSameLevel || unlike.length > 1) return undefined
  return one.map((level, i) =>
    unlike.includes(level) ? [level[0], [...level[1], ...(other[i]?.[1] ?? [])]] : level,
  )
}
const joinAllPaths = (places: readonly RecordPath[]): RecordPath[] =>
  places.reduce<RecordPath[]>((joined, place) => {
    const i = joined.findIndex((other) => joinPaths(other, place) !== undefined)
    return i < 0
      ? [...joined, place]
      : joined.map((other, j) => (i === j ? (joinPaths(other, place) ?? other) : other))
  }, [])

/** Checks of a place, and the names that a write to it must have. */
type PlaceConditions = readonly [names: Condition, checks: readonly Condition[]]
/** Conditions on a key, whose evaluation never fails. */
const KEY_CONDITION = /^\$\w+\.matches\(.*\)$/
const canBeShared = (part: Condition): boolean =>
  [VALUE_CONDITION, KEY_CONDITION].some((pattern) => pattern.test(part)) ||
  TYPE_CONDITIONS.includes(part)
/** Joins the conditions of places. Checks only once the first conditions that several share. */
const joinPlaces = (places: readonly PlaceConditions[]): Condition =>
  any(
    ...groupBy(places, ([names, [first = '']]) => (canBeShared(first) ? first : names)).map(
      (alikes) => {
        const [[names, checks] = ['', []]] = alikes
        if (alikes.length === 1) return joinConditions(names, ...checks)
        const rest = alikes.map(([own, [, ...others]]): PlaceConditions => [own, others])
        return joinConditions(checks[0] ?? '', joinPlaces(rest))
      },
    ),
  )

/** Returns one rule for the fields of several records. */
const mergeRecords = (
  records: readonly (readonly [RecordPath, NamedRules])[],
  depth: number,
): Rule => {
  const [key = '', next = ''] = CAPTURE_VARIABLES.slice(depth)
  const buildCondition = (ask: (fields: NamedRules, key: string) => Condition | undefined) => {
    const asking = records.flatMap(([where, fields]) => {
      const condition = ask(fields, key)
      return condition === undefined ? [] : [[where, condition] as const]
    })
    const places = groupBy(asking, ([, condition]) => condition).map((its): PlaceConditions => [
      any(...joinAllPaths(its.map(([where]) => where)).map(buildPathCondition)),
      getConjuncts(its[0]?.[1]),
    ])
    return places.length > 0 ? joinPlaces(places) : undefined
  }
  const [readable, writable] = [buildCondition(mergeReads), buildCondition(mergeWrites)]
  const parts = records.flatMap(([where, fields]) =>
    groupBy(
      fields.filter(([, rule]) => rule.children),
      ([, rule]) => JSON.stringify(getParts(rule, next)),
    ).map((its) => {
      const names = its.map(([name]) => name).filter((name) => !isCaptured(name))
      const below: RecordPath = names.length > 0 ? [...where, [key, names]] : where
      return [below, its[0] ? getParts(its[0][1], next) : []] as const
    }),
  )
  return {
    ...(readable !== undefined && { read: readable }),
    ...(writable !== undefined && { write: writable }),
    validate: buildCondition(mergeValidations) ?? 'false',
    ...(parts.length > 0 && { children: { [next]: mergeRecords(parts, depth + 1) } }),
  }
}
/** Returns one rule for these fields of a record. */
export const mergeRules = (fields: NamedRules): Rule => mergeRecords([[[], fields]], 0)
