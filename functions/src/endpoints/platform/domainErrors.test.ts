import type { GenericSchema } from 'valibot'
import { describe, expect, it, test } from 'vitest'
import type { ErrorKey } from '~/domain/api/errorKeys'
import type { DomainError } from '~/domain/api/errors'
import {
  aBooking,
  aDriver,
  aPromo,
  aBookingRequest,
  aRider,
  aSettings,
  MINUTE,
} from '~/domain/testing/builders'
import { ARRIVED_AT_STOP, STOPS } from '~/domain/testing/stopInputs'
import type { EndpointDefinition } from '../../http/endpointTypes'
import { handleRequest } from '../../http/requestHandler'
import { DomainException } from '../../domainException'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  straightLineMaps,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { advance_booking } from '../bookings/advanceBooking'
import { create_booking } from '../bookings/createBooking'
import { delete_user } from '../users/deleteUser'
import { quote_payment } from '../payments/quotePayment'
import { save_user } from '../users/saveUser'
import { share_booking } from '../bookings/shareBooking'
import { take_from_wallet } from '../wallet/takeFromWallet'
import { user_signup } from '../users/userSignup'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

interface ErrorCase {
  /** The uid of the caller, or null when signed out. */
  by: string | null
  /** The phone number the caller signed in with. */
  phone?: string
  input: object
  /** Data that is added to `aProject` or replaces it. */
  project?: object
  ports?: Partial<Ports>
  /** Makes the database answer reads by path but fail queries. */
  unsearchable?: true
  key: ErrorKey
  field?: string
}

/**
 * Calls the endpoint through its guard for each row. Expects the documented refusal and no writes.
 */
const testErrors = <Schema extends GenericSchema, Output>(
  definition: EndpointDefinition<Schema, Output>,
  rows: Record<string, ErrorCase>,
) => {
  describe(definition.name, () => {
    it.each(Object.entries(rows))('%s', async (_, row) => {
      const given = createProjectPorts(row.project, row.ports)
      const before = withoutCounters(given.db.at(''))
      const { by, phone, input, unsearchable } = row
      const list = () => Promise.reject(new Error('the index is gone'))
      const ports = unsearchable ? { ...given, db: { ...given.db, list } } : given
      const claims = { signedInAt: TEST_NOW, ...(phone !== undefined && { phone }) }
      const caller = by === null ? null : { ...createCaller(given, by), ...claims }
      const call = { input, caller, hasMapsBasicAuth: false, ip: '10.0.0.1', now: TEST_NOW }
      const { key, field } = await getDomainError(handleRequest(definition, call, ports))
      expect({ key, field }).toEqual({ key: row.key, field: row.field })
      expect(definition.errors).toContain(row.key)
      expect(withoutCounters(given.db.at(''))).toEqual(before)
    })
  })
}

const getDomainError = async (promise: Promise<unknown>): Promise<DomainError> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof DomainException) return error.error
    throw error
  }
  throw new Error('It was not refused.')
}

/** The guard counts every call, including refused ones. */
const withoutCounters = (tree: unknown) => ({ ...(tree as object), rate_limits: null })

const people = (over: Record<string, User | null>) => ({ users: { ...aProject().users, ...over } })
const booking_id = aBooking().id
const withBooking = (over: Partial<Booking>) => ({ bookings: { [booking_id]: aBooking(over) } })
const offeredBooking = withBooking({ requestedDrivers: { driver: true } })
const unpaidBooking = withBooking({ status: 'PAYMENT_PENDING' })
const HERE = { lat: -34.9, lng: -56.2 }

const GUEST = { name: 'Gil Paz', mobile: '+598 99 123 456' }
const booksNow = aBookingRequest()
const noRoute = () =>
  Promise.resolve({
    ...straightLineMaps,
    getDirections: () => Promise.reject(new Error('no route')),
  })

