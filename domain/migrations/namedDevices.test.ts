import { expect, test } from 'vitest'
import { moveNamedDevices } from './namedDevices'

const context = { settings: {}, texts: {}, now: 0 }
const NAMED = 'internal/named_devices'
const migrate = (row: Parameters<typeof moveNamedDevices.apply>[0]) => {
  const after = moveNamedDevices.apply(row, 'ana', context)
  // A page may be processed twice.
  expect(moveNamedDevices.apply(after, 'ana', context)).toEqual(after)
  return after
}

test('moves the token and the platform of a profile out of the record', () => {
  const user = { firstName: 'Ana' }
  const before = { ...user, pushToken: 'phone', userPlatform: 'IOS' }
  expect(migrate({ users: before, [NAMED]: null })).toEqual({
    users: user,
    [NAMED]: { token: 'phone', platform: 'IOS', revision: 1 },
  })
})

test('keeps a device that was registered since, and drops a platform without a token', () => {
  const named = { token: 'new', revision: 2 }
  expect(migrate({ users: { pushToken: 'old' }, [NAMED]: named })).toEqual({
    users: {},
    [NAMED]: named,
  })
  expect(migrate({ users: { userPlatform: 'WEB' }, [NAMED]: null })).toEqual({
    users: {},
    [NAMED]: null,
  })
})

test('leaves a profile without a token as it is', () => {
  const row = { users: { firstName: 'Ana' }, [NAMED]: null }
  expect(migrate(row)).toBe(row)
})
