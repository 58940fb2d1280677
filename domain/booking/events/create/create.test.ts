import { expect, test } from 'vitest'
import {
  admin,
  aVehicleType,
  aBookingRequest,
  aRider,
  aSettings,
  anEventContext,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
  rider,
  ROUTE,
} from '../../../testing/builders'
import type { CreateBookingInput } from '../../../api/inputs/bookings'
import { createPushKey } from '../../../data/pushKeys'
import { applyCreation } from '../../../testing/creation'
import { applyBookingEvent } from '../../applyBookingEvent'
import type { Actor } from '../../eventTypes'
import { quoteFare } from '../../../money/fare'
import { encodePolyline } from '../../../geo/polyline'
import type { EventContext } from '../../eventContext'
import type { Booking } from '../../types'
import type { UserType } from '../../../access/types'

const ID = aBookingRequest().booking_id
const refusedWith = (result: ReturnType<typeof applyCreation>) =>
  result.ok ? undefined : result.error
const made = (result: ReturnType<typeof applyCreation>) => {
  if (!result.ok) throw new Error(result.error.key)
  return result.value.updates[`bookings/${ID}`] as unknown as Booking
}

test.each([
  ['a profile that does not exist', {}, { customer: null }, 'user_issue_contact_admin', undefined],
  [
    'a user who is not a rider',
    {},
    { customer: aRider({ usertype: 'driver' }) },
    'user_issue_contact_admin',
    undefined,
  ],
  [
    'a user who is not approved',
    {},
    { customer: aRider({ approved: false }) },
    'require_approval',
    undefined,
  ],
  [
    'a profile without an email address',
    {},
    { customer: aRider({ email: ' ' }) },
    'profile_incomplete',
    'email',
  ],
  [
    'a profile without a first name',
    {},
    { customer: aRider({ firstName: '' }) },
    'profile_incomplete',
    'firstName',
  ],
  [
    'a profile without a last name',
    {},
    { customer: aRider({ lastName: '' }) },
    'profile_incomplete',
    'lastName',
  ],
  ['a booking for another user', { customer: 'rider2' }, {}, 'not_allowed', 'customer'],
  ['an unknown vehicle type', {}, { carType: null }, 'select_proper', 'carType'],
  ['places without a route', {}, { route: null }, 'place_to_coords_error', undefined],
  [
    'an address far from its position',
    {},
    { misplacedAddress: 'drop' },
    'address_elsewhere',
    'drop',
  ],
  [
    'an address far from its position that a rider confirms',
    { addressesConfirmed: true },
    { misplacedAddress: 'drop' },
    'not_allowed',
    'addressesConfirmed',
  ],
  ['a later booking without a time', { bookLater: true }, {}, 'select_proper', 'tripdate'],
  [
    'a later booking 14 minutes ahead',
    { bookLater: true, tripdate: NOON + 15 * MINUTE - 1 },
    {},
    'past_booking_error',
    'tripdate',
  ],
  [
    'a later booking more than a year ahead',
    { bookLater: true, tripdate: NOON + 366 * 1440 * MINUTE },
    {},
    'too_far_ahead',
    'tripdate',
  ],
  ['a trip back to its pickup without a stop', { drop: PICKUP }, {}, 'same_place', 'drop'],
  [
    'a trip without a driver in the radius',
    {},
    { isDriverNearby: false },
    'no_driver_found_alert_messege',
    undefined,
  ],
  [
    'an invalid phone number of the recipient',
    { deliveryPersonPhone: '12345' },
    {},
    'deliveryDetailMissing',
    'deliveryPersonPhone',
  ],
  [
    'a missing phone number of the recipient',
    { deliveryPersonPhone: undefined },
    {},
    'deliveryDetailMissing',
    'deliveryPersonPhone',
  ],
  ['a parcel type that does not exist', { parcelTypeIndex: 9 }, {}, 'bad_input', 'parcelTypeIndex'],
  ['an option that does not exist', { optionIndex: 2 }, {}, 'bad_input', 'optionIndex'],
  [
    "a price that differs from the server's price",
    { estimateFare: 1 },
    {},
    'estimate_changed',
    'estimateFare',
  ],
] as const)('refuses %s', (_, input, context, key, field) => {
  const refused = refusedWith(applyCreation(input, context))
  expect(refused?.key).toBe(key)
  expect(refused?.field).toBe(field)
})

