import * as v from 'valibot'
import { normalMobile, PROPER_EMAIL } from '../people'

/** Texts of what a field wants: translation keys, beside those of the error catalogue. */
export const FIELD_MESSAGES = [
  'field_required',
  'field_too_long',
  'field_number',
  'field_not_negative',
  'field_positive',
  'field_whole',
  'field_percentage',
  'field_link',
  'field_choice',
  'field_mobile',
  'field_country',
  'field_timezone',
] as const
type Message = (typeof FIELD_MESSAGES)[number]
const says = (message: Message) => message

/** A text that must be there. */
export const required = (max: number) =>
  v.pipe(
    v.string(says('field_required')),
    v.trim(),
    v.minLength(1, says('field_required')),
    v.maxLength(max, says('field_too_long')),
  )
/** A text that may be empty. */
export const text = (max: number) =>
  v.pipe(v.string(says('field_required')), v.trim(), v.maxLength(max, says('field_too_long')))
const isLink = (value: string): boolean => {
  if (value === '') return true
  try {
    return /^https?:$/.test(new URL(value).protocol)
  } catch {
    return false
  }
}
/** A web address, or nothing. */
export const link = v.pipe(text(2000), v.check(isLink, says('field_link')))
/** A picture: a web address, or a path of this site. */
export const image = v.pipe(
  text(2000),
  v.check((value) => /^\/(?!\/)/.test(value) || isLink(value), says('field_link')),
)
/** A number that is not negative. */
export const amount = v.pipe(
  v.number(says('field_number')),
  v.finite(says('field_number')),
  v.minValue(0, says('field_not_negative')),
  v.maxValue(1e9, says('field_number')),
)
export const wholeAmount = v.pipe(amount, v.integer(says('field_whole')))
export const flag = v.boolean()

export const email = (message: 'proper_email' | 'field_required' = 'proper_email') =>
  v.pipe(v.string(message), v.trim(), v.maxLength(254, message), v.regex(PROPER_EMAIL, message))
/** A phone number in the international form; spaces and dashes are taken out. */
export const mobile = v.pipe(
  v.string(says('field_mobile')),
  v.trim(),
  v.check((value) => normalMobile(value) !== null, says('field_mobile')),
  v.transform((value) => normalMobile(value) ?? value),
)

/** What a number field holds after typing: the number, or empty when it is not a non-negative one (specification 5). */
export const nonNegativeOrEmpty = (typed: string): number | '' => {
  const number = Number(typed.trim())
  return typed.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : ''
}
