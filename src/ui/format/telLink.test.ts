import { expect, test } from 'vitest'
import { toTelLink } from './telLink'

test.each([
  ['+598 99 123-456', 'tel:+59899123456'],
  ['099 123 456', 'tel:099123456'],
  ['1234567 x12', 'tel:1234567,12'],
  ['1234567 ext. 12', 'tel:1234567,12'],
  ['1234567 extension 12', 'tel:1234567,12'],
  ['1234567#9', 'tel:1234567,9'],
])('converts %s to the link %s', (phone, link) => {
  expect(toTelLink(phone)).toBe(link)
})
