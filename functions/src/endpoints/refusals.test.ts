import type { GenericSchema } from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Booking, User } from '~/domain/entities'
import type { ErrorKey, Refusal } from '~/domain/errors'
import {
  aBooking,
  aDriver,
  aPromo,
  aRequest,
  aRider,
  aSettings,
  MINUTE,
} from '~/domain/testing/builders'
import type { Definition, Ports } from '../definition'
import { answer } from '../guard'
import { Refused } from '../refused'
import { aProject, memoryAccounts, projectPorts, straightMaps, TEST_NOW } from '../testing'
import { advance_booking } from './advanceBooking'
import { create_booking } from './createBooking'
import { delete_user } from './deleteUser'
import { quote_payment } from './quotePayment'
import { save_user } from './saveUser'
import { share_booking } from './shareBooking'
import { user_signup } from './userSignup'

interface Row {
  /** The uid that calls; null: nobody is signed in. */
  by: string | null
  /** The number the caller signed in with. */
  phone?: string
  input: object
  /** What the project has beside, or instead of, `aProject`. */
  project?: object
  ports?: Partial<Ports>
  /** The database answers reads by path, but no searches. */
  unsearchable?: true
  key: ErrorKey
  field?: string
}

/** Calls the endpoint through its guard, row by row: the promised refusal, and nothing written. */
const refusesOf = <Schema extends GenericSchema, Output>(
  definition: Definition<Schema, Output>,
  rows: Record<string, Row>,
) => {
  describe(definition.name, () => {
    it.each(Object.entries(rows))('%s', async (_, row) => {
      const given = projectPorts(row.project, row.ports)
      const before = withoutCounters(given.db.at(''))
      const { by, phone, input, unsearchable } = row
      const list = () => Promise.reject(new Error('the index is gone'))
      const ports = unsearchable ? { ...given, db: { ...given.db, list } } : given
      const caller = by === null ? null : { uid: by, ...(phone !== undefined && { phone }) }
      const call = { input, caller, mapsKey: false, ip: '10.0.0.1', now: TEST_NOW }
      const { key, field } = await refusalOf(answer(definition, call, ports))
      expect({ key, field }).toEqual({ key: row.key, field: row.field })
      expect(definition.refuses).toContain(row.key)
      expect(withoutCounters(given.db.at(''))).toEqual(before)
    })
  })
}

const refusalOf = async (promise: Promise<unknown>): Promise<Refusal> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
  throw new Error('It was not refused.')
}

/** The guard counts every call, refused ones too. */
const withoutCounters = (tree: unknown) => ({ ...(tree as object), rate_limits: null })

const people = (over: Record<string, User | null>) => ({ users: { ...aProject().users, ...over } })
const booking_id = aBooking().id
const has = (over: Partial<Booking>) => ({ bookings: { [booking_id]: aBooking(over) } })
const asked = has({ requestedDrivers: { driver: true } })
const unpaid = has({ status: 'PAYMENT_PENDING' })
const HERE = { lat: -34.9, lng: -56.2 }

const booksNow = aRequest()
const noRoute = () =>
  Promise.resolve({ ...straightMaps, directions: () => Promise.reject(new Error('no route')) })

refusesOf(create_booking, {
  'a rider without e-mail completes his profile first': {
    by: 'rider',
    input: booksNow,
    project: people({ rider: aRider({ email: '' }) }),
    key: 'profile_incomplete',
    field: 'email',
  },
  'a rider whose last name is blank completes his profile first': {
    by: 'rider',
    input: booksNow,
    project: people({ rider: aRider({ lastName: ' ' }) }),
    key: 'profile_incomplete',
    field: 'lastName',
  },
  'places the maps service finds no route between are no booking': {
    by: 'rider',
    input: booksNow,
    ports: { maps: noRoute },
    key: 'place_to_coords_error',
  },
  'a later booking begins no sooner than in fifteen minutes': {
    by: 'rider',
    input: aRequest({ bookLater: true, tripdate: TEST_NOW + 15 * MINUTE - 1 }),
    key: 'past_booking_error',
    field: 'tripdate',
  },
  'a booking for now needs a free driver nearby': {
    by: 'rider',
    input: booksNow,
    project: { available_drivers: null },
    key: 'no_driver_found_alert_messege',
  },
  'a delivery needs the recipient’s phone': {
    by: 'rider',
    input: aRequest({ deliveryPersonPhone: undefined }),
    key: 'deliveryDetailMissing',
    field: 'deliveryPersonPhone',
  },
  'the office names the recipient of a delivery': {
    by: 'admin',
    input: aRequest({ customer: 'rider', deliveryPerson: '' }),
    key: 'deliveryDetailMissing',
    field: 'deliveryPerson',
  },
  'the office books for a rider, not for nobody': {
    by: 'admin',
    input: booksNow,
    key: 'incomplete_user',
    field: 'customer',
  },
  'the office books for no rider without a phone': {
    by: 'admin',
    input: aRequest({ customer: 'rider' }),
    project: people({ rider: aRider({ mobile: '' }) }),
    key: 'incomplete_user',
    field: 'customer',
  },
})

