import { expect, test } from 'vitest'
import { auditKey, keyAt } from './keys'
import { NOON } from './testing/builders'

test('keys have the form of push keys and sort by time, then by number', () => {
  const keys = [keyAt(NOON, 1), keyAt(NOON, 2), keyAt(NOON, 900), keyAt(NOON + 1, 0)]
  expect([...keys].sort()).toEqual(keys)
  for (const key of keys) expect(key).toMatch(/^-[A-Za-z0-9_-]{19}$/)
})

test('an audit key sorts by time and holds only what a path may', () => {
  expect(auditKey(NOON, 'a/b.c', 1) < auditKey(NOON + 1, 'a', 1)).toBe(true)
  expect(auditKey(NOON, 'a/b.c#$[]', 1)).toMatch(/^[A-Za-z0-9_-]+$/)
})
