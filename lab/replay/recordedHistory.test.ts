import { describe, expect, it } from 'vitest'
import {
  aBooking,
  aSettings,
  aVehicleType,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
} from '~/domain/testing/builders'
import { createHistoryCollector } from './recordedHistory'
import { USUAL_BEHAVIOR } from '~/domain/replay/scenario'
import { HOUR_MS } from '~/domain/language/timeUnits'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'

const settings = aSettings()
const vehicleTypes = { van: aVehicleType() }
const period = { from: NOON - HOUR_MS, to: NOON + 23 * HOUR_MS }

const collect = (bookings: readonly Booking[], offers: readonly Offer[] = []) => {
  const collector = createHistoryCollector(period, settings)
  for (const booking of bookings) collector.addBooking(booking)
  for (const offer of offers) collector.addOffer(offer)
  return collector.createScenario(settings, vehicleTypes)
}
/** Returns the times of a driven booking that begins some minutes after noon. */
const aTrip = (id: string, minutes: number, over: Partial<Booking> = {}): Booking => {
  const began = NOON + minutes * MINUTE
  return aBooking({
    id,
    status: 'PAID',
    bookingDate: began,
    accepted_at: began + MINUTE,
    driver_arrive_time: began + 5 * MINUTE,
    startTime: began + 7 * MINUTE,
    endTime: began + 22 * MINUTE,
    event_log: {
      create: { event: 'create', by: 'rider', at: began, status: 'NEW', revision: 1 },
      finish: {
        event: 'finish',
        by: 'driver',
        at: began + 23 * MINUTE,
        status: 'PENDING',
        revision: 6,
      },
    },
    ...over,
  })
}
const anOffer = (over: Partial<Offer>): Offer => ({
  driver: 'driver',
  at: NOON,
  expires: NOON + 30_000,
  eta_s: 120,
  by: 'system',
  ...over,
})

describe('the demand of an operator’s history', () => {
  it('keeps the times and places of a trip, without names and addresses', () => {
    const { requests } = collect([aTrip('-booking', 0)])
    expect(requests).toEqual([
      {
        id: expect.any(String),
        at: NOON,
        pickup: { lat: PICKUP.lat, lng: PICKUP.lng, add: '-34.90580, -56.19130' },
        drop: { lat: DROP.lat, lng: DROP.lng, add: '-34.89410, -56.15210' },
        carType: 'van',
        km: 5.2,
        plannedSeconds: 900,
        tripSeconds: 15 * 60,
        pickupSeconds: 120,
        dropSeconds: 60,
        patienceSeconds: expect.any(Number),
      },
    ])
    expect(JSON.stringify(requests)).not.toMatch(/Lima|Independencia|-booking/)
  })

  it('takes the patience of a rider who gave up from their cancellation', () => {
    const gaveUp = aBooking({
      status: 'CANCELLED',
      cancelled_at: NOON + 4 * MINUTE,
      cancelledBy: 'rider',
    })
    expect(collect([gaveUp]).requests[0]?.patienceSeconds).toBe(240)
  })

  it('gives a rider who waited long at least that patience', () => {
    const waited = aTrip('-booking', 0, { accepted_at: NOON + 20 * MINUTE })
    expect(collect([waited]).requests[0]?.patienceSeconds).toBe(1200)
  })

  it('repeats a cancellation by the rider after the acceptance, and none by the driver', () => {
    const canceled = (cancelledBy: string) =>
      aTrip('-booking', 0, {
        status: 'CANCELLED',
        cancelled_at: NOON + 3 * MINUTE,
        cancelledBy,
        startTime: undefined,
        endTime: undefined,
      })
    expect(collect([canceled('rider')]).requests[0]?.cancelSeconds).toBe(120)
    expect(collect([canceled('driver')]).requests[0]).not.toHaveProperty('cancelSeconds')
  })

  it('leaves out unpaid bookings, other days and vehicle types that no longer exist', () => {
    const unpaid = aBooking({
      status: 'PAYMENT_PENDING',
      event_log: {
        create: {
          event: 'create',
          by: 'rider',
          at: NOON,
          status: 'PAYMENT_PENDING',
          revision: 1,
        },
      },
    })
    const { requests } = collect([
      unpaid,
      aTrip('-before', -120),
      aTrip('-after', 24 * 60),
      aTrip('-gone', 0, { carTypeId: 'gone' }),
    ])
    expect(requests).toEqual([])
  })

  it('has the same scenario in whatever order the records are read', () => {
    const bookings = [aTrip('-a', 0), aTrip('-b', 0), aTrip('-c', 300, { driver: 'other' })]
    expect(collect(bookings.toReversed())).toEqual(collect(bookings))
  })
})

describe('the drivers of an operator’s history', () => {
  it('puts a driver on duty around their trips, with a break where they had none for hours', () => {
    const { drivers } = collect([aTrip('-a', 0), aTrip('-b', 60), aTrip('-c', 300)])
    expect(drivers).toEqual([
      {
        uid: 'driver',
        carType: 'van',
        duty: [
          {
            from: NOON - 9 * MINUTE,
            to: NOON + 92 * MINUTE,
            place: { lat: PICKUP.lat, lng: PICKUP.lng },
          },
          // The afternoon begins where the morning ended.
          {
            from: NOON + 291 * MINUTE,
            to: NOON + 332 * MINUTE,
            place: { lat: DROP.lat, lng: DROP.lng },
          },
        ],
      },
    ])
  })

  it('counts offers as duty too', () => {
    const { drivers } = collect([aTrip('-a', 0)], [anOffer({ at: NOON + 100 * MINUTE })])
    expect(drivers[0]?.duty.map(({ to }) => to)).toEqual([NOON + 110 * MINUTE])
  })

  it('takes the answers of drivers from enough recorded offers', () => {
    const offers = (['accepted', 'declined', 'expired', 'expired'] as const).flatMap((answer) =>
      Array.from({ length: 60 }, () => anOffer({ answer })),
    )
    expect(collect([], offers.slice(0, 100)).behavior).toEqual(USUAL_BEHAVIOR)
    expect(collect([], offers).behavior).toMatchObject({
      // A quarter accepted, at a mean of two minutes.
      acceptShare: 0.25 + 2 * USUAL_BEHAVIOR.acceptLossPerMinute,
      declineShare: 1 / 3,
    })
  })
})
