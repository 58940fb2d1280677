import { expect, test } from 'vitest'
import * as v from 'valibot'
import { ERROR_KEYS } from '../api/errorKeys'
import { aSettings } from '../testing/builders'
import {
  cancellationReasonForm,
  vehicleTypeForm,
  languageForm,
  notificationForm,
  promoForm,
} from './catalogForms'
import { FIELD_MESSAGES } from './fieldSchemas'
import { messageSettingsForm, toMessageSettingsForm } from './messageForms'
import { addToWalletForm, driverForm, userForm } from './userForms'
import { appInfoForm, settingsForm, createSettingsForm } from './settingsForms'

const car = {
  name: 'Van',
  base_fare: 10,
  rate_per_unit_distance: 5,
  rate_per_hour: 6,
  min_fare: 20,
  convenience_fees: 15,
  convenience_fee_type: 'percentage',
}
const promo = {
  promo_name: 'SPRING',
  promo_description: '',
  promo_discount_type: 'percentage',
  promo_discount_value: 10,
  max_promo_discount_value: 0,
  min_order: 0,
  promo_validity: 1,
  promo_usage_limit: 1,
}
const person = {
  firstName: 'Ana',
  lastName: 'Lima',
  email: 'ana@kerbside.example',
  mobile: '+1 555 555 0100',
  approved: true,
}
const appInfo = {
  appName: 'K',
  CompanyName: 'K',
  CompanyWebsite: 'https://k.example',
  CompanyTerms: 'https://k.example/t',
  contact_email: '',
}
type Schema = v.GenericSchema
const messages = (schema: Schema, value: unknown): string[] => {
  const result = v.safeParse(schema, value)
  return result.success
    ? []
    : result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
}

test.each([
  ['a vehicle type', vehicleTypeForm, car],
  ['a promo', promoForm, promo],
  ['a user', userForm, person],
  ['a driver', driverForm, { ...person, vehicleNumber: 'SBA 1234' }],
  ['settings', settingsForm, aSettings()],
  [
    'settings without a limit to the pickup',
    settingsForm,
    { ...aSettings(), maxPickupMinutes: null },
  ],
  ['settings without a fairness term', settingsForm, { ...aSettings(), fairnessWeight: null }],
  ['settings without ages for the board', settingsForm, { ...aSettings(), waitWarnMinutes: null }],
  ['settings with matched dispatch', settingsForm, { ...aSettings(), dispatchMode: 'matched' }],
  ['settings without a response time', settingsForm, { ...aSettings(), dispatchSeconds: null }],
  ['settings with their own currency', createSettingsForm(aSettings()), aSettings()],
  [
    'settings with another currency and its decimals',
    createSettingsForm(aSettings()),
    aSettings({ code: 'KWD', decimal: 3 }),
  ],
  [
    'settings with a step of fares that its providers can charge',
    createSettingsForm(aSettings({ code: 'KWD', decimal: 3, providerStep: 0.01 })),
    aSettings({ code: 'KWD', decimal: 3, fareStep: 0.05 }),
  ],
  [
    'settings whose decimals never matched their currency',
    createSettingsForm({ code: 'JPY', decimal: 2 }),
    aSettings({ code: 'JPY', decimal: 2 }),
  ],
  ['app info', appInfoForm, appInfo],
  ['a language', languageForm, { langName: 'Deutsch', langLocale: 'de', dateLocale: 'de-AT' }],
  [
    'a notification',
    notificationForm,
    { devicetype: 'All', usertype: 'All', title: 'a', body: 'b' },
  ],
] as [string, Schema, unknown][])('accepts %s in valid form', (_, schema, value) => {
  expect(messages(schema, value)).toEqual([])
})

