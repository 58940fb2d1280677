import * as v from 'valibot'
import { DEFAULT_APP_NAME } from '../catalog/appName'
import { BOOKING_NOTE_LENGTH, MAX_ADDRESS_LENGTH, MAX_STOPS } from '../booking/limits/limits'
import { HELP_TOPICS, MAX_HELP_LENGTH } from '../help/helpCase'
import { NAMED_PLACES } from '../accounts/namedPlaces'
import { LEGS } from '../recurring/occurrences'
import { isDay, isTimezone } from '../language/zonedTime'
import type { ErrorKey } from './errorKeys'
import * as fields from '../forms/fieldSchemas'
import { messageSettingsForm } from '../forms/messageForms'
import { guestForm } from '../forms/userForms'
import { SHIPPED_LANGUAGES } from '../catalog/languages'
import { isCurrencyCode } from '../payments/currencyUnits'
import { BUSINESSES } from '../setup/business'
import {
  addressesConfirmed,
  amount,
  bookingRef,
  complaintSchema,
  deliveryFields,
  idSchema,
  imageUrl,
  index,
  isInherited,
  latitude,
  longitude,
  money,
  opaque,
  place,
  pushKey,
  required,
  stops,
  text,
  time,
  tripTime,
} from './inputFields'
import { APP_SCREENS } from '../messages/types'
import { NOTE_LENGTH } from '../money/types'
import { STATUSES } from '../booking/types'
import { USER_TYPES } from '../access/types'

/**
 * Input schemas of every endpoint. The functions parse with them; forms and clients use their
 * types.
 */

export const createBookingSchema = v.strictObject({
  /**
   * A push key that the client created. A repeat of the request gets the first response; a
   * different request with the same key is refused.
   */
  booking_id: pushKey,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
  /** A caller without an account, instead of `customer`. Admins only. */
  guest: v.optional(guestForm),
  pickup: place,
  drop: place,
  waypoints: v.optional(stops),
  addressesConfirmed,
  /** The vehicle type's id. */
  carType: idSchema,
  bookLater: v.boolean(),
  /** Milliseconds. */
  tripdate: v.optional(tripTime),
  /** The grand total shown to the rider. */
  estimateFare: amount,
  parcelTypeIndex: v.optional(index),
  optionIndex: v.optional(index),
  ...deliveryFields,
})
export type CreateBookingInput = v.InferOutput<typeof createBookingSchema>

/** A day of the calendar, yyyy-mm-dd. */
const day = v.pipe(v.string(), v.check(isDay))
/** A time of the day in the settings' time zone, HH:MM. */
const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const weekdays = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))),
  v.minLength(1),
  v.check((days) => new Set(days).size === days.length),
)

export const saveRecurringSchema = v.strictObject({
  /** A push key that the client created. A repeat of the request saves nothing more. */
  series_id: pushKey,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
  pickup: place,
  drop: place,
  waypoints: v.optional(stops),
  addressesConfirmed,
  /** The vehicle type's id. */
  carType: idSchema,
  parcelTypeIndex: v.optional(index),
  optionIndex: v.optional(index),
  ...deliveryFields,
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  days: weekdays,
  /** Pickup time of the outbound trip. */
  time: timeOfDay,
  /** Pickup time of the return trip; on the next day when it is earlier than `time`. */
  back: v.optional(timeOfDay),
  from: day,
  until: v.optional(day),
  /** How to pay for a parcel before its trip. */
  payment: v.optional(v.picklist(['cash', 'wallet'])),
})
export type SaveRecurringInput = v.InferOutput<typeof saveRecurringSchema>