test('checks the request in a fixed order', () => {
  const everythingWrong = {
    customer: null,
    carType: null,
    route: null,
    isDriverNearby: false,
  } satisfies Partial<EventContext>
  const input = { deliveryPersonPhone: '', estimateFare: 0 }
  const contexts: Partial<EventContext>[] = [
    everythingWrong,
    { ...everythingWrong, customer: aRider({ email: '' }) },
    { ...everythingWrong, customer: aRider() },
    { ...everythingWrong, customer: aRider(), carType: aVehicleType() },
    { isDriverNearby: false },
    {},
  ]
  expect(contexts.map((context) => refusedWith(applyCreation(input, context))?.key)).toEqual([
    'user_issue_contact_admin',
    'profile_incomplete',
    'select_proper',
    'place_to_coords_error',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
  ])
})

test.each(['driver', 'fleetadmin'] as UserType[])('refuses a booking by a %s', (role) => {
  expect(refusedWith(applyCreation({}, {}, { uid: 'rider', role }))?.key).toBe(
    'user_issue_contact_admin',
  )
})

test('returns the new estimate in the refusal, and accepts a booking at that estimate', () => {
  const refused = refusedWith(applyCreation({ estimateFare: 1 }))
  const estimate = Number(refused?.params?.estimate)
  expect(made(applyCreation({ estimateFare: estimate })).estimate).toBe(estimate)
})

test.each([
  ['taxi', rider, 'NEW'],
  ['delivery', rider, 'PAYMENT_PENDING'],
  ['taxi', admin, 'NEW'],
  ['delivery', admin, 'NEW'],
] as const)('in the %s category, creates a booking by %o as %s', (appcat, actor, status) => {
  const booking = made(
    applyCreation(
      actor === admin ? { customer: 'rider' } : {},
      { settings: aSettings({ appcat }) },
      actor,
    ),
  )
  expect(booking.status).toBe(status)
  expect(booking.booking_type_admin).toBe(actor === admin)
})

test('lets an admin confirm an address that the map knows elsewhere, and records it', () => {
  const context = { misplacedAddress: 'drop' }
  const request = { customer: 'rider', addressesConfirmed: true } as const
  const confirmed = applyCreation(request, context, admin)
  const updates = confirmed.ok ? confirmed.value.updates : {}
  expect(Object.values(updates)).toContainEqual(
    expect.objectContaining({
      action: 'booking_create',
      to: expect.objectContaining({ addressesConfirmed: true }) as object,
    }),
  )
  const unconfirmed = applyCreation({ customer: 'rider' }, context, admin)
  expect(refusedWith(unconfirmed)).toMatchObject({ key: 'address_elsewhere', field: 'drop' })
})

test('requires no recipient for a taxi booking', () => {
  const settings = aSettings({ appcat: 'taxi' })
  expect(applyCreation({ deliveryPersonPhone: undefined }, { settings }).ok).toBe(true)
})

test('lets an admin book only for a rider with a mobile number, and requires the recipient’s name', () => {
  const by = (input: object, context: Partial<EventContext>) =>
    refusedWith(applyCreation({ customer: 'rider', ...input }, context, admin))
  expect(by({}, { customer: null })).toMatchObject({ key: 'incomplete_user', field: 'customer' })
  expect(by({}, { customer: aRider({ mobile: '' }) })?.key).toBe('incomplete_user')
  expect(by({}, { customer: aRider({ usertype: 'driver' }) })?.key).toBe('incomplete_user')
  expect(by({ deliveryPerson: ' ' }, {})).toMatchObject({
    key: 'deliveryDetailMissing',
    field: 'deliveryPerson',
  })
  const result = applyCreation({ customer: 'rider' }, {}, admin)
  expect(result.ok && result.value.pushes.map(({ to, title }) => [to, title])).toEqual([
    ['rider', 'push_booked_title'],
  ])
  expect(
    result.ok && Object.keys(result.value.updates).filter((p) => p.startsWith('audit/')),
  ).toHaveLength(1)
})

