import { expect, test } from 'vitest'
import { SCHEMA_VERSION, hashTexts, checkWritesAllowed } from './schemaVersion'

test('allows writes only to data of this release’s version', () => {
  expect(checkWritesAllowed({ version: SCHEMA_VERSION }, 0)).toBeUndefined()
  expect(checkWritesAllowed({ version: SCHEMA_VERSION + 1 }, 0)?.key).toBe('schema_newer')
  expect(checkWritesAllowed({}, 0)?.key).toBe('schema_older')
  expect(checkWritesAllowed(null, 0)?.key).toBe('schema_older')
})

test('refuses writes to a locked database until the lock expires', () => {
  const schema = { version: SCHEMA_VERSION, closed: { until: 1000 } }
  expect(checkWritesAllowed(schema, 1000)?.key).toBe('maintenance')
  expect(checkWritesAllowed(schema, 1001)).toBeUndefined()
})

test('gives texts the same hash in any order and a different hash when one differs', () => {
  const mark = hashTexts({ en: { a: '1', b: '2' }, es: { a: '3' } })
  expect(hashTexts({ es: { a: '3' }, en: { b: '2', a: '1' } })).toBe(mark)
  expect(hashTexts({ en: { a: '1', b: '2' }, es: { a: '4' } })).not.toBe(mark)
  expect(hashTexts({ en: { a: '1', b: '2', c: '' }, es: { a: '3' } })).not.toBe(mark)
})
