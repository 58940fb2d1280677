import * as v from 'valibot'
import { isLink, isSocial } from '../language/links'
import { normalizeMobile, EMAIL_PATTERN } from '../accounts/userAccounts'
import { cleanWords, findWordsProblem, normalizeWords, type WordsKind } from '../language/words'

/** Messages of the form fields: translation keys besides those of the error catalog. */
export const FIELD_MESSAGES = [
  'field_required',
  'field_too_long',
  'field_number',
  'field_not_negative',
  'field_positive',
  'field_too_large',
  'field_whole',
  'field_decimals',
  'field_seconds',
  'field_percentage',
  'field_link',
  'field_social',
  'field_amounts',
  'field_choice',
  'field_mobile',
  'field_country',
  'field_countries',
  'field_domains',
  'field_timezone',
  'field_currency',
  'field_currency_decimals',
  'field_fare_step',
  'field_time',
  'field_any_amount',
  'field_one_direction',
  'help_topic_missing',
  'place_choose',
] as const
export type FieldMessage = (typeof FIELD_MESSAGES)[number]
const fieldMessage = (message: FieldMessage) => message

/**
 * Transforms people's words. The type of the action keeps the limits after it in the API's
 * description.
 */
const transformWords = (
  change: (text: string) => string,
): v.BaseTransformation<string, string, never> => ({
  ...v.transform(change),
  type: 'words',
})
/** Refuses texts with unseen characters, names and remarks with links, and signs of no plate. */
const words = (kind: WordsKind) =>
  v.pipe(
    v.string(fieldMessage('field_required')),
    transformWords(normalizeWords),
    v.check((text) => findWordsProblem(text, kind) !== 'text_not_allowed', 'text_not_allowed'),
    v.check((text) => findWordsProblem(text, kind) !== 'link_not_allowed', 'link_not_allowed'),
    v.check((text) => findWordsProblem(text, kind) !== 'plate_not_allowed', 'plate_not_allowed'),
  )

/** Returns the schema of a required text that people see, of one of the kinds. */
export const requiredText = (
  max: number,
  kind: WordsKind = 'text',
  tooLong: FieldMessage | 'address_too_long' = 'field_too_long',
) => v.pipe(words(kind), v.minLength(1, fieldMessage('field_required')), v.maxLength(max, tooLong))
/** Returns the schema of an optional text that people see, of one of the kinds. */
export const optionalText = (max: number, kind: WordsKind = 'text') =>
  v.pipe(words(kind), v.maxLength(max, fieldMessage('field_too_long')))
/** Returns the schema of words that only a search reads. It drops hidden characters. */
export const searchedText = (max: number) =>
  v.pipe(
    v.string(),
    transformWords((text) => cleanWords(text, 'line')),
    v.minLength(1),
    v.maxLength(max),
  )
/** A web address, or empty. */
export const link = v.pipe(optionalText(2000), v.check(isLink, fieldMessage('field_link')))
/** An account of a social network: a handle, a web address, or nothing. */
export const social = v.pipe(optionalText(200), v.check(isSocial, fieldMessage('field_social')))
/** A picture: a web address, or a path on this site. */
export const image = v.pipe(
  optionalText(2000),
  v.check((value) => /^\/(?!\/)/.test(value) || isLink(value), fieldMessage('field_link')),
)
/**
 * A nonnegative number. A form holds null for an empty field and the typed text for an invalid
 * number; both are refused here.
 */
export const amount = v.pipe(
  v.number(fieldMessage('field_number')),
  v.finite(fieldMessage('field_number')),
  v.minValue(0, fieldMessage('field_not_negative')),
  v.maxValue(1e9, fieldMessage('field_too_large')),
)
export const wholeAmount = v.pipe(amount, v.integer(fieldMessage('field_whole')))
export const flag = v.boolean()

export const email = (message: 'proper_email' | 'field_required' = 'proper_email') =>
  v.pipe(v.string(message), v.trim(), v.maxLength(254, message), v.regex(EMAIL_PATTERN, message))
/** A phone number in international format, without spaces and dashes. */
export const mobile = v.pipe(
  v.string(fieldMessage('field_mobile')),
  v.trim(),
  v.check((value) => normalizeMobile(value) !== null, fieldMessage('field_mobile')),
  v.transform((value) => normalizeMobile(value) ?? value),
)