test('does not require a nearby driver for a later booking, and keeps its time', () => {
  const tripdate = NOON + 15 * MINUTE
  expect(
    made(applyCreation({ bookLater: true, tripdate }, { isDriverNearby: false })).tripdate,
  ).toBe(tripdate)
})

test('stores the start code apart from the booking, and only when codes are on', () => {
  const secured = applyCreation()
  expect(made(secured).otp).toBe(true)
  expect(secured.ok && secured.value.updates[`booking_otps/${ID}`]).toBe(12345)
  expect(JSON.stringify(made(secured))).not.toContain('12345')
  const open = applyCreation({}, { settings: aSettings({ otp_secure: false }) })
  expect(made(open).otp).toBe(false)
  expect(
    open.ok && Object.keys(open.value.updates).some((p) => p.startsWith('booking_otps/')),
  ).toBe(false)
})

const expensive = aVehicleType({
  parcelTypes: [
    { description: 'Crate', amount: 30 },
    { description: 'Envelope', amount: 0 },
  ],
  options: [{ description: 'Carry upstairs', amount: 12.25 }],
})
const getPrice = (chosen: Pick<Parameters<typeof quoteFare>[0], 'parcelType' | 'option'>) =>
  quoteFare({
    carType: expensive,
    settings: aSettings(),
    distanceKm: ROUTE.distance_in_km,
    seconds: ROUTE.time_in_secs,
    ...chosen,
  }).estimateFare

test('charges for the first parcel type when the request names none', () => {
  const [crate, option] = [expensive.parcelTypes?.[0], expensive.options?.[0]]
  const cheap = applyCreation({ estimateFare: getPrice({}) }, { carType: expensive })
  expect(refusedWith(cheap)).toMatchObject({
    key: 'estimate_changed',
    params: { estimate: getPrice({ parcelType: crate, option }) },
  })
  const estimateFare = getPrice({ parcelType: crate, option })
  expect(made(applyCreation({ estimateFare }, { carType: expensive }))).toMatchObject({
    parcelTypeSelected: crate,
    optionSelected: option,
  })
})

test('charges no parcel to a taxi booking whose vehicle type still has parcel types', () => {
  const settings = aSettings({ appcat: 'taxi' })
  const booked = made(
    applyCreation({ estimateFare: getPrice({}) }, { carType: expensive, settings }),
  )
  expect(booked.parcelTypeSelected).toBeUndefined()
  const { parcelTypes, options, ...plainType } = expensive
  expect([parcelTypes, options]).toHaveLength(2)
  const parcel = made(applyCreation({ estimateFare: getPrice({}) }, { carType: plainType }))
  expect(parcel.optionSelected).toBeUndefined()
})

test('takes price, distance and fare lines from the server’s own computation', () => {
  const booking = made(applyCreation({ parcelTypeIndex: 1, optionIndex: 1 }))
  const priced = quoteFare({
    carType: aVehicleType(),
    settings: aSettings(),
    distanceKm: ROUTE.distance_in_km,
    seconds: ROUTE.time_in_secs,
    parcelType: { description: 'Box', amount: 7.5 },
    option: { description: 'Carry upstairs', amount: 12.25 },
  })
  expect(booking).toMatchObject({
    estimate: priced.estimateFare,
    trip_cost: priced.estimateFare,
    convenience_fees: priced.convenience_fees,
    driver_share: priced.driver_share,
    estimateDistance: 5.2,
    estimateTime: 900,
    parcelTypeSelected: { description: 'Box', amount: 7.5 },
    optionSelected: { description: 'Carry upstairs', amount: 12.25 },
  })
  expect(Object.values(booking.fare_history)).toEqual([
    {
      kind: 'estimate',
      at: NOON,
      cause: 'booked',
      lines: priced.lines,
      total: priced.estimateFare,
    },
  ])
})

