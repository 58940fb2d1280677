import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteFare } from '../../../money/fare'
import { roundAmount, sumAmounts, toMinorUnits } from '../../../money/money'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  anEventContext,
  aPromo,
  aRider,
  aSettings,
  aVehicleType,
  driver,
  MINUTE,
  NOON,
  PICKUP,
  rider,
  ROUTE,
} from '../../../testing/builders'
import { applyBookingEvent } from '../../applyBookingEvent'
import type { Actor } from '../../eventTypes'
import type { EventContext } from '../../eventContext'
import type { EventInputFor } from '../../eventInput'
import type { Booking, PaymentPacket } from '../../types'

const NOW = NOON + 5 * MINUTE
const FAR = { lat: -34.85, lng: -56.1, add: 'Carrasco' }
const FAR_ROUTE = { distance_in_km: 12, time_in_secs: 1500, polylinePoints: '' }
const BIKE = aVehicleType({ id: 'bike', name: 'Bike', base_fare: 2, parcelTypes: [] })
const ID = aBooking().id
const at = (field: string) => `bookings/${ID}/${field}`

const amend = (
  booking: Booking,
  input: Omit<EventInputFor<'amend'>, 'event'>,
  context: Partial<EventContext> = {},
  actor: Actor = rider,
) =>
  applyBookingEvent(
    booking,
    { event: 'amend', ...input },
    { actor, context: anEventContext(context), now: NOW },
  )
const refusal = (result: ReturnType<typeof amend>) => (result.ok ? undefined : result.error)
const change = (result: ReturnType<typeof amend>) => {
  if (!result.ok) throw new Error(result.error.key)
  return result.value
}
/** Returns the price of `aVehicleType` over the long route. */
const getPrice = (booking: Booking, carType = aVehicleType()) =>
  quoteFare({
    carType,
    settings: aSettings(),
    distanceKm: FAR_ROUTE.distance_in_km,
    seconds: FAR_ROUTE.time_in_secs,
    parcelType: booking.parcelTypeSelected,
    option: booking.optionSelected,
  }).estimateFare