const seriesRef = {
  series_id: idSchema,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
}
const occurrenceFields = { date: day, leg: v.picklist(LEGS) }
export const changeRecurringSchema = v.variant('action', [
  v.strictObject({ ...seriesRef, action: v.literal('skip'), ...occurrenceFields }),
  v.strictObject({ ...seriesRef, action: v.literal('unskip'), ...occurrenceFields }),
  v.strictObject({ ...seriesRef, action: v.literal('pause'), from: day, to: v.optional(day) }),
  v.strictObject({ ...seriesRef, action: v.literal('resume') }),
  v.strictObject({ ...seriesRef, action: v.literal('end') }),
  v.strictObject({
    ...seriesRef,
    action: v.literal('edit'),
    /** The revision of the series that the caller saw. A later edit refuses this one. */
    revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
    pickup: v.optional(place),
    drop: v.optional(place),
    /** All stops, in their order; an empty list removes them. */
    waypoints: v.optional(stops),
    addressesConfirmed,
    /** The vehicle type's id. */
    carType: v.optional(idSchema),
    ...deliveryFields,
    days: v.optional(weekdays),
    time: v.optional(timeOfDay),
    /** The first day; a new one is today or later. */
    from: v.optional(day),
    /** Null removes the return trip. */
    back: v.optional(v.nullable(timeOfDay)),
    /** Null lets the series go on. */
    until: v.optional(v.nullable(day)),
    payment: v.optional(v.picklist(['cash', 'wallet'])),
    /** The choice for upcoming bookings that exist already; they stay by default. */
    booked: v.optional(v.picklist(['keep', 'amend'])),
  }),
])
export type EditRecurringInput = Extract<
  v.InferOutput<typeof changeRecurringSchema>,
  { action: 'edit' }
>
export type ChangeRecurringInput = v.InferOutput<typeof changeRecurringSchema>

export const listRecurringSchema = v.strictObject({
  /** One rider's series. Admins only; without it an admin gets all riders' series. */
  customer: v.optional(idSchema),
  /** The `next` of the previous response. */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}\.[A-Za-z0-9_-]{1,128}$/))),
})
export type ListRecurringInput = v.InferOutput<typeof listRecurringSchema>

/**
 * A field that mobile apps send and the server does not use. All other unknown fields are refused,
 * so that a misspelled one is not ignored.
 */
const ignored = v.optional(v.pipe(v.unknown(), v.description('ignored')))
/** Returns the schemas of ignored fields. */
const ignoreFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>
/** Returns an input without its ignored fields, so that no handler can store them. */
const dropFields = <Input extends object, Name extends string>(
  input: Input,
  names: Readonly<Record<Name, unknown>>,
) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(names, name))) as Omit<
    Input,
    Name
  >

/** Maximum number of parameters of a text; ours all have fewer. */
const MAX_PARAMS = 10
/** The fields of a `PushNotification` that have no meaning for one device. */
const ignoredPushFields = ignoreFields('body', 'devicetype', 'usertype', 'createdAt')
export const sendNotificationSchema = v.pipe(
  v.strictObject({
    /** The phone's push token. A party of `booking` omits it to reach the other party. */
    token: v.optional(opaque(4096)),
    title: required(200, 'line'),
    msg: required(1000),
    screen: v.optional(v.picklist(APP_SCREENS)),
    /** The parameter names become keys in the recipient's inbox. */
    params: v.optional(
      v.pipe(
        v.record(idSchema, v.union([text(200, 'line'), v.pipe(v.number(), v.finite())])),
        v.check((params) => Object.keys(params).length <= MAX_PARAMS),
      ),
    ),
    /** The related booking. Its parties may send one of `PARTY_PUSH_NAMES` to each other. */
    booking_id: v.optional(idSchema),
    ...ignoredPushFields,
  }),
  v.transform((push) => dropFields(push, ignoredPushFields)),
)
/** A position as 'lat,lng'; waypoints are joined with '|'. */
const latLngText = v.pipe(v.string(), v.regex(/^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/))
/** Positions joined with '|', which the handler reads. */
const positions = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[-\d.,|\s]*$/))
/** A BCP 47 tag, or a platform's variant of one: es, pt-BR, zh_TW. */
const language = v.optional(v.pipe(text(20), v.regex(/^([A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)?$/)))
/** A token that a search and the chosen place share, because some services bill them together. */
const sessionToken = v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)))
export const getAddressSchema = v.strictObject({ latlng: latLngText, language })
export const getDirectionsSchema = v.strictObject({
  start: latLngText,
  dest: latLngText,
  waypoints: v.optional(positions(2000)),
  language,
})
export const autocompleteSchema = v.strictObject({
  searchKeyword: fields.searchedText(200),
  near: v.optional(latLngText),
  language,
  sessionToken,
})
export const getCoordsSchema = v.strictObject({ place_id: required(1000, 'line'), sessionToken })
export const getDistanceMatrixSchema = v.strictObject({
  start: positions(5000),
  dest: positions(5000),
})
export const validateReferrerSchema = v.strictObject({ referralId: required(60, 'line') })
export const checkUserExistsSchema = v.strictObject({
  email: v.optional(text(254, 'line')),
  mobile: v.optional(text(20, 'line')),
})

