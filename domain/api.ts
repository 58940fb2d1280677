import * as v from 'valibot'
import { isTimezone, LATEST } from './clock'
import { SCREENS, STATUSES, USER_TYPES } from './entities'
import * as fields from './forms/fields'

/** Input schemas of every endpoint: the function parses with them, forms and clients type with them. */

export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/))
const text = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max))
const required = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max))
const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
const place = v.object({ lat: latitude, lng: longitude, add: required(500) })
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))
/** What the rules let a picture be too: never a scheme a browser would run. */
const imageUrl = v.pipe(v.string(), v.maxLength(2000), v.regex(/^https?:\/\/[^\s]+$/), v.url())

export const createBooking = v.object({
  /** A push key the client made: the same id again gives the same answer and no second booking. */
  booking_id: v.pipe(v.string(), v.regex(/^-[A-Za-z0-9_-]{19}$/)),
  /** The rider; admin only. */
  customer: v.optional(id),
  pickup: place,
  drop: place,
  waypoints: v.optional(v.pipe(v.array(place), v.maxLength(25))),
  /** The car type's id. */
  carType: id,
  bookLater: v.boolean(),
  /** ms */
  tripdate: v.optional(v.pipe(time, v.maxValue(LATEST))),
  /** The grand total as the rider was shown it. */
  estimateFare: v.pipe(v.number(), v.finite(), v.minValue(0)),
  parcelTypeIndex: v.optional(index),
  optionIndex: v.optional(index),
  deliveryPerson: v.optional(text(120)),
  deliveryPersonPhone: v.optional(text(40)),
  pickUpInstructions: v.optional(text(1000)),
  deliveryInstructions: v.optional(text(1000)),
})
export type CreateBooking = v.InferOutput<typeof createBooking>

const on = { booking_id: id }
/** When it happened, ms, where that was before it is sent: `ownTime` says what is believed. */
const own = { at: v.optional(time) }
export const advanceBooking = v.variant('event', [
  v.object({ ...on, event: v.literal('assign'), driver: id }),
  v.object({ ...on, event: v.literal('accept') }),
  v.object({ ...on, event: v.literal('decline') }),
  v.object({ ...on, event: v.literal('arrive'), lat: latitude, lng: longitude, ...own }),
  v.object({
    ...on,
    event: v.literal('start'),
    otp: v.optional(v.pipe(v.number(), v.integer())),
    pickup_image: v.optional(imageUrl),
    ...own,
  }),
  v.object({
    ...on,
    event: v.literal('reach'),
    lat: latitude,
    lng: longitude,
    deliver_image: v.optional(imageUrl),
    ...own,
  }),
  v.object({ ...on, event: v.literal('finish'), ...own }),
  v.object({ ...on, event: v.literal('collect'), ...own }),
  v.object({
    ...on,
    event: v.literal('pay'),
    payment_mode: v.picklist(['cash', 'wallet']),
    promo: v.optional(id),
    /** With cash: so much from the wallet, the rest in cash. */
    usedWalletMoney: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  }),
  v.object({
    ...on,
    event: v.literal('rate'),
    rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  }),
  v.object({ ...on, event: v.literal('cancel'), reason: required(500) }),
])
export type AdvanceBooking = v.InferOutput<typeof advanceBooking>

/** What create_booking and advance_booking answer. */
export interface BookingAnswer {
  booking_id: string
  status: string
  revision: number
  /** Only from create_booking: the grand total the server computed. */
  estimate?: number
}

export const sendNotification = v.object({
  token: required(4096),
  title: required(200),
  msg: required(1000),
  screen: v.optional(v.picklist(SCREENS)),
  /** Their names become keys of the receiver's inbox. */
  params: v.optional(v.record(id, v.union([v.string(), v.number()]))),
  /** The booking it is about: lets its parties send it. */
  booking_id: v.optional(id),
})
/** Points travel as 'lat,lng', waypoints joined with '|', as the specification has it. */
const latLngText = v.pipe(v.string(), v.regex(/^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/))
/** A BCP 47 tag, or as some platforms write it: es, pt-BR, zh_TW. */
const language = v.optional(v.pipe(text(20), v.regex(/^([A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)?$/)))
/** What one person types and the place he then chooses carry the same: some services bill that as one. */
const sessionToken = v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)))
export const getAddress = v.object({ latlng: latLngText, language })
export const getDirections = v.object({
  start: latLngText,
  dest: latLngText,
  waypoints: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  language,
})
export const autocomplete = v.object({
  searchKeyword: required(200),
  near: v.optional(latLngText),
  language,
  sessionToken,
})
export const getCoords = v.object({ place_id: required(1000), sessionToken })
export const getDistanceMatrix = v.object({
  start: v.pipe(v.string(), v.maxLength(5000)),
  dest: v.pipe(v.string(), v.maxLength(5000)),
})
export const validateReferrer = v.object({ referralId: required(60) })
export const checkUserExists = v.object({
  email: v.optional(text(254)),
  mobile: v.optional(text(20)),
})

