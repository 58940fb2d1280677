import { expect, test } from 'vitest'
import { handleRequest } from '../../http/requestHandler'
import {
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { save_place } from './savePlace'

const HOME = { lat: -34.9, lng: -56.16, add: 'Ejido 1275' }
const PATH = 'users/rider/savedAddresses/home'

const aRiderContext = () => {
  const ports = createProjectPorts({ roles: { rider: 'rider', driver: 'driver' } })
  return { db: ports.db, context: createUserContext('rider', 'rider', ports) }
}

test('saves, replaces and removes the home of a rider', async () => {
  const { db, context } = aRiderContext()
  await save_place.handle({ name: 'home', place: HOME }, context)
  expect(db.at(PATH)).toEqual({ lat: -34.9, lng: -56.16, description: 'Ejido 1275', count: 2e8 })
  await save_place.handle({ name: 'home', place: { ...HOME, add: 'Ejido 1277' } }, context)
  expect(db.at(PATH)).toMatchObject({ description: 'Ejido 1277' })
  await save_place.handle({ name: 'work', place: HOME }, context)
  const counts = Object.values(db.at('users/rider/savedAddresses') ?? {}).map(({ count }) => count)
  expect(counts).toEqual([2e8, 1e8])
  await save_place.handle({ name: 'home' }, context)
  expect(db.at(PATH)).toBeNull()
})

test('leaves nothing behind for a deleted account', async () => {
  const { db, context } = aRiderContext()
  db.put({ 'users/rider': null })
  const saved = save_place.handle({ name: 'home', place: HOME }, context)
  expect(await getErrorKey(saved)).toBe('not_found')
  expect(db.at('users/rider')).toBeNull()
})

test('refuses other names, places without an address, and drivers', async () => {
  const { context } = aRiderContext()
  const request = (input: object, uid = 'rider') =>
    getErrorKey(
      handleRequest(
        save_place,
        { input, caller: { uid }, hasMapsBasicAuth: false, ip: '::1', now: TEST_NOW },
        context,
      ),
    )
  expect(await request({ name: 'gym', place: HOME })).toBe('bad_input')
  expect(await request({ name: 'home', place: { ...HOME, add: '' } })).toBe('bad_input')
  expect(await request({ name: 'home', place: HOME }, 'driver')).toBe('not_allowed')
})