test('returns the same response for a repeated booking id, and refuses another user’s id', () => {
  const first = applyCreation()
  const booking = made(first)
  const again = (actor: Actor) =>
    applyBookingEvent(
      booking,
      { event: 'create', input: aBookingRequest() },
      { actor, context: anEventContext(), now: NOON + MINUTE },
    )
  const repeat = again(rider)
  expect(repeat.ok && repeat.value.updates).toEqual({})
  expect(repeat.ok && repeat.value.response).toEqual(first.ok && first.value.response)
  expect(refusedWith(again({ uid: 'rider2', role: 'rider' }))?.key).toBe('event_not_possible')
})

test.each<[string, Partial<CreateBookingInput>]>([
  ['another pickup', { pickup: { ...PICKUP, lat: PICKUP.lat + 0.001 } }],
  ['another drop', { drop: { ...DROP, add: 'Elsewhere' } }],
  ['a stop on the way', { waypoints: [DROP] }],
  ['another car type', { carType: 'bike' }],
  ['another time', { bookLater: true, tripdate: NOON + 60 * MINUTE }],
  ['another price', { estimateFare: 1 }],
  ['another parcel', { parcelTypeIndex: 1 }],
  ['another recipient', { deliveryPerson: 'Dora' }],
])('refuses a repeat with %s as booking_exists, and names the booking', (_, over) => {
  const booking = made(applyCreation())
  const repeat = (input: CreateBookingInput) =>
    applyBookingEvent(
      booking,
      { event: 'create', input },
      { actor: rider, context: anEventContext(), now: NOON + MINUTE },
    )
  expect(refusedWith(repeat({ ...aBookingRequest(), ...over }))).toEqual({
    key: 'booking_exists',
    field: 'booking_id',
    params: { booking_id: booking.id },
  })
  expect(repeat({ ...aBookingRequest(), tripdate: NOON }).ok).toBe(true)
})

test('refuses an id from the far future, which would sort before all others', () => {
  expect(refusedWith(applyCreation({ booking_id: '-zzzzzzzzzzzzzzzzzzz' }))).toEqual({
    key: 'bad_input',
    field: 'booking_id',
  })
  expect(applyCreation({ booking_id: createPushKey(NOON + 60 * MINUTE, 1) }).ok).toBe(true)
})

test('returns the first response to a repeat even after the trip has changed the booking', () => {
  const booking: Booking = {
    ...made(applyCreation()),
    drop: PICKUP,
    status: 'REACHED',
    estimate: 99,
  }
  const input = aBookingRequest()
  const repeat = (of: Booking, asked: CreateBookingInput) =>
    applyBookingEvent(
      of,
      { event: 'create', input: asked },
      { actor: rider, context: anEventContext(), now: NOON + MINUTE },
    )
  expect(repeat(booking, input).ok).toBe(true)
  const log = { event: 'create', by: 'rider', at: NOON, status: 'NEW', revision: 1 } as const
  const ofEarlierRelease = { ...booking, event_log: { create: log } }
  expect(repeat(ofEarlierRelease, { ...input, carType: 'bike' }).ok).toBe(true)
})

test('keeps the planned route unless it is approximate', () => {
  const polylinePoints = encodePolyline([PICKUP, { lat: -34.9, lng: -56.17 }, DROP])
  const route = (approximate: boolean) =>
    made(applyCreation({}, { route: { ...ROUTE, polylinePoints, approximate } })).route
  expect(route(false)).toBe(polylinePoints)
  expect(route(true)).toBeUndefined()
})

test('creates a booking and the index entry of its reference in one update', () => {
  const result = applyCreation({}, { reference: 'K7M-4QX' })
  expect(made(result).reference).toBe('K7M-4QX')
  expect(result.ok && result.value.updates['booking_refs/K7M-4QX']).toBe(ID)
  expect(result.ok && result.value.response.reference).toBe('K7M-4QX')
})

test('refuses to create a booking without a reference', () => {
  expect(refusedWith(applyCreation({}, { reference: null }))?.key).toBe('changed_meanwhile')
})
