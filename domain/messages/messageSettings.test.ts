import { describe, expect, it, test } from 'vitest'
import { findOptionalPush, getMessagePreferences } from './messagePreferences'
import {
  calculatePriceMicros,
  findSendTime,
  fromMicros,
  MESSAGE_SWITCHES,
  toTotalKey,
} from './messageSettings'

const at = (clock: string) => Date.parse(`2026-03-10T${clock}Z`)
const night = { quietStart: '22:00', quietEnd: '07:30' }
const day = { quietStart: '09:00', quietEnd: '17:00' }

describe('quiet hours', () => {
  it.each([
    ['an hour before them', night, '21:00:00', '21:00:00'],
    ['in their first minute', night, '22:00:10', '2026-03-11T07:30:00Z'],
    ['after midnight', night, '03:15:30', '07:30:00'],
    ['in their last minute', night, '07:29:59', '07:30:00'],
    ['at their end', night, '07:30:00', '07:30:00'],
    ['within a day', day, '12:00:00', '17:00:00'],
    ['after those within a day', day, '17:00:01', '17:00:01'],
    ['without them', {}, '03:00:00', '03:00:00'],
    ['with equal times', { quietStart: '07:00', quietEnd: '07:00' }, '07:00:00', '07:00:00'],
  ])('give the time of sending: %s', (_, settings, now, expected) => {
    const time = expected.includes('T') ? Date.parse(expected) : at(expected)
    expect(findSendTime(settings, {}, at(now), 'UTC')).toBe(time)
  })

  it('are in the time zone of the platform', () => {
    expect(findSendTime(night, {}, at('02:00:00'), 'America/Montevideo')).toBe(at('10:30:00'))
    expect(findSendTime(night, {}, at('00:59:00'), 'America/Montevideo')).toBe(at('00:59:00'))
  })

  it('do not delay an urgent message', () => {
    expect(findSendTime(night, { urgent: true }, at('03:00:00'), 'UTC')).toBe(at('03:00:00'))
  })
})

test('bills an SMS by its parts, and other messages once', () => {
  const price = { sms: 0.0079, email: 0.001 }
  expect(fromMicros(calculatePriceMicros({ price }, 'sms', 3))).toBe(0.0237)
  expect(calculatePriceMicros({ price }, 'email', 3)).toBe(1_000)
  expect(calculatePriceMicros({ price }, 'whatsapp', 3)).toBe(0)
})

test('keeps a total for each month of the platform and each currency', () => {
  const settings = { timezone: 'America/Montevideo', code: 'UYU' }
  expect(toTotalKey(Date.parse('2026-04-01T02:59:59Z'), settings)).toBe('2026-03-UYU')
  expect(toTotalKey(Date.parse('2026-04-01T03:00:00Z'), settings)).toBe('2026-04-UYU')
})

test('has a switch for each message that leaves the platform', () => {
  const keys = MESSAGE_SWITCHES.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('accepted-rider-sms')
  expect(keys).toContain('receipt-guest-email')
  expect(keys).not.toContain('task-driver-sms')
})

test('lets people turn off only optional messages', () => {
  const keys = getMessagePreferences('rider').map(({ key }) => key)
  expect(keys).toEqual(expect.arrayContaining(['receipt-email', 'booked-sms', 'started-push']))
  expect(keys.filter((key) => /^(accepted|arrived|cancelled|payment_due)/.test(key))).toEqual([])
  expect(getMessagePreferences('driver').map(({ key }) => key)).toEqual([
    'earned-push',
    'kept_cash-push',
    'rated-push',
    'tipped-push',
    'referral-push',
  ])
  expect(findOptionalPush('push_earned_title')).toBe('earned')
  expect(findOptionalPush('push_task_title')).toBeUndefined()
  expect(findOptionalPush('Hello')).toBeUndefined()
})
