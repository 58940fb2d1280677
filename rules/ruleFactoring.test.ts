import { expect, test } from 'vitest'
import { factorCondition } from './ruleFactoring'

test.each([
  [
    'an end that alternatives about keys share',
    `$f === 'days' && newData.isNumber() && newData.val() >= 0 || $f === 'total' && newData.isNumber() && newData.val() >= 0`,
    `($f === 'days' || $f === 'total') && newData.isNumber() && newData.val() >= 0`,
  ],
  [
    'the longest ends first, and others apart',
    `$f === 'a' && auth.uid === 'server' || newData.val() === 1 || $f === 'b' && auth.uid === 'server'`,
    `($f === 'a' || $f === 'b') && auth.uid === 'server' || newData.val() === 1`,
  ],
  [
    'in parentheses too',
    `auth.uid === 'server' && ($f === 'a' && newData.val() >= 10 || $f === 'b' && newData.val() >= 10)`,
    `auth.uid === 'server' && (($f === 'a' || $f === 'b') && newData.val() >= 10)`,
  ],
])('writes once %s', (_, condition, factored) => {
  expect(factorCondition(condition)).toBe(factored)
})

test.each([
  [
    'could fail before another alternative holds',
    `newData.val() > 1 && auth.uid === 'server' || $f === 'a' && auth.uid === 'server'`,
  ],
  ['is a conditional expression', `newData.exists() ? auth.uid === 'server' : data.val() === 1`],
  ['would not get shorter', `$f === 'a' && $g || $f === 'b' && $g`],
  ['is a single alternative', `auth.uid === 'server' && $f.matches(/^(a|b)$/)`],
])('leaves a condition that %s', (_, condition) => {
  expect(factorCondition(condition)).toBe(condition)
})
