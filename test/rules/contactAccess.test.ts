import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getReadableContacts } from '~/domain/booking/contactAccess'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { isAttemptAllowed } from './accessAttempt'
import { createBooking, LONG_AGO } from './rulesFixtures'
import { STATUSES, type Booking, type BookingContacts } from '~/domain/booking/types'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const FIELDS = [
  'customer_contact',
  'customer_email',
  'deliveryPersonPhone',
  'driver_contact',
  'pickUpInstructions',
  'deliveryInstructions',
] as const satisfies (keyof BookingContacts)[]
const READERS = [
  { id: 'rider', usertype: 'rider' },
  { id: 'otherRider', usertype: 'rider' },
  { id: 'driver', usertype: 'driver' },
  { id: 'requested', usertype: 'driver' },
  { id: 'fleet', usertype: 'fleetadmin' },
  { id: 'otherFleet', usertype: 'fleetadmin' },
  { id: 'admin', usertype: 'admin' },
] as const

/**
 * Returns bookings in every status, with and without a driver, not ended or ended 5 or 65 minutes
 * ago.
 */
const createBookingVariants = (): Booking[] =>
  STATUSES.flatMap((status) =>
    [null, 5, 65].flatMap((ended) =>
      [true, false].map((isDriven) =>
        createBooking('riding', status, {
          requestedDrivers: { requested: true },
          ...(isDriven && { driver: 'driver', fleetadmin: 'fleet', accepted_at: LONG_AGO }),
          ...(ended !== null && {
            [status === 'CANCELLED' ? 'cancelled_at' : 'endTime']: Date.now() - ended * MINUTE_MS,
          }),
        }),
      ),
    ),
  )

test.each([
  ['outside demo mode', false],
  ['in demo mode', true],
])('the rules show each contact exactly to its readers %s', async (_, isDemo) => {
  for (const booking of createBookingVariants()) {
    const given = {
      'bookings/riding': JSON.parse(JSON.stringify(booking)) as DatabaseValue,
      'settings/AllowCriticalEditsAdmin': !isDemo,
    }
    for (const reader of READERS.map((one) => ({ ...one, isDemo })))
      for (const field of FIELDS) {
        const wanted = getReadableContacts(booking, reader, Date.now()).includes(field)
        const row = { who: reader.id, allowed: wanted, because: 'as the domain says', given }
        const read = { ...row, does: 'read' as const, at: `booking_contacts/riding/${field}` }
        const { status, endTime, cancelled_at } = booking
        const what = [status, endTime, cancelled_at, booking.driver, reader.id, field]
        expect([...what, await isAttemptAllowed(database, read)]).toEqual([...what, wanted])
      }
  }
})
