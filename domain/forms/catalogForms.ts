import * as v from 'valibot'
import { LOCALE_PATTERN, MAX_CATALOG_TEXT_LENGTH } from '../catalog/catalogTexts'
import { MAX_VEHICLE_TYPE_INFO_LENGTH, MAX_VEHICLE_TYPE_NAME_LENGTH } from '../catalog/vehicleTypes'
import { amount, image, requiredText, optionalText, wholeAmount } from './fieldSchemas'
import { FEE_TYPES } from '../catalog/types'

const feeType = v.picklist(FEE_TYPES, 'field_choice')
const isAtMostWhole = (type: string, value: number) => type !== 'percentage' || value <= 100

/**
 * Texts by locale, of at most `maxLength` characters. An empty text removes a translation; without
 * any there is no value.
 */
const createTranslations = (maxLength: number) =>
  v.pipe(
    v.record(
      v.pipe(v.string(), v.regex(new RegExp(LOCALE_PATTERN), 'invalid_field')),
      v.nullish(optionalText(maxLength, 'line')),
    ),
    v.transform((names) => {
      const filledNames = Object.entries(names).flatMap(([locale, name]) =>
        name ? [[locale, name]] : [],
      )
      return filledNames.length > 0
        ? (Object.fromEntries(filledNames) as Record<string, string>)
        : undefined
    }),
  )

/**
 * A parcel type or an option of a vehicle type, with its surcharge. A row without translations has
 * no `names`: the database refuses undefined values in a list.
 */
export const choiceForm = v.pipe(
  v.object({
    description: requiredText(MAX_CATALOG_TEXT_LENGTH, 'line'),
    names: v.optional(createTranslations(MAX_CATALOG_TEXT_LENGTH)),
    amount,
  }),
  v.transform(({ names, ...row }) => (names ? { ...row, names } : row)),
)
/** The cancellation fee from a number of minutes after the driver accepted. */
export const cancellationFeeTierForm = v.object({
  minsDelayed: v.pipe(wholeAmount, v.maxValue(100_000, 'field_too_large')),
  amount,
})

const vehicleTypeFields = v.object({
  name: requiredText(MAX_VEHICLE_TYPE_NAME_LENGTH, 'line'),
  names: v.optional(createTranslations(MAX_VEHICLE_TYPE_NAME_LENGTH)),
  image: v.optional(image),
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  convenience_fees: amount,
  convenience_fee_type: feeType,
  extra_info: v.optional(optionalText(MAX_VEHICLE_TYPE_INFO_LENGTH)),
  infos: v.optional(createTranslations(MAX_VEHICLE_TYPE_INFO_LENGTH)),
  parcelTypes: v.optional(v.array(choiceForm)),
  options: v.optional(v.array(choiceForm)),
  cancelSlab: v.optional(v.array(cancellationFeeTierForm)),
})
export const vehicleTypeForm = v.pipe(
  vehicleTypeFields,
  v.forward(
    v.check(
      (car) => isAtMostWhole(car.convenience_fee_type, car.convenience_fees),
      'field_percentage',
    ),
    ['convenience_fees'],
  ),
)
export type VehicleTypeForm = v.InferOutput<typeof vehicleTypeForm>

const instant = v.pipe(
  v.number('field_required'),
  v.integer('field_required'),
  v.minValue(0, 'field_required'),
)
export const promoForm = v.pipe(
  v.object({
    promo_name: requiredText(100, 'line'),
    promo_description: optionalText(500),
    promo_discount_type: feeType,
    promo_discount_value: amount,
    /** 0 means no maximum. */
    max_promo_discount_value: amount,
    min_order: amount,
    /** Milliseconds: the end of the selected day in the settings' time zone. */
    promo_validity: instant,
    promo_usage_limit: v.pipe(wholeAmount, v.minValue(1, 'field_positive')),
  }),
  v.forward(
    v.check(
      (promo) => isAtMostWhole(promo.promo_discount_type, promo.promo_discount_value),
      'field_percentage',
    ),
    ['promo_discount_value'],
  ),
)
export type PromoForm = v.InferOutput<typeof promoForm>

export const cancellationReasonForm = v.object({
  // The reason of an event, which has no link.
  label: requiredText(200, 'name'),
  names: v.optional(createTranslations(200)),
})
export type CancellationReasonForm = v.InferOutput<typeof cancellationReasonForm>

const locale = v.pipe(
  requiredText(20),
  v.regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/, 'field_choice'),
)
export const languageForm = v.object({
  langName: requiredText(60, 'line'),
  langLocale: locale,
  dateLocale: locale,
})
export type LanguageForm = v.InferOutput<typeof languageForm>

export const notificationForm = v.object({
  devicetype: v.picklist(['All', 'ANDROID', 'IOS'], 'field_choice'),
  usertype: v.picklist(['All', 'rider', 'driver'], 'field_choice'),
  title: requiredText(200, 'line'),
  body: requiredText(1000),
})
export type NotificationForm = v.InferOutput<typeof notificationForm>
