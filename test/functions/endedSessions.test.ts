import { deleteApp, initializeApp, type App } from 'firebase-admin/app'
import { getAuth, type Auth } from 'firebase-admin/auth'
import { ref, set } from 'firebase/database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HOST } from '~/scripts/local/ports'
import { PROJECT } from '~/scripts/local/localDatabase'
import { isAllowed } from '../support/testDatabase'
import { getSuite } from '../support/testSuite'
import { expectRefusal, openTestPlatform, toPosition, type TestPlatform } from './testPlatform'

let platform: TestPlatform
let app: App
let auth: Auth
beforeAll(() => {
  vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', `${HOST}:${getSuite().ports.auth}`)
  platform = openTestPlatform()
  app = initializeApp({ projectId: PROJECT }, 'ended-sessions')
  auth = getAuth(app)
})
afterAll(async () => {
  await platform.close()
  await deleteApp(app)
  vi.unstubAllEnvs()
})

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

test('ending all sessions leaves only the number of the record to sign in with', async () => {
  const [admin = ''] = await platform.createUsers(1, { usertype: 'admin' })
  await platform.signInAs(admin)
  const boss = await platform.signInAs('seed-admin')
  const { phoneNumber = '' } = await auth.getUser(admin)
  await auth.updateUser(admin, {
    phoneNumber: '+15555559871',
    providerToLink: { providerId: 'google.com', uid: 'thief' },
  })
  await boss.call('end_sessions', { uid: admin })
  const { phoneNumber: restored, providerData } = await auth.getUser(admin)
  expect([restored, providerData.map(({ providerId }) => providerId)]).toEqual([
    phoneNumber,
    ['phone'],
  ])
  await boss.call('end_sessions', { uid: admin })
})

test('a number that another account has now leaves the ended one without any', async () => {
  const [admin = '', other = ''] = await platform.createUsers(2, { usertype: 'admin' })
  await Promise.all([platform.signInAs(admin), platform.signInAs(other)])
  const boss = await platform.signInAs('seed-admin')
  const { phoneNumber = '' } = await auth.getUser(admin)
  await auth.updateUser(admin, { phoneNumber: '+15555559872' })
  await auth.updateUser(other, { phoneNumber })
  await boss.call('end_sessions', { uid: admin })
  expect((await auth.getUser(admin)).phoneNumber).toBeUndefined()
})
