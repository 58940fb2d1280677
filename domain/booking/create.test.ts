import { expect, test } from 'vitest'
import {
  admin,
  aCarType,
  aRequest,
  aRider,
  aSettings,
  aWorld,
  MINUTE,
  NOON,
  rider,
  ROUTE,
} from '../testing/builders'
import { apply } from './apply'
import type { Actor, World } from './change'
import type { Booking, UserType } from '../entities'
import { quote } from '../fare'

const ID = aRequest().booking_id
const create = (
  over: Parameters<typeof aRequest>[0] = {},
  world: Partial<World> = {},
  actor: Actor = rider,
) => apply(null, { event: 'create', input: aRequest(over) }, actor, aWorld(world), NOON)
const refusedWith = (result: ReturnType<typeof create>) => (result.ok ? undefined : result.error)
const made = (result: ReturnType<typeof create>) => {
  if (!result.ok) throw new Error(result.error.key)
  return result.value.updates[`bookings/${ID}`] as unknown as Booking
}

test.each([
  ['a profile that does not exist', {}, { customer: null }, 'user_issue_contact_admin', undefined],
  [
    'a user who is no rider',
    {},
    { customer: aRider({ usertype: 'driver' }) },
    'user_issue_contact_admin',
    undefined,
  ],
  [
    'an account that is not approved',
    {},
    { customer: aRider({ approved: false }) },
    'require_approval',
    undefined,
  ],
  [
    'a profile without e-mail',
    {},
    { customer: aRider({ email: ' ' }) },
    'profile_incomplete',
    'email',
  ],
  [
    'a profile without first name',
    {},
    { customer: aRider({ firstName: '' }) },
    'profile_incomplete',
    'firstName',
  ],
  [
    'a profile without last name',
    {},
    { customer: aRider({ lastName: '' }) },
    'profile_incomplete',
    'lastName',
  ],
  ['booking for somebody else', { customer: 'rider2' }, {}, 'not_allowed', 'customer'],
  ['an unknown car type', {}, { carType: null }, 'select_proper', 'carType'],
  ['places without a route', {}, { route: null }, 'place_to_coords_error', undefined],
  ['a later booking without a time', { bookLater: true }, {}, 'select_proper', 'tripdate'],
  [
    'a later booking 14 minutes ahead',
    { bookLater: true, tripdate: NOON + 15 * MINUTE - 1 },
    {},
    'past_booking_error',
    'tripdate',
  ],
  [
    'no driver in the radius',
    {},
    { driverNearby: false },
    'no_driver_found_alert_messege',
    undefined,
  ],
  [
    'a recipient’s phone that is none',
    { deliveryPersonPhone: '12345' },
    {},
    'deliveryDetailMissing',
    'deliveryPersonPhone',
  ],
  [
    'a missing recipient’s phone',
    { deliveryPersonPhone: undefined },
    {},
    'deliveryDetailMissing',
    'deliveryPersonPhone',
  ],
  ['a parcel type that does not exist', { parcelTypeIndex: 9 }, {}, 'bad_input', 'parcelTypeIndex'],
  ['an option that does not exist', { optionIndex: 2 }, {}, 'bad_input', 'optionIndex'],
  ['another price than the server’s', { estimateFare: 1 }, {}, 'estimate_changed', 'estimateFare'],
] as const)('%s is refused', (_, input, world, key, field) => {
  const refused = refusedWith(create(input, world))
  expect(refused?.key).toBe(key)
  expect(refused?.field).toBe(field)
})

test('the questions are asked in the specification’s order', () => {
  const everythingWrong = {
    customer: null,
    carType: null,
    route: null,
    driverNearby: false,
  } satisfies Partial<World>
  const input = { deliveryPersonPhone: '', estimateFare: 0 }
  const worlds: Partial<World>[] = [
    everythingWrong,
    { ...everythingWrong, customer: aRider({ email: '' }) },
    { ...everythingWrong, customer: aRider() },
    { ...everythingWrong, customer: aRider(), carType: aCarType() },
    { driverNearby: false },
    {},
  ]
  expect(worlds.map((world) => refusedWith(create(input, world))?.key)).toEqual([
    'user_issue_contact_admin',
    'profile_incomplete',
    'select_proper',
    'place_to_coords_error',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
  ])
})

test.each(['driver', 'fleetadmin'] as UserType[])('a %s can’t book', (role) => {
  expect(refusedWith(create({}, {}, { uid: 'rider', role }))?.key).toBe('user_issue_contact_admin')
})

test('the refusal of a changed estimate says the new one, and with it the booking is made', () => {
  const refused = refusedWith(create({ estimateFare: 1 }))
  const estimate = Number(refused?.params?.estimate)
  expect(made(create({ estimateFare: estimate })).estimate).toBe(estimate)
})

