import { describe, expect, it } from 'vitest'
import type { AmendmentNotice } from '~/domain/booking/limits/amendmentNotice'
import type { FreeActionTimes } from '~/domain/booking/limits/freeActions'
import { aBooking, aBookingRequest, MINUTE, rider } from '~/domain/testing/builders'
import { createPushKey } from '~/domain/data/pushKeys'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { createProjectPorts, TEST_NOW } from '../../testing/testPorts'
import { sendAmendmentNotices } from './amendmentNotices'
import { removeExpiredDecisions } from './maintenance'

const accepted = aBooking({ status: 'ACCEPTED', driver: 'driver' })
const { id } = accepted
const PATH = `internal/amendment_notices/${id}`
const NOTICE: AmendmentNotice = {
  at: TEST_NOW - MINUTE,
  waiting: 'drop,pickUpInstructions',
  due: TEST_NOW,
  revision: 2,
}
const createCity = (notice: AmendmentNotice, booking = accepted) =>
  createProjectPorts({
    bookings: { [id]: booking },
    internal: { amendment_notices: { [id]: { ...notice } } },
  })

describe('amendments that wait for their push', () => {
  it('reach the driver together, once, and the next push waits a minute again', async () => {
    const given = createCity(NOTICE)
    expect(await sendAmendmentNotices(given, TEST_NOW - 1)).toBe(0)
    await Promise.all([
      sendAmendmentNotices(given, TEST_NOW),
      sendAmendmentNotices(given, TEST_NOW),
    ])
    const entries = Object.values(given.db.at('inbox/driver') as object)
    expect(entries).toMatchObject([{ params: { changes: 'drop,pickUpInstructions' } }])
    expect(given.db.at(PATH)).toEqual({ at: TEST_NOW, due: TEST_NOW + MINUTE, revision: 3 })
    await sendAmendmentNotices(given, TEST_NOW + MINUTE)
    expect(given.db.at(PATH)).toBeNull()
    expect(Object.keys(given.db.at('inbox/driver') as object)).toHaveLength(1)
  })

  it('say once how much of the share a shorter trip leaves', async () => {
    const given = createCity({ ...NOTICE, knownShare: accepted.driver_share + 1 })
    await sendAmendmentNotices(given, TEST_NOW)
    await sendAmendmentNotices(given, TEST_NOW + MINUTE)
    const entries = Object.values(given.db.at('inbox/driver') as object)
    const { driver_share: amount, reference } = accepted
    expect(entries.map(({ params }) => params)).toEqual(
      expect.arrayContaining([{ changes: 'drop,pickUpInstructions' }, { amount, reference }]),
    )
    expect(entries).toHaveLength(2)
  })

  it('reach no driver after a cancellation', async () => {
    const given = createCity(NOTICE, aBooking({ status: 'CANCELLED', driver: 'driver' }))
    await sendAmendmentNotices(given, TEST_NOW)
    expect(given.db.at('inbox/driver')).toBeNull()
    expect(given.db.at(PATH)).toBeNull()
  })
})

describe('a rider who books and cancels in a loop', () => {
  const book = (given: ReturnType<typeof createProjectPorts>, n: number) =>
    given.bookings.applyEvent(
      createPushKey(TEST_NOW, n),
      { event: 'create', input: { ...aBookingRequest(), booking_id: createPushKey(TEST_NOW, n) } },
      rider,
    )

  it('is refused after five free cancellations, also with ten calls at once', async () => {
    const given = createProjectPorts({})
    const rounds = async (from: number) => {
      for (let n = from; n < from + 5; n++) {
        const { booking_id } = await book(given, n)
        const cancel = () =>
          given.bookings.applyEvent(booking_id, { event: 'cancel', reason: 'Plans' }, rider)
        await Promise.all([cancel(), cancel()])
      }
    }
    await rounds(1)
    const times = given.db.at('internal/free_actions/rider') as FreeActionTimes
    expect(times.cancel).toHaveLength(5)
    const refused = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => book(given, n + 9)),
    )
    const refusal = { status: 'rejected', reason: { error: { key: 'too_many_changes' } } }
    expect(refused).toMatchObject(Array(10).fill(refusal))
  })

  it('is forgotten after three hours', async () => {
    const given = createProjectPorts({
      internal: {
        free_actions: { rider: { cancel: [TEST_NOW - 3 * HOUR_MS], due: TEST_NOW, revision: 1 } },
      },
    })
    await removeExpiredDecisions(given, TEST_NOW)
    expect(given.db.at('internal/free_actions')).toBeNull()
  })
})
