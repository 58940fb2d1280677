import { expect, it } from 'vitest'
import { DISPATCH_MODES } from '~/domain/catalog/types'
import { encodeGeohash } from '~/domain/geo/geohash'
import {
  aBooking,
  aCardPacket,
  aDriver,
  aRider,
  aSettings,
  PICKUP,
} from '~/domain/testing/builders'
import type { User } from '~/domain/accounts/types'
import type { Booking } from '~/domain/booking/types'
import { dispatchImmediately } from './driverDispatch'
import { createProjectPorts, getErrorKey, TEST_NOW } from '../../testing/testPorts'

const ID = aBooking().id
const available = (step: number) => {
  const place = { lat: PICKUP.lat + step / 1000, lng: PICKUP.lng }
  return { carType: 'van', ...place, geohash: encodeGeohash(place), at: 1 }
}

/** Dispatches a booking near `driver`, then `other`. Returns the people whom it asks and reads. */
const dispatchBooking = async (
  dispatchMode: (typeof DISPATCH_MODES)[number],
  { promo_applied, own = {} }: { promo_applied: boolean; own?: Partial<User> },
) => {
  const { db, maps, bookings } = createProjectPorts({
    settings: aSettings({ autoDispatch: true, otp_secure: false, dispatchMode }),
    users: {
      rider: aRider({ bankAccount: 'UY 12-34', signupViaReferral: 'friend' }),
      friend: aRider({ id: 'friend', bankAccount: 'DE 1', mobile: '+15555550177' }),
      driver: aDriver(own),
      other: aDriver({ id: 'other' }),
    },
    available_drivers: { driver: available(0), other: available(1) },
    bookings: {
      [ID]: aBooking({
        status: 'NEW',
        bookingDate: TEST_NOW,
        carTypeId: 'van',
        paymentPacket: aCardPacket({ promo_applied }),
      }),
    },
  })
  const readUids = new Set<string>()
  const list: typeof db.list = (path, query) => {
    if (path.startsWith('users/')) readUids.add(path.slice('users/'.length))
    return db.list(path, query)
  }
  const ports = { db: { ...db, list }, maps, change: bookings.applyEvent }
  await dispatchImmediately(ports, ID, TEST_NOW)
  const { requestedDrivers = {} } = db.at(`bookings/${ID}`) as Booking
  return { asked: Object.keys(requestedDrivers), readUids: [...readUids] }
}

it.each(DISPATCH_MODES)(
  'in mode %s, no driver is asked whom a promo excludes from the booking',
  async (mode) => {
    const ties = [{ bankAccount: 'uy1234' }, { bankAccount: 'de1' }, { signupViaReferral: 'rider' }]
    for (const own of ties) {
      const { asked } = await dispatchBooking(mode, { promo_applied: true, own })
      expect(asked).toEqual(['other'])
      const { asked: withoutPromo } = await dispatchBooking(mode, { promo_applied: false, own })
      expect(withoutPromo).toContain('driver')
    }
  },
)

it.each(DISPATCH_MODES)(
  'in mode %s, people are read only for a booking with a promo',
  async (mode) => {
    expect((await dispatchBooking(mode, { promo_applied: false })).readUids).toEqual([])
    const { asked, readUids } = await dispatchBooking(mode, { promo_applied: true })
    expect(asked).toContain('driver')
    expect(readUids).toContain('rider')
  },
)

it.each([
  ['refuses the acceptance of a driver with the bank account of the referrer', true, 'DE-1', true],
  ['lets this driver accept without a promo', false, 'DE-1', false],
  ['lets another driver accept', true, 'DE-2', false],
])('%s, also after the bonus was paid', async (_, isPromo, bank, isRefused) => {
  const { bookings } = createProjectPorts({
    users: {
      rider: aRider({ signupViaReferral: 'friend', referralRewarded: true }),
      friend: aRider({ id: 'friend', bankAccount: 'DE 1' }),
      driver: aDriver({ bankAccount: bank }),
    },
    bookings: {
      [ID]: aBooking({
        requestedDrivers: { driver: true },
        paymentPacket: aCardPacket({ promo_applied: isPromo }),
      }),
    },
  })
  const accept = bookings.applyEvent(ID, { event: 'accept' }, { uid: 'driver', role: 'driver' })
  const refused = await accept.then(
    () => null,
    () => getErrorKey(accept),
  )
  expect(refused === 'driver_not_available').toBe(isRefused)
})
