import { expect, test } from 'vitest'
import { areOffers, offeredAmounts } from './offeredAmounts'

test.each([
  ['200,500,1000', 2, [200, 500, 1000]],
  [' 10 , 20.5,10.00, 10 ', 2, [10, 20.5]],
  ['', 2, []],
  [undefined, 2, []],
] as const)('%j with %i decimals offers %j', (text, decimal, amounts) => {
  expect(offeredAmounts(text, decimal)).toEqual(amounts)
  expect(areOffers(text ?? '', decimal)).toBe(true)
})

test.each([
  ['abc', 2, []],
  ['10,-5', 2, [10]],
  ['10,,20', 2, [10, 20]],
  ['10,0', 2, [10]],
  ['10,1e5', 2, [10]],
  ['10,20.5', 0, [10]],
  ['10,9999999999', 2, [10]],
  ['10,Infinity,0x10', 2, [10]],
  ['10;20', 2, []],
] as const)('%j with %i decimals is malformed and offers only %j', (text, decimal, amounts) => {
  expect(areOffers(text, decimal)).toBe(false)
  expect(offeredAmounts(text, decimal)).toEqual(amounts)
})
