import * as v from 'valibot'
import { MAX_ADDRESS_LENGTH, MAX_STOPS } from '../../booking/limits/limits'
import type { ErrorKey } from '../errorKeys'
import { deliveryFields, idSchema, index, required, text, tripTime } from '../inputFields'
import { email, mobile, name, vehicleFields } from './people'

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
