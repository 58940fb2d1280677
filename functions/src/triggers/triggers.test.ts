import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aBooking, aSettings, MINUTE } from '~/domain/testing/builders'
import type { DatabasePort } from '../ports/database'
import { createTestDatabase } from '../testing/testDatabase'
import type { TaskPort } from '../ports/tasks'
import { createProjectPorts, TEST_NOW } from '../testing/testPorts'
import { onAuditedValueWritten, scheduledMaintenance } from './triggers'

type Told = Parameters<ReturnType<typeof onAuditedValueWritten>['run']>[0]
const snapshot = (value: unknown) => ({ val: () => value })
/** Returns a write of a vehicle type, as the platform reports it this many milliseconds later. */
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
  it('is delivered again by the platform when it fails', async () => {
    const down: DatabasePort = {
      ...createTestDatabase(),
      update: () => Promise.reject(new Error('no connection')),
    }
    const trail = onAuditedValueWritten('cartypes/{id}', { db: down })
    expect(trail.__endpoint.eventTrigger?.retry).toBe(true)
    await expect(trail.run(written(0))).rejects.toThrow('no connection')
  })

  it('is recorded although the follow-up work fails', async () => {
    const db = createTestDatabase()
    const follow = () => Promise.reject(new Error('the list refuses him'))
    const trail = onAuditedValueWritten('cartypes/{id}', { db }, follow)
    await expect(trail.run(written(0))).rejects.toThrow('the list refuses him')
    expect(db.at('audit/event-1/path')).toBe('cartypes/van')
  })

  it('is recorded once, however often and however late it is delivered', async () => {
    const db = createTestDatabase()
    const trail = onAuditedValueWritten('cartypes/{id}', { db })
    for (const msAgo of [0, 1000, 86_400_000]) await trail.run(written(msAgo))
    expect(db.getCommitCount()).toBe(1)
    expect(db.at('audit/event-1/path')).toBe('cartypes/van')
  })
})

describe('the scheduled sweep', () => {
  it('does nothing and does not fail before the setup', async () => {
    const given = createProjectPorts({ settings: null, schema: { version: SCHEMA_VERSION } })
    const event = { scheduleTime: new Date().toISOString() }
    await expect(scheduledMaintenance(given, []).run(event)).resolves.toBeUndefined()
    expect(given.db.getCommitCount()).toBe(0)
  })

  const event = { scheduleTime: new Date().toISOString() }
  const ready = (autoDispatch: boolean, schedule: TaskPort['scheduleDueBookings']) => {
    const given = createProjectPorts(
      { settings: aSettings({ autoDispatch }), schema: { version: SCHEMA_VERSION } },
      { tasks: { scheduleDueBookings: schedule } },
    )
    // A wait would hold a processor.
    given.clock.wait = () => Promise.reject(new Error('The scheduled job waited.'))
    return given
  }

  it('has the queue call it again every 15 seconds, instead of waiting', async () => {
    const scheduled: [string, number][] = []
    const given = ready(true, (id, seconds) => Promise.resolve(void scheduled.push([id, seconds])))
    await scheduledMaintenance(given, []).run(event)
    expect(scheduled.map(([, seconds]) => seconds)).toEqual([15, 30, 45])
    expect(new Set(scheduled.map(([id]) => id)).size).toBe(3)
  })

  it('schedules nothing more while the back office assigns drivers', async () => {
    const scheduled: string[] = []
    const given = ready(false, (id) => Promise.resolve(void scheduled.push(id)))
    await scheduledMaintenance(given, []).run(event)
    expect(scheduled).toEqual([])
  })

  it('does its work although the queue cannot be reached', async () => {
    const given = ready(true, () => Promise.reject(new Error('no permission')))
    const unpaid = aBooking({
      status: 'PAYMENT_PENDING',
      bookingDate: TEST_NOW - 31 * MINUTE,
      due_at: TEST_NOW - MINUTE,
    })
    given.db.put({ [`bookings/${unpaid.id}`]: toJson(unpaid) })
    await scheduledMaintenance(given, []).run(event)
    expect(given.db.at(`bookings/${unpaid.id}/status`)).toBe('CANCELLED')
  })
})