export type SendNotificationInput = v.InferOutput<typeof sendNotificationSchema>
export type CheckUserExistsInput = v.InferOutput<typeof checkUserExistsSchema>

// People

/** An email address in lowercase, so that equal addresses compare equal. */
const email = v.pipe(fields.email(), v.toLowerCase())
const mobile = fields.mobile
const name = required(100, 'name')
const personalFields = {
  profile_image: v.optional(imageUrl),
  lang: v.optional(
    v.strictObject({ langLocale: required(20, 'line'), dateLocale: required(20, 'line') }),
  ),
  bankName: v.optional(text(100, 'name')),
  bankCode: v.optional(text(60, 'name')),
  bankAccount: v.optional(text(60, 'name')),
}
/** Additional fields of a driver's record. */
const vehicleFields = {
  vehicleMake: v.optional(text(100, 'name')),
  vehicleModel: v.optional(text(100, 'name')),
  vehicleNumber: v.optional(text(30, 'name')),
  other_info: v.optional(text(1000)),
  carType: v.optional(idSchema),
  licenseImage: v.optional(imageUrl),
}

const signUpFields = {
  firstName: name,
  lastName: name,
  email,
  mobile,
  /** Another user's referral id. */
  referralId: v.optional(text(60, 'line')),
  loginType: v.optional(v.picklist(['facebook', 'apple', 'google'])),
  userPlatform: v.optional(v.picklist(['ANDROID', 'IOS', 'WEB'])),
  ...personalFields,
}
/** The time of a registration is the server's. */
const ignoredSignUpFields = ignoreFields('createdAt')
/** The apps' form is the same for riders and drivers. */
const ignoredRiderFields = {
  ...ignoredSignUpFields,
  ...ignoreFields(...(Object.keys(vehicleFields) as (keyof typeof vehicleFields)[])),
}
/** A registration, or `{regData: registration}` without other fields. */
export const userSignupSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.rawTransform(({ dataset: { value: body }, addIssue, NEVER }) => {
    const { regData, ...others } = body
    if (typeof regData !== 'object') return body
    const [key] = Object.keys(others)
    if (key === undefined) return regData
    const value = others[key]
    addIssue({ path: [{ type: 'object', origin: 'key', input: body, key, value }] })
    return NEVER
  }),
  v.variant('usertype', [
    v.pipe(
      v.strictObject({ usertype: v.literal('rider'), ...signUpFields, ...ignoredRiderFields }),
      v.transform((rider) => dropFields(rider, ignoredRiderFields)),
    ),
    v.pipe(
      v.strictObject({
        usertype: v.literal('driver'),
        ...signUpFields,
        ...vehicleFields,
        ...ignoredSignUpFields,
      }),
      v.transform((driver) => dropFields(driver, ignoredSignUpFields)),
    ),
  ]),
)

/** A sign-up in the form that user_signup accepts. */
export type Registration = v.InferOutput<typeof userSignupSchema>

/**
 * The push token of the caller's device; null removes the device. `replaces` is the token that the
 * device had before. Any caller who presents it may remove it: a token is the device's secret.
 */
export const registerPushTokenSchema = v.strictObject({
  token: v.nullable(opaque(4096)),
  platform: v.optional(v.picklist(['ANDROID', 'IOS', 'WEB'])),
  replaces: v.optional(opaque(4096)),
})

/** The person whose sessions end on all devices. */
export const endSessionsSchema = v.strictObject({ uid: idSchema })

/** A picture; null removes it. */
const removableImageUrl = v.optional(v.nullable(imageUrl))
/** Null or an empty text removes the reference. */
const ownReference = v.optional(
  v.nullable(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => null),
      ),
      idSchema,
    ]),
  ),
)
export const saveUserSchema = v.strictObject({
  /** The id of an existing user to edit. */
  id: v.optional(idSchema),
  usertype: v.optional(v.picklist(USER_TYPES)),
  firstName: v.optional(name),
  lastName: v.optional(name),
  email: v.optional(email),
  mobile: v.optional(mobile),
  /** The ID token of a sign-in with `mobile` moments ago, which proves that it is the caller's. */
  mobile_token: v.optional(required(4096, 'line')),
  approved: v.optional(v.boolean()),
  /** Another user's referral id, when callers complete their own new profile. */
  referralId: v.optional(required(60, 'line')),
  /** The driver's fleet admin. Admins only. */
  fleetadmin: ownReference,
  ...personalFields,
  ...vehicleFields,
  carType: ownReference,
  profile_image: removableImageUrl,
  licenseImage: removableImageUrl,
})
export type SaveUserInput = v.InferOutput<typeof saveUserSchema>

