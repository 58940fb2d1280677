import { describe, expect, test } from 'vitest'
import { saveUserSchema } from '../api/inputs/people'
import {
  getFieldSetter,
  isEditableField,
  isWrittenByApp,
  mayEnterField,
  maySetField,
  USER_FIELDS,
  type FieldSetter,
  type UserField,
} from './fieldOwners'
import { BANK_FIELDS } from './types'

const listFieldsOf = (setter: FieldSetter) =>
  USER_FIELDS.filter((field) => maySetField(field, setter))

describe('the owners of the fields of people', () => {
  test.each(['walletBalance', 'walletHistory', 'walletMove'] as const)(
    'let functions alone move money with %s',
    (field) => {
      expect(isEditableField(field) || isWrittenByApp(field)).toBe(false)
    },
  )
  test.each(['signupViaReferral', 'referralRewarded', 'referralId', 'formerPromos'] as const)(
    'let functions alone decide about %s, by which bonuses and promos are given',
    (field) => {
      expect(isEditableField(field) || isWrittenByApp(field)).toBe(false)
    },
  )
  test('let a fleet admin set neither bank details nor what an admin decided', () => {
    const others: readonly UserField[] = [...BANK_FIELDS, 'approved', 'carType', 'fleetadmin']
    expect(others.filter((field) => maySetField(field, 'fleetadmin'))).toEqual([])
  })
  test('let people decide nothing about their own rights and pay', () => {
    const rights = ['usertype', 'approved', 'carType', 'fleetadmin', 'queue', 'ratings'] as const
    expect(listFieldsOf('person')).not.toEqual(expect.arrayContaining([...rights]))
    expect(rights.filter((field) => maySetField(field, 'person'))).toEqual([])
  })
  test('let only admins enter the approval and the fleet of a new person', () => {
    const decided = ['approved', 'fleetadmin'] as const
    expect(decided.every((field) => mayEnterField(field, 'admin'))).toBe(true)
    expect(
      decided.filter(
        (field) => mayEnterField(field, 'person') || mayEnterField(field, 'fleetadmin'),
      ),
    ).toEqual([])
  })
  test('let no person or member of the office enter rights, money or bonuses of a new person', () => {
    const functionsOnly = USER_FIELDS.filter((field) => !isEditableField(field))
    expect(
      functionsOnly.filter((field) =>
        (['person', 'fleetadmin', 'admin'] as const).some((one) => mayEnterField(field, one)),
      ),
    ).toEqual([])
  })
  test('let people and fleet admins enter a vehicle type as a wish, and not change it', () => {
    for (const setter of ['person', 'fleetadmin'] as const)
      expect([mayEnterField('carType', setter), maySetField('carType', setter)]).toEqual([
        true,
        false,
      ])
  })
  test('let the office change neither the phone number nor the email address', () => {
    expect((['mobile', 'email'] as const).filter((field) => maySetField(field, 'admin'))).toEqual(
      [],
    )
  })
})

test('save_user accepts each field that a person or the office sets, and those of an addition', () => {
  const accepted = Object.keys(saveUserSchema.entries)
  expect(USER_FIELDS.filter(isEditableField).filter((field) => !accepted.includes(field))).toEqual(
    [],
  )
  expect(
    accepted.filter((field) => !USER_FIELDS.some((one) => one === field && isEditableField(one))),
  ).toEqual(['id', 'usertype', 'mobile_token', 'referralId'])
})

test.each([
  ['a rider', 'rider', 'rider', 'person'],
  ['an admin with their own account', 'admin', 'admin', 'person'],
  ['an admin', 'admin', 'driver', 'admin'],
  ['a fleet admin', 'fleetadmin', 'driver', 'fleetadmin'],
  ['a fleet admin who adds a driver', 'fleetadmin', null, 'fleetadmin'],
] as const)('%s, a %s, sets the fields of the account %s as its %s', (_, role, owner, expected) => {
  expect(getFieldSetter({ uid: role, role }, owner)).toBe(expected)
})