test.each([
  ['taxi', rider, 'NEW'],
  ['delivery', rider, 'PAYMENT_PENDING'],
  ['taxi', admin, 'NEW'],
  ['delivery', admin, 'NEW'],
] as const)('in the %s category a booking by %o begins as %s', (appcat, actor, status) => {
  const booking = made(
    create(
      actor === admin ? { customer: 'rider' } : {},
      { settings: aSettings({ appcat }) },
      actor,
    ),
  )
  expect(booking.status).toBe(status)
  expect(booking.booking_type_admin).toBe(actor === admin)
})

test('taxi bookings need no recipient', () => {
  const settings = aSettings({ appcat: 'taxi' })
  expect(create({ deliveryPersonPhone: undefined }, { settings }).ok).toBe(true)
})

test('an admin books only for a rider with a mobile, and names the recipient', () => {
  const by = (input: object, world: Partial<World>) =>
    refusedWith(create({ customer: 'rider', ...input }, world, admin))
  expect(by({}, { customer: null })).toMatchObject({ key: 'incomplete_user', field: 'customer' })
  expect(by({}, { customer: aRider({ mobile: '' }) })?.key).toBe('incomplete_user')
  expect(by({}, { customer: aRider({ usertype: 'driver' }) })?.key).toBe('incomplete_user')
  expect(by({ deliveryPerson: ' ' }, {})).toMatchObject({
    key: 'deliveryDetailMissing',
    field: 'deliveryPerson',
  })
  const result = create({ customer: 'rider' }, {}, admin)
  expect(result.ok && result.value.pushes.map(({ to, title }) => [to, title])).toEqual([
    ['rider', 'push_booked_title'],
  ])
  expect(
    result.ok && Object.keys(result.value.updates).filter((p) => p.startsWith('audit/')),
  ).toHaveLength(1)
})

test('a later booking skips the search for a driver and keeps its time', () => {
  const tripdate = NOON + 15 * MINUTE
  expect(made(create({ bookLater: true, tripdate }, { driverNearby: false })).tripdate).toBe(
    tripdate,
  )
})

test('the code is stored apart from the booking, and only when codes are on', () => {
  const secured = create()
  expect(made(secured).otp).toBe(true)
  expect(secured.ok && secured.value.updates[`booking_otps/${ID}`]).toBe(12345)
  expect(JSON.stringify(made(secured))).not.toContain('12345')
  const open = create({}, { settings: aSettings({ otp_secure: false }) })
  expect(made(open).otp).toBe(false)
  expect(
    open.ok && Object.keys(open.value.updates).some((p) => p.startsWith('booking_otps/')),
  ).toBe(false)
})

const dear = aCarType({
  parcelTypes: [
    { description: 'Crate', amount: 30 },
    { description: 'Envelope', amount: 0 },
  ],
  options: [{ description: 'Carry upstairs', amount: 12.25 }],
})
const priceOf = (chosen: Pick<Parameters<typeof quote>[0], 'parcelType' | 'option'>) =>
  quote({
    carType: dear,
    settings: aSettings(),
    distanceKm: ROUTE.distance_in_km,
    seconds: ROUTE.time_in_secs,
    ...chosen,
  }).estimateFare

test('leaving the parcel type out is choosing the first, and no way around its price', () => {
  const [crate, option] = [dear.parcelTypes?.[0], dear.options?.[0]]
  const cheap = create({ estimateFare: priceOf({}) }, { carType: dear })
  expect(refusedWith(cheap)).toMatchObject({
    key: 'estimate_changed',
    params: { estimate: priceOf({ parcelType: crate, option }) },
  })
  const estimateFare = priceOf({ parcelType: crate, option })
  expect(made(create({ estimateFare }, { carType: dear }))).toMatchObject({
    parcelTypeSelected: crate,
    optionSelected: option,
  })
})

test('a taxi whose type has parcel types left over takes nobody’s parcel unasked', () => {
  const settings = aSettings({ appcat: 'taxi' })
  const booked = made(create({ estimateFare: priceOf({}) }, { carType: dear, settings }))
  expect(booked.parcelTypeSelected).toBeUndefined()
  const { parcelTypes, options, ...plainType } = dear
  expect([parcelTypes, options]).toHaveLength(2)
  const parcel = made(create({ estimateFare: priceOf({}) }, { carType: plainType }))
  expect(parcel.optionSelected).toBeUndefined()
})

test('price, distance and explanation come from the server’s own computation', () => {
  const booking = made(create({ parcelTypeIndex: 1, optionIndex: 1 }))
  const priced = quote({
    carType: aCarType(),
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

test('the same booking id again gives the same answer and no second booking; another’s id is refused', () => {
  const first = create()
  const booking = made(first)
  const again = (actor: Actor) =>
    apply(booking, { event: 'create', input: aRequest() }, actor, aWorld(), NOON + MINUTE)
  const repeat = again(rider)
  expect(repeat.ok && repeat.value.updates).toEqual({})
  expect(repeat.ok && repeat.value.answer).toEqual(first.ok && first.value.answer)
  expect(refusedWith(again({ uid: 'rider2', role: 'rider' }))?.key).toBe('event_not_possible')
})
