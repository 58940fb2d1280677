import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { ERROR_KEYS } from '../errors'
import { aSettings } from '../testing/builders'
import {
  cancelReasonForm,
  carTypeForm,
  keyValuePairsForm,
  languageForm,
  notificationForm,
  promoForm,
} from './catalogue'
import { FIELD_MESSAGES, nonNegativeOrEmpty } from './fields'
import {
  addToWalletForm,
  deliveryForm,
  driverForm,
  loginCodeForm,
  officeDeliveryForm,
  profileForm,
  signUpForm,
  userForm,
} from './people'
import { appInfoForm, settingsForm } from './settings'

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
const delivery = {
  deliveryPerson: '',
  deliveryPersonPhone: '099 123 456',
  pickUpInstructions: '',
  deliveryInstructions: '',
}

type Schema = v.GenericSchema
const messages = (schema: Schema, value: unknown): string[] => {
  const result = v.safeParse(schema, value)
  return result.success
    ? []
    : result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
}

test.each([
  ['a car type', carTypeForm, car],
  ['a promo', promoForm, promo],
  ['a user', userForm, person],
  ['a driver', driverForm, { ...person, vehicleNumber: 'SBA 1234' }],
  ['a profile', profileForm, person],
  ['settings', settingsForm, aSettings()],
  ['app info', appInfoForm, appInfo],
  ['a language', languageForm, { langName: 'Deutsch', langLocale: 'de', dateLocale: 'de-AT' }],
  [
    'a notification',
    notificationForm,
    { devicetype: 'All', usertype: 'All', title: 'a', body: 'b' },
  ],
  ['delivery fields', deliveryForm, delivery],
] as [string, Schema, unknown][])('%s as it should be passes', (_, schema, value) => {
  expect(messages(schema, value)).toEqual([])
})

test.each([
  ['a car type without a name', carTypeForm, { ...car, name: ' ' }, 'name: field_required'],
  [
    'a negative rate',
    carTypeForm,
    { ...car, rate_per_hour: -1 },
    'rate_per_hour: field_not_negative',
  ],
  [
    'a rate that is no number',
    carTypeForm,
    { ...car, rate_per_hour: '6' },
    'rate_per_hour: field_number',
  ],
  [
    'a fee of more than everything',
    carTypeForm,
    { ...car, convenience_fees: 101 },
    'convenience_fees: field_percentage',
  ],
  [
    'a fee of no known type',
    carTypeForm,
    { ...car, convenience_fee_type: 'x' },
    'convenience_fee_type: field_choice',
  ],
  [
    'a slab of half a minute',
    carTypeForm,
    { ...car, cancelSlab: [{ minsDelayed: 0.5, amount: 1 }] },
    'cancelSlab.0.minsDelayed: field_whole',
  ],
  [
    'a parcel type without text',
    carTypeForm,
    { ...car, parcelTypes: [{ description: '', amount: 1 }] },
    'parcelTypes.0.description: field_required',
  ],
  [
    'a picture that is a script',
    carTypeForm,
    { ...car, image: 'javascript:alert(1)' },
    'image: field_link',
  ],
  [
    'a discount of more than everything',
    promoForm,
    { ...promo, promo_discount_value: 101 },
    'promo_discount_value: field_percentage',
  ],
  [
    'a promo for nobody',
    promoForm,
    { ...promo, promo_usage_limit: 0 },
    'promo_usage_limit: field_positive',
  ],
  [
    'a promo without an end',
    promoForm,
    { ...promo, promo_validity: undefined },
    'promo_validity: field_required',
  ],
  ['a wrong e-mail', profileForm, { ...person, email: 'ana' }, 'email: proper_email'],
  ['a wrong mobile', userForm, { ...person, mobile: '555' }, 'mobile: field_mobile'],
  ['an empty bonus', settingsForm, { ...aSettings(), bonus: '' }, 'bonus: proper_bonus'],
  ['no currency symbol', settingsForm, { ...aSettings(), symbol: '' }, 'symbol: field_required'],
  [
    'an unknown zone',
    settingsForm,
    { ...aSettings(), timezone: 'Mars/Olympus' },
    'timezone: field_timezone',
  ],
  ['half a decimal', settingsForm, { ...aSettings(), decimal: 1.5 }, 'decimal: field_whole'],
  ['no app name', appInfoForm, { ...appInfo, appName: '' }, 'appName: field_required'],
  [
    'a wrong contact',
    appInfoForm,
    { ...appInfo, contact_email: 'x' },
    'contact_email: proper_email',
  ],
  ['a reason that is empty', cancelReasonForm, { label: '' }, 'label: field_required'],
  [
    'texts that are no JSON',
    keyValuePairsForm,
    { keyValuePairs: '{' },
    'keyValuePairs: json_error',
  ],
  ['a code of five digits', loginCodeForm, { code: '12345' }, 'code: otp_validate_error'],
  [
    'a recipient’s wrong phone',
    deliveryForm,
    { ...delivery, deliveryPersonPhone: '1' },
    'deliveryPersonPhone: deliveryDetailMissing',
  ],
  [
    'no recipient in the office',
    officeDeliveryForm,
    delivery,
    'deliveryPerson: deliveryDetailMissing',
  ],
  ['money for nobody', addToWalletForm, { uid: '', amount: 1 }, 'uid: no_details_error'],
  ['no money', addToWalletForm, { uid: 'a', amount: 0 }, 'amount: no_details_error'],
] as [string, Schema, unknown, string][])('%s says so', (_, schema, value, message) => {
  expect(messages(schema, value)).toContain(message)
  const known: string[] = [...ERROR_KEYS, ...FIELD_MESSAGES]
  for (const one of messages(schema, value)) expect(known).toContain(one.split(': ')[1])
})

describe('signing up', () => {
  test('a driver brings a car type and a number plate, a rider does not', () => {
    expect(messages(signUpForm, { ...person, usertype: 'rider' })).toEqual([])
    const driver = { ...person, usertype: 'driver' }
    expect(messages(signUpForm, driver)).toEqual([
      'carType: field_required',
      'vehicleNumber: field_required',
    ])
    expect(messages(signUpForm, { ...driver, carType: 'van' })).toEqual([
      'vehicleNumber: field_required',
    ])
    expect(messages(signUpForm, { ...driver, carType: 'van', vehicleNumber: 'SBA 1' })).toEqual([])
  })
  test('nobody signs up as an admin', () => {
    expect(messages(signUpForm, { ...person, usertype: 'admin' })).toEqual([
      'usertype: field_choice',
    ])
  })
})

test('a mobile comes out in one form, however it was typed', () => {
  expect(v.parse(userForm, person).mobile).toBe('+15555550100')
})

test.each([
  ['2', 2],
  ['0', 0],
  [' 1.5 ', 1.5],
  ['-1', ''],
  ['x', ''],
  ['', ''],
  ['Infinity', ''],
])('typing %j into a number field leaves %j', (typed, left) => {
  expect(nonNegativeOrEmpty(typed)).toBe(left)
})
