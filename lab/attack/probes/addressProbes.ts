import { DAY_MS } from '~/domain/language/timeUnits'
import { createProbes, firstProblem } from './probe'

/** An address of the demo city that is 15 km from the places of the probes. */
const AIRPORT = 'Aeropuerto Internacional de Carrasco'
const DROP = { lat: -34.8855, lng: -56.1813, add: AIRPORT }
/** The same with one word less and one more, and with the quarter of the position. */
const VARIANTS = [
  'Aeropuerto Carrasco llegadas',
  'Aeropuerto de Carrasco, Villa Muñoz, Montevideo, Uruguay',
]
const EXPECTED = 'address_elsewhere'

export const addressProbes = createProbes('addresses', {
  'no booking has the address of a far place on a near position': async (scene) => {
    const rider = await scene.createUser()
    const honest = await scene.request(rider)
    const creation = await scene.call(rider, 'create_booking', {
      ...honest,
      booking_id: scene.createPushKey(),
      drop: DROP,
    })
    const accepted = await scene.call(rider, 'create_booking', honest)
    if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
    const amend = { booking_id: honest.booking_id, event: 'amend' }
    const amended = await scene.call(rider, 'advance_booking', { ...amend, drop: DROP })
    const stopped = await scene.call(rider, 'advance_booking', { ...amend, waypoints: [DROP] })
    const varied: (string | false)[] = []
    for (const add of VARIANTS) {
      const drop = { ...DROP, add }
      const { key } = await scene.call(rider, 'advance_booking', { ...amend, drop })
      varied.push(key !== EXPECTED && `“${add}” was answered with ${key ?? 'success'}`)
    }
    const claim = { drop: DROP, addressesConfirmed: true }
    const confirmed = await scene.call(rider, 'advance_booking', { ...amend, ...claim })
    return firstProblem(
      ...varied,
      confirmed.key !== 'not_allowed' &&
        `a rider’s confirmation was answered with ${confirmed.key ?? 'success'}`,
      creation.key !== EXPECTED && `the booking was answered with ${creation.key ?? 'success'}`,
      amended.key !== EXPECTED && `the amendment was answered with ${amended.key ?? 'success'}`,
      stopped.key !== EXPECTED && `the stop was answered with ${stopped.key ?? 'success'}`,
    )
  },

  'no recurring booking has the address of a far place on a near position': async (scene) => {
    const rider = await scene.createUser()
    const { pickup, carType, deliveryPerson, deliveryPersonPhone } = await scene.request(rider)
    const { key } = await scene.call(rider, 'save_recurring', {
      ...{ pickup, carType, deliveryPerson, deliveryPersonPhone },
      series_id: scene.createPushKey(),
      drop: DROP,
      days: [1],
      time: '08:00',
      from: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10),
      payment: 'cash',
    })
    return key === EXPECTED ? undefined : `it was answered with ${key ?? 'success'}`
  },
})
