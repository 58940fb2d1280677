import { describe, expect, it } from 'vitest'
import { diffFields, recordAudit, type AuditedWrite } from './audit'
import { WriteConflictError } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'

const written = (more: Partial<AuditedWrite> = {}): AuditedWrite => ({
  eventId: 'e/1.2',
  path: 'cartypes/van',
  at: 5,
  actorId: 'admin',
  before: { name: 'Van', min_fare: 1 },
  after: { name: 'Van', min_fare: 2 },
  ...more,
})

describe('the audit trail', () => {
  it('records who changed which fields, with the old and new values', async () => {
    const db = createTestDatabase()
    await recordAudit(db, written())
    expect(db.at('audit/e_1_2')).toEqual({
      by: 'admin',
      at: 5,
      action: 'cartypes_update',
      path: 'cartypes/van',
      from: { min_fare: 1 },
      to: { min_fare: 2 },
    })
  })
  it('records an event once when it is delivered twice', async () => {
    const db = createTestDatabase()
    await recordAudit(db, written())
    await recordAudit(db, written())
    expect(db.getCommitCount()).toBe(1)
  })
  it('throws when the rules refuse an entry, so that the event is delivered again', async () => {
    const db = createTestDatabase()
    const tooLong = `cartypes/${'x'.repeat(500)}`
    await expect(recordAudit(db, written({ path: tooLong }))).rejects.toThrow(WriteConflictError)
  })
  it.each([
    [null, { name: 'Van' }, 'cartypes_add'],
    [{ name: 'Van' }, null, 'cartypes_delete'],
  ])('records a change from %j to %j as %s', async (before, after, action) => {
    const db = createTestDatabase()
    await recordAudit(db, written({ before, after }))
    expect(db.at('audit/e_1_2/action')).toBe(action)
  })
  it('skips the functions’ own writes and counted promo uses, which are recorded elsewhere', async () => {
    const db = createTestDatabase()
    await recordAudit(db, written({ actorId: 'server' }))
    const use = { before: { user_avail: 1 }, after: { user_avail: 2 }, path: 'promos/spring' }
    await recordAudit(db, written(use))
    expect(db.getCommitCount()).toBe(0)
  })
  it('compares values without fields as a whole', () => {
    expect(diffFields('a', 'b')).toEqual({ from: 'a', to: 'b' })
  })
})
