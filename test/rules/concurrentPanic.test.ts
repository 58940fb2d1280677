import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import type { PanicAlert } from '~/domain/messages/officeAlert'
import { toPanicAlertId } from '~/domain/messages/officeAlert'
import { createPushKey } from '~/domain/data/pushKeys'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aBooking, aDriver, aRider, aSettings } from '~/domain/testing/builders'
import { answer_panic } from '~/functions/src/endpoints/office/answerPanic'
import { raise_panic } from '~/functions/src/endpoints/office/raisePanic'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { createTestPorts, createUserContext } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { systemClock } from '~/functions/src/adapters/node/systemClock'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const RUNS = 50
const ALERT_PATH = `internal/admin/${toPanicAlertId('b1', 'rider')}`
const readAlert = () => database.read(ALERT_PATH) as Promise<PanicAlert | null>
const countRows = async (path: string) => Object.keys((await database.read(path)) ?? {}).length

/** Starts a trip; returns functions that press the button and answer the alert. */
const startTrip = async () => {
  const users = {
    rider: aRider(),
    driver: aDriver(),
    admin: aRider({ id: 'admin', usertype: 'admin', firstName: 'Alma', lastName: 'Admin' }),
  }
  const booking = aBooking({ id: 'b1', status: 'STARTED', customer: 'rider', driver: 'driver' })
  await database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings: aSettings(),
      users,
      roles: getRoles(users),
      people: toDirectory(users),
      bookings: { b1: booking },
    }),
  )
  const now = Date.now()
  const ports = createTestPorts({ db: createFirebaseDatabase(), clock: systemClock })
  return {
    press: (n: number) =>
      raise_panic.handle(
        { panic_id: createPushKey(now, n), booking_id: 'b1', position: { lat: -34.9, lng: -56.2 } },
        { ...createUserContext('rider', 'rider', ports), now },
      ),
    answer: (how: 'take' | 'close', revision: number) =>
      answer_panic.handle(
        { booking_id: 'b1', uid: 'rider', how, revision },
        { ...createUserContext('admin', 'admin', ports), now },
      ),
  }
}

test('one press that arrives fifty times raises one alert with one message by each channel', async () => {
  const { press } = await startTrip()
  await Promise.all(Array.from({ length: RUNS }, () => press(1)))
  expect(await readAlert()).toMatchObject({ presses: 1, revision: 1 })
  expect(await countRows('audit')).toBe(1)
  expect(await countRows('internal/outbox')).toBe(2)
})

test('ten presses at once are all recorded in one alert', async () => {
  const { press } = await startTrip()
  await Promise.all(Array.from({ length: 10 }, (_, n) => press(n)))
  expect(await readAlert()).toMatchObject({ presses: 10, revision: 10 })
  expect(await countRows('audit')).toBe(10)
  expect(await countRows('internal/outbox')).toBe(2)
})

test.each(['take', 'close'] as const)(
  'of fifty admins who %s it at once, one is first',
  async (how) => {
    const { press, answer } = await startTrip()
    await press(1)
    const answers = await Promise.all(Array.from({ length: RUNS }, () => answer(how, 1)))
    expect(answers.filter(({ first }) => first)).toHaveLength(1)
    const alert = await readAlert()
    if (how === 'close') expect(alert).toBeNull()
    else expect(alert).toMatchObject({ taken_by: 'admin', taken_name: 'Alma Admin', revision: 2 })
  },
)