export type SendNotification = v.InferOutput<typeof sendNotification>
export type CheckUserExists = v.InferOutput<typeof checkUserExists>

// People

/** An e-mail in small letters, so that equal ones are found equal. */
const email = v.pipe(fields.email(), v.toLowerCase())
const mobile = fields.mobile
const name = fields.required(100)
const personal = {
  profile_image: v.optional(imageUrl),
  lang: v.optional(v.object({ langLocale: fields.required(20), dateLocale: fields.required(20) })),
  bankName: v.optional(fields.text(100)),
  bankCode: v.optional(fields.text(60)),
  bankAccount: v.optional(fields.text(60)),
}
/** What a driver's record has beside everybody's. */
const vehicle = {
  vehicleMake: v.optional(fields.text(100)),
  vehicleModel: v.optional(fields.text(100)),
  vehicleNumber: v.optional(fields.text(30)),
  other_info: v.optional(fields.text(1000)),
  carType: v.optional(id),
  licenseImage: v.optional(imageUrl),
}

const signingUp = {
  firstName: name,
  lastName: name,
  email,
  mobile,
  /** Another user's referral id. */
  referralId: v.optional(text(60)),
  loginType: v.optional(v.picklist(['facebook', 'apple', 'google'])),
  userPlatform: v.optional(v.picklist(['ANDROID', 'IOS', 'WEB'])),
  ...personal,
}
/** The registration, or `{regData: registration}`. */
export const userSignup = v.pipe(
  v.looseObject({}),
  v.transform((body) => (typeof body.regData === 'object' ? body.regData : body)),
  v.variant('usertype', [
    v.object({ usertype: v.literal('rider'), ...signingUp }),
    v.object({ usertype: v.literal('driver'), ...signingUp, ...vehicle }),
  ]),
)

export const saveUser = v.object({
  /** Given when an existing user is edited. */
  id: v.optional(id),
  usertype: v.optional(v.picklist(USER_TYPES)),
  firstName: v.optional(name),
  lastName: v.optional(name),
  email: v.optional(email),
  mobile: v.optional(mobile),
  approved: v.optional(v.boolean()),
  /** The fleet admin a driver belongs to; admin only. */
  fleetadmin: v.optional(id),
  ...personal,
  ...vehicle,
})
export type SaveUser = v.InferOutput<typeof saveUser>

/** Without an id: the caller himself. */
export const deleteUser = v.object({ id: v.optional(id) })

/** The first admin, the country's label and two-letter code, the currency. */
export const setup = v.object({
  mobile,
  country: required(100),
  restrictCountry: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  firstName: v.optional(required(100), 'Admin'),
  lastName: v.optional(required(100), 'Kerbside'),
  symbol: v.optional(required(10), '$'),
  code: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), 'USD'),
  appcat: v.optional(v.picklist(['taxi', 'delivery']), 'delivery'),
  timezone: v.optional(v.pipe(required(60), v.check(isTimezone, 'field_timezone')), 'UTC'),
  secret: v.optional(required(200)),
})
export type Setup = v.InferOutput<typeof setup>

// Money

const money = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e9))
/** `credit_id` is a push key of the client's: the same one again credits nothing more. */
export const addToWallet = v.object({ credit_id: id, uid: id, amount: money })
/** `withdraw_id` is a push key of the client's: the same one again asks nothing more. */
export const requestWithdraw = v.object({ withdraw_id: id, amount: money })
export const completeWithdraw = v.object({ withdraw_id: id })

// The office

/** `notification_id` is a push key of the client's: the same one again sends to nobody twice. */
export const broadcastNotification = v.object({
  notification_id: id,
  title: required(200),
  body: required(1000),
  usertype: v.picklist(['All', 'rider', 'driver']),
  devicetype: v.picklist(['All', 'ANDROID', 'IOS']),
})
export type BroadcastNotification = v.InferOutput<typeof broadcastNotification>

export const SHARE_LEVELS = ['status', 'live'] as const
export const shareBooking = v.object({
  booking_id: id,
  level: v.optional(v.picklist(SHARE_LEVELS), 'live'),
  hours: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(72)), 24),
  /** The token to take back. */
  revoke: v.optional(id),
})

export const exportBookings = v.object({
  /** The last page's `next`: a booking, and its date before it where dates lead. */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^(\d{1,16}\.)?[A-Za-z0-9_-]{1,128}$/))),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 200),
  /** Booking dates, ms. */
  from: v.optional(time),
  to: v.optional(time),
  status: v.optional(v.picklist(STATUSES)),
  customer: v.optional(id),
  driver: v.optional(id),
  carTypeId: v.optional(id),
})
