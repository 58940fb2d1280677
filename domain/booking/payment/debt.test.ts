import { expect, test } from 'vitest'
import { admin, aRider, rider } from '../../testing/builders'
import { applyCreation } from '../../testing/creation'
import { checkDebt } from './debt'

const carType = { min_fare: 30 }
const check = (walletBalance: number, debtLimit: number | null = null) =>
  checkDebt({ customer: { walletBalance }, carType, debtLimit }, rider, 2)

test.each([
  ['no debt', 0, null, undefined],
  ['a balance', 20, 0, undefined],
  ['twice the minimum fare', -60, null, undefined],
  ['one cent more', -60.01, null, 'debt_limit'],
  ['more than the setting', -10.5, 10, 'debt_limit'],
  ['less than the setting', -99, 100, undefined],
  ['any debt, when none is accepted', -0.01, 0, 'debt_limit'],
])('a rider with %s: %d with a limit of %s', (_, balance, limit, key) => {
  expect(check(balance, limit)?.key).toBe(key)
})

test('the rider pays before the next booking, and the office may book', () => {
  const context = { customer: aRider({ walletBalance: -500 }), debtLimit: 100 }
  expect(applyCreation({}, context)).toMatchObject({
    error: { key: 'debt_limit', params: { debt: 500 } },
  })
  expect(applyCreation({ customer: 'rider' }, context, admin).ok).toBe(true)
})