describe('a new drop-off', () => {
  const booking = aBooking({ status: 'ACCEPTED' })
  const price = getPrice(booking)

  test('changes the places and the price together, and keeps the old price in the history', () => {
    const { updates, response } = change(
      amend(booking, { drop: FAR, estimateFare: price }, { route: FAR_ROUTE }),
    )
    expect(updates[at('drop')]).toEqual(FAR)
    expect(updates[at('dropAddress')]).toBe('Carrasco')
    expect(updates[at('trip_cost')]).toBe(price)
    expect(updates[at('revision')]).toBe(booking.revision + 1)
    const added = Object.entries(updates).filter(([path]) => path.startsWith(at('fare_history/')))
    expect(added).toHaveLength(1)
    expect(added[0]?.[1]).toMatchObject({ kind: 'revision', cause: 'amended', total: price })
    expect(updates[at(`event_log/amend_${response.revision}`)]).toMatchObject({
      event: 'amend',
      by: 'rider',
      ref: 'drop',
    })
  })

  test('notifies the driver of the changed fields', () => {
    const { pushes } = change(
      amend(booking, { drop: FAR, estimateFare: price }, { route: FAR_ROUTE }),
    )
    expect(pushes).toEqual([
      expect.objectContaining({
        to: 'driver',
        title: 'push_amended_title',
        params: { changes: 'drop' },
      }),
    ])
  })

  test.each([1, undefined])(
    'requires agreement to a higher price when the caller agreed to %s',
    (agreed) => {
      const refused = refusal(
        amend(booking, { drop: FAR, estimateFare: agreed }, { route: FAR_ROUTE }),
      )
      expect(refused).toMatchObject({ key: 'estimate_changed', params: { estimate: price } })
    },
  )

  test('requires no agreement to a lower price', () => {
    const short = { ...ROUTE, distance_in_km: 4 }
    const { updates } = change(amend(booking, { drop: FAR }, { route: short }))
    expect(updates[at('trip_cost')]).toBeLessThan(booking.trip_cost)
  })

  test.each([
    ['the rider lowers the price under way', 'STARTED', undefined, 1],
    ['the rider lowers it before the start', 'ARRIVED', undefined, 0],
    ['an admin lowers it under way', 'STARTED', admin, 0],
  ] as const)('tells the office when %s', (_, status, actor, count) => {
    const short = { ...ROUTE, distance_in_km: 4 }
    const { updates } = change(amend(aBooking({ status }), { drop: FAR }, { route: short }, actor))
    const events = Object.values(updates).map(
      (value) => (value as { event?: string } | null)?.event,
    )
    expect(events.filter((event) => event === 'fare_lowered')).toHaveLength(count)
  })

  test.each([
    ['does not tell it again within a minute', 59_000, true, 0],
    ['tells it after another change in that minute', 59_000, undefined, 1],
    ['tells it again after a minute', 60_000, true, 1],
  ])('%s', (_, agoMs, lowered, count) => {
    const at = NOW - agoMs
    const amendmentNotice = { at, due: at + 60_000, revision: 1, ...(lowered && { lowered }) }
    const started = aBooking({ status: 'STARTED' })
    const short = { ...ROUTE, distance_in_km: 4 }
    const { updates } = change(amend(started, { drop: FAR }, { route: short, amendmentNotice }))
    expect(Object.keys(updates).filter((path) => path.endsWith('-fare_lowered'))).toHaveLength(
      count,
    )
    expect(updates[`internal/amendment_notices/${started.id}`]).toMatchObject({ lowered: true })
  })

  test.each([
    ['now', 60_000, undefined, 4, ['amended', 'share_lowered']],
    ['with the next push', 59_000, undefined, 4, []],
    ['not when it rises', 60_000, undefined, 12, ['amended']],
    [
      'that waited, also when it has risen a little since',
      60_000,
      100,
      12,
      ['amended', 'share_lowered'],
    ],
  ] as const)('says a lower share to its driver %s', (_, agoMs, known, km, events) => {
    const at = NOW - agoMs
    const amendmentNotice = {
      ...{ at, due: at + 60_000, revision: 1, waiting: 'drop' },
      ...(known && { knownShare: known }),
    }
    const started = aBooking({ status: 'STARTED', driver: 'driver' })
    const route = { ...FAR_ROUTE, distance_in_km: km }
    const input = { drop: FAR, ...(km > 5 && { estimateFare: price }) }
    const { pushes, updates } = change(amend(started, input, { route, amendmentNotice }))
    expect(pushes.map(({ title }) => title)).toEqual(events.map((event) => `push_${event}_title`))
    expect(updates[`internal/amendment_notices/${started.id}`]).toEqual({
      ...(events.length > 0
        ? { at: NOW, due: NOW + 60_000 }
        : { at, due: at + 60_000, waiting: 'drop', knownShare: started.driver_share }),
      ...(km < 5 && { lowered: true }),
      revision: 2,
    })
  })

  test('is possible while the driver is on the way to it', () => {
    const started = aBooking({ status: 'STARTED' })
    expect(amend(started, { drop: FAR, estimateFare: price }, { route: FAR_ROUTE }).ok).toBe(true)
    const reached = aBooking({ status: 'REACHED' })
    expect(
      refusal(amend(reached, { drop: FAR, estimateFare: price }, { route: FAR_ROUTE }))?.key,
    ).toBe('event_not_possible')
  })

  test.each([
    ['cannot be priced without the road that the car has driven', 2, null, 'place_to_coords_error'],
    ['is possible when the car is still at the pickup', 0.2, null, undefined],
    ['is possible when the road is known', 2, ROUTE, undefined],
  ])('%s', (_, kmFromPickup, roadSoFar, key) => {
    const started = aBooking({ status: 'STARTED', startTime: NOW - 15 * MINUTE })
    const location = { lat: PICKUP.lat + kmFromPickup / 111.195, lng: PICKUP.lng }
    const context = { route: ROUTE, roadSoFar, driver: aDriver({ location }) }
    const refused = refusal(amend(started, { drop: FAR, estimateFare: price }, context))
    expect(refused?.key === 'estimate_changed' ? undefined : refused?.key).toBe(key)
  })

  test.each([
    ['the pickup itself', { drop: PICKUP }, {}, 'same_place', 'drop'],
    ['a place without a route', { drop: FAR }, { route: null }, 'place_to_coords_error', undefined],
    [
      'an address far from its position',
      { drop: FAR, estimateFare: price },
      { route: FAR_ROUTE, misplacedAddress: 'drop' },
      'address_elsewhere',
      'drop',
    ],
    [
      'an address far from its position that a rider confirms',
      { drop: FAR, estimateFare: price, addressesConfirmed: true as const },
      { route: FAR_ROUTE, misplacedAddress: 'drop' },
      'not_allowed',
      'addressesConfirmed',
    ],
  ])('cannot be %s', (_, input, context, key, field) => {
    const refused = refusal(amend(booking, input, context))
    expect(refused?.key).toBe(key)
    expect(refused?.field).toBe(field)
  })
})

