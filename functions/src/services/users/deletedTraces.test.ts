import { describe, expect, it } from 'vitest'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { aBooking } from '~/domain/testing/builders'
import { delete_user } from '../../endpoints/users/deleteUser'
import { save_user } from '../../endpoints/users/saveUser'
import type { DatabasePort } from '../../ports/database'
import {
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'

const ID = 'b1'
const notice = (at: number, params: Record<string, string | number>, more: object = {}) => ({
  title: 'push_accepted_title',
  msg: 'push_accepted_msg',
  screen: 'BookedCab',
  booking_id: ID,
  at,
  params,
  ...more,
})

const aPast = (reason: string) =>
  createProjectPorts({
    cancel_reason: [{ label: 'Changed plans', value: 0 }],
    bookings: {
      [ID]: aBooking({
        id: ID,
        status: 'CANCELLED',
        driver: 'driver',
        reason,
        cancelledBy: 'rider',
        bookingDate: TEST_NOW - 60_000,
        cancelled_at: TEST_NOW,
      }),
    },
    inbox: {
      rider: {
        named: notice(TEST_NOW - 30_000, { driver: 'Beto', vehicle: 'SAB 1' }),
        other: notice(TEST_NOW - 30_000, { driver: 'Eva' }, { booking_id: 'b2' }),
        money: notice(TEST_NOW, { amount: 5 }),
      },
      driver: { words: notice(TEST_NOW, { reason }) },
    },
  })
const remove = (id: string, given: ReturnType<typeof aPast>) =>
  delete_user.handle({ id }, createUserContext('admin', 'admin', given))

describe('after a deletion', () => {
  it.each([
    ['a person’s own words', 'My mother Ana is ill', 'other'],
    ['a reason of the list', 'Changed plans', 'Changed plans'],
  ])(
    'of a rider, the reason of a cancellation is no more than a kind: %s',
    async (_, own, left) => {
      const given = aPast(own)
      await remove('rider', given)
      expect(given.db.at(`bookings/${ID}/reason`)).toBe(left)
      expect(given.db.at('inbox/driver')).toBeNull()
      expect(JSON.stringify(given.db.at('bookings'))).not.toContain('Ana is ill')
    },
  )

  it('of a rider, their name is not in the inbox of a driver who released the booking', async () => {
    const given = aPast('Changed plans')
    given.db.put({
      [`bookings/${ID}/event_log/a`]: { event: 'accept', by: 'former', at: TEST_NOW - 50_000 },
      'inbox/former': { named: notice(TEST_NOW - 45_000, { sender: 'Ana' }) },
    })
    await remove('rider', given)
    expect(given.db.at('inbox/former')).toBeNull()
  })

  it('of a driver, their name and plate are not in the inbox of the rider', async () => {
    const given = aPast('Changed plans')
    await remove('driver', given)
    expect(Object.keys(given.db.at('inbox/rider') as object)).toEqual(['money', 'other'])
  })

  it('the data stays consistent', async () => {
    const given = aPast('My mother Ana is ill')
    const before = findViolations(given.db.at('') as DatabaseTree)
    await remove('rider', given)
    const after = findViolations(given.db.at('') as DatabaseTree)
    expect(after.filter((one) => !before.includes(one))).toEqual([])
  })
})

describe('a deletion that fails', () => {
  /** Runs the office's block once before or after the write that suspends the rider. */
  const failDeletion = async (when: 'before' | 'after' | 'never') => {
    const given = createProjectPorts()
    const block = () =>
      save_user.handle({ id: 'rider', approved: false }, createUserContext('admin', 'admin', given))
    let isDone = when === 'never'
    let isOpened = false
    const update: DatabasePort['update'] = async (updates) => {
      const isSuspension = updates['users/rider/approved'] === false && !isOpened
      if (isSuspension && when === 'before' && !isDone) {
        isDone = true
        await block()
      }
      await given.db.update(updates)
      if (!isSuspension) return
      isOpened = true
      // The deletion is refused because of this booking.
      given.db.put({ 'bookings/b1': { ...aBooking({ id: 'b1', status: 'STARTED' }) } as never })
      if (when === 'after' && !isDone) {
        isDone = true
        await block()
      }
    }
    const failing = delete_user.handle(
      { id: 'rider' },
      createUserContext('rider', 'rider', { ...given, db: { ...given.db, update } }),
    )
    expect(await getErrorKey(failing)).toBe('event_not_possible')
    return given.db
  }

  it('restores the approval that it took away', async () => {
    const db = await failDeletion('never')
    expect(db.at('users/rider/approved')).toBe(true)
    expect(db.at('roles/rider')).toBe('rider')
  })

  it('is not decided by a fleet admin, who names an approval without the right to it', async () => {
    const given = createProjectPorts()
    given.db.put({
      'users/fleet': {
        ...(given.db.at('users/admin') as object),
        id: 'fleet',
        usertype: 'fleetadmin',
      },
      'users/driver/fleetadmin': 'fleet',
    })
    await save_user.handle(
      { id: 'driver', approved: true },
      createUserContext('fleet', 'fleetadmin', given),
    )
    expect(given.db.at('internal/approval_decisions')).toBeNull()
  })

  it.each(['before', 'after'] as const)(
    'keeps a block by the office right %s the suspension',
    async (when) => {
      const db = await failDeletion(when)
      expect(db.at('users/rider/approved')).toBe(false)
      expect(db.at('roles/rider')).toBeNull()
    },
  )
})
