import { ref, set } from 'firebase/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAllowed } from '../support/testDatabase'
import { expectRefusal, openTestPlatform, toPosition, type TestPlatform } from './testPlatform'

let platform: TestPlatform
beforeAll(() => {
  platform = openTestPlatform()
})
afterAll(() => platform.close())

test('a session that an admin has ended neither calls nor writes, and a new sign-in does', async () => {
  const place = toPosition(await platform.getPickup())
  const [driver = ''] = await platform.createUsers(1, { usertype: 'driver', location: place })
  const stolen = await platform.signInAs(driver)
  const admin = await platform.signInAs('seed-admin')
  const write = ({ database }: typeof stolen) =>
    isAllowed(set(ref(database, `users/${driver}/location`), place))
  const read = (client: typeof stolen) =>
    expectRefusal(client.call('end_sessions', { uid: 'nobody' })).then(({ details }) => details.key)
  expect([await write(stolen), await read(stolen)]).toEqual([true, 'not_allowed'])
  // Sign-ins are counted in whole seconds.
  await expect
    .poll(async () => {
      await admin.call('end_sessions', { uid: driver })
      return read(stolen)
    })
    .toBe('session_ended')
  expect(await write(stolen)).toBe(false)
  const own = await platform.signInAs(driver)
  expect([await write(own), await read(own)]).toEqual([true, 'not_allowed'])
})
