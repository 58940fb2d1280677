import * as v from 'valibot'
import { FEE_TYPES } from '../entities'
import { parsePairs } from '../languages'
import { amount, image, required, text, wholeAmount } from './fields'

const feeType = v.picklist(FEE_TYPES, 'field_choice')
const atMostAll = (type: string, value: number) => type !== 'percentage' || value <= 100

/** A parcel type or an option of a car type, and what it adds to the fare. */
export const choiceForm = v.object({ description: required(500), amount })
/** What cancelling costs from so many minutes after the driver accepted. */
export const cancelSlabForm = v.object({ minsDelayed: wholeAmount, amount })

const carTypeFields = v.object({
  name: required(100),
  image: v.optional(image),
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  convenience_fees: amount,
  convenience_fee_type: feeType,
  extra_info: v.optional(text(1000)),
  parcelTypes: v.optional(v.array(choiceForm)),
  options: v.optional(v.array(choiceForm)),
  cancelSlab: v.optional(v.array(cancelSlabForm)),
})
export const carTypeForm = v.pipe(
  carTypeFields,
  v.forward(
    v.check((car) => atMostAll(car.convenience_fee_type, car.convenience_fees), 'field_percentage'),
    ['convenience_fees'],
  ),
)
export type CarTypeForm = v.InferOutput<typeof carTypeForm>

const instant = v.pipe(
  v.number('field_required'),
  v.integer('field_required'),
  v.minValue(0, 'field_required'),
)
export const promoForm = v.pipe(
  v.object({
    promo_name: required(100),
    promo_description: text(500),
    promo_discount_type: feeType,
    promo_discount_value: amount,
    /** 0: no maximum. */
    max_promo_discount_value: amount,
    min_order: amount,
    /** ms; the last instant of the day that was picked, in the settings' time zone. */
    promo_validity: instant,
    promo_usage_limit: v.pipe(wholeAmount, v.minValue(1, 'field_positive')),
  }),
  v.forward(
    v.check(
      (promo) => atMostAll(promo.promo_discount_type, promo.promo_discount_value),
      'field_percentage',
    ),
    ['promo_discount_value'],
  ),
)
export type PromoForm = v.InferOutput<typeof promoForm>

export const cancelReasonForm = v.object({ label: required(200) })
export type CancelReasonForm = v.InferOutput<typeof cancelReasonForm>

const locale = v.pipe(
  required(20),
  v.regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/, 'field_choice'),
)
export const languageForm = v.object({
  langName: required(60),
  langLocale: locale,
  dateLocale: locale,
})
export type LanguageForm = v.InferOutput<typeof languageForm>

/** The JSON a language's texts are edited as. */
export const keyValuePairsForm = v.object({
  keyValuePairs: v.pipe(
    v.string('json_error'),
    v.check((json) => parsePairs(json).ok, 'json_error'),
  ),
})

export const notificationForm = v.object({
  devicetype: v.picklist(['All', 'ANDROID', 'IOS'], 'field_choice'),
  usertype: v.picklist(['All', 'rider', 'driver'], 'field_choice'),
  title: required(200),
  body: required(1000),
})
export type NotificationForm = v.InferOutput<typeof notificationForm>
