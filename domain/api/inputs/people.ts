import * as v from 'valibot'
import * as fields from '../../forms/fieldSchemas'
import { NAMED_PLACES } from '../../accounts/namedPlaces'
import {
  idSchema,
  imageUrl,
  opaque,
  place,
  required,
  text,
  dropFields,
  ignoreFields,
} from '../inputFields'
import { USER_TYPES } from '../../access/types'

export const validateReferrerSchema = v.strictObject({ referralId: required(60, 'line') })
export const checkUserExistsSchema = v.strictObject({
  email: v.optional(text(254, 'line')),
  mobile: v.optional(text(20, 'line')),
})

export type CheckUserExistsInput = v.InferOutput<typeof checkUserExistsSchema>

/** An email address in lowercase, so that equal addresses compare equal. */
export const email = v.pipe(fields.email(), v.toLowerCase())
export const mobile = fields.mobile
export const name = required(100, 'name')
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
export const vehicleFields = {
  vehicleMake: v.optional(text(100, 'name')),
  vehicleModel: v.optional(text(100, 'name')),
  vehicleNumber: v.optional(text(30, 'plate')),
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

export const listPeopleSchema = v.strictObject({ usertype: v.optional(v.picklist(USER_TYPES)) })

/** Without `place`, the place of this name is removed. */
export const savePlaceSchema = v.strictObject({
  name: v.picklist(NAMED_PLACES),
  place: v.optional(place),
})
export type SavePlaceInput = v.InferInput<typeof savePlaceSchema>
