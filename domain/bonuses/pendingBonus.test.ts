import { expect, test } from 'vitest'
import { aSettings } from '../testing/builders'
import { DAY_MS } from '../language/timeUnits'
import { getBonusDelayMs } from './pendingBonus'

test('bonuses wait as many days as the settings say, and not at all without a number', () => {
  expect(getBonusDelayMs({})).toBe(0)
  expect(getBonusDelayMs(aSettings({ bonusDelayDays: 14 }))).toBe(14 * DAY_MS)
})