const pays = { booking_id, event: 'pay', payment_mode: 'cash', promo: 'spring' }
const spring = (over: Parameters<typeof aPromo>[0] = {}) => ({ promos: { spring: aPromo(over) } })
const usedElsewhere = { promo_uses: { spring: { rider: '-Oanotherbookingofhis' } } }
const alreadyOnIt = has({
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
const photographed = aSettings({
  AllowDeliveryPickupImageCapture: true,
  AllowFinalDeliveryImageCapture: true,
})

refusesOf(advance_booking, {
  'a driver accepts only what he was asked for': {
    by: 'driver',
    input: { booking_id, event: 'accept' },
    project: has({ requestedDrivers: { other: true } }),
    key: 'not_requested',
  },
  'a driver declines only what he was asked for': {
    by: 'driver',
    input: { booking_id, event: 'decline' },
    project: has({ requestedDrivers: { other: true } }),
    key: 'not_requested',
  },
  'a driver who is off duty is not assigned': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...has({}), ...people({ driver: aDriver({ driverActiveStatus: false }) }) },
    key: 'driver_not_available',
    field: 'driver',
  },
  'a driver of another car type is not assigned': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...has({}), ...people({ driver: aDriver({ carType: 'bike' }) }) },
    key: 'driver_not_available',
    field: 'driver',
  },
  'a driver who owes accepts nothing': {
    by: 'driver',
    input: { booking_id, event: 'accept' },
    project: { ...asked, ...people({ driver: aDriver({ walletBalance: -0.01 }) }) },
    key: 'driver_wallet_negative',
  },
  'nobody is assigned by hand while drivers are asked automatically': {
    by: 'admin',
    input: { booking_id, event: 'assign', driver: 'driver' },
    project: { ...has({}), settings: aSettings({ autoDispatch: true }) },
    key: 'auto_dispatch_on',
  },
  'the parcel is photographed at the pickup when the setting asks for it': {
    by: 'driver',
    input: { booking_id, event: 'start', otp: 12_345 },
    project: {
      ...has({ status: 'ARRIVED' }),
      booking_otps: { [booking_id]: 12_345 },
      settings: photographed,
    },
    key: 'image_required',
    field: 'pickup_image',
  },
  'the parcel is photographed at the drop when the setting asks for it': {
    by: 'driver',
    input: { booking_id, event: 'reach', ...HERE },
    project: { ...has({ status: 'STARTED' }), settings: photographed },
    key: 'image_required',
    field: 'deliver_image',
  },
  'a wallet pays no more than it has': {
    by: 'rider',
    input: { booking_id, event: 'pay', payment_mode: 'wallet' },
    project: { ...unpaid, ...people({ rider: aRider({ walletBalance: 43.12 }) }) },
    key: 'wallet_too_low',
    field: 'payment_mode',
  },
  'a promo nobody made takes nothing off': {
    by: 'rider',
    input: pays,
    project: unpaid,
    key: 'promo_invalid',
    field: 'promo',
  },
  'a promo takes nothing off after its last day': {
    by: 'rider',
    input: pays,
    project: { ...unpaid, ...spring({ promo_validity: TEST_NOW - 1 }) },
    key: 'promo_expired',
    field: 'promo',
  },
  'a promo takes nothing off a cost below its minimum': {
    by: 'rider',
    input: pays,
    project: { ...unpaid, ...spring({ min_order: 43.14 }) },
    key: 'promo_min_order',
    field: 'promo',
  },
  'a promo that was used as often as it may be takes nothing off': {
    by: 'rider',
    input: pays,
    project: { ...unpaid, ...spring({ user_avail: 3 }) },
    key: 'promo_used_up',
    field: 'promo',
  },
  'a rider uses a promo once': {
    by: 'rider',
    input: pays,
    project: { ...unpaid, ...spring(), ...usedElsewhere },
    key: 'promo_already_used',
    field: 'promo',
  },
  'a booking takes one promo': {
    by: 'rider',
    input: { ...pays, payment_mode: 'wallet' },
    project: { ...alreadyOnIt, ...spring() },
    key: 'promo_already_used',
    field: 'promo',
  },
})

