import { beforeAll, describe, expect, it } from 'vitest'
import { encodeGeohash } from '~/domain/geo/geohash'
import { aBooking, aDriver, aSettings, PICKUP } from '~/domain/testing/builders'
import { explain_offer } from '../../endpoints/office/explainOffer'
import { runDueBookings } from '../jobs/maintenance'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'

const ID = '-OAbcdefghijklmnopqr'
const availableAt = (north: number) => {
  const place = { lat: PICKUP.lat + north, lng: PICKUP.lng }
  return { carType: 'van', ...place, geohash: encodeGeohash(place), at: 1 }
}
let given: ReturnType<typeof createProjectPorts>
beforeAll(async () => {
  const booking: Booking = {
    ...aBooking({ id: ID, status: 'NEW', bookingDate: TEST_NOW, tripdate: TEST_NOW }),
    due_at: TEST_NOW,
  }
  given = createProjectPorts({
    settings: aSettings({ autoDispatch: true, dispatchMode: 'matched' }),
    bookings: { [ID]: booking },
    users: {
      ...aProject().users,
      near: aDriver({ id: 'near', fleetadmin: 'fleet' }),
      far: aDriver({ id: 'far' }),
    },
    available_drivers: { near: availableAt(0.001), far: availableAt(0.004) },
  })
  await runDueBookings(given, TEST_NOW)
})

type Role = 'admin' | 'driver' | 'fleetadmin'
const explainTo = (uid: string, role: Role, offer?: string) =>
  explain_offer.handle(
    { booking_id: ID, ...(offer !== undefined && { offer }) },
    createUserContext(uid, role, given),
  )

describe('the explanation of an offer', () => {
  it('shows an admin all drivers who could be asked, and agrees with the offer', async () => {
    const { explanation } = await explainTo('admin', 'admin', '0')
    const { driver, eta_s, cost, rank } = given.db.at(`offers/${ID}/0`) as Offer
    expect(explanation?.offer).toEqual({ booking: ID, driver, eta_s, cost, rank })
    expect(explanation).toMatchObject({
      bookings: 1,
      total: 2,
      weight: 0,
      drivers: [
        { driver: 'near', eta_s: 11, offeredTo: ID },
        { driver: 'far', eta_s: 44, offeredTo: null },
      ],
    })
  })

  it('shows a driver only themselves among those who could be asked', async () => {
    const { explanation } = await explainTo('near', 'driver')
    expect(explanation).toMatchObject({ total: 2, offer: { rank: 1 } })
    expect(explanation?.drivers.map(({ driver }) => driver)).toEqual(['near'])
  })

  it('shows the admin of the fleet the driver of the fleet', async () => {
    const { explanation } = await explainTo('fleet', 'fleetadmin', '0')
    expect(explanation?.drivers.map(({ driver }) => driver)).toEqual(['near'])
  })

  it('refuses drivers and fleet admins who have no part in the offer', async () => {
    expect(await getErrorKey(explainTo('far', 'driver', '0'))).toBe('not_allowed')
    expect(await getErrorKey(explainTo('other', 'fleetadmin', '0'))).toBe('not_allowed')
  })

  it('refuses an offer that does not exist', async () => {
    expect(await getErrorKey(explainTo('far', 'driver'))).toBe('not_found')
    expect(await getErrorKey(explainTo('admin', 'admin', '1'))).toBe('not_found')
  })

  it('is missing when the inputs have been removed', async () => {
    await given.db.update({ [`internal/offer_decisions/${ID}_0`]: null })
    expect(await explainTo('admin', 'admin', '0')).toEqual({ explanation: null })
  })
})
