import { SETTING_NAMES } from '~/domain/catalog/settingDefinitions'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { isWrittenByApp, USER_FIELDS, type UserField } from '~/domain/accounts/fieldOwners'
import {
  PROMO_FIELD_OWNERS,
  PROMO_FIELDS,
  SETTING_OWNERS,
  VEHICLE_TYPE_FIELD_OWNERS,
  VEHICLE_TYPE_FIELDS,
} from '~/domain/catalog/recordOwners'
import { aDriver, aPromo, aRider, aSettings, aVehicleType, NOON } from '~/domain/testing/builders'
import { addDerivedData } from '~/domain/testing/derivedData'
import { createDatabase, RequestError } from '~/emulator/src/inProcess'
import { PRODUCT_RULES } from '../support/testDatabase'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Compares what clients may write of a person with the declared owner of each field. */

const rules = readFileSync(PRODUCT_RULES, 'utf8')
const driver = aDriver({ fleetadmin: 'fleet', approved: true, bankAccount: 'OWN' })
const PEOPLE = [
  driver,
  aRider({ id: 'rider' }),
  aRider({ id: 'fleet', usertype: 'fleetadmin' }),
  aRider({ id: 'admin', usertype: 'admin' }),
]

const entry = { type: 'Credit', amount: 1, date: NOON, txRef: 'AdminCredit' }
/** A value for each field that its shape allows, so that only the writer can be the reason. */
const VALUES = {
  id: 'driver',
  usertype: 'admin',
  firstName: 'Other',
  lastName: 'Other',
  mobile: '+15555550199',
  email: 'other@example.com',
  emailVerified: true,
  createdAt: '2020-01-01T00:00:00.000Z',
  createdByAdmin: true,
  approved: false,
  walletBalance: 1000,
  walletHistory: { extra: entry },
  walletMove: { code: 'USD', scale: 100, before: 0, after: 1000, slots: {} },
  signupViaReferral: 'rider',
  referralRewarded: false,
  referralId: 'other1234',
  formerPromos: { spring: true },
  formerPhones: { hash: true },
  loginType: 'google',
  sessionsEnd: 1000,
  profile_image: 'https://example.com/a.jpg',
  lang: { langLocale: 'es', dateLocale: 'es' },
  bankName: 'Other',
  bankCode: 'Other',
  bankAccount: 'Other',
  savedAddresses: { home: { lat: 1, lng: 1, description: 'Home', count: 1 } },
  notifications: { one: { title: 'Hello' } },
  vehicleMake: 'Other',
  vehicleModel: 'Other',
  vehicleNumber: 'Other',
  other_info: 'Other',
  carType: 'bike',
  fleetadmin: null,
  licenseImage: 'https://example.com/a.jpg',
  ratings: { userrating: 5 },
  queue: true,
  driverActiveStatus: true,
  location: { lat: -34.9, lng: -56.1 },
  shift: null,
} as const satisfies Record<keyof User, DatabaseValue>

const PROMO = { ...aPromo(), user_avail: 2, createdAt: NOON }

const isWritable = (uid: string | null, path: string, value: DatabaseValue): boolean => {
  const data = addDerivedData(
    toJson({
      settings: aSettings(),
      promos: { spring: PROMO },
      cartypes: { van: aVehicleType() },
      users: Object.fromEntries(PEOPLE.map((one) => [one.id, one])),
    }) as object,
  )
  const database = createDatabase({ rules, now: () => NOON, data })
  try {
    const client = uid === null ? database.as(null) : database.asUser(uid)
    client.set(path, value)
    return true
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 'permission_denied') throw error
    return false
  }
}
const listWritableFields = (uid: string | null): UserField[] =>
  USER_FIELDS.filter((field) => isWritable(uid, `users/driver/${field}`, VALUES[field]))

test('a person’s app writes the fields that are theirs to write, and no others', () => {
  expect(listWritableFields('driver')).toEqual(USER_FIELDS.filter(isWrittenByApp))
})

test.each([
  ['their fleet admin', 'fleet'],
  ['an admin', 'admin'],
  ['another person', 'rider'],
  ['a visitor', null],
])('%s writes no field of a person past the functions', (_, uid) => {
  expect(listWritableFields(uid)).toEqual([])
})

test.each(['driver', 'fleet', 'admin'])('%s removes no field of a person', (uid) => {
  const removed = USER_FIELDS.filter((field) => isWritable(uid, `users/driver/${field}`, null))
  expect(removed.filter((field) => !isWrittenByApp(field))).toEqual([])
})