const quotes = { booking_id, promo: 'spring' }

refusesOf(quote_payment, {
  'a booking that waits for no payment has no quote': {
    by: 'rider',
    input: { booking_id },
    project: has({ status: 'STARTED' }),
    key: 'event_not_possible',
  },
  'a promo is not quoted after its last day': {
    by: 'rider',
    input: quotes,
    project: { ...unpaid, ...spring({ promo_validity: TEST_NOW - 1 }) },
    key: 'promo_expired',
    field: 'promo',
  },
  'a promo is not quoted on a cost below its minimum': {
    by: 'rider',
    input: quotes,
    project: { ...unpaid, ...spring({ min_order: 43.14 }) },
    key: 'promo_min_order',
    field: 'promo',
  },
  'a promo that was used as often as it may be is not quoted': {
    by: 'rider',
    input: quotes,
    project: { ...unpaid, ...spring({ user_avail: 3 }) },
    key: 'promo_used_up',
    field: 'promo',
  },
  'a promo is not quoted to a rider who used it': {
    by: 'rider',
    input: quotes,
    project: { ...unpaid, ...spring(), ...usedElsewhere },
    key: 'promo_already_used',
    field: 'promo',
  },
  'a second promo on one booking is not quoted': {
    by: 'rider',
    input: quotes,
    project: { ...alreadyOnIt, ...spring() },
    key: 'promo_already_used',
    field: 'promo',
  },
  'more than the wallet has is not quoted': {
    by: 'rider',
    input: { booking_id, usedWalletMoney: 5 },
    project: { ...unpaid, ...people({ rider: aRider({ walletBalance: 4.99 }) }) },
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
refusesOf(save_user, {
  'nobody is made while who has the number cannot be looked up': {
    by: 'admin',
    input: eva,
    unsearchable: true,
    key: 'email_or_mobile_issue',
    field: 'mobile',
  },
  'nobody is made whose number the sign-in neither takes nor knows': {
    by: 'admin',
    input: eva,
    ports: { accounts: { ...memoryAccounts(), create: () => Promise.resolve(null) } },
    key: 'email_or_mobile_issue',
    field: 'mobile',
  },
  'a person changes his mobile only to the number he signed in with': {
    by: 'rider',
    phone: '+15555550199',
    input: { id: 'rider', mobile: eva.mobile },
    key: 'phone_no_update',
    field: 'mobile',
  },
  'a user who does not exist is not edited': {
    by: 'admin',
    input: { id: 'nobody', firstName: 'Eva' },
    key: 'not_found',
    field: 'id',
  },
  'a driver is made with a car type that exists': {
    by: 'admin',
    input: { ...eva, carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
  'a driver is given a car type that exists': {
    by: 'admin',
    input: { id: 'driver', carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
})

refusesOf(delete_user, {
  'a user who does not exist is not removed': {
    by: 'admin',
    input: { id: 'nobody' },
    key: 'not_found',
    field: 'id',
  },
})

refusesOf(share_booking, {
  'a booking that is complete is not shared': {
    by: 'rider',
    input: { booking_id },
    project: has({ status: 'COMPLETE' }),
    key: 'event_not_possible',
  },
  'a booking that is cancelled is not shared': {
    by: 'admin',
    input: { booking_id },
    project: has({ status: 'CANCELLED' }),
    key: 'event_not_possible',
  },
})

refusesOf(user_signup, {
  'a driver signs up with a car type that exists': {
    by: null,
    input: { ...eva, carType: 'rocket' },
    key: 'select_proper',
    field: 'carType',
  },
  'who is signed in signs up with the number he signed in with': {
    by: 'new',
    phone: '+15555550190',
    input: eva,
    key: 'phone_no_update',
    field: 'mobile',
  },
})
