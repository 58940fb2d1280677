import { expect, test } from 'vitest'
import { aDriver, aRider } from '../testing/builders'
import { areTied } from './ties'

const home = (lat: number) => ({
  savedAddresses: { home: { lat, lng: 2, description: 'A', count: 1 } },
})
const one = aRider({ id: 'one' })

test.each([
  ['the same account', {}, { id: 'one' }],
  ['the same bank account', { bankAccount: 'DE 12-3' }, { bankAccount: 'de123' }],
  ['the same home', home(1), home(1.0001)],
])('%s ties two accounts', (_, mine, theirs) => {
  const other = aDriver({ id: 'two', ...theirs })
  expect(areTied({ ...one, ...mine }, other)).toBe(true)
})

test('strangers are not tied, also with empty fields', () => {
  const other = aDriver({ id: 'two', bankAccount: '', ...home(1) })
  expect(areTied({ ...one, bankAccount: '', ...home(1.01) }, other)).toBe(false)
  expect(areTied(one, null)).toBe(false)
})
