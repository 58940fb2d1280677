// Every field that a request may have is kept. A new field does not compile here until it is said
// where it goes.
import { expect, test } from 'vitest'
import type { CreateBookingInput } from '../api/inputs/bookings'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { HOUR_MS } from '../language/timeUnits'
import { getImportColumns } from '../imports/columns'
import {
  aBooking,
  aBookingRequest,
  admin,
  anEventContext,
  aSettings,
  aVehicleType,
  NOON,
  ROUTE,
} from '../testing/builders'
import { applyBookingEvent } from './applyBookingEvent'
import { getAmendedFields } from './events/amend/amendedFields'
import { AMENDABLE_FIELDS, type AmendableField } from './events/amend/definition'
import type { EventInput, EventInputFor } from './eventInput'
import { requestDigest } from './requestDigest'
import { TRIP_DETAILS } from './tripDetails'
import type { Booking, BookingContacts } from './types'

const BIKE = aVehicleType({
  id: 'bike',
  name: 'Bike',
  parcelTypes: [
    { description: 'Letter', amount: 1 },
    { description: 'Box', amount: 2 },
  ],
  options: [
    { description: 'Door', amount: 1 },
    { description: 'Stairs', amount: 2 },
  ],
})
const ELSEWHERE = { lat: -34.88, lng: -56.13, add: 'Pocitos' }

/** Applies an event of the office; returns the booking and its contacts as they are stored. */
const apply = (before: Booking | null, input: EventInput, carType = BIKE) => {
  const contacts = { deliveryPersonPhone: '099 123 456' }
  const context = anEventContext({ carType, route: ROUTE, isDriverNearby: true, contacts })
  const result = applyBookingEvent(before, input, { actor: admin, context, now: NOON })
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  const tree: Tree = before ? { bookings: { [before.id]: JSON.parse(JSON.stringify(before)) } } : {}
  commitChange(tree, result.value)
  const id = before?.id ?? aBookingRequest().booking_id
  return {
    booking: readValue(tree, `bookings/${id}`) as unknown as Booking,
    contacts: (readValue(tree, `booking_contacts/${id}`) ?? {}) as unknown as BookingContacts,
  }
}

const REQUEST = aBookingRequest(
  {
    customer: 'rider',
    waypoints: [ELSEWHERE],
    carType: BIKE.id,
    bookLater: true,
    tripdate: NOON + 2 * HOUR_MS,
    parcelTypeIndex: 1,
    optionIndex: 1,
    pickUpInstructions: 'Ring twice',
    deliveryInstructions: 'Second floor',
  },
  { carType: BIKE },
)

type Stored = ReturnType<typeof apply>
/** A guest becomes the customer, and a confirmation of addresses is for the audit. */
type KeptField = Exclude<keyof CreateBookingInput, 'guest' | 'addressesConfirmed'>
const KEPT: Record<KeptField, (stored: Stored) => unknown> = {
  booking_id: ({ booking }) => booking.id,
  customer: ({ booking }) => booking.customer,
  pickup: ({ booking }) => booking.pickup,
  drop: ({ booking }) => booking.drop,
  waypoints: ({ booking }) => booking.waypoints,
  carType: ({ booking }) => booking.carTypeId,
  bookLater: ({ booking }) => booking.bookLater,
  tripdate: ({ booking }) => booking.tripdate,
  estimateFare: ({ booking }) => booking.estimate,
  parcelTypeIndex: ({ booking: { parcelTypeSelected } }) =>
    BIKE.parcelTypes?.findIndex(
      ({ description }) => description === parcelTypeSelected?.description,
    ),
  optionIndex: ({ booking: { optionSelected } }) =>
    BIKE.options?.findIndex(({ description }) => description === optionSelected?.description),
  wait: ({ booking }) => (booking.wait_until === undefined ? undefined : true),
  deliveryPerson: ({ booking }) => booking.deliveryPerson,
  deliveryPersonPhone: ({ contacts }) => contacts.deliveryPersonPhone,
  pickUpInstructions: ({ contacts }) => contacts.pickUpInstructions,
  deliveryInstructions: ({ contacts }) => contacts.deliveryInstructions,
}

test.each(Object.entries(KEPT))(
  'a new booking keeps the field “%s” of its request',
  (name, read) => {
    const isWait = name === 'wait'
    const input: CreateBookingInput = isWait
      ? { ...REQUEST, bookLater: false, wait: true }
      : REQUEST
    expect(read(apply(null, { event: 'create', input }))).toEqual(input[name as KeptField])
  },
)

const AMENDED: Required<Pick<EventInputFor<'amend'>, AmendableField>> = {
  pickup: { ...ELSEWHERE, add: 'Another pickup' },
  drop: ELSEWHERE,
  waypoints: [ELSEWHERE],
  tripdate: NOON + 3 * HOUR_MS,
  carType: BIKE.id,
  deliveryPerson: 'Dora',
  deliveryPersonPhone: '+59899123456',
  pickUpInstructions: 'Ring twice',
  deliveryInstructions: 'Second floor',
}

test.each(AMENDABLE_FIELDS)(
  'an amendment keeps the field “%s”, so that a repeat changes nothing',
  (field) => {
    const input = { event: 'amend', [field]: AMENDED[field] } as const
    // A dearer booking, so that no amendment raises its price.
    const before = aBooking({ deliveryPerson: 'Carla', trip_cost: 100, estimate: 100 })
    const { booking, contacts } = apply(before, input, field === 'carType' ? BIKE : aVehicleType())
    expect(getAmendedFields(before, input, {})).toEqual([field])
    expect(getAmendedFields(booking, input, contacts)).toEqual([])
  },
)

/** False for what a driver who may not see it could guess, and for what only the office decides. */
const DIGESTED: Record<Exclude<keyof CreateBookingInput, 'booking_id'>, boolean> = {
  customer: true,
  guest: false,
  pickup: true,
  drop: true,
  waypoints: true,
  addressesConfirmed: false,
  carType: true,
  bookLater: true,
  tripdate: true,
  estimateFare: true,
  parcelTypeIndex: true,
  optionIndex: true,
  wait: true,
  deliveryPerson: true,
  deliveryPersonPhone: false,
  pickUpInstructions: false,
  deliveryInstructions: false,
}

test.each(Object.entries(DIGESTED))(
  'a request without its “%s” is another one: %s',
  (name, isOther) => {
    const whole = { ...REQUEST, addressesConfirmed: true, wait: true } as const
    const rest = Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name))
    const filled = { pickup: ELSEWHERE, drop: ELSEWHERE, ...rest } as unknown as CreateBookingInput
    expect(requestDigest(filled) !== requestDigest(whole)).toBe(isOther)
  },
)

test('a file of bookings has a column for each detail of a trip', () => {
  const settings = aSettings({ appcat: 'delivery' })
  const fields = getImportColumns('bookings', settings).map(({ field }) => field)
  expect(fields).toEqual(expect.arrayContaining([...TRIP_DETAILS]))
})
