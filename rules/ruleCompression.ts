/**
 * Keeps the rules file small: fields of a record with common checks share one rule (see
 * ruleMerging.ts). The shared rule does not apply to a field with its own line, so fields that
 * would not get shorter keep their lines. The decisions stay the same
 * (test/rules/ruleCompression.test.ts).
 */
import {
  all,
  toFileForm,
  splitConjuncts,
  isKept,
  isNew,
  isRemoved,
  type Condition,
  type Rule,
} from './ruleBuilders'
import {
  CAPTURE_VARIABLES,
  getNamedRules,
  groupBy,
  mergeRules,
  type NamedRule,
  type NamedRules,
} from './ruleMerging'

/**
 * Maximum number of characters per condition. The database console shows each condition on one
 * line, where a longer one would be unreadable.
 */
export const MAX_CONDITION_CHARS = 1500

const isAnywhere = (rule: Rule, holds: (rule: Rule) => boolean): boolean =>
  holds(rule) || getNamedRules(rule).some(([, child]) => isAnywhere(child, holds))
const getDepth = (rule: Rule): number =>
  1 + Math.max(0, ...getNamedRules(rule).map(([, child]) => getDepth(child)))
/** Returns true for a place that accepts any part in addition to the named ones. */
const isMixed = ({ children = {} }: Rule): boolean =>
  Object.keys(children).some((name) => !name.startsWith('$')) &&
  children['$other']?.validate !== 'false'
/** Returns true for a place that accepts anything, so no rule may check its parts. */
const isUnchecked = ({ validate, children }: Rule): boolean =>
  validate === undefined && children === undefined
const canBeMerged = ([, rule]: NamedRule): boolean =>
  getDepth(rule) <= CAPTURE_VARIABLES.length &&
  !isAnywhere(rule, (place) => place.indexOn !== undefined || isMixed(place))
const getSize = (rule: Rule): number =>
  JSON.stringify(rule, (_, value: unknown) =>
    typeof value === 'string' ? toFileForm(value) : value,
  ).length
const getExcess = (rule: Rule): number =>
  [rule.read, rule.write, rule.validate].reduce(
    (sum, condition = '') => sum + Math.max(0, toFileForm(condition).length - MAX_CONDITION_CHARS),
    0,
  ) + getNamedRules(rule).reduce((sum, [, child]) => sum + getExcess(child), 0)

/** Excess of a choice whose parts would no longer accept anything. */
const UNUSABLE_EXCESS = 1e6
interface MergeChoice {
  /** The kinds of fields that share one rule. Fields of one kind have equal rules. */
  readonly kinds: readonly NamedRules[]
  readonly rule: Rule
  readonly size: number
  /** Number of characters by which its conditions are too long. */
  readonly excess: number
}

/**
 * Removes as few kinds as possible until the choice is short enough, starting with those whose
 * removal costs least.
 */
const shortenConditions = (
  choice: MergeChoice,
  choose: (kinds: readonly NamedRules[]) => MergeChoice,
): MergeChoice => {
  if (choice.excess === 0) return choice
  const loss = ({ size, excess }: MergeChoice) =>
    (size - choice.size) / Math.max(choice.excess - excess, Number.EPSILON)
  const [best] = choice.kinds
    .map((kind) => choose(choice.kinds.filter((other) => other !== kind)))
    .sort((a, b) => loss(a) - loss(b))
  return best ? shortenConditions(best, choose) : choice
}
/** Adds or removes single kinds while that makes the file shorter. */
const improveChoice = (
  choice: MergeChoice,
  all: readonly NamedRules[],
  choose: (kinds: readonly NamedRules[]) => MergeChoice,
): MergeChoice => {
  const best = all.reduce((soFar, kind) => {
    const others = soFar.kinds.filter((other) => other !== kind)
    const tried = choose(others.length < soFar.kinds.length ? others : [...others, kind])
    return tried.excess === 0 && tried.size < soFar.size ? tried : soFar
  }, choice)
  return best === choice ? choice : improveChoice(best, all, choose)
}

/** Returns the children after merging the fields that shorten the file most. */
const compressChildren = (children: Record<string, Rule>): Record<string, Rule> => {
  const lines = Object.fromEntries(
    Object.entries(children).map(([name, child]) => [name, compressRule(child)]),
  )
  const { $other: refused, ...named } = lines
  if (refused?.validate !== 'false') return lines
  const sizes = new Map(
    Object.entries(named).map(([name, line]) => [name, name.length + getSize(line) + 4]),
  )
  const fields = getNamedRules({ children })
  const choose = (kinds: readonly NamedRules[]): MergeChoice => {
    const merged = fields.filter((field) => kinds.some((kind) => kind.includes(field)))
    const rule = merged.length > 0 ? mergeRules(merged) : refused
    const isOpen = rule.children && merged.some(([, field]) => isAnywhere(field, isUnchecked))
    const size = fields
      .filter((field) => !merged.includes(field))
      .reduce((sum, [name]) => sum + (sizes.get(name) ?? 0), getSize(rule))
    return { kinds, rule, size, excess: getExcess(rule) + (isOpen ? UNUSABLE_EXCESS : 0) }
  }
  const kinds = groupBy(fields.filter(canBeMerged), ([, rule]) => JSON.stringify(rule))
  const { rule, kinds: chosen } = improveChoice(
    shortenConditions(choose(kinds), choose),
    kinds,
    choose,
  )
  const apart = fields.filter((field) => !chosen.some((kind) => kind.includes(field)))
  return {
    ...Object.fromEntries(apart.map(([name]) => [name, lines[name] ?? {}])),
    [chosen.length === 0 ? '$other' : CAPTURE_VARIABLES[0]]: rule,
  }
}
const compressRule = (rule: Rule): Rule => ({
  ...rule,
  ...(rule.children && { children: compressChildren(rule.children) }),
})

