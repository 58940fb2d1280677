import * as v from 'valibot'
import { FREE_ACTIONS, type FreeAction } from '../booking/limits/freeActions'
import { isDomainList, splitDomains } from '../messages/emailDomains'
import { LIMITED_SUBJECTS, type LimitedSubject } from '../messages/sendingLimits'
import {
  MESSAGE_SWITCHES,
  PRICED_CHANNELS,
  type MessageSettings,
  type PricedChannel,
} from '../messages/messageSettings'
import { amount, flag, mobile, optionalText, type FieldMessage } from './fieldSchemas'

/** A clock time, HH:MM, or empty. */
const clockTime = v.pipe(
  optionalText(5),
  v.regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'field_time' satisfies FieldMessage),
)
const percent = v.pipe(amount, v.maxValue(100, 'field_percentage'))
/** At most what the most expensive countries charge for a part, so that a total stays exact. */
const price = v.nullish(v.pipe(amount, v.maxValue(1e6, 'field_too_large')))

const prices = v.strictObject(
  Object.fromEntries(PRICED_CHANNELS.map((channel) => [channel, price])) as Record<
    PricedChannel,
    typeof price
  >,
)
/** Two-letter country codes, separated by commas or spaces. */
const countryCodes = v.optional(
  v.pipe(
    optionalText(200),
    v.toUpperCase(),
    v.regex(/^([A-Z]{2}([\s,]+|$))*$/, 'field_countries' satisfies FieldMessage),
  ),
  '',
)
/** Domains, separated by commas or spaces. */
const domains = v.optional(
  v.pipe(optionalText(10_000), v.check(isDomainList, 'field_domains' satisfies FieldMessage)),
  '',
)
const dailyLimit = v.nullish(
  v.pipe(
    amount,
    v.integer('field_whole' satisfies FieldMessage),
    v.maxValue(1e6, 'field_too_large'),
  ),
)
const dailyLimits = v.optional(
  v.strictObject(
    Object.fromEntries(LIMITED_SUBJECTS.map((subject) => [subject, dailyLimit])) as Record<
      LimitedSubject,
      typeof dailyLimit
    >,
  ),
  {},
)
const hourlyLimits = v.optional(
  v.strictObject(
    Object.fromEntries(FREE_ACTIONS.map((action) => [action, dailyLimit])) as Record<
      FreeAction,
      typeof dailyLimit
    >,
  ),
  {},
)
const switches = v.strictObject(Object.fromEntries(MESSAGE_SWITCHES.map(({ key }) => [key, flag])))

/** The office's settings of messages. An empty number is null. */
export const messageSettingsForm = v.pipe(
  v.strictObject({
    operatorName: optionalText(100, 'line'),
    address: optionalText(500),
    taxNumber: optionalText(100, 'line'),
    taxPercent: v.nullish(percent),
    officeMobile: v.optional(v.union([v.literal(''), mobile], 'field_mobile'), ''),
    quietStart: clockTime,
    quietEnd: clockTime,
    price: prices,
    budget: v.nullish(amount),
    countries: countryCodes,
    allowedEmailDomains: domains,
    refusedEmailDomains: domains,
    dailyLimits,
    hourlyLimits,
    debtLimit: v.nullish(amount),
    /** True for each message that goes out. */
    on: switches,
  }),
  v.forward(
    v.partialCheck(
      [['quietStart'], ['quietEnd']],
      ({ quietStart, quietEnd }) => (quietStart === '') === (quietEnd === ''),
      'field_required',
    ),
    ['quietEnd'],
  ),
)
export type MessageSettingsForm = v.InferOutput<typeof messageSettingsForm>

/** Returns the values of the form; a message is on unless the office turned it off. */
export const toMessageSettingsForm = (settings: MessageSettings): MessageSettingsForm => ({
  operatorName: settings.operatorName ?? '',
  address: settings.address ?? '',
  taxNumber: settings.taxNumber ?? '',
  taxPercent: settings.taxPercent ?? null,
  officeMobile: settings.officeMobile ?? '',
  quietStart: settings.quietStart ?? '',
  quietEnd: settings.quietEnd ?? '',
  price: {
    sms: settings.price?.sms ?? null,
    email: settings.price?.email ?? null,
    whatsapp: settings.price?.whatsapp ?? null,
  },
  budget: settings.budget ?? null,
  countries: (settings.countries ?? []).join(', '),
  allowedEmailDomains: (settings.allowedEmailDomains ?? []).join(', '),
  refusedEmailDomains: (settings.refusedEmailDomains ?? []).join(', '),
  dailyLimits: {
    customer: settings.dailyLimits?.customer ?? null,
    driver: settings.dailyLimits?.driver ?? null,
    address: settings.dailyLimits?.address ?? null,
  },
  debtLimit: settings.debtLimit ?? null,
  hourlyLimits: {
    cancel: settings.hourlyLimits?.cancel ?? null,
    amend: settings.hourlyLimits?.amend ?? null,
  },
  on: Object.fromEntries(MESSAGE_SWITCHES.map(({ key }) => [key, !settings.off?.[key]])),
})

/** Returns the fields that have a number. */
const keepNumbers = <Key extends string>(
  fields: Partial<Record<Key, number | null | undefined>>,
): Partial<Record<Key, number>> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === 'number'),
  ) as Partial<Record<Key, number>>

/** Returns the settings to store, without empty fields. */
export const toMessageSettings = (
  {
    on,
    price: enteredPrices,
    taxPercent,
    budget,
    countries: codes,
    allowedEmailDomains: allowed,
    refusedEmailDomains: refused,
    dailyLimits: limits,
    hourlyLimits: hourly,
    debtLimit,
    ...texts
  }: MessageSettingsForm,
  revision: number,
): MessageSettings => {
  const off = Object.entries(on).filter(([, isOn]) => !isOn)
  const prices = keepNumbers(enteredPrices)
  const dailyLimits = keepNumbers(limits)
  const hourlyLimits = keepNumbers(hourly)
  const countries = [...new Set(codes.match(/[A-Z]{2}/g) ?? [])]
  const allowedEmailDomains = splitDomains(allowed)
  const refusedEmailDomains = splitDomains(refused)
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(typeof taxPercent === 'number' && { taxPercent }),
    ...(typeof budget === 'number' && { budget }),
    ...(typeof debtLimit === 'number' && { debtLimit }),
    ...(Object.keys(prices).length > 0 && { price: prices }),
    ...(countries.length > 0 && { countries }),
    ...(allowedEmailDomains.length > 0 && { allowedEmailDomains }),
    ...(refusedEmailDomains.length > 0 && { refusedEmailDomains }),
    ...(Object.keys(dailyLimits).length > 0 && { dailyLimits }),
    ...(Object.keys(hourlyLimits).length > 0 && { hourlyLimits }),
    ...(off.length > 0 && { off: Object.fromEntries(off.map(([key]) => [key, true as const])) }),
    revision,
  }
}
