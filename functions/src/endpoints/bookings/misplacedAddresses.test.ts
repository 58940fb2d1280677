import { describe, expect, it } from 'vitest'
import { aBooking, aBookingRequest, DROP, PICKUP, ROUTE } from '~/domain/testing/builders'
import { toJson } from '~/domain/data/databaseValue'
import type { RecurringRecord } from '~/domain/recurring/series'
import { DomainException } from '../../domainException'
import { handleRequest } from '../../http/requestHandler'
import {
  createProjectPorts,
  straightLineMaps,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { advance_booking } from './advanceBooking'
import { change_recurring } from '../recurring/changeRecurring'
import { create_booking } from './createBooking'
import { save_recurring } from '../recurring/saveRecurring'
import { runRecurringBookings } from '../../services/recurring/recurringBookings'

const AIRPORT = { lat: -34.838, lng: -56.03, add: 'Aeropuerto de Carrasco' }
/** The text of the airport on a place in the middle of the city. */
const MISPLACED = { ...DROP, add: AIRPORT.add }
const NEAR = { ...DROP, lat: DROP.lat + 0.001, add: 'Next to the station' }
const ID = aBooking().id
const SERIES = '-Oseriesabcdefghijkl'
const A_SERIES = {
  series_id: SERIES,
  pickup: PICKUP,
  drop: DROP,
  carType: 'van',
  deliveryPerson: 'Carla',
  deliveryPersonPhone: '099 123 456',
  days: [5, 6],
  time: '18:00',
  from: '2026-11-20',
}

/** A city whose map knows one address, the airport. */
const aCity = () => {
  const maps = () =>
    Promise.resolve({
      ...straightLineMaps,
      autocomplete: (text: string) =>
        Promise.resolve(
          text === AIRPORT.add
            ? [
                {
                  description: `${AIRPORT.add}, Montevideo`,
                  place_id: 'airport',
                  mainText: AIRPORT.add,
                  secondaryText: 'Montevideo',
                  kind: 'aerodrome',
                  coords: { lat: AIRPORT.lat, lng: AIRPORT.lng },
                },
              ]
            : [],
        ),
      getDirections: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
    })
  const given = createProjectPorts({ bookings: { [ID]: aBooking() } }, { maps })
  const call = (endpoint: Parameters<typeof handleRequest>[0], input: object, uid = 'rider') =>
    handleRequest(
      endpoint,
      {
        input,
        caller: createCaller(given, uid),
        hasMapsBasicAuth: false,
        ip: '127.0.0.1',
        now: TEST_NOW,
      },
      given,
    ) as Promise<never>
  const refusal = { key: 'address_elsewhere' }
  const getRefusal = async (...request: Parameters<typeof call>) => {
    try {
      await call(...request)
      return undefined
    } catch (error) {
      if (!(error instanceof DomainException)) throw error
      const { key, field } = error.error
      return { key, field }
    }
  }
  return { given, call, getRefusal, refusal }
}

describe('an address that lies far from its position is refused at its field', () => {
  const request = {
    bookLater: true,
    tripdate: TEST_NOW + 3_600_000,
    booking_id: '-OAbcdefghijklmnopqs',
  }

  it('in a new booking', async () => {
    const { getRefusal, refusal } = aCity()
    const ask = (over: object) =>
      getRefusal(create_booking, aBookingRequest({ ...request, ...over }))
    expect(await ask({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await ask({ pickup: { ...PICKUP, add: AIRPORT.add } })).toEqual({
      ...refusal,
      field: 'pickup',
    })
    expect(await ask({ waypoints: [NEAR, MISPLACED] })).toEqual({ ...refusal, field: 'stop1' })
    expect(await ask({ drop: NEAR })).toBeUndefined()
  })

  it('in an amendment, and one with a fitting address is not', async () => {
    const { given, getRefusal, refusal } = aCity()
    const amend = (places: object) =>
      getRefusal(advance_booking, { booking_id: ID, event: 'amend', ...places })
    expect(await amend({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await amend({ pickup: { ...PICKUP, add: AIRPORT.add } })).toEqual({
      ...refusal,
      field: 'pickup',
    })
    expect(await amend({ waypoints: [MISPLACED] })).toEqual({ ...refusal, field: 'stop0' })
    expect(given.db.at(`bookings/${ID}/drop`)).toEqual(DROP)
    expect(await amend({ drop: NEAR })).toBeUndefined()
    expect(given.db.at(`bookings/${ID}/drop`)).toEqual(NEAR)
  })

  it('in a recurring booking, when it is saved and when it is edited', async () => {
    const { getRefusal, refusal } = aCity()
    const save = (over: object) => getRefusal(save_recurring, { ...A_SERIES, ...over })
    expect(await save({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await save({})).toBeUndefined()
    const edit = (over: object) =>
      getRefusal(change_recurring, { series_id: SERIES, action: 'edit', revision: 0, ...over })
    expect(await edit({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await edit({ waypoints: [MISPLACED] })).toEqual({ ...refusal, field: 'stop0' })
    expect(await edit({ drop: NEAR })).toBeUndefined()
  })
})

describe('the trips of a recurring booking with such an address', () => {
  const path = `internal/recurring/rider/series/${SERIES}`

  it('get no booking when an earlier release saved it, until the office confirms it', async () => {
    const { given, call, getRefusal } = aCity()
    await call(save_recurring, A_SERIES)
    const record = given.db.at('internal/recurring/rider') as RecurringRecord
    const saved = record.series![SERIES]!
    const old = { ...saved, trip: { ...saved.trip, drop: MISPLACED } }
    await given.db.update({
      'internal/recurring/rider': toJson({
        ...record,
        revision: record.revision + 1,
        series: { [SERIES]: old },
      }),
    })
    const run = () => runRecurringBookings(given, TEST_NOW, () => true)
    expect(await run()).toMatchObject({ made: 0, refused: 1 })
    expect(Object.values(given.db.at(`${path}/problems`) as object)).toEqual([
      expect.objectContaining({ key: 'address_elsewhere' }),
    ])
    const confirm = { series_id: SERIES, action: 'edit', revision: 0, addressesConfirmed: true }
    expect(await getRefusal(change_recurring, confirm)).toEqual({
      key: 'not_allowed',
      field: 'addressesConfirmed',
    })
    await call(change_recurring, { ...confirm, customer: 'rider' }, 'admin')
    expect(await run()).toMatchObject({ made: 1, refused: 0 })
  })

  it('stay confirmed when a rider edits other places, which are checked', async () => {
    const { given, call, getRefusal, refusal } = aCity()
    const office = { ...A_SERIES, customer: 'rider', drop: MISPLACED }
    await call(save_recurring, { ...office, addressesConfirmed: true }, 'admin')
    expect(given.db.at(`${path}/trip/addressesConfirmed`)).toBe(true)
    const edit = { series_id: SERIES, action: 'edit', revision: 0 }
    expect(
      await getRefusal(change_recurring, { ...edit, pickup: { ...PICKUP, add: AIRPORT.add } }),
    ).toEqual({
      ...refusal,
      field: 'pickup',
    })
    await call(change_recurring, { ...edit, pickup: NEAR })
    expect(await runRecurringBookings(given, TEST_NOW, () => true)).toMatchObject({ refused: 0 })
  })

  it('are booked for the office, which saved them with an earlier release', async () => {
    const { given, call } = aCity()
    await call(save_recurring, { ...A_SERIES, customer: 'rider' }, 'admin')
    const record = given.db.at('internal/recurring/rider') as RecurringRecord
    const saved = record.series![SERIES]!
    await given.db.update({
      'internal/recurring/rider': toJson({
        ...record,
        revision: record.revision + 1,
        series: { [SERIES]: { ...saved, trip: { ...saved.trip, drop: MISPLACED } } },
      }),
    })
    const made = await runRecurringBookings(given, TEST_NOW, () => true)
    expect(made).toMatchObject({ made: 1, refused: 0 })
  })
})

it('the office confirms an address in an amendment, and a rider does not', async () => {
  const { given, call, getRefusal } = aCity()
  const amend = { booking_id: ID, event: 'amend', drop: MISPLACED, addressesConfirmed: true }
  expect(await getRefusal(advance_booking, amend)).toEqual({
    key: 'not_allowed',
    field: 'addressesConfirmed',
  })
  await call(advance_booking, amend, 'admin')
  expect(given.db.at(`bookings/${ID}/drop`)).toEqual(MISPLACED)
})