test('changes nothing when the booking already has the requested details', () => {
  const booking = aBooking({ status: 'ACCEPTED' })
  const contacts = { pickUpInstructions: 'Ring twice' }
  const same = { drop: booking.drop, waypoints: [], pickUpInstructions: 'Ring twice' }
  const { updates, pushes, response } = change(
    amend(booking, { ...same, estimateFare: booking.trip_cost, revision: 1 }, { contacts }),
  )
  expect(updates).toEqual({})
  expect(pushes).toEqual([])
  expect(response.revision).toBe(booking.revision)
})

test('refuses the second of two amendments and returns the current state', () => {
  const entry = { event: 'amend', by: 'admin', at: NOW, status: 'NEW' as const, revision: 3 }
  const booking = aBooking({ revision: 3, event_log: { amend_3: entry } })
  const input = { pickUpInstructions: 'Ring twice' }
  expect(refusal(amend(booking, { ...input, revision: 2 }))).toMatchObject({
    key: 'changed_meanwhile',
    params: { revision: 3, status: 'NEW', estimate: booking.trip_cost },
  })
  expect(amend(booking, { ...input, revision: 3 }).ok).toBe(true)
})

test.each([
  ['a vehicle type after a driver accepted', 'ACCEPTED', { carType: 'bike' }, 'carType'],
  ['a pickup after the start', 'STARTED', { pickup: FAR }, 'pickup'],
  ['a time after the start', 'STARTED', { tripdate: NOW + 60 * MINUTE }, 'tripdate'],
  ['a recipient after the start', 'STARTED', { deliveryPerson: 'Gil' }, 'deliveryPerson'],
] as const)('refuses %s', (_, status, input, field) => {
  expect(refusal(amend(aBooking({ status }), input, { carType: BIKE }))).toMatchObject({
    key: 'event_not_possible',
    field,
  })
})

test.each([
  [
    'a time that is too near',
    { tripdate: NOW + 14 * MINUTE },
    {},
    'past_booking_error',
    'tripdate',
  ],
  [
    'a time that is too far ahead',
    { tripdate: NOW + 366 * 1440 * MINUTE },
    {},
    'too_far_ahead',
    'tripdate',
  ],
  ['an unknown vehicle type', { carType: 'none' }, { carType: null }, 'select_proper', 'carType'],
  [
    'a pickup without a driver nearby',
    { pickup: FAR },
    { isDriverNearby: false },
    'no_driver_found_alert_messege',
    undefined,
  ],
  [
    'a recipient who cannot be called',
    { deliveryPersonPhone: '12' },
    {},
    'deliveryDetailMissing',
    'deliveryPersonPhone',
  ],
])('refuses %s, as for a new booking', (_, input, context, key, field) => {
  const refused = refusal(amend(aBooking(), input, context))
  expect(refused?.key).toBe(key)
  expect(refused?.field).toBe(field)
})

test('withdraws the offers when the vehicle type changes', () => {
  const booking = aBooking({ requestedDrivers: { d1: true }, askedDrivers: { d1: NOON } })
  const { updates, pushes } = change(
    amend(
      booking,
      { carType: 'bike', estimateFare: getPrice(booking, BIKE) },
      {
        carType: BIKE,
        route: FAR_ROUTE,
      },
    ),
  )
  expect(updates[at('requestedDrivers')]).toBeNull()
  expect(updates[at('askedDrivers')]).toBeNull()
  expect(updates[`driver_tasks/d1/${ID}`]).toBeNull()
  expect(updates[at('carTypeId')]).toBe('bike')
  expect(pushes).toEqual([])
})

test('keeps the offers and notifies their drivers when only the notes change', () => {
  const booking = aBooking({ requestedDrivers: { d1: true } })
  const { updates, pushes } = change(amend(booking, { deliveryInstructions: 'Back door' }))
  expect(updates).not.toHaveProperty([at('requestedDrivers')])
  expect(pushes.map(({ to }) => to)).toEqual(['d1'])
})

test('turns a booking for now into a later one with a new time', () => {
  const tripdate = NOW + 60 * MINUTE
  const { updates } = change(amend(aBooking(), { tripdate }))
  expect(updates[at('tripdate')]).toBe(tripdate)
  expect(updates[at('bookLater')]).toBe(true)
})

