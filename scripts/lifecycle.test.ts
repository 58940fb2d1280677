import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { README, withLifecycle } from './lifecycle'

test('the README shows the transition table as it is (npm run docs:lifecycle)', () => {
  const text = readFileSync(README, 'utf8')
  expect(text).toBe(withLifecycle(text))
  expect(text).toContain('stateDiagram-v2')
})

test('a README without its markers is said to have lost them', () => {
  expect(() => withLifecycle('# Kerbside')).toThrow('markers')
})
