import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import type { HelpCase } from '~/domain/help/helpCase'
import { createPushKey } from '~/domain/data/pushKeys'
import { checkAction } from '~/domain/access/permissions'
import { aBooking, aSettings } from '~/domain/testing/builders'
import type { EndpointDefinition } from '../../http/endpointTypes'
import { handleRequest } from '../../http/requestHandler'
import {
  aProject,
  createTestPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { createTestDatabase } from '../../testing/testDatabase'
import { eraseAccountData } from '../../services/users/accountErasure'
import { answer_help, ask_help, list_help, read_help } from './help'
import type { Booking } from '~/domain/booking/types'

const key = (n: number) => createPushKey(TEST_NOW, n)

const aQuestion = { booking_id: 'b1', topic: 'lost_item', text: 'My umbrella' } as const

const anEndedBooking = (over: Partial<Booking> = {}) => {
  const booking = aBooking({
    id: 'b1',
    status: 'COMPLETE',
    customer: 'rider',
    customer_name: 'Rita Rider',
    driver: 'driver',
    endTime: TEST_NOW - 60_000,
    reference: 'K7M-4QX',
    ...over,
  })
  const db = createTestDatabase(
    aProject({
      bookings: { b1: booking },
      roles: { rider: 'rider', driver: 'driver', fleetadmin: 'fleetadmin', admin: 'admin' },
    }),
  )
  const ports = createTestPorts({ db })
  const send = (endpoint: EndpointDefinition, uid: string, input: object) =>
    handleRequest(
      endpoint,
      {
        input,
        caller: createCaller({ db }, uid),
        hasMapsBasicAuth: false,
        ip: '10.0.0.1',
        now: TEST_NOW,
      },
      ports,
    )
  return {
    db,
    ports,
    send,
    ask: (n: number, more: object = {}, uid = 'rider') =>
      send(ask_help, uid, {
        ...aQuestion,
        request_id: key(n),
        ...more,
      }),
    answer: (n: number, revision: number, uid = 'admin') =>
      send(answer_help, uid, {
        booking_id: 'b1',
        request_id: key(n),
        text: 'It is here.',
        revision,
      }),
    stored: () => db.at(internalPaths.helpCase('b1')) as HelpCase | null,
    outbox: () => Object.keys(db.at('internal/outbox') ?? {}),
  }
}

describe('a question of a customer', () => {
  it('reaches the office with its booking, and is answered', async () => {
    const { ask, answer, send, stored, outbox, db } = anEndedBooking()
    await ask(1)
    expect(await send(list_help, 'admin', {})).toMatchObject({
      cases: [{ booking: 'b1', name: 'Rita Rider', due: TEST_NOW }],
    })
    expect(outbox()).toEqual([`b1-${key(1)}-help_asked-office-email`])
    expect(Object.values(db.at('internal/admin') ?? {})).toMatchObject([
      { event: 'help_asked', booking_id: 'b1', params: { sender: 'Rita Rider' } },
    ])
    await answer(2, 1)
    expect(stored()?.due).toBeUndefined()
    expect(await send(list_help, 'admin', {})).toEqual({ cases: [], next: null })
    expect(await send(read_help, 'rider', { booking_id: 'b1' })).toMatchObject({
      case: { messages: [{ from: 'customer' }, { from: 'office', text: 'It is here.' }] },
    })
    expect(Object.values(db.at('inbox/rider') ?? {})).toMatchObject([
      { title: 'push_help_answered_title' },
    ])
    expect(JSON.stringify(db.at('audit'))).not.toContain('It is here')
  })

  it('counts once when fifty copies of it arrive', async () => {
    const { ports, stored, outbox } = anEndedBooking()
    const input = { ...aQuestion, request_id: key(1) }
    const context = createUserContext('rider', 'rider', ports)
    await Promise.all(Array.from({ length: 50 }, () => ask_help.handle(input, context)))
    expect(stored()?.messages).toHaveLength(1)
    expect(outbox()).toHaveLength(1)
  })

  it('is answered by one of fifty admins who saw the same message', async () => {
    const { ask, ports, stored } = anEndedBooking()
    await ask(1)
    const context = createUserContext('admin', 'admin', ports)
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        answer_help.handle(
          { booking_id: 'b1', request_id: key(n + 2), text: 'It is here.', revision: 1 },
          context,
        ),
      ),
    )
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(49)
    expect(all).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({
          error: expect.objectContaining({ key: 'changed_meanwhile' }),
        }),
      }),
    )
    expect(stored()?.messages).toHaveLength(2)
  })

  it('is refused before the end of the trip, and for a booking of someone else', async () => {
    const { ask } = anEndedBooking({ status: 'STARTED', endTime: undefined })
    expect(await getErrorKey(ask(1))).toBe('event_not_possible')
    const other = anEndedBooking({ customer: 'another' })
    expect(await getErrorKey(other.ask(1))).toBe('not_allowed')
    const read = other.send(read_help, 'rider', { booking_id: 'b1' })
    expect(await getErrorKey(read)).toBe('not_allowed')
  })

  it('is listed with its answer to its customer, in pages, and to no other rider', async () => {
    const { ask, answer, send, db } = anEndedBooking()
    await ask(1)
    await answer(2, 1)
    const known = db.at(internalPaths.helpCase('b1')) as HelpCase
    const more = Array.from({ length: 30 }, (_, n) => `b1-${String(n).padStart(2, '0')}`)
    const foreign = { ...known, booking: 'c1', customer: 'another' }
    db.put({
      ...Object.fromEntries(
        more.map((booking) => [internalPaths.helpCase(booking), toJson({ ...known, booking })]),
      ),
      [internalPaths.helpCase('c1')]: toJson(foreign),
    })
    const first = await send(list_help, 'rider', {})
    expect(first).toMatchObject({ cases: { length: 30 }, next: 'b1-28' })
    expect(await send(list_help, 'rider', { after: 'b1-28' })).toMatchObject({
      cases: [{ booking: 'b1-29' }],
      next: null,
    })
    expect(first).toMatchObject({
      cases: expect.arrayContaining([
        expect.objectContaining({
          messages: [
            expect.objectContaining({ text: 'My umbrella' }),
            expect.objectContaining({ text: 'It is here.' }),
          ],
        }),
      ]),
    })
    expect(JSON.stringify(first)).not.toContain('another')
  })

  it.each(['driver', 'fleetadmin'])('is none of a %s’s business', async (uid) => {
    const { ask, answer, send } = anEndedBooking()
    expect(await getErrorKey(ask(1, {}, uid))).toBe('not_allowed')
    expect(await getErrorKey(answer(2, 1, uid))).toBe('not_allowed')
    expect(await getErrorKey(send(list_help, uid, {}))).toBe('not_allowed')
    expect(await getErrorKey(send(read_help, uid, { booking_id: 'b1' }))).toBe('not_allowed')
  })

  it.each(['rider', 'driver', 'fleetadmin'] as const)(
    'is answered with the permission of its own, which a %s has not',
    async (role) => {
      const { ask, ports, stored } = anEndedBooking()
      await ask(1)
      const input = { booking_id: 'b1', request_id: key(2), text: 'It is here.', revision: 1 }
      const call = answer_help.handle(input, createUserContext(role, role, ports))
      expect(await getErrorKey(call)).toBe('not_allowed')
      expect(checkAction('help_answer', role, aSettings())?.key).toBe('not_allowed')
      expect(stored()?.messages).toHaveLength(1)
    },
  )

  it('is answered in demo mode too', async () => {
    const { ask, answer, stored, db } = anEndedBooking()
    db.put({ 'settings/AllowCriticalEditsAdmin': false })
    await ask(1)
    await answer(2, 1)
    expect(stored()?.messages).toHaveLength(2)
  })

  it('needs a topic and words', async () => {
    const { ask } = anEndedBooking()
    expect(await getErrorKey(ask(1, { topic: 'weather' }))).toBe('bad_input')
    expect(await getErrorKey(ask(1, { text: '  ' }))).toBe('bad_input')
    expect(await getErrorKey(ask(1, { text: 'x'.repeat(1001) }))).toBe('bad_input')
  })

  it('goes with the customer’s account', async () => {
    const { ask, stored, ports } = anEndedBooking()
    await ask(1)
    await eraseAccountData(createUserContext('rider', 'rider', ports), 'rider')
    expect(stored()).toBeNull()
  })
})