testErrors(create_booking, {
  'refuses a rider without an email address': {
    by: 'rider',
    input: booksNow,
    project: people({ rider: aRider({ email: '' }) }),
    key: 'profile_incomplete',
    field: 'email',
  },
  'refuses a sixth open booking of a rider': {
    by: 'rider',
    input: booksNow,
    project: { open_bookings: { rider: { open: 5, unpaid: 1 } } },
    key: 'too_many_bookings',
  },
  'refuses a rider with two unpaid bookings': {
    by: 'rider',
    input: booksNow,
    project: { open_bookings: { rider: { open: 2, unpaid: 2 } } },
    key: 'unpaid_bookings',
  },
  'refuses a rider with a blank last name': {
    by: 'rider',
    input: booksNow,
    project: people({ rider: aRider({ lastName: ' ' }) }),
    key: 'profile_incomplete',
    field: 'lastName',
  },
  'refuses places without a route between them': {
    by: 'rider',
    input: booksNow,
    ports: { maps: noRoute },
    key: 'place_to_coords_error',
  },
  'refuses a later booking less than 15 minutes ahead': {
    by: 'rider',
    input: aBookingRequest({ bookLater: true, tripdate: TEST_NOW + 15 * MINUTE - 1 }),
    key: 'past_booking_error',
    field: 'tripdate',
  },
  'refuses an immediate booking without a free driver nearby': {
    by: 'rider',
    input: booksNow,
    project: { available_drivers: null },
    key: 'no_driver_found_alert_messege',
  },
  'refuses a delivery without the recipient’s phone number': {
    by: 'rider',
    input: aBookingRequest({ deliveryPersonPhone: undefined }),
    key: 'deliveryDetailMissing',
    field: 'deliveryPersonPhone',
  },
  'refuses an admin’s delivery without a recipient': {
    by: 'admin',
    input: aBookingRequest({ customer: 'rider', deliveryPerson: '' }),
    key: 'deliveryDetailMissing',
    field: 'deliveryPerson',
  },
  'refuses an admin’s booking without a rider': {
    by: 'admin',
    input: booksNow,
    key: 'incomplete_user',
    field: 'customer',
  },
  'refuses a rider’s booking for a guest': {
    by: 'rider',
    input: { ...booksNow, guest: GUEST },
    key: 'not_allowed',
    field: 'guest',
  },
  'refuses a fleet admin’s booking for a guest': {
    by: 'fleet',
    input: { ...booksNow, guest: GUEST },
    project: people({ fleet: aRider({ id: 'fleet', usertype: 'fleetadmin' }) }),
    key: 'not_allowed',
    field: 'guest',
  },
  'refuses a guest with the number of a driver': {
    by: 'admin',
    input: { ...booksNow, guest: { ...GUEST, mobile: aDriver().mobile } },
    project: people({ rider: null }),
    key: 'not_a_rider',
    field: 'guest',
  },
  'refuses a guest at a price that has changed': {
    by: 'admin',
    input: { ...booksNow, guest: GUEST, estimateFare: 1 },
    key: 'estimate_changed',
    field: 'estimateFare',
  },
  'refuses an admin’s booking for a rider without a phone number': {
    by: 'admin',
    input: aBookingRequest({ customer: 'rider' }),
    project: people({ rider: aRider({ mobile: '' }) }),
    key: 'incomplete_user',
    field: 'customer',
  },
})

const payInput = { booking_id, event: 'pay', payment_mode: 'cash', promo: 'spring' }
const withSpringPromo = (over: Parameters<typeof aPromo>[0] = {}) => ({
  promos: { spring: aPromo(over) },
})
const usedElsewhere = { promo_uses: { spring: { rider: '-Oanotherbookingofhis' } } }
const alreadyOnIt = withBooking({
  status: 'PENDING',
  paymentPacket: {
    appcat: 'delivery',
    payment_mode: 'cash',
    payableAmount: 38.82,
    customer_paid: 38.82,
    cardPaymentAmount: 0,
    usedWalletMoney: 0,
    cashPaymentAmount: 38.82,
    discount_amount: 4.31,
    promo_applied: true,
    promo_details: { id: 'winter', promo_name: 'WINTER' },
  },
})
const imageSettings = aSettings({
  AllowDeliveryPickupImageCapture: true,
  AllowFinalDeliveryImageCapture: true,
})

