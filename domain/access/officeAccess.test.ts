import { describe, expect, it, test } from 'vitest'
import { findOfficeAccessChange, isOfficePowerChange } from './officeAccess'
import { USER_TYPES } from './types'

const OFFICE = ['admin', 'fleetadmin'] as const

describe('the access to the back office', () => {
  it.each(OFFICE)('is given to %s by an addition or an approval', (usertype) => {
    const after = { usertype, approved: true }
    expect(findOfficeAccessChange(null, after)).toBe('office_access_given')
    expect(findOfficeAccessChange({ usertype, approved: false }, after)).toBe('office_access_given')
    expect(findOfficeAccessChange({ usertype: 'rider', approved: true }, after)).toBe(
      'office_access_given',
    )
  })

  it.each(OFFICE)('ends for %s with a block, a deletion or another role', (usertype) => {
    const before = { usertype, approved: true }
    for (const after of [
      null,
      { usertype, approved: false },
      { usertype: 'driver', approved: true },
    ])
      expect(findOfficeAccessChange(before, after)).toBe('office_access_ended')
  })

  it('is given by a change between its two roles', () => {
    const [admin, fleetadmin] = OFFICE.map((usertype) => ({ usertype, approved: true }))
    expect(findOfficeAccessChange(admin ?? null, fleetadmin ?? null)).toBe('office_access_given')
  })

  it.each(['rider', 'driver'] as const)('never changes with the approval of a %s', (usertype) => {
    for (const approved of [true, false])
      expect(
        findOfficeAccessChange({ usertype, approved: !approved }, { usertype, approved }),
      ).toBeUndefined()
  })
})

test('a repeat of an approval or a block changes no power', () => {
  for (const usertype of USER_TYPES)
    for (const approved of [true, false]) {
      expect(isOfficePowerChange({ usertype, approved }, { approved })).toBe(false)
      expect(isOfficePowerChange({ usertype, approved }, {})).toBe(false)
    }
})

test.each([
  ['a new admin', null, { usertype: 'admin', approved: false }, true],
  ['a new fleet admin', null, { usertype: 'fleetadmin' }, true],
  ['a new driver', null, { usertype: 'driver', approved: true }, false],
  ['the approval of an admin', { usertype: 'admin', approved: false }, { approved: true }, true],
  [
    'the block of a fleet admin',
    { usertype: 'fleetadmin', approved: true },
    { approved: false },
    true,
  ],
  ['the block of a driver', { usertype: 'driver', approved: true }, { approved: false }, false],
  [
    'a driver who becomes an admin',
    { usertype: 'driver', approved: true },
    { usertype: 'admin' },
    true,
  ],
] as const)('tells whether %s changes the power of the office', (_, user, given, expected) => {
  expect(isOfficePowerChange(user, given)).toBe(expected)
})
