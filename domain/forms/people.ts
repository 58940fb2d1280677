import * as v from 'valibot'
import { isDeliveryPhone, isLoginCode } from '../people'
import { email, flag, image, mobile, required, text } from './fields'

const names = { firstName: required(100), lastName: required(100) }
const lang = v.optional(v.object({ langLocale: required(20), dateLocale: required(20) }))
const bank = {
  bankName: v.optional(text(100)),
  bankCode: v.optional(text(60)),
  bankAccount: v.optional(text(60)),
}
const vehicle = {
  vehicleMake: v.optional(text(100)),
  vehicleModel: v.optional(text(100)),
  vehicleNumber: v.optional(text(30)),
  other_info: v.optional(text(1000)),
  /** The car type's id. */
  carType: v.optional(text(128)),
  licenseImage: v.optional(image),
}

/** The code field of /login. */
export const loginCodeForm = v.object({
  code: v.pipe(
    v.string('otp_validate_error'),
    v.trim(),
    v.check(isLoginCode, 'otp_validate_error'),
  ),
})

/** /profile. The mobile can be changed where sign-in can follow it. */
export const profileForm = v.object({ ...names, email: email(), mobile, lang, ...bank })

/** Riders, fleet admins and admins in the back office; mobile and e-mail only when added. */
export const userForm = v.object({ ...names, email: email(), mobile, approved: flag })

/** Drivers in the back office. */
export const driverForm = v.object({ ...userForm.entries, ...vehicle, ...bank })
export type DriverForm = v.InferOutput<typeof driverForm>

/** Signing up, as rider or driver; a driver brings his vehicle and licence. */
export const signUpForm = v.pipe(
  v.object({
    usertype: v.picklist(['rider', 'driver'], 'field_choice'),
    ...names,
    email: email(),
    mobile,
    referralId: v.optional(text(60)),
    ...vehicle,
  }),
  v.forward(
    v.check((user) => user.usertype !== 'driver' || Boolean(user.carType), 'field_required'),
    ['carType'],
  ),
  v.forward(
    v.check((user) => user.usertype !== 'driver' || Boolean(user.vehicleNumber), 'field_required'),
    ['vehicleNumber'],
  ),
)

/** The delivery fields of the estimate; the office names the person too. */
export const deliveryForm = v.object({
  deliveryPerson: text(120),
  deliveryPersonPhone: v.pipe(
    v.string('deliveryDetailMissing'),
    v.trim(),
    v.maxLength(40, 'deliveryDetailMissing'),
    v.check(isDeliveryPhone, 'deliveryDetailMissing'),
  ),
  pickUpInstructions: text(1000),
  deliveryInstructions: text(1000),
})
export const officeDeliveryForm = v.object({
  ...deliveryForm.entries,
  deliveryPerson: v.pipe(
    v.string('deliveryDetailMissing'),
    v.trim(),
    v.minLength(1, 'deliveryDetailMissing'),
    v.maxLength(120, 'field_too_long'),
  ),
})

const positive = v.pipe(
  v.number('no_details_error'),
  v.check((value) => value > 0 && value <= 1e9, 'no_details_error'),
)
/** Add to wallet: a user and an amount above 0. */
export const addToWalletForm = v.object({
  uid: v.pipe(v.string('no_details_error'), v.minLength(1, 'no_details_error')),
  amount: positive,
})
export type AddToWalletForm = v.InferOutput<typeof addToWalletForm>
