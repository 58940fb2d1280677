import { describe, expect, it } from 'vitest'
import { difference, keepAudit, type Written } from './auditing'
import { Conflict } from './ports/database'
import { memoryDatabase } from './ports/memoryDatabase'

const written = (more: Partial<Written> = {}): Written => ({
  eventId: 'e/1.2',
  path: 'cartypes/van',
  at: 5,
  by: 'admin',
  before: { name: 'Van', min_fare: 1 },
  after: { name: 'Van', min_fare: 2 },
  ...more,
})

describe('the audit trail', () => {
  it('keeps who changed which fields, from what to what', async () => {
    const db = memoryDatabase()
    await keepAudit(db, written())
    expect(db.at('audit/e_1_2')).toEqual({
      by: 'admin',
      at: 5,
      action: 'cartypes_update',
      path: 'cartypes/van',
      from: { min_fare: 1 },
      to: { min_fare: 2 },
    })
  })
  it('an event delivered twice is kept once', async () => {
    const db = memoryDatabase()
    await keepAudit(db, written())
    await keepAudit(db, written())
    expect(db.commits()).toBe(1)
  })
  it('an entry the rules refuse is told again, not taken for one that is kept', async () => {
    const db = memoryDatabase({}, () => false)
    await expect(keepAudit(db, written())).rejects.toThrow(Conflict)
  })
  it.each([
    [null, { name: 'Van' }, 'cartypes_add'],
    [{ name: 'Van' }, null, 'cartypes_delete'],
  ])('%j to %j is %s', async (before, after, action) => {
    const db = memoryDatabase()
    await keepAudit(db, written({ before, after }))
    expect(db.at('audit/e_1_2/action')).toBe(action)
  })
  it('the functions’ own writes and counted uses are told elsewhere', async () => {
    const db = memoryDatabase()
    await keepAudit(db, written({ by: 'kerbside-server' }))
    const use = { before: { user_avail: 1 }, after: { user_avail: 2 }, path: 'promos/spring' }
    await keepAudit(db, written(use))
    expect(db.commits()).toBe(0)
  })
  it('compares what has no fields whole', () => {
    expect(difference('a', 'b')).toEqual({ from: 'a', to: 'b' })
  })
})
