import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { README_FILE, insertLifecycle } from './lifecycle'

test('the README shows the current transition table (npm run generate)', () => {
  const text = readFileSync(README_FILE, 'utf8')
  expect(text).toBe(insertLifecycle(text))
  expect(text).toContain('stateDiagram-v2')
})

test('refuses a README without its markers', () => {
  expect(() => insertLifecycle('# Kerbside')).toThrow('markers')
})
