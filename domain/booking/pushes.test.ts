import { expect, test } from 'vitest'
import { PUSHES } from './pushes'

test('no push has a parameter that Firebase Cloud Messaging keeps for itself', () => {
  const names = Object.values(PUSHES).flat()
  expect(names).toContain('sender')
  expect(names.filter((name) => /^(from|message_type|google.*|gcm.*)$/.test(name))).toEqual([])
})