test("stores the recipient's phone number apart from the booking", () => {
  const { updates } = change(
    amend(
      aBooking(),
      { deliveryPersonPhone: '099 765 432' },
      { contacts: { deliveryPersonPhone: '099 123 456' } },
    ),
  )
  expect(updates[`booking_contacts/${ID}/deliveryPersonPhone`]).toBe('099 765 432')
  expect(
    JSON.stringify(Object.entries(updates).filter(([p]) => p.startsWith(at('')))),
  ).not.toContain('765')
})

test.each([
  ['ends the old link and messages the corrected recipient once a driver has accepted', true, true],
  ['sends no recipient a message before', false, false],
])('%s', (_, isAccepted, isSent) => {
  const accept = { event: 'accept', by: 'd1', at: NOON, status: 'ACCEPTED', revision: 2 } as const
  const booking = aBooking(isAccepted ? { status: 'ACCEPTED', event_log: { accept } } : {})
  const corrected = { deliveryPersonPhone: '099 765 432' }
  const { updates } = change(
    amend(booking, corrected, {
      contacts: { deliveryPersonPhone: '099 123 456' },
      sharedRecipientLink: 'token',
    }),
  )
  expect(updates['shares/token/revoked']).toBe(isAccepted ? true : undefined)
  const sent = Object.keys(updates).filter((path) => path.includes('parcel_sent-recipient'))
  expect(sent).toHaveLength(isSent ? 1 : 0)
  const other = change(amend(booking, { deliveryInstructions: 'Back door' }))
  expect(Object.keys(other.updates).join()).not.toContain('parcel_sent')
})

test('notifies the rider and records the names of the fields when an admin amends', () => {
  const { updates, pushes } = change(
    amend(aBooking(), { pickUpInstructions: 'Ring twice' }, {}, admin),
  )
  expect(pushes.map(({ to }) => to)).toEqual(['rider'])
  const audit = Object.entries(updates).filter(([path]) => path.startsWith('audit/'))
  expect(audit).toHaveLength(1)
  expect(audit[0]?.[1]).toMatchObject({
    action: 'booking_amend',
    to: { fields: ['pickUpInstructions'] },
  })
  expect(JSON.stringify(audit)).not.toContain('Ring twice')
})

test.each([
  ['another rider', { uid: 'rider2', role: 'rider' }],
  ['the driver', driver],
  ['the fleet admin', { uid: 'fleet', role: 'fleetadmin' }],
] as const)('refuses an amendment by %s', (_, actor) => {
  const booking = aBooking({ status: 'ACCEPTED', fleetadmin: 'fleet' })
  expect(refusal(amend(booking, { drop: FAR }, {}, actor))?.key).toBe('not_allowed')
})

