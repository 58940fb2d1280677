import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../testing/testDatabase'
import { findExceededLimit, isOverDailyLimit } from './rateLimits'

const NOON = Date.UTC(2026, 10, 20, 12)
const DAY = Math.floor(NOON / 86_400_000)
const limits = { name: 'costly', limit: 10, dailyLimit: 25 }
const call = { caller: 'driver', now: NOON }

describe('the limits of a minute and a day', () => {
  it('count only the calls of a loop that the minute admits in the day', async () => {
    const db = createTestDatabase()
    const results = await Promise.all(
      Array.from({ length: 50 }, () => findExceededLimit(db, limits, call)),
    )
    expect(results.filter((result) => result === undefined)).toHaveLength(10)
    expect(results.filter((result) => result === 'minute')).toHaveLength(40)
    expect(db.at(`rate_limits/costly/driver/${DAY}`)).toBe(10)
  })

  it('admit a driver again a few minutes after their app has looped', async () => {
    const db = createTestDatabase()
    for (let i = 0; i < 50; i++) await findExceededLimit(db, limits, call)
    const later = { ...call, now: NOON + 180_000 }
    expect(await findExceededLimit(db, limits, later)).toBeUndefined()
  })

  it('admit exactly as many as the day allows of 50 calls at once', async () => {
    const db = createTestDatabase()
    const wide = { ...limits, limit: 50 }
    const results = await Promise.all(
      Array.from({ length: 50 }, () => findExceededLimit(db, wide, call)),
    )
    expect(results.filter((result) => result === undefined)).toHaveLength(25)
    expect(results.filter((result) => result === 'day')).toHaveLength(25)
  })

  it('never stop an admin for the rest of the day, but do stop a rider', async () => {
    const db = createTestDatabase({ roles: { boss: 'admin', rider: 'rider' } })
    const isOver = (caller: string) =>
      isOverDailyLimit(db, limits, { caller, now: NOON, amount: limits.dailyLimit + 1 })
    expect([await isOver('boss'), await isOver('rider')]).toEqual([false, true])
  })
})
