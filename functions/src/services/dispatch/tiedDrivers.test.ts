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
import { createProjectPorts, TEST_NOW } from '../../testing/testPorts'

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
      rider: aRider({ bankAccount: 'UY 12-34' }),
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
    for (const own of [{ bankAccount: 'uy1234' }, { signupViaReferral: 'rider' }]) {
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
