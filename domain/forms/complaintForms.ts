import * as v from 'valibot'
import { BOOKING_NOTE_LENGTH } from '../booking/limits/limits'
import { subtractAmount, sumAmounts, toMinorUnits } from '../money/money'

import { optionalText, requiredText, type FieldMessage } from './fieldSchemas'
import { COMPLAINT_REASONS, NOTE_LENGTH, type ComplaintReason } from '../money/types'

/** The amounts of a complaint in the order of the form's fields. */
export const COMPLAINT_AMOUNTS = ['rider', 'card', 'driver', 'take_back'] as const
export type ComplaintAmount = (typeof COMPLAINT_AMOUNTS)[number]
/** The most that a complaint can move. */
export type ComplaintLimits = Readonly<Record<ComplaintAmount, number>>

const amount = v.nullish(v.pipe(v.number('field_number'), v.gtValue(0, 'field_positive')))
const fields = v.object({
  reason: v.picklist(COMPLAINT_REASONS, 'reason_required'),
  text: optionalText(NOTE_LENGTH),
  rider: amount,
  card: amount,
  driver: amount,
  take_back: amount,
})
export type ComplaintForm = v.InferOutput<typeof fields>
type Message = FieldMessage | 'compensation_too_much'

/** Returns what is wrong with the amounts, by field. */
const findAmountErrors = (
  form: ComplaintForm,
  limits: ComplaintLimits,
  decimal: number,
): [ComplaintAmount, Message][] => {
  const units = (value: number | null | undefined) => toMinorUnits(value ?? 0, decimal)
  const isEmpty = COMPLAINT_AMOUNTS.every((field) => units(form[field]) === 0)
  if (isEmpty) return [['rider', 'field_any_amount']]
  // A credit and a refund to the card share the rider's limit, except goodwill.
  const leftForCard =
    form.reason === 'goodwill' ? Infinity : subtractAmount(limits.rider, form.rider ?? 0, decimal)
  const most = { ...limits, card: Math.min(limits.card, leftForCard) }
  return [
    ...COMPLAINT_AMOUNTS.filter((field) => units(form[field]) > units(most[field])).map(
      (field): [ComplaintAmount, Message] => [field, 'compensation_too_much'],
    ),
    ...(form.driver && form.take_back
      ? [['take_back', 'field_one_direction'] as [ComplaintAmount, Message]]
      : []),
  ]
}

/** The back office's form about a complaint. `getLimits` returns the most for a reason. */
export const complaintForm = (
  getLimits: (reason: ComplaintReason) => ComplaintLimits,
  decimal: number,
) =>
  v.pipe(
    fields,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const { value: input } = dataset
      for (const [key, message] of findAmountErrors(input, getLimits(input.reason), decimal))
        addIssue({
          message,
          path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
        })
    }),
  )

/** Returns the platform's part: the opposite of what rider and driver get. */
export const getPlatformPart = (
  { rider, card, driver, take_back }: ComplaintForm,
  decimal: number,
): number => -sumAmounts([rider ?? 0, card ?? 0, driver ?? 0, -(take_back ?? 0)], decimal)

/** The back office's note about a booking. */
export const bookingNoteForm = v.object({ text: requiredText(BOOKING_NOTE_LENGTH) })
