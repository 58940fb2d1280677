import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { toDirectory } from '~/domain/accounts/directory'
import { buildOutboxUpdates, type OutboxMessage } from '~/domain/messages/outbox'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { createOutboxSender } from '~/functions/src/services/messages/outboxSender'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import type { OutgoingMessage } from '~/functions/src/ports/messages'
import { createTestPorts } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { systemClock } from '~/functions/src/adapters/node/systemClock'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const SENDERS = 50
const ID = 'b1-2-accepted-rider-sms'

const openOutbox = async () => {
  const users = { rider: aRider() }
  await database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings: aSettings(),
      users,
      // The rider's number is American.
      internal: { message_settings: { current: { countries: ['US'], revision: 1 } } },
      roles: getRoles(users),
      people: toDirectory(users),
      bookings: { b1: aBooking({ id: 'b1', status: 'ACCEPTED', tripdate: Date.now() }) },
    }),
  )
  const taken: OutgoingMessage[] = []
  const ports = createTestPorts({
    db: createFirebaseDatabase(),
    clock: systemClock,
    messages: {
      has: () => true,
      send: (message) => {
        taken.push(message)
        return Promise.resolve({ state: 'sent' })
      },
      find: () => Promise.resolve(null),
    },
  })
  const now = Date.now()
  const params = { driver: 'Juan', vehicle: 'SAB 1' }
  const message = { scope: 'b1-2', event: 'accepted', audience: 'rider', uid: 'rider' } as const
  await ports.db.update(buildOutboxUpdates({ ...message, booking_id: 'b1', params, at: now, now }))
  return { ports, taken }
}
const readMessage = () =>
  database.read(internalPaths.outboxMessage(ID)) as Promise<OutboxMessage | null>

test('fifty senders send a message once', async () => {
  const { ports, taken } = await openOutbox()
  const states = await Promise.all(
    Array.from({ length: SENDERS }, (_, n) => {
      const sender = createOutboxSender(ports)
      return n % 2 === 0 ? sender.deliver(ID) : sender.deliverDue()
    }),
  )
  expect(taken).toHaveLength(1)
  expect(states.filter((state) => state === 'sent' || state === 1)).toHaveLength(1)
  // Created, claimed, charged and sent.
  expect(await readMessage()).toMatchObject({ state: 'sent', tries: 1, revision: 4 })
})

test('the rules refuse a message that does not follow from the stored one', async () => {
  const { ports } = await openOutbox()
  const path = internalPaths.outboxMessage(ID)
  const stored = await readMessage()
  await expect(ports.db.update({ [path]: toJson({ ...stored, tries: 1 }) })).rejects.toThrow()
  const client = database.getClient('rider')
  await expect(client.ref(path).get()).rejects.toThrow()
  await expect(client.ref(path).remove()).rejects.toThrow()
})