testErrors(advance_booking, {
  'refuses a drop-off whose higher price the rider has not seen': {
    by: 'rider',
    input: { booking_id, event: 'amend', drop: { lat: -34.8, lng: -56, add: 'Airport' } },
    project: withBooking({ trip_cost: 30 }),
    key: 'estimate_changed',
    field: 'estimateFare',
  },
  'refuses another rider who changes a booking': {
    by: 'other',
    input: { booking_id, event: 'amend', pickUpInstructions: 'Ring twice' },
    project: { ...withBooking({}), ...people({ other: aRider({ id: 'other' }) }) },
    key: 'not_allowed',
  },
  'refuses a new vehicle type after a driver accepted': {
    by: 'rider',
    input: { booking_id, event: 'amend', carType: 'bike' },
    project: withBooking({ status: 'ACCEPTED' }),
    key: 'event_not_possible',
    field: 'carType',
  },
  'refuses a driver who accepts without an offer': {
    by: 'driver',
    input: { booking_id, event: 'accept' },
    project: withBooking({ requestedDrivers: { other: true } }),
    key: 'not_requested',
  },
  'refuses a driver who declines without an offer': {
    by: 'driver',
    input: { booking_id, event: 'decline' },
    project: withBooking({ requestedDrivers: { other: true } }),
    key: 'not_requested',
  },
  'refuses to assign a driver who is off duty': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...withBooking({}), ...people({ driver: aDriver({ driverActiveStatus: false }) }) },
    key: 'driver_not_available',
    field: 'driver',
  },
  'refuses to assign a driver of another vehicle type': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...withBooking({}), ...people({ driver: aDriver({ carType: 'bike' }) }) },
    key: 'driver_not_available',
    field: 'driver',
  },
  'refuses an acceptance by a driver with a debt': {
    by: 'driver',
    input: { booking_id, event: 'accept' },
    project: { ...offeredBooking, ...people({ driver: aDriver({ walletBalance: -0.01 }) }) },
    key: 'driver_wallet_negative',
  },
  'refuses to assign a driver by hand while dispatch is automatic': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...withBooking({}), settings: aSettings({ autoDispatch: true }) },
    key: 'auto_dispatch_on',
  },
  'refuses the arrival at a stop that is not the next one': {
    by: 'driver',
    input: { booking_id, event: 'arrive_stop', index: 1, stop: HERE },
    project: withBooking({ status: 'STARTED', waypoints: STOPS }),
    key: 'stop_not_next',
    field: 'index',
  },
  'refuses to remove a stop that the driver has reached': {
    by: 'rider',
    input: { booking_id, event: 'amend', waypoints: [] },
    project: withBooking({ status: 'STARTED', waypoints: STOPS, event_log: ARRIVED_AT_STOP }),
    key: 'stop_passed',
    field: 'waypoints',
  },
  'requires a pickup picture when the setting requires it': {
    by: 'driver',
    input: { booking_id, event: 'start', otp: 12_345 },
    project: {
      ...withBooking({ status: 'ARRIVED' }),
      booking_otps: { [booking_id]: 12_345 },
      settings: imageSettings,
    },
    key: 'image_required',
    field: 'pickup_image',
  },
  'requires a drop-off picture when the setting requires it': {
    by: 'driver',
    input: { booking_id, event: 'reach', ...HERE },
    project: { ...withBooking({ status: 'STARTED' }), settings: imageSettings },
    key: 'image_required',
    field: 'deliver_image',
  },
  'refuses a payment above the wallet balance': {
    by: 'rider',
    input: { booking_id, event: 'pay', payment_mode: 'wallet' },
    project: { ...unpaidBooking, ...people({ rider: aRider({ walletBalance: 43.12 }) }) },
    key: 'wallet_too_low',
    field: 'payment_mode',
  },
  'refuses an unknown promo': {
    by: 'rider',
    input: payInput,
    project: unpaidBooking,
    key: 'promo_invalid',
    field: 'promo',
  },
  'refuses a promo after its last day': {
    by: 'rider',
    input: payInput,
    project: { ...unpaidBooking, ...withSpringPromo({ promo_validity: TEST_NOW - 1 }) },
    key: 'promo_expired',
    field: 'promo',
  },
  'refuses a promo for a cost below its minimum': {
    by: 'rider',
    input: payInput,
    project: { ...unpaidBooking, ...withSpringPromo({ min_order: 43.14 }) },
    key: 'promo_min_order',
    field: 'promo',
  },
  'refuses a promo that has reached its limit': {
    by: 'rider',
    input: payInput,
    project: { ...unpaidBooking, ...withSpringPromo({ user_avail: 3 }) },
    key: 'promo_used_up',
    field: 'promo',
  },
  'refuses a second use of a promo by the same rider': {
    by: 'rider',
    input: payInput,
    project: { ...unpaidBooking, ...withSpringPromo(), ...usedElsewhere },
    key: 'promo_already_used',
    field: 'promo',
  },
  'refuses a second decision about a flagged trip': {
    by: 'admin',
    input: { booking_id, event: 'review', decision: 'planned' },
    project: withBooking({
      status: 'PAID',
      distance_review: {
        verdict: 'flagged',
        dropped_points: 0,
        charged_time: 1,
        decision: 'keep',
        decided_by: 'admin',
        decided_at: TEST_NOW,
      },
    }),
    key: 'already_processed',
  },
  'refuses a second promo for a booking': {
    by: 'rider',
    input: { ...payInput, payment_mode: 'wallet' },
    project: { ...alreadyOnIt, ...withSpringPromo() },
    key: 'promo_already_used',
    field: 'promo',
  },
})

