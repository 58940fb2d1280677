import { expect, it } from 'vitest'
import { dropBareRegistrations } from './pushTokens'
import type { MigrationContext } from './migration'

const context: MigrationContext = { settings: {}, texts: {}, now: 0 }
const apply = (row: object | string | null) =>
  dropBareRegistrations.apply({ push_tokens: row as never }, 'hash', context)

it('removes a registration of the previous release, which has only the account', () => {
  expect(apply('rider')).toEqual({ push_tokens: null })
})
it('leaves the registration of a device as it is', () => {
  const device = { uid: 'rider', token: 'one', platform: 'WEB', at: 5 }
  expect(apply(device)).toEqual({ push_tokens: device })
  expect(apply(null)).toEqual({ push_tokens: null })
})