/** The largest number of people and of bookings that one call imports. */
export const IMPORT_BATCH = { people: 20, bookings: 10 } as const

const importedPerson = {
  firstName: name,
  lastName: name,
  email,
  mobile,
  bankName: v.optional(text(100, 'name')),
  bankCode: v.optional(text(60, 'name')),
  bankAccount: v.optional(text(60, 'name')),
}
/** Rows of a file. An absent field stays as it is. */
export const importPeopleSchema = v.variant('usertype', [
  v.strictObject({
    usertype: v.literal('rider'),
    rows: v.pipe(
      v.array(v.strictObject(importedPerson)),
      v.minLength(1),
      v.maxLength(IMPORT_BATCH.people),
    ),
  }),
  v.strictObject({
    usertype: v.literal('driver'),
    rows: v.pipe(
      v.array(
        v.strictObject({
          ...importedPerson,
          vehicleMake: vehicleFields.vehicleMake,
          vehicleModel: vehicleFields.vehicleModel,
          vehicleNumber: vehicleFields.vehicleNumber,
          other_info: vehicleFields.other_info,
          carType: vehicleFields.carType,
        }),
      ),
      v.minLength(1),
      v.maxLength(IMPORT_BATCH.people),
    ),
  }),
])
export type ImportPeopleInput = v.InferOutput<typeof importPeopleSchema>

/** Later bookings of guests, with addresses that the server looks up. */
export const importBookingsSchema = v.strictObject({
  rows: v.pipe(
    v.array(
      v.strictObject({
        /** The same for the same booking, so that a repeat books nothing more. */
        key: required(200, 'line'),
        name,
        mobile,
        pickup: required(MAX_ADDRESS_LENGTH, 'name'),
        stops: v.optional(
          v.pipe(
            v.array(required(MAX_ADDRESS_LENGTH, 'name')),
            v.maxLength(MAX_STOPS, 'too_many_stops' satisfies ErrorKey),
          ),
        ),
        drop: required(MAX_ADDRESS_LENGTH, 'name'),
        tripdate: tripTime,
        /** The vehicle type's id. */
        carType: idSchema,
        parcelTypeIndex: v.optional(index),
        optionIndex: v.optional(index),
        ...deliveryFields,
      }),
    ),
    v.minLength(1),
    v.maxLength(IMPORT_BATCH.bookings),
  ),
})
export type ImportBookingsInput = v.InferOutput<typeof importBookingsSchema>

export const deleteUserSchema = v.strictObject({
  /** The account to delete. It has no default, so that a misspelled field deletes no account. */
  id: idSchema,
  /** True to waive the money in the wallet. */
  waive_balance: v.optional(v.boolean()),
  /** The balance shown to the caller. A different balance is not waived. */
  balance: v.optional(v.pipe(v.number(), v.finite())),
  /** The fleet admin who takes over the drivers of a deleted one; null for no fleet. */
  drivers_to: v.optional(v.nullable(idSchema)),
})
export type DeleteUserInput = v.InferOutput<typeof deleteUserSchema>

/** ISO 4217. */
const currencyCode = v.pipe(v.string(), v.check(isCurrencyCode))
/** The first admin, the company, and what it carries. */
export const setupSchema = v.strictObject({
  mobile,
  country: required(100, 'line'),
  restrictCountry: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  firstName: v.optional(required(100, 'name'), 'Admin'),
  lastName: v.optional(required(100, 'name'), 'Kerbside'),
  symbol: v.optional(required(10, 'line'), '$'),
  code: v.optional(currencyCode, 'USD'),
  companyName: v.optional(required(100, 'line'), DEFAULT_APP_NAME),
  business: v.optional(v.picklist(BUSINESSES), 'both'),
  timezone: v.optional(v.pipe(required(60, 'line'), v.check(isTimezone, 'field_timezone')), 'UTC'),
  language: v.optional(v.picklist(SHIPPED_LANGUAGES.map(({ locale }) => locale)), 'en'),
  secret: v.optional(required(200, 'line')),
})
export type SetupInput = v.InferOutput<typeof setupSchema>

// Money

