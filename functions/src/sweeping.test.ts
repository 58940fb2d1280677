import { describe, expect, it } from 'vitest'
import type { Booking } from '~/domain/entities'
import { aBooking, aRider, aSettings, MINUTE } from '~/domain/testing/builders'
import { forgetCounters, sweep } from './sweeping'
import { aProject, projectPorts, TEST_NOW } from './testing'

const swept = (booking: Partial<Booking>, settings = {}) => {
  const made = aBooking({ bookingDate: TEST_NOW - MINUTE, tripdate: TEST_NOW, ...booking })
  const given = projectPorts({ bookings: { [made.id]: made }, settings: aSettings(settings) })
  return { given, id: made.id, run: (now = TEST_NOW) => sweep(given, now) }
}

describe('the sweep', () => {
  it('ends a booking nobody paid for half an hour, once', async () => {
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const { given, id, run } = swept(old)
    expect(await run()).toMatchObject({ expired: [id] })
    expect(given.db.at(`bookings/${id}/status`)).toBe('CANCELLED')
    expect(await run()).toMatchObject({ expired: [] })
  })
  it('leaves a younger one alone', async () => {
    const { run } = swept({ status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 29 * MINUTE })
    expect(await run()).toEqual({ expired: [], dispatched: [], reminded: [], stuck: [] })
  })
  it('asks the drivers nearby where dispatch is automatic', async () => {
    const { given, id, run } = swept({ status: 'NEW' }, { autoDispatch: true })
    expect(await run()).toMatchObject({ dispatched: [id] })
    expect(given.db.at(`driver_tasks/driver/${id}`)).toBe(true)
    expect(await run()).toMatchObject({ dispatched: [] })
  })
  it('and asks nobody where the office assigns', async () => {
    expect(await swept({ status: 'NEW' }).run()).toMatchObject({ dispatched: [] })
  })
  it('reminds both of a later booking that is near, once', async () => {
    const later = { status: 'ACCEPTED', driver: 'driver', bookLater: true } as const
    const { given, id, run } = swept({ ...later, tripdate: TEST_NOW + 20 * MINUTE })
    expect(await run()).toMatchObject({ reminded: [id] })
    expect(await run()).toMatchObject({ reminded: [] })
    expect(Object.keys(given.db.at('inbox/rider') as object)).toEqual([`${id}-reminder`])
    expect(Object.keys(given.db.at('inbox/driver') as object)).toEqual([`${id}-reminder`])
  })
  it('names what stands still', async () => {
    const { id, run } = swept({ status: 'REACHED', bookingDate: TEST_NOW - 24 * 60 * MINUTE })
    expect(await run()).toMatchObject({ stuck: [id] })
  })
})

it('counters of callers who stopped calling are forgotten', async () => {
  const minute = Math.floor(TEST_NOW / MINUTE)
  const given = projectPorts({
    ...aProject(),
    rate_limits: { echo: { rider: { [minute - 9]: 3 }, driver: { [minute]: 1 } } },
    users: { rider: aRider() },
  })
  await forgetCounters(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo')).toEqual({ driver: { [minute]: 1 } })
})