const quoteInput = { booking_id, promo: 'spring' }

testErrors(quote_payment, {
  'quotes no payment for a booking that needs none': {
    by: 'rider',
    input: { booking_id },
    project: withBooking({ status: 'STARTED' }),
    key: 'event_not_possible',
  },
  'quotes no promo after its last day': {
    by: 'rider',
    input: quoteInput,
    project: { ...unpaidBooking, ...withSpringPromo({ promo_validity: TEST_NOW - 1 }) },
    key: 'promo_expired',
    field: 'promo',
  },
  'quotes no promo for a cost below its minimum': {
    by: 'rider',
    input: quoteInput,
    project: { ...unpaidBooking, ...withSpringPromo({ min_order: 43.14 }) },
    key: 'promo_min_order',
    field: 'promo',
  },
  'quotes no promo that has reached its limit': {
    by: 'rider',
    input: quoteInput,
    project: { ...unpaidBooking, ...withSpringPromo({ user_avail: 3 }) },
    key: 'promo_used_up',
    field: 'promo',
  },
  'quotes no promo that the rider has already used': {
    by: 'rider',
    input: quoteInput,
    project: { ...unpaidBooking, ...withSpringPromo(), ...usedElsewhere },
    key: 'promo_already_used',
    field: 'promo',
  },
  'quotes no second promo for a booking': {
    by: 'rider',
    input: quoteInput,
    project: { ...alreadyOnIt, ...withSpringPromo() },
    key: 'promo_already_used',
    field: 'promo',
  },
  'quotes no more than the wallet holds': {
    by: 'rider',
    input: { booking_id, usedWalletMoney: 5 },
    project: { ...unpaidBooking, ...people({ rider: aRider({ walletBalance: 4.99 }) }) },
    key: 'wallet_too_low',
    field: 'usedWalletMoney',
  },
})

