import { expect, test } from 'vitest'
import { redeemPromo } from './promo'
import { aPromo, NOON } from '../testing/builders'

const redeemedAt = (now: number) =>
  redeemPromo(aPromo({ promo_validity: NOON }), {
    tripCost: 100,
    usedBefore: false,
    now,
    settings: { code: 'UYU', decimal: 2 },
  })

test('accepts a promo up to and including the instant it ends', () => {
  expect(redeemedAt(NOON).ok).toBe(true)
})

test('refuses a promo one millisecond after it ended', () => {
  expect(redeemedAt(NOON + 1)).toMatchObject({ ok: false, error: { key: 'promo_expired' } })
})
