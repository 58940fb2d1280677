import { describe, expect, it } from 'vitest'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createPushKey } from '~/domain/data/pushKeys'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { aBooking, aRider } from '~/domain/testing/builders'
import { add_booking_note } from '../../endpoints/bookings/addBookingNote'
import { advance_booking } from '../../endpoints/bookings/advanceBooking'
import { delete_user } from '../../endpoints/users/deleteUser'
import { save_user } from '../../endpoints/users/saveUser'
import { answer_help, ask_help } from '../../endpoints/office/help'
import type { DatabasePort } from '../../ports/database'
import {
  aProject,
  createTestPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { createTestDatabase } from '../../testing/testDatabase'
import { restoreUser, suspendUser } from './approvalDecisions'
import type { Booking } from '~/domain/booking/types'

const RUNS = 50
const ID = 'b1'
const SECRET = 'My umbrella is red'
const key = (n: number) => createPushKey(TEST_NOW, n)

/**
 * Delays every read and write by a random number of turns, so that runs interleave differently. A
 * deletion has many more of them than a call.
 */
const withDelays = (db: DatabasePort, seed: number, most: number): DatabasePort => {
  const random = createSeededRandom(seed)
  const wait = async () => {
    for (let turns = random.integer(0, most); turns > 0; turns--) await Promise.resolve()
  }
  return {
    read: async (path) => wait().then(() => db.read(path)),
    list: async (path, query) => wait().then(() => db.list(path, query)),
    update: async (updates) => wait().then(() => db.update(updates)),
  }
}

const CASE = {
  booking: ID,
  reference: 'K7M-4QX',
  customer: 'rider',
  name: 'Rita',
  messages: [
    { id: key(1), from: 'customer', by: 'rider', at: TEST_NOW, text: SECRET, topic: 'other' },
  ],
  due: TEST_NOW,
  revision: 1,
}

const openEndedBooking = (seed: number, more: object = {}) => {
  const booking: Booking = aBooking({ id: ID, status: 'PAID', endTime: TEST_NOW - 60_000 })
  const db = createTestDatabase(aProject({ bookings: { [ID]: booking }, ...more }))
  const slow = createTestPorts({ db: withDelays(db, seed, 4 * seed) })
  const fast = createTestPorts({ db: withDelays(db, seed, 4) })
  const office = createUserContext('admin', 'admin', fast)
  return {
    db,
    remove: () => delete_user.handle({ id: 'rider', waive_balance: true }, office),
    as: (uid: string, role: 'rider' | 'admin') => createUserContext(uid, role, slow),
  }
}
type Place = ReturnType<typeof openEndedBooking>

const CALLS: [name: string, more: object, call: (place: Place) => Promise<unknown>][] = [
  [
    'ask_help',
    {},
    ({ as }) =>
      ask_help.handle(
        { booking_id: ID, request_id: key(2), topic: 'lost_item', text: SECRET },
        as('rider', 'rider'),
      ),
  ],
  [
    'answer_help',
    { internal: { help_cases: { [ID]: CASE } } },
    ({ as }) =>
      answer_help.handle(
        { booking_id: ID, request_id: key(2), text: SECRET, revision: 1 },
        as('admin', 'admin'),
      ),
  ],
  [
    'add_booking_note',
    {},
    ({ as }) =>
      add_booking_note.handle(
        { booking_id: ID, note_id: key(2), text: SECRET },
        as('admin', 'admin'),
      ),
  ],
  [
    'advance_booking',
    {},
    ({ as }) =>
      advance_booking.handle(
        { booking_id: ID, event: 'rate', rating: 5, comment: SECRET },
        as('rider', 'rider'),
      ),
  ],
]

describe.each(CALLS)('%s at the moment of a deletion', (_, more, call) => {
  it.each(['before', 'after'])('that begins %s it leaves no words', async (order) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const place = openEndedBooking(seed, more)
      const both = order === 'after' ? [call(place), place.remove()] : [place.remove(), call(place)]
      await Promise.allSettled(both)
      expect(place.db.at('users/rider')).toBeNull()
      const tree = place.db.at('') as DatabaseTree & Record<string, unknown>
      expect(JSON.stringify(tree)).not.toContain(SECRET)
      expect(findViolations(tree).filter((text) => /personal|outlives|words/.test(text))).toEqual(
        [],
      )
    }
  })

  it('is refused after it', async () => {
    const place = openEndedBooking(1, more)
    await place.remove()
    await call(place).then(
      () => expect(JSON.stringify(place.db.at(''))).not.toContain(SECRET),
      () => undefined,
    )
    expect(JSON.stringify(place.db.at(''))).not.toContain(SECRET)
  })
})

it.each([
  ['blocks', { before: true, decided: false }],
  ['approves', { before: false, decided: true }],
])('a deletion that fails undoes no decision of an office that %s', async (_, approvals) => {
  const { before, decided } = approvals
  const outcomes: unknown[] = []
  for (let seed = 1; seed <= RUNS; seed++) {
    const users = { ...aProject().users, rider: aRider({ approved: before }) }
    const db = createTestDatabase(aProject({ users }))
    const failingDeletion = async () => {
      const slow = withDelays(db, seed, 2)
      const suspension = await suspendUser(slow, 'rider')
      if (suspension) await restoreUser(slow, suspension)
    }
    const ports = createTestPorts({ db: withDelays(db, seed + RUNS, 20) })
    const office = createUserContext('admin', 'admin', ports)
    const decision = save_user.handle({ id: 'rider', approved: decided }, office)
    const [{ status }] = await Promise.allSettled([decision, failingDeletion()])
    const isDecided = status === 'fulfilled'
    outcomes.push(isDecided ? 'decided' : await getErrorKey(decision))
    const approved = isDecided ? decided : before
    expect([seed, db.at('users/rider/approved')]).toEqual([seed, approved])
    expect(db.at('roles/rider')).toBe(approved ? 'rider' : null)
  }
  expect(new Set(outcomes)).toEqual(new Set(['decided', 'changed_meanwhile']))
})