/** `credit_id` is a push key from the client: the same key again credits nothing more. */
export const addToWalletSchema = v.strictObject({
  credit_id: pushKey,
  uid: idSchema,
  amount: money,
  note: v.optional(required(NOTE_LENGTH)),
})
/** `debit_id` is a push key from the client: the same key again debits nothing more. */
export const takeFromWallet = v.strictObject({
  debit_id: pushKey,
  uid: idSchema,
  amount: money,
  note: required(NOTE_LENGTH),
})
/** `withdraw_id` is a push key from the client: the same key again withdraws nothing more. */
export const requestWithdrawSchema = v.strictObject({ withdraw_id: pushKey, amount: money })
export const completeWithdrawSchema = v.strictObject({ withdraw_id: idSchema })

export const quotePaymentSchema = v.strictObject({
  booking_id: idSchema,
  promo: v.optional(idSchema),
  /** The amount to take from the wallet; card or cash covers the rest. */
  usedWalletMoney: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e9))),
})
const providerName = v.pipe(
  v.string(),
  v.regex(/^[a-z]{1,40}$/),
  v.check((name) => !isInherited(name)),
)
export const startPaymentSchema = v.variant('payment_mode', [
  v.strictObject({ ...quotePaymentSchema.entries, payment_mode: v.literal('cash') }),
  v.strictObject({ ...quotePaymentSchema.entries, payment_mode: v.literal('wallet') }),
  v.strictObject({
    ...quotePaymentSchema.entries,
    payment_mode: v.literal('card'),
    provider: providerName,
  }),
  v.strictObject({
    payment_mode: v.literal('topup'),
    provider: providerName,
    amount: v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e7)),
  }),
])
export const refundPaymentSchema = v.strictObject({
  payment_id: idSchema,
  /** Defaults to the amount not yet refunded. */
  amount: v.optional(money),
  /** A push key from the client: the same key again refunds nothing more. */
  request_id: v.optional(pushKey),
  /** The complaint that the refund settles. */
  complaint: v.optional(complaintSchema),
})
export const resolvePaymentSchema = v.strictObject({
  payment_id: idSchema,
  how: v.picklist(['credit', 'dismiss', 'refunded', 'not_refunded', 'check']),
})
/** With `files`, also checks stored files when that is due. */
export const runSweepSchema = v.strictObject({ files: v.optional(v.boolean()) })

// Back office

