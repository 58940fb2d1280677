import { expect, test } from 'vitest'
import { createAuditKey, createPushKey, getPushKeyTime } from './pushKeys'
import { NOON } from '../testing/builders'

test('creates keys in push-key form that sort by time, then by number', () => {
  const keys = [
    createPushKey(NOON, 1),
    createPushKey(NOON, 2),
    createPushKey(NOON, 900),
    createPushKey(NOON + 1, 0),
  ]
  expect([...keys].sort()).toEqual(keys)
  for (const key of keys) expect(key).toMatch(/^-[A-Za-z0-9_-]{19}$/)
})

test('reads the creation time of a key', () => {
  expect(getPushKeyTime(createPushKey(NOON, 77))).toBe(NOON)
  expect(getPushKeyTime('#')).toBe(0)
})

test('creates audit keys that sort by time and contain only characters valid in a path', () => {
  expect(createAuditKey(NOON, 'a/b.c', 1) < createAuditKey(NOON + 1, 'a', 1)).toBe(true)
  expect(createAuditKey(NOON, 'a/b.c#$[]', 1)).toMatch(/^[A-Za-z0-9_-]+$/)
})