/**
 * Returns true when a record's `.validate` adds nothing to its own `.write`: no place above and no
 * part below has another `.write` that allows a write to it.
 */
const isValidateRedundant = (
  { isWriteComplete, children = {} }: Rule,
  isGranted: boolean,
): boolean => isWriteComplete === true && !isGranted && !Object.values(children).some(canBeWritten)
const canBeWritten = ({ write, children = {} }: Rule): boolean =>
  write !== undefined || Object.values(children).some(canBeWritten)
/**
 * Returns false for a `.write` that only allows removing everything, because it does not allow
 * writes below.
 */
const canGrantWrites = ({ write }: Rule): boolean =>
  !splitConjuncts(write ?? isRemoved).includes(isRemoved)

/**
 * Returns the `.write` of a record that only allows creating it, without the check of required
 * parts: `.validate`, which stays, checks them too, and only a removal skips that.
 */
const removeRepeatedCheck = ({ write, validate }: Rule): Condition | undefined => {
  const conjuncts = splitConjuncts(write ?? '')
  return validate?.startsWith('newData.hasChildren(') && conjuncts.includes(isNew)
    ? all(...conjuncts.map((part) => (part === validate ? isKept : part)))
    : write
}

/**
 * Returns the parts of a rule that the file needs. `isGranted` says that a place above allows
 * writing it.
 */
const removeRedundantRules = (rule: Rule, isGranted: boolean): Rule => {
  const { read, validate, indexOn, children } = rule
  const isRedundant = isValidateRedundant(rule, isGranted)
  const write = isRedundant ? rule.write : removeRepeatedCheck(rule)
  return {
    ...(read !== undefined && { read }),
    ...(write !== undefined && { write }),
    ...(validate !== undefined && !isRedundant && { validate }),
    ...(indexOn && { indexOn }),
    ...(children && {
      children: Object.fromEntries(
        Object.entries(children).map(([name, child]) => [
          name,
          removeRedundantRules(child, isGranted || canGrantWrites(rule)),
        ]),
      ),
    }),
  }
}

/** A pattern of whole words, as `isAmong` writes it. */
const WORDS_PATTERN = /\/\^\((\w+(?:\|\w+)+)\)\$\//g
interface SharedPart {
  readonly part: string
  readonly isStart: boolean
}
/** False for a word that is the part itself, because an alternative may not be empty. */
const hasPart = (word: string, { part, isStart }: SharedPart): boolean =>
  word !== part && (isStart ? word.startsWith(part) : word.endsWith(part))
const listParts = (word: string): SharedPart[] =>
  [...word].flatMap((_, at) => [
    { part: word.slice(0, at + 1), isStart: true },
    { part: word.slice(at), isStart: false },
  ])
/** Returns true for a pattern that needs parentheses before anything can follow it. */
const hasAlternatives = (pattern: string): boolean => {
  let depth = 0
  return [...pattern].some((sign) => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    return depth === 0 && sign === '|'
  })
}
const toGroup = (pattern: string): string => (hasAlternatives(pattern) ? `(${pattern})` : pattern)
/** Returns the alternatives of a pattern. Words with the same beginning or end share it. */
const joinWords = (words: readonly string[]): string => {
  const getGain = (shared: SharedPart) =>
    (words.filter((word) => hasPart(word, shared)).length - 1) * shared.part.length - '()'.length
  const [best] = words.flatMap(listParts).sort((a, b) => getGain(b) - getGain(a))
  if (best === undefined || getGain(best) <= 0) return words.join('|')
  const { length } = best.part
  const rests = words
    .filter((word) => hasPart(word, best))
    .map((word) => (best.isStart ? word.slice(length) : word.slice(0, -length)))
  const shared = best.isStart
    ? `${best.part}${toGroup(joinWords(rests))}`
    : `${toGroup(joinWords(rests))}${best.part}`
  const others = words.filter((word) => !hasPart(word, best))
  return others.length > 0 ? `${shared}|${joinWords(others)}` : shared
}
const shortenPatterns = (condition: Condition): Condition =>
  condition.replace(
    WORDS_PATTERN,
    (_, words: string) => `/^${toGroup(joinWords(words.split('|')))}$/`,
  )
const shortenAllPatterns = ({ read, write, validate, children, ...rest }: Rule): Rule => ({
  ...rest,
  ...(read !== undefined && { read: shortenPatterns(read) }),
  ...(write !== undefined && { write: shortenPatterns(write) }),
  ...(validate !== undefined && { validate: shortenPatterns(validate) }),
  ...(children && {
    children: Object.fromEntries(
      Object.entries(children).map(([name, child]) => [name, shortenAllPatterns(child)]),
    ),
  }),
})

/** Returns equivalent rules in shorter form. The top-level places keep their names. */
export const compressRules = (rule: Rule): Rule => {
  const { children, ...rest } = removeRedundantRules(rule, false)
  return shortenAllPatterns({
    ...rest,
    ...(children && {
      children: Object.fromEntries(
        Object.entries(children).map(([name, child]) => [name, compressRule(child)]),
      ),
    }),
  })
}
