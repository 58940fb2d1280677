import * as v from 'valibot'

/** Input schemas of every endpoint: the function parses with them, forms and clients type with them. */

export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/))
const text = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max))
const required = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max))
export const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
export const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
export const latLng = v.object({ lat: latitude, lng: longitude })
export const place = v.object({ lat: latitude, lng: longitude, add: required(500) })
const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))
const imageUrl = v.pipe(v.string(), v.url(), v.maxLength(2000))

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
  tripdate: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
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
export const advanceBooking = v.variant('event', [
  v.object({ ...on, event: v.literal('assign'), driver: id }),
  v.object({ ...on, event: v.literal('accept') }),
  v.object({ ...on, event: v.literal('decline') }),
  v.object({ ...on, event: v.literal('arrive'), lat: latitude, lng: longitude }),
  v.object({
    ...on,
    event: v.literal('start'),
    otp: v.optional(v.pipe(v.number(), v.integer())),
    pickup_image: v.optional(imageUrl),
  }),
  v.object({
    ...on,
    event: v.literal('reach'),
    lat: latitude,
    lng: longitude,
    deliver_image: v.optional(imageUrl),
  }),
  v.object({ ...on, event: v.literal('finish') }),
  v.object({ ...on, event: v.literal('collect') }),
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
  screen: v.optional(v.picklist(['BookedCab', 'onlineChat', 'Wallet', 'DriverTrips'])),
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
  /** The booking it is about: lets its parties send it. */
  booking_id: v.optional(id),
})
/** Points travel as 'lat,lng', waypoints joined with '|', as the specification has it. */
export const latLngText = v.pipe(v.string(), v.regex(/^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/))
export const getAddress = v.object({ latlng: latLngText })
export const getDirections = v.object({
  start: latLngText,
  dest: latLngText,
  waypoints: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})
export const autocomplete = v.object({
  searchKeyword: required(200),
  near: v.optional(latLngText),
  language: v.optional(text(10)),
})
export const getCoords = v.object({ place_id: required(1000) })
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
