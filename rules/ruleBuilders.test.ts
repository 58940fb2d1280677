import { describe, expect, test } from 'vitest'
import {
  removeOuterParentheses,
  splitConjuncts,
  splitDisjuncts,
  recordRule,
  textRule,
} from './ruleBuilders'

describe('splitting a condition', () => {
  test.each([
    ['a', ['a']],
    ['a && b', ['a', 'b']],
    ['(a && b || c) && d', ['(a && b || c)', 'd']],
    [
      "x.child(' && ') && y.matches(/^( && | \\?)$/)",
      ["x.child(' && ')", 'y.matches(/^( && | \\?)$/)'],
    ],
    ["x.hasChildren(['a', 'b']) && y", ["x.hasChildren(['a', 'b'])", 'y']],
    ['a && b || c', ['(a && b || c)']],
    ['a && b ? c : d', ['(a && b ? c : d)']],
  ])('%s', (condition, parts) => {
    expect(splitConjuncts(condition)).toEqual(parts)
  })

  test.each([
    ['a', ['a']],
    ['(a || b && c)', ['a', 'b && c']],
    ['(a || (b || c) && d)', ['a', '(b || c) && d']],
    ['a && b', ['a && b']],
    ['(a ? b : c)', ['(a ? b : c)']],
    ["(x.matches(/^( || )$/) || y === ' || ')", ['x.matches(/^( || )$/)', "y === ' || '"]],
  ])('splits the alternatives of %s', (condition, parts) => {
    expect(splitDisjuncts(condition)).toEqual(parts)
  })

  test.each([
    ['(a || b)', 'a || b'],
    ['(a || b) && (c || d)', '(a || b) && (c || d)'],
    ["(a === ')' || b)", "a === ')' || b"],
    ['a', 'a'],
  ])('removes the outer parentheses from %s', (condition, inner) => {
    expect(removeOuterParentheses(condition)).toBe(inner)
  })
})

describe('a check that several kinds of writes share appears once', () => {
  const write = (permits: Parameters<typeof recordRule>[1]) =>
    recordRule({ a: textRule(0, 9) }, permits).write
  const has = "newData.hasChildren(['a'])"

  test.each([
    [{ create: 'x', update: 'x', remove: 'x' }, `x && (!newData.exists() || ${has})`],
    [
      { create: 'x && y', update: 'x && z', remove: 'x' },
      `x && (!newData.exists() || (data.exists() ? z : y) && ${has})`,
    ],
    [
      { create: 'x && y', update: 'x && y', remove: 'x && z' },
      `x && (newData.exists() ? y && ${has} : z)`,
    ],
    [{ create: 'x', update: 'x', remove: 'y' }, `(newData.exists() ? x && ${has} : y)`],
    [{ create: 'x', remove: 'x' }, `x && (!newData.exists() || !data.exists() && ${has})`],
    [{ create: 'x', update: 'x && y' }, `x && (!data.exists() || y) && ${has}`],
    [{ create: 'x && y', update: 'x' }, `x && (data.exists() || y) && ${has}`],
  ])('%o', (permits, expected) => {
    expect(write(permits)).toBe(expected)
  })
})