const eva = {
  usertype: 'driver',
  firstName: 'Eva',
  lastName: 'Sosa',
  email: 'eva@example.com',
  mobile: '+15555550188',
}
testErrors(save_user, {
  'creates no user when the owner of the number cannot be looked up': {
    by: 'admin',
    input: eva,
    unsearchable: true,
    key: 'email_or_mobile_issue',
    field: 'mobile',
  },
  'creates no user when the sign-in service neither accepts nor knows the number': {
    by: 'admin',
    input: eva,
    ports: { accounts: { ...createMemoryAccounts(), create: () => Promise.resolve(null) } },
    key: 'email_or_mobile_issue',
    field: 'mobile',
  },
  'refuses a phone number other than the one of the sign-in': {
    by: 'rider',
    phone: '+15555550199',
    input: { id: 'rider', mobile: eva.mobile },
    key: 'phone_no_update',
    field: 'mobile',
  },
  'refuses to edit a missing user': {
    by: 'admin',
    input: { id: 'nobody', firstName: 'Eva' },
    key: 'not_found',
    field: 'id',
  },
  'refuses to create a driver with an unknown vehicle type': {
    by: 'admin',
    input: { ...eva, carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
  'refuses to give a driver an unknown vehicle type': {
    by: 'admin',
    input: { id: 'driver', carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
})

testErrors(delete_user, {
  'refuses to delete a missing user': {
    by: 'admin',
    input: { id: 'nobody' },
    key: 'not_found',
    field: 'id',
  },
})

testErrors(share_booking, {
  'refuses to share a complete booking': {
    by: 'rider',
    input: { booking_id },
    project: withBooking({ status: 'COMPLETE' }),
    key: 'event_not_possible',
  },
  'refuses to share a canceled booking': {
    by: 'admin',
    input: { booking_id },
    project: withBooking({ status: 'CANCELLED' }),
    key: 'event_not_possible',
  },
})

testErrors(user_signup, {
  'refuses a driver’s sign-up with an unknown vehicle type': {
    by: null,
    input: { ...eva, carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
  'refuses a sign-up with a phone number other than the one of the sign-in': {
    by: 'new',
    phone: '+15555550190',
    input: eva,
    key: 'phone_no_update',
    field: 'mobile',
  },
})

const correction = { debit_id: '-O00000000000000000a', uid: 'rider', amount: 5, note: 'Twice' }
testErrors(take_from_wallet, {
  'refuses a correction above the balance': {
    by: 'admin',
    input: { ...correction, amount: 5.01 },
    project: people({ rider: aRider({ walletBalance: 5 }) }),
    key: 'withdraw_too_much',
    field: 'amount',
  },
  'refuses a correction of a negative balance': {
    by: 'admin',
    input: correction,
    project: people({ rider: aRider({ walletBalance: -5 }) }),
    key: 'withdraw_too_much',
    field: 'amount',
  },
  'refuses a correction of zero': {
    by: 'admin',
    input: { ...correction, amount: -5 },
    key: 'no_details_error',
    field: 'amount',
  },
  'refuses a correction for a missing user': {
    by: 'admin',
    input: { ...correction, uid: 'nobody' },
    key: 'no_details_error',
    field: 'uid',
  },
})

test.each([
  ['an empty reason', { note: ' ' }],
  ['a reason that is too long', { note: 'x'.repeat(201) }],
  ['a missing reason', { note: undefined }],
])('refuses a correction with %s at the note and writes nothing', async (_, more) => {
  const given = createProjectPorts(people({ rider: aRider({ walletBalance: 5 }) }))
  const before = withoutCounters(given.db.at(''))
  const caller = createCaller(given, 'admin')
  const input = { ...correction, ...more }
  const call = { input, caller, hasMapsBasicAuth: false, ip: '10.0.0.1', now: TEST_NOW }
  expect(await getDomainError(handleRequest(take_from_wallet, call, given))).toMatchObject({
    key: 'bad_input',
    field: 'note',
  })
  expect(withoutCounters(given.db.at(''))).toEqual(before)
})

test.each(['rider', 'driver', 'fleet'])('refuses a correction by a %s', async (uid) => {
  const fleet = aRider({ id: 'fleet', usertype: 'fleetadmin' })
  const given = createProjectPorts(people({ rider: aRider({ walletBalance: 5 }), fleet }))
  const call = {
    input: correction,
    caller: createCaller(given, uid),
    hasMapsBasicAuth: false,
    ip: '10.0.0.1',
    now: TEST_NOW,
  }
  expect(await getDomainError(handleRequest(take_from_wallet, call, given))).toMatchObject({
    key: 'not_allowed',
  })
})
