import { expect, test } from 'vitest'
import { PUSH_PARAMS } from './pushMessages'

test('uses no parameter that Firebase Cloud Messaging reserves', () => {
  const names = Object.values(PUSH_PARAMS).flat()
  expect(names).toContain('sender')
  expect(names.filter((name) => /^(from|message_type|google.*|gcm.*)$/.test(name))).toEqual([])
})