test.each(['driver', 'fleet', 'admin', 'rider'])('%s writes no withdrawal or waiver', (uid) => {
  const withdrawal = { uid: 'driver', amount: 1, date: NOON, processed: false }
  expect(
    [
      isWritable(uid, 'withdraws/one', withdrawal),
      isWritable(uid, 'closed_accounts/driver', { at: NOON, waived: 0 }),
      isWritable(uid, 'internal/bank_changes/driver', null),
    ].some(Boolean),
  ).toBe(false)
})

test('an admin writes the fields of a promo that are theirs, and others write none', () => {
  const changed = {
    ...PROMO,
    promo_name: 'OTHER',
    promo_discount_type: 'flat',
    promo_discount_value: 20,
    user_avail: 1,
  }
  const listWritable = (uid: string | null) =>
    PROMO_FIELDS.filter((field) => isWritable(uid, `promos/spring/${field}`, changed[field]))
  expect(listWritable('admin')).toEqual(
    PROMO_FIELDS.filter((field) => PROMO_FIELD_OWNERS[field] === 'admin'),
  )
  expect(['fleet', 'driver', 'rider', null].flatMap(listWritable)).toEqual([])
})

/** Another value of each field of a vehicle type. */
const OTHER_VEHICLE_TYPE = {
  id: 'van',
  name: 'Other',
  names: { de: 'Anderer' },
  image: 'https://example.com/a.png',
  base_fare: 11,
  rate_per_unit_distance: 6,
  rate_per_hour: 7,
  min_fare: 21,
  convenience_fees: 16,
  convenience_fee_type: 'flat',
  extra_info: 'Other',
  infos: { de: 'Anders' },
  createdAt: NOON,
  parcelTypes: [{ description: 'Other', amount: 1 }],
  options: [{ description: 'Other', amount: 1 }],
  cancelSlab: [{ minsDelayed: 1, amount: 1 }],
} as const satisfies Record<keyof VehicleType, DatabaseValue>

test('an admin writes the fields of a vehicle type that are theirs, and others write none', () => {
  const listWritable = (uid: string | null) =>
    VEHICLE_TYPE_FIELDS.filter((field) =>
      isWritable(uid, `cartypes/van/${field}`, OTHER_VEHICLE_TYPE[field]),
    )
  expect(listWritable('admin')).toEqual(
    VEHICLE_TYPE_FIELDS.filter((field) => VEHICLE_TYPE_FIELD_OWNERS[field] === 'admin'),
  )
  expect(['fleet', 'driver', 'rider', null].flatMap(listWritable)).toEqual([])
})

/** Other values of the settings that are no switches. */
const OTHER_SETTINGS: Partial<Settings> = {
  appName: 'Other',
  CompanyName: 'Other',
  CompanyWebsite: 'https://example.com',
  CompanyTerms: 'https://example.com/terms',
  contact_email: 'other@example.com',
  FacebookHandle: 'other',
  TwitterHandle: 'other',
  InstagramHandle: 'other',
  AppleStoreLink: 'https://example.com/a',
  PlayStoreLink: 'https://example.com/b',
  country: 'Brazil',
  restrictCountry: 'BR',
  symbol: 'R$',
  code: 'BRL',
  decimal: 3,
  bonus: 7,
  bonusDelayDays: 3,
  walletMoneyField: '5, 10',
  driverRadius: 11,
  bankWaitHours: 12,
  panic: '911',
  officeIdleMinutes: 12,
  officeSessionHours: 12,
  appcat: 'taxi',
  timezone: 'America/Sao_Paulo',
  dispatchMode: 'nearest',
  dispatchSeconds: 40,
  maxPickupMinutes: 12,
  followOnMinutes: 12,
  fairnessWeight: 12,
  requeueDeclined: true,
  waitWarnMinutes: 12,
  waitAlarmMinutes: 12,
  waitLimitMinutes: 12,
  noShowMinutes: 12,
  noShowFee: 12,
  noShowDriverPart: 12,
  fareStep: 0.5,
  providerStep: 0.5,
  setupChecklist: 'priced',
}

test('an admin writes the settings that are theirs, and others write none', () => {
  const settings = aSettings()
  const getOther = (name: keyof Settings): DatabaseValue =>
    OTHER_SETTINGS[name] ?? settings[name] !== true
  const listWritable = (uid: string | null) =>
    SETTING_NAMES.filter((name) => isWritable(uid, `settings/${name}`, getOther(name)))
  expect(listWritable('admin')).toEqual(
    SETTING_NAMES.filter((name) => SETTING_OWNERS[name] === 'admin'),
  )
  expect(['fleet', 'driver', 'rider', null].flatMap(listWritable)).toEqual([])
})