/** The message of a telephone system about a call. */
export const callerSchema = v.strictObject({
  number: mobile,
  /** The extension that rings. */
  extension: v.optional(v.pipe(v.string(), v.regex(/^[\w*#.+-]{1,20}$/))),
})
export const answerCallSchema = v.strictObject({ call_id: idSchema })

/** `panic_id` is a push key from the client: the same key again is the same press. */
export const raisePanicSchema = v.strictObject({
  panic_id: pushKey,
  booking_id: idSchema,
  /** The device's position, if it is known. */
  position: v.optional(v.strictObject({ lat: latitude, lng: longitude })),
})
export type RaisePanicInput = v.InferInput<typeof raisePanicSchema>
export const answerPanicSchema = v.strictObject({
  /** The booking and the person of the alert. */
  booking_id: idSchema,
  uid: idSchema,
  /** `take` ends the sound; `close` also removes the alert from every screen. */
  how: v.picklist(['take', 'close']),
  /** The revision of the alert that the caller saw. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type AnswerPanicInput = v.InferInput<typeof answerPanicSchema>
/** `note_id` is a push key from the client: the same key again adds nothing more. */
export const addBookingNoteSchema = v.strictObject({
  booking_id: idSchema,
  note_id: pushKey,
  text: required(BOOKING_NOTE_LENGTH),
})
export type AddBookingNoteInput = v.InferInput<typeof addBookingNoteSchema>
/** `request_id` is a push key from the client: the same key again sends nothing more. */
export const sendReceiptSchema = v.strictObject({ booking_id: idSchema, request_id: pushKey })
export type SendReceiptInput = v.InferInput<typeof sendReceiptSchema>
export const explainOfferSchema = v.strictObject({
  booking_id: idSchema,
  /** The number of the offer; the caller's latest one by default. */
  offer: v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/))),
})
export type ExplainOfferInput = v.InferInput<typeof explainOfferSchema>
export const fairnessReportSchema = v.strictObject({
  month: v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  /** The last response's `next`. */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,140}$/))),
})
export type FairnessReportInput = v.InferInput<typeof fairnessReportSchema>
export const driverPartsSchema = v.strictObject({
  driver: idSchema,
  /** Explains each offer of this booking, newest first; the driver's decisions by default. */
  booking_id: v.optional(idSchema),
  /** ms; decisions at or before this time. */
  before: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
export type DriverPartsInput = v.InferInput<typeof driverPartsSchema>
/** The number or the id of the person who calls. */
export const findCallerSchema = v.union([
  v.strictObject({ mobile }),
  v.strictObject({ uid: idSchema }),
])
export type FindCallerInput = v.InferInput<typeof findCallerSchema>
export const listPeopleSchema = v.strictObject({ usertype: v.optional(v.picklist(USER_TYPES)) })
export const saveNoteSchema = v.strictObject({
  uid: idSchema,
  /** An empty text removes the note. */
  text: text(1000),
  /** The revision of the note that the caller saw; 0 without one. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SaveNoteInput = v.InferInput<typeof saveNoteSchema>

const helpText = required(MAX_HELP_LENGTH)
export const askHelpSchema = v.strictObject({
  ...bookingRef,
  request_id: pushKey,
  topic: v.picklist(HELP_TOPICS),
  text: helpText,
})
export type AskHelpInput = v.InferInput<typeof askHelpSchema>
export const answerHelpSchema = v.strictObject({
  ...bookingRef,
  request_id: pushKey,
  text: helpText,
  /** The revision of the case that the caller saw. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type AnswerHelpInput = v.InferInput<typeof answerHelpSchema>
export const readHelpSchema = v.strictObject(bookingRef)
export const listHelpSchema = v.strictObject({
  /** The `next` of the page before. */
  after: v.optional(bookingRef.booking_id),
})
export const listRefusalsSchema = v.strictObject({})

/** Without `place`, the place of this name is removed. */
export const savePlaceSchema = v.strictObject({
  name: v.picklist(NAMED_PLACES),
  place: v.optional(place),
})
export type SavePlaceInput = v.InferInput<typeof savePlaceSchema>

/** The decimals follow from the code. With `dry_run` nothing changes. */
export const changeCurrencySchema = v.strictObject({
  code: currencyCode,
  symbol: v.optional(required(10, 'line')),
  dry_run: v.optional(v.boolean(), false),
})
export type ChangeCurrencyInput = v.InferInput<typeof changeCurrencySchema>

/**
 * `notification_id` is a push key from the client: the same key again sends each message only once.
 */
export const broadcastNotificationSchema = v.strictObject({
  notification_id: pushKey,
  title: required(200, 'line'),
  body: required(1000),
  usertype: v.picklist(['All', 'rider', 'driver']),
  devicetype: v.picklist(['All', 'ANDROID', 'IOS']),
})
export type BroadcastNotificationInput = v.InferOutput<typeof broadcastNotificationSchema>

export const SHARE_LEVELS = ['status', 'live'] as const
export const shareBookingSchema = v.strictObject({
  booking_id: idSchema,
  level: v.optional(v.picklist(SHARE_LEVELS), 'live'),
  hours: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(72)), 24),
  /** The token to revoke. */
  revoke: v.optional(idSchema),
})

export const trackSchema = v.strictObject({ token: idSchema })

/** `cursor` is the `next` of the previous response. */
export const findBookings = v.strictObject({
  words: fields.searchedText(200),
  cursor: v.optional(idSchema),
})

export const exportBookingsSchema = v.strictObject({
  /**
   * The previous page's `next`: a booking id, preceded by its date when results are sorted by date.
   */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^(\d{1,16}\.)?[A-Za-z0-9_-]{1,128}$/))),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 200),
  /** Booking dates, ms. */
  from: v.optional(time),
  to: v.optional(time),
  status: v.optional(v.picklist(STATUSES)),
  customer: v.optional(idSchema),
  driver: v.optional(idSchema),
  carTypeId: v.optional(idSchema),
})

// Messages

export const messageSettingsSchema = v.strictObject({})
export const saveMessageSettingsSchema = v.strictObject({
  settings: messageSettingsForm,
  /** The revision of the settings that the caller saw; 0 before the first change. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SaveMessageSettingsInput = v.InferInput<typeof saveMessageSettingsSchema>

/** With `key`, turns an optional message on or off for the caller. */
export const messagePreferencesSchema = v.strictObject({
  key: v.optional(idSchema),
  on: v.optional(v.boolean(), true),
})

/** `cursor` is the last response's `next`. */
export const bookingMessagesSchema = v.strictObject({
  booking_id: idSchema,
  cursor: v.optional(idSchema),
})
