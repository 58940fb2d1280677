import {
  all,
  removeOuterParentheses,
  splitConjuncts,
  splitDisjuncts,
  type Condition,
} from './ruleBuilders'

/** One alternative of a condition: the conjuncts that must all hold. */
type Alternative = readonly Condition[]

/**
 * Holds for a conjunct whose evaluation never fails, so that it may move before other alternatives:
 * one about captured keys alone, or about the type of the value.
 */
const isInfallible = (conjunct: Condition): boolean =>
  /^newData\.(isNumber|isString|isBoolean|exists)\(\)$/.test(conjunct) ||
  (conjunct.startsWith('$') && !/\b(data|newData|root|query|auth|now)\b/.test(conjunct))

const endsWith = (alternative: Alternative, end: Alternative): boolean =>
  alternative.length > end.length &&
  end.every((conjunct, at) => alternative.at(at - end.length) === conjunct) &&
  alternative.slice(0, alternative.length - end.length).every(isInfallible)

/** Returns the ends of an alternative that it may share, the longest first. */
const listEnds = (alternative: Alternative): Alternative[] =>
  alternative.map((_, at) => alternative.slice(at)).filter((end) => endsWith(alternative, end))

const getLength = (end: Alternative): number => all(...end).length

interface SharedEnd {
  end: Alternative
  sharing: Alternative[]
  /** Characters that writing it once saves, less a pair of parentheses. */
  saved: number
}

/** Returns the end whose single writing saves the most; undefined when none does. */
const findBestEnd = (alternatives: readonly Alternative[]): SharedEnd | undefined => {
  const ends = alternatives.flatMap(listEnds).map((end): SharedEnd => {
    const sharing = alternatives.filter((alternative) => endsWith(alternative, end))
    return { end, sharing, saved: (sharing.length - 1) * getLength(end) - 2 }
  })
  const [best] = ends
    .filter(({ saved, sharing }) => sharing.length > 1 && saved > 0)
    .sort((a, b) => b.saved - a.saved)
  return best
}

/**
 * Writes once what several alternatives end with: `$a && x || $b && x` becomes `($a || $b) && x`.
 * Only conditions that cannot fail change their order, so that an error refuses as before.
 */
export const factorCondition = (condition: Condition): Condition => {
  const inner = removeOuterParentheses(condition)
  let alternatives: Alternative[] = splitDisjuncts(inner).map(splitConjuncts)
  // A conditional expression has no parts to factor.
  if (alternatives.flat().includes(`(${inner})`)) return inner
  for (;;) {
    const best = findBestEnd(alternatives)
    if (!best) break
    const { end, sharing } = best
    const starts = sharing.map((alternative) => all(...alternative.slice(0, -end.length)))
    const merged = [`(${starts.join(' || ')})`, ...end]
    const first = alternatives.findIndex((one) => sharing.includes(one))
    alternatives = alternatives.flatMap((one, at) =>
      at === first ? [merged] : sharing.includes(one) ? [] : [one],
    )
  }
  const factorConjunct = (conjunct: Condition): Condition =>
    removeOuterParentheses(conjunct) === conjunct ? conjunct : `(${factorCondition(conjunct)})`
  const factored = alternatives.map((conjuncts) => all(...conjuncts.map(factorConjunct)))
  return removeOuterParentheses(factored.join(' || '))
}
