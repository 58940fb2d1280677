import * as v from 'valibot'
import { toMinorUnits } from '../money/money'
import { email, flag, image, mobile, requiredText, optionalText } from './fieldSchemas'
import { NOTE_LENGTH } from '../money/types'

const names = { firstName: requiredText(100, 'name'), lastName: requiredText(100, 'name') }
const bank = {
  bankName: v.optional(optionalText(100, 'name')),
  bankCode: v.optional(optionalText(60, 'name')),
  bankAccount: v.optional(optionalText(60, 'name')),
}
const vehicle = {
  vehicleMake: v.optional(optionalText(100, 'name')),
  vehicleModel: v.optional(optionalText(100, 'name')),
  vehicleNumber: v.optional(optionalText(30, 'plate')),
  other_info: v.optional(optionalText(1000)),
  /** The vehicle type's id. */
  carType: v.optional(optionalText(128)),
  licenseImage: v.optional(image),
}

/**
 * The back office's form for riders, fleet admins and admins; mobile and email can be set only for
 * a new user.
 */
export const userForm = v.object({ ...names, email: email(), mobile, approved: flag })

/** The back office's form for drivers. */
export const driverForm = v.object({ ...userForm.entries, ...vehicle, ...bank })
export type DriverForm = v.InferOutput<typeof driverForm>

const positive = v.pipe(
  v.number('no_details_error'),
  v.check((value) => value > 0 && value <= 1e9, 'no_details_error'),
)
const adjustment = {
  uid: v.pipe(v.string('no_details_error'), v.minLength(1, 'no_details_error')),
  amount: positive,
}
/** Add to wallet: a user and an amount above 0, with a note if there is one. */
export const addToWalletForm = v.object({
  ...adjustment,
  note: v.optional(optionalText(NOTE_LENGTH), ''),
})
export type AddToWalletForm = v.InferOutput<typeof addToWalletForm>
/** Take from wallet: the same, with a required note. */
export const takeFromWalletForm = v.object({ ...adjustment, note: requiredText(NOTE_LENGTH) })

/** A caller who books by telephone and has no account. */
export const guestForm = v.strictObject({ name: requiredText(100, 'name'), mobile })

/** The vehicle as a driver describes it; the back office sets its type. */
export const ownVehicleForm = v.object({
  vehicleMake: optionalText(100, 'name'),
  vehicleModel: optionalText(100, 'name'),
  vehicleNumber: optionalText(30, 'plate'),
  other_info: optionalText(1000),
})
export type OwnVehicleForm = v.InferOutput<typeof ownVehicleForm>

/** A driver's or rider's request to withdraw at most their balance, with their bank details. */
export const withdrawalForm = ({ balance, decimal }: { balance: number; decimal: number }) =>
  v.object({
    amount: v.pipe(
      v.number('field_positive'),
      v.check((amount) => toMinorUnits(amount, decimal) > 0, 'field_positive'),
      v.check(
        (amount) => toMinorUnits(amount, decimal) <= toMinorUnits(balance, decimal),
        'withdraw_too_much',
      ),
    ),
    bankName: optionalText(100, 'name'),
    bankCode: optionalText(60, 'name'),
    bankAccount: optionalText(60, 'name'),
  })
export type WithdrawalForm = v.InferOutput<ReturnType<typeof withdrawalForm>>

/** A person's own profile; riders and new drivers may name who invited them. */
export const ownProfileForm = v.object({
  ...names,
  email: email(),
  referralId: optionalText(60, 'line'),
})
export type OwnProfileForm = v.InferOutput<typeof ownProfileForm>

/** A driver's own sign-up, without the picture of the license, which is a file until sent. */
export const driverSignUpForm = v.object({
  ...names,
  email: email(),
  carType: requiredText(128),
  vehicleMake: requiredText(100, 'name'),
  vehicleModel: requiredText(100, 'name'),
  vehicleNumber: requiredText(30, 'plate'),
  other_info: optionalText(1000),
  referralId: optionalText(60, 'line'),
})

/** The text fields of a sign-up that its owner may correct before they confirm it. */
export const pendingSignUpForm = v.omit(
  v.object({ ...names, email: email(), ...vehicle, ...bank }),
  ['licenseImage'],
)
export type PendingSignUpForm = v.InferOutput<typeof pendingSignUpForm>
