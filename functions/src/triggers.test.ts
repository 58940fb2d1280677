import { describe, expect, it } from 'vitest'
import type { DatabasePort } from './ports/database'
import { memoryDatabase } from './ports/memoryDatabase'
import { auditTrail } from './triggers'

type Told = Parameters<ReturnType<typeof auditTrail>['run']>[0]
const snapshot = (value: unknown) => ({ val: () => value })
/** A write of a car type, as the platform tells of it so long afterwards. */
const written = (msAgo: number) =>
  ({
    id: 'event-1',
    time: new Date(Date.now() - msAgo).toISOString(),
    params: { id: 'van' },
    authId: 'admin',
    authType: 'app_user',
    data: { before: snapshot({ min_fare: 1 }), after: snapshot({ min_fare: 2 }) },
  }) as unknown as Told

describe('the audit of a write', () => {
  it('is told again by the platform when it fails', async () => {
    const down: DatabasePort = {
      ...memoryDatabase(),
      update: () => Promise.reject(new Error('no connection')),
    }
    const trail = auditTrail('cartypes/{id}', { db: down })
    expect(trail.__endpoint.eventTrigger?.retry).toBe(true)
    await expect(trail.run(written(0))).rejects.toThrow('no connection')
  })

  it('is kept although what follows from the write fails', async () => {
    const db = memoryDatabase()
    const follow = () => Promise.reject(new Error('the list refuses him'))
    const trail = auditTrail('cartypes/{id}', { db }, follow)
    await expect(trail.run(written(0))).rejects.toThrow('the list refuses him')
    expect(db.at('audit/event-1/path')).toBe('cartypes/van')
  })

  it('is kept once, however often and however late it is told', async () => {
    const db = memoryDatabase()
    const trail = auditTrail('cartypes/{id}', { db })
    for (const msAgo of [0, 1000, 86_400_000]) await trail.run(written(msAgo))
    expect(db.commits()).toBe(1)
    expect(db.at('audit/event-1/path')).toBe('cartypes/van')
  })
})
