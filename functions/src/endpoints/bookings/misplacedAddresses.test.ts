import { describe, expect, it } from 'vitest'
import { aBooking, aBookingRequest, DROP, PICKUP, ROUTE } from '~/domain/testing/builders'
import { DomainException } from '../../domainException'
import { handleRequest } from '../../http/requestHandler'
import { createProjectPorts, straightLineMaps, TEST_NOW } from '../../testing/testPorts'
import { advance_booking } from './advanceBooking'
import { change_recurring } from '../recurring/changeRecurring'
import { create_booking } from './createBooking'
import { save_recurring } from '../recurring/saveRecurring'

const AIRPORT = { lat: -34.838, lng: -56.03, add: 'Aeropuerto de Carrasco' }
/** The text of the airport on a place in the middle of the city. */
const MISPLACED = { ...DROP, add: AIRPORT.add }
const NEAR = { ...DROP, lat: DROP.lat + 0.001, add: 'Next to the station' }
const ID = aBooking().id
const SERIES = '-Oseriesabcdefghijkl'

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
  const call = (endpoint: Parameters<typeof handleRequest>[0], input: object) =>
    handleRequest(
      endpoint,
      { input, caller: { uid: 'rider' }, hasMapsBasicAuth: false, ip: '127.0.0.1', now: TEST_NOW },
      given,
    ) as Promise<never>
  const refusal = { key: 'place_to_coords_error' }
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
    const save = (over: object) =>
      getRefusal(save_recurring, {
        series_id: SERIES,
        pickup: PICKUP,
        drop: DROP,
        carType: 'van',
        deliveryPerson: 'Carla',
        deliveryPersonPhone: '099 123 456',
        days: [5, 6],
        time: '18:00',
        from: '2026-11-20',
        ...over,
      })
    expect(await save({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await save({})).toBeUndefined()
    const edit = (over: object) =>
      getRefusal(change_recurring, { series_id: SERIES, action: 'edit', revision: 0, ...over })
    expect(await edit({ drop: MISPLACED })).toEqual({ ...refusal, field: 'drop' })
    expect(await edit({ waypoints: [MISPLACED] })).toEqual({ ...refusal, field: 'stop0' })
    expect(await edit({ drop: NEAR })).toBeUndefined()
  })
})