test.each([
  ['a vehicle type without a name', vehicleTypeForm, { ...car, name: ' ' }, 'name: field_required'],
  [
    'a negative rate',
    vehicleTypeForm,
    { ...car, rate_per_hour: -1 },
    'rate_per_hour: field_not_negative',
  ],
  [
    'a rate that is not a number',
    vehicleTypeForm,
    { ...car, rate_per_hour: '6' },
    'rate_per_hour: field_number',
  ],
  [
    'a fee of more than 100 percent',
    vehicleTypeForm,
    { ...car, convenience_fees: 101 },
    'convenience_fees: field_percentage',
  ],
  [
    'a fee of an unknown type',
    vehicleTypeForm,
    { ...car, convenience_fee_type: 'x' },
    'convenience_fee_type: field_choice',
  ],
  [
    'a cancellation tier of half a minute',
    vehicleTypeForm,
    { ...car, cancelSlab: [{ minsDelayed: 0.5, amount: 1 }] },
    'cancelSlab.0.minsDelayed: field_whole',
  ],
  [
    'a parcel type without a description',
    vehicleTypeForm,
    { ...car, parcelTypes: [{ description: '', amount: 1 }] },
    'parcelTypes.0.description: field_required',
  ],
  [
    'an image link that runs a script',
    vehicleTypeForm,
    { ...car, image: 'javascript:alert(1)' },
    'image: field_link',
  ],
  [
    'a discount of more than 100 percent',
    promoForm,
    { ...promo, promo_discount_value: 101 },
    'promo_discount_value: field_percentage',
  ],
  [
    'a promo with a limit of zero uses',
    promoForm,
    { ...promo, promo_usage_limit: 0 },
    'promo_usage_limit: field_positive',
  ],
  [
    'a promo without an end date',
    promoForm,
    { ...promo, promo_validity: undefined },
    'promo_validity: field_required',
  ],
  [
    'a sign that no plate has',
    driverForm,
    { ...person, vehicleNumber: 'A/1' },
    'vehicleNumber: plate_not_allowed',
  ],
  ['an invalid email address', driverForm, { ...person, email: 'ana' }, 'email: proper_email'],
  ['an invalid mobile number', userForm, { ...person, mobile: '555' }, 'mobile: field_mobile'],
  ['an empty bonus', settingsForm, { ...aSettings(), bonus: '' }, 'bonus: proper_bonus'],
  [
    'an empty currency symbol',
    settingsForm,
    { ...aSettings(), symbol: '' },
    'symbol: field_required',
  ],
  [
    'an unknown zone',
    settingsForm,
    { ...aSettings(), timezone: 'Mars/Olympus' },
    'timezone: field_timezone',
  ],
  ['a bonus below zero', settingsForm, { ...aSettings(), bonus: -1 }, 'bonus: field_not_negative'],
  [
    'a bonus that is not a number',
    settingsForm,
    { ...aSettings(), bonus: 'ten' },
    'bonus: proper_bonus',
  ],
  [
    'bonuses that wait for part of a day',
    settingsForm,
    { ...aSettings(), bonusDelayDays: 1.5 },
    'bonusDelayDays: field_whole',
  ],
  [
    'bonuses that wait for 91 days',
    settingsForm,
    { ...aSettings(), bonusDelayDays: 91 },
    'bonusDelayDays: field_too_large',
  ],
  ['five decimals', settingsForm, { ...aSettings(), decimal: 5 }, 'decimal: field_decimals'],
  [
    'an empty search radius',
    settingsForm,
    { ...aSettings(), driverRadius: null },
    'driverRadius: field_number',
  ],
  [
    'a dispatch mode of an earlier release',
    settingsForm,
    { ...aSettings(), dispatchMode: 'one_by_one' },
    'dispatchMode: field_choice',
  ],
  [
    'a way to the pickup of zero minutes',
    settingsForm,
    { ...aSettings(), maxPickupMinutes: 0 },
    'maxPickupMinutes: field_positive',
  ],
  [
    'a fairness term of more than an hour',
    settingsForm,
    { ...aSettings(), fairnessWeight: 3601 },
    'fairnessWeight: field_too_large',
  ],
  [
    'an alarm of the board after zero minutes',
    settingsForm,
    { ...aSettings(), waitAlarmMinutes: 0 },
    'waitAlarmMinutes: field_positive',
  ],
  [
    'a response time of four seconds',
    settingsForm,
    { ...aSettings(), dispatchSeconds: 4 },
    'dispatchSeconds: field_seconds',
  ],
  [
    'an amount above one billion',
    vehicleTypeForm,
    { ...car, min_fare: 1e9 + 1 },
    'min_fare: field_too_large',
  ],
  [
    'a step of fares that a switched-on provider cannot charge',
    createSettingsForm(aSettings({ code: 'KWD', decimal: 3, providerStep: 0.01 })),
    aSettings({ code: 'KWD', decimal: 3, fareStep: 0.005 }),
    'fareStep: field_fare_step',
  ],
  [
    'a step of fares finer than the currency',
    createSettingsForm(aSettings()),
    aSettings({ fareStep: 0.001 }),
    'fareStep: field_fare_step',
  ],
  [
    'an unknown currency',
    createSettingsForm(aSettings()),
    aSettings({ code: 'XYZ' }),
    'code: field_currency',
  ],
  [
    'a currency code in lowercase',
    createSettingsForm(aSettings()),
    { ...aSettings(), code: 'usd' },
    'code: field_choice',
  ],
  [
    'a currency with the decimals of another',
    createSettingsForm(aSettings()),
    aSettings({ code: 'JPY' }),
    'code: field_currency_decimals',
  ],
  [
    'changed decimals of the same currency',
    createSettingsForm(aSettings()),
    aSettings({ decimal: 0 }),
    'code: field_currency_decimals',
  ],
  ['half a decimal', settingsForm, { ...aSettings(), decimal: 1.5 }, 'decimal: field_whole'],
  ['an empty app name', appInfoForm, { ...appInfo, appName: '' }, 'appName: field_required'],
  [
    'an invalid contact address',
    appInfoForm,
    { ...appInfo, contact_email: 'x' },
    'contact_email: proper_email',
  ],
  ['an empty reason', cancellationReasonForm, { label: '' }, 'label: field_required'],
  [
    'a credit without a recipient',
    addToWalletForm,
    { uid: '', amount: 1 },
    'uid: no_details_error',
  ],
  [
    'a credit without an amount',
    addToWalletForm,
    { uid: 'a', amount: 0 },
    'amount: no_details_error',
  ],
] as [string, Schema, unknown, string][])(
  'reports the error for %s',
  (_, schema, value, message) => {
    expect(messages(schema, value)).toContain(message)
    const known: string[] = [...ERROR_KEYS, ...FIELD_MESSAGES]
    for (const one of messages(schema, value)) expect(known).toContain(one.split(': ')[1])
  },
)

test('normalizes a mobile number to one format', () => {
  expect(v.parse(userForm, person).mobile).toBe('+15555550100')
})

test.each(['9 pm', '24:00', '7:30', '12:60'])(
  'the settings of messages refuse the quiet hours from %s with a hint',
  (quietStart) => {
    const filled = { ...toMessageSettingsForm({ revision: 0 }), quietStart, quietEnd: '07:30' }
    const { issues } = v.safeParse(messageSettingsForm, filled)
    expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ['quietStart', 'field_time'],
    ])
  },
)
