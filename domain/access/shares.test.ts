import { expect, test } from 'vitest'
import { getShareExpiry, SHARE_GRACE_PERIOD_MS } from './shares'
import { NOON } from '../testing/builders'

const share = { expires: NOON + 24 * SHARE_GRACE_PERIOD_MS }

test('keeps a link valid until its own expiry while the trip is active', () => {
  expect(getShareExpiry(share, {})).toBe(share.expires)
})

test.each([{ endTime: NOON }, { cancelled_at: NOON }])(
  'ends a link one hour after the trip (%j), and never after its own expiry',
  (booking) => {
    expect(getShareExpiry(share, booking)).toBe(NOON + SHARE_GRACE_PERIOD_MS)
    expect(getShareExpiry({ expires: NOON + 1 }, booking)).toBe(NOON + 1)
  },
)
