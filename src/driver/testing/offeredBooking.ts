import { aBooking } from '~/domain/testing/builders'

/** Returns a new booking that has just been offered to the driver. */
export const offeredBooking = (id = aBooking().id, over: Parameters<typeof aBooking>[0] = {}) =>
  aBooking({
    id,
    booking_id: id,
    requestedDrivers: { driver: true },
    askedDrivers: { driver: Date.now() },
    ...over,
  })
