import { describe, expect, it } from 'vitest'
import { toDirectory } from '~/domain/accounts/directory'
import { aRider, aSettings, aBooking, aDriver, DROP, PICKUP } from '~/domain/testing/builders'
import { change_recurring } from '../../endpoints/recurring/changeRecurring'
import { booking_messages } from '../../endpoints/bookings/bookingMessages'
import { find_caller } from '../../endpoints/office/findCaller'
import { list_people } from '../../endpoints/users/listPeople'
import { list_recurring } from '../../endpoints/recurring/listRecurring'
import { save_recurring } from '../../endpoints/recurring/saveRecurring'
import { handleRequest } from '../../http/requestHandler'
import { createProjectPorts, getErrorKey, TEST_NOW, createCaller } from '../../testing/testPorts'

const SERIES = '-Oseriesabcdefghijkl'
const RECIPIENT = '099 123 456'
const people = {
  rider: aRider(),
  driver: aDriver({ fleetadmin: 'fleet' }),
  other: aDriver({ id: 'other', mobile: '+15555550188', email: 'other@kerbside.example' }),
  fleet: { ...aRider({ id: 'fleet', mobile: '+15555550177' }), usertype: 'fleetadmin' as const },
  admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' as const },
}
const series = {
  series_id: SERIES,
  pickup: PICKUP,
  drop: DROP,
  carType: 'van',
  deliveryPerson: 'Carla',
  deliveryPersonPhone: RECIPIENT,
  days: [5, 6],
  time: '18:00',
  from: '2026-11-20',
}

const aPlatform = (isDemo: boolean) => {
  const ports = createProjectPorts({
    settings: aSettings({ appcat: 'taxi', AllowCriticalEditsAdmin: !isDemo }),
    users: people,
    people: toDirectory({ ...people }),
    bookings: { b1: aBooking({ id: 'b1', booking_id: 'b1', status: 'COMPLETE' }) },
    booking_contacts: { b1: { deliveryPersonPhone: RECIPIENT } },
  })
  const call = (endpoint: Parameters<typeof handleRequest>[0], uid: string, input: object) => {
    const request = {
      input,
      caller: createCaller(ports, uid),
      hasMapsBasicAuth: false,
      ip: '::1',
      now: TEST_NOW,
    }
    return handleRequest(endpoint, request, ports)
  }
  const readAs = async (...given: Parameters<typeof call>) => JSON.stringify(await call(...given))
  return { db: ports.db, call, readAs }
}

describe('the list of people', () => {
  it.each([true, false])('has no contacts, with demo mode %s', async (isDemo) => {
    const { call, readAs } = aPlatform(isDemo)
    expect(await call(list_people, 'admin', { usertype: 'driver' })).toMatchObject({
      rows: [
        { id: 'driver', usertype: 'driver', fleetadmin: 'fleet' },
        { id: 'other', usertype: 'driver' },
      ],
    })
    expect(await call(list_people, 'admin', {})).toMatchObject({ rows: { length: 5 } })
    expect(await readAs(list_people, 'admin', {})).not.toMatch(/\+\d|@/)
  })

  it('has only their own drivers for a fleet admin', async () => {
    const { call } = aPlatform(true)
    for (const input of [{}, { usertype: 'rider' }])
      expect(await call(list_people, 'fleet', input)).toEqual({
        rows: [expect.objectContaining({ id: 'driver' })],
      })
  })

  it.each(['rider', 'driver'])('is refused to a %s', async (uid) => {
    expect(await getErrorKey(aPlatform(true).call(list_people, uid, {}))).toBe('not_allowed')
  })
})

describe('the calls of the office', () => {
  it.each([
    ['return contacts outside demo mode', false],
    ['return no contacts in demo mode', true],
  ])('%s', async (_, isDemo) => {
    const { db, call, readAs } = aPlatform(isDemo)
    await call(save_recurring, 'rider', series)
    const edit = { action: 'edit', series_id: SERIES, customer: 'rider', revision: 0 }
    const answers = [
      await readAs(list_recurring, 'admin', {}),
      await readAs(change_recurring, 'admin', { ...edit, time: '19:00' }),
      await readAs(save_recurring, 'admin', {
        ...series,
        series_id: '-Otherseriesabcdefgh',
        customer: 'rider',
      }),
      await readAs(find_caller, 'admin', { uid: 'rider' }),
    ]
    const hasContacts = answers.map((text) => /099 123|\+\d{7}/.test(text))
    expect(hasContacts).toEqual(answers.map(() => !isDemo))
    db.put({
      'internal/outbox/b1-2-accepted-guest-sms': {
        event: 'accepted',
        audience: 'guest',
        channel: 'sms',
        state: 'sent',
        booking_id: 'b1',
        at: TEST_NOW,
        to: '…456',
      },
    })
    const messages = await readAs(booking_messages, 'admin', { booking_id: 'b1' })
    expect(messages.includes('…456')).toBe(!isDemo)
  })

  it('leave the contacts of a rider’s own recurring bookings to the rider', async () => {
    const { call, readAs } = aPlatform(true)
    await call(save_recurring, 'rider', series)
    expect(await readAs(list_recurring, 'rider', {})).toContain(RECIPIENT)
  })
})