describe('money that was paid before', () => {
  const paidByWallet = (price: number): PaymentPacket =>
    aCardPacket({
      payment_mode: 'wallet',
      customer_paid: price,
      usedWalletMoney: price,
      cardPaymentAmount: 0,
      payableAmount: 0,
    })

  test('returns a surplus to the wallet', () => {
    const booking = aBooking({ prepaid: true, paymentPacket: paidByWallet(43.13) })
    const { updates } = change(
      amend(booking, { drop: FAR }, { route: { ...ROUTE, distance_in_km: 3 } }),
    )
    const packet = updates[at('paymentPacket')] as unknown as PaymentPacket
    const revision = booking.revision + 1
    expect(packet.cashPaymentAmount).toBe(0)
    expect(updates[`users/rider/walletHistory/${ID}-amend_${revision}-returned`]).toMatchObject({
      type: 'Credit',
      amount: roundAmount(43.13 - packet.usedWalletMoney, 2),
    })
    expect(updates[at('prepaid')]).toBe(true)
  })

  test.each([
    [1000, 'nothing', true],
    [5, 'the difference', false],
  ])('with %s in the wallet leaves %s due in cash', (walletBalance, cash, prepaid) => {
    const booking = aBooking({ prepaid: true, paymentPacket: paidByWallet(43.13) })
    const { updates } = change(
      amend(
        booking,
        { drop: FAR, estimateFare: getPrice(booking) },
        {
          route: FAR_ROUTE,
          customer: aRider({ walletBalance }),
        },
      ),
    )
    const packet = updates[at('paymentPacket')] as unknown as PaymentPacket
    expect(packet.cashPaymentAmount).toBeCloseTo(
      cash === 'nothing' ? 0 : getPrice(booking) - 43.13,
      2,
    )
    expect(updates[at('prepaid')]).toBe(prepaid)
  })

  test('refuses a price below the minimum of the promo', () => {
    const packet = aCardPacket({
      discount_amount: 4.31,
      customer_paid: 38.82,
      cardPaymentAmount: 38.82,
      payableAmount: 38.82,
      promo_applied: true,
      promo_details: { id: 'spring', promo_name: 'SPRING' },
    })
    const booking = aBooking({ paymentPacket: packet, promo_details: packet.promo_details! })
    const refused = refusal(
      amend(
        booking,
        { drop: FAR },
        {
          promo: aPromo({ min_order: 40 }),
          route: { ...ROUTE, distance_in_km: 1 },
        },
      ),
    )
    expect(refused).toMatchObject({ key: 'promo_min_order', field: 'promo' })
  })

  test('neither creates nor loses money in 10,000 random amendments', () => {
    const settled = new Set<string>()
    // Doubles of fast-check are mostly near zero, because they are uniform in their exponent.
    const shares = fc.nat(2 ** 31 - 1).map((n) => n / 2 ** 31)
    const trips = fc.record({
      decimal: fc.constantFrom(0, 2, 2, 3),
      tripCost: shares.map((share) => 20 + share * 80),
      promo: fc.option(
        fc.record({
          min_order: fc.constantFrom(0, 30),
          discount: shares.map((share) => share * 20),
        }),
        { freq: 2 },
      ),
      walletShare: fc.oneof(fc.constant(0), fc.constant(1), shares),
      isCard: fc.boolean(),
      walletBalance: shares.map((share) => share * 60),
      newKm: shares.map((share) => share * 15),
    })
    const keepsMoney = fc.property(trips, (trip) => {
      const { decimal } = trip
      const settings = aSettings({ decimal })
      const round = (amount: number) => roundAmount(amount, decimal)
      const trip_cost = round(trip.tripCost)
      const promo = trip.promo && aPromo({ min_order: trip.promo.min_order })
      const discount = trip.promo ? round(Math.min(trip_cost, trip.promo.discount)) : 0
      const owed = sumAmounts([trip_cost, -discount], decimal)
      const wallet = round(owed * trip.walletShare)
      const rest = sumAmounts([owed, -wallet], decimal)
      const card = trip.isCard ? rest : 0
      const packet = aCardPacket({
        payment_mode: card > 0 ? 'card' : wallet === owed ? 'wallet' : 'cash',
        customer_paid: owed,
        discount_amount: discount,
        usedWalletMoney: wallet,
        cardPaymentAmount: card,
        cashPaymentAmount: sumAmounts([rest, -card], decimal),
        payableAmount: rest,
        promo_applied: promo !== null,
        promo_details: promo && { id: promo.id, promo_name: promo.promo_name },
      })
      const booking = aBooking({ trip_cost, paymentPacket: packet, status: 'ACCEPTED' })
      const walletBalance = round(trip.walletBalance)
      const context = {
        settings,
        promo,
        customer: aRider({ walletBalance }),
        route: { ...ROUTE, distance_in_km: trip.newKm },
      }
      const asked = refusal(amend(booking, { drop: FAR, estimateFare: -1 }, context))
      const price = Number(asked?.params?.estimate)
      const result = amend(booking, { drop: FAR, estimateFare: price }, context)
      if (!result.ok) {
        settled.add(result.error.key)
        expect(result.error.key).toBe('promo_min_order')
        return
      }
      const { updates } = result.value
      const after = updates[at('paymentPacket')] as unknown as PaymentPacket
      const minor = (amount: number) => toMinorUnits(amount, decimal)
      const balance = (updates['users/rider/walletBalance'] as number | undefined) ?? walletBalance
      const returned = minor(balance) - minor(walletBalance)
      const received = (p: PaymentPacket) => minor(p.usedWalletMoney) + minor(p.cardPaymentAmount)
      expect(received(packet) - received(after)).toBe(returned)
      expect(minor(price)).toBe(
        received(after) + minor(after.cashPaymentAmount) + minor(after.discount_amount),
      )
      for (const part of [after.cashPaymentAmount, after.usedWalletMoney, after.cardPaymentAmount])
        expect(part).toBeGreaterThanOrEqual(0)
      expect(after.cardPaymentAmount).toBeLessThanOrEqual(card)
      expect(balance).toBeGreaterThanOrEqual(0)
      expect(updates[at('prepaid')]).toBe(after.cashPaymentAmount === 0)
      settled.add(returned > 0 ? 'returned' : returned < 0 ? 'taken' : 'kept')
    })
    fc.assert(keepsMoney, { seed: 27, numRuns: 10_000 })
    expect([...settled].sort()).toEqual(['kept', 'promo_min_order', 'returned', 'taken'])
  })
})
