import { expect, it } from 'vitest'
import { aBookingRequest } from '~/domain/testing/builders'
import { advance_booking } from '../endpoints/bookings/advanceBooking'
import { create_booking } from '../endpoints/bookings/createBooking'
import { countDatabase } from '../testing/countedDatabase'
import { createProjectPorts, createTestPorts, TEST_NOW } from '../testing/testPorts'
import { handleRequest } from './requestHandler'

const BOOKING = '-OAbcdefghijklmnopqr'

/**
 * The most that one call may cost. More of anything needs a reason. One written path is the counter
 * of the day.
 */
const LIMITS = {
  create: { reads: 10, updates: 2, writtenPaths: 14, bytesRead: 1_600, bytesWritten: 2_200 },
  pay: { reads: 6, updates: 2, writtenPaths: 21, bytesRead: 2_500, bytesWritten: 1_450 },
  cancel: { reads: 12, updates: 2, writtenPaths: 23, bytesRead: 3_500, bytesWritten: 1_490 },
}

it('commits a booking, its payment and its cancellation with few small requests', async () => {
  const project = createProjectPorts()
  const measureCosts = async (
    run: (ports: ReturnType<typeof createTestPorts>) => Promise<unknown>,
  ) => {
    const { db, costs } = countDatabase(project.db)
    await run(createTestPorts({ db, maps: project.maps, push: project.push }))
    return { ...costs, reads: costs.reads.length }
  }
  const call = (input: object) => ({
    input,
    caller: { uid: 'rider' },
    hasMapsBasicAuth: false,
    ip: '10.0.0.1',
    now: TEST_NOW,
  })
  const later = { bookLater: true, tripdate: TEST_NOW + 86_400_000 }
  const advance = (event: object) =>
    measureCosts((ports) =>
      handleRequest(advance_booking, call({ booking_id: BOOKING, ...event }), ports),
    )
  const costs = {
    create: await measureCosts((ports) =>
      handleRequest(create_booking, call(aBookingRequest(later)), ports),
    ),
    pay: await advance({ event: 'pay', payment_mode: 'cash' }),
    cancel: await advance({ event: 'cancel', reason: 'changed plans' }),
  }
  const exceeded = Object.entries(LIMITS).flatMap(([event, limits]) =>
    Object.entries(limits).flatMap(([what, most]) => {
      const value = costs[event as keyof typeof costs][what as keyof typeof limits]
      return value > most ? [`${event}: ${value} ${what}, at most ${most}`] : []
    }),
  )
  expect(exceeded).toEqual([])
})
