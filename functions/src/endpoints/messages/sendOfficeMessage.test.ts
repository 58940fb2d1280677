import { describe, expect, it } from 'vitest'
import { createPushKey } from '~/domain/data/pushKeys'
import { aDriver, aRider, aSettings } from '~/domain/testing/builders'
import type { UserType } from '~/domain/access/types'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { send_office_message } from './sendOfficeMessage'

const MANY = Array.from({ length: 45 }, (_, at) => `z${String(at).padStart(2, '0')}`)
const listed = { carType: 'van', geohash: '6dp', lat: -34.9, lng: -56.2, at: TEST_NOW }
const project = (settings = {}) =>
  createProjectPorts({
    settings: aSettings(settings),
    users: {
      ...aProject().users,
      ana: aRider({ id: 'ana' }),
      own: aDriver({ id: 'own', fleetadmin: 'fleet' }),
      other: aDriver({ id: 'other', firstName: 'Omar', lastName: 'Paz' }),
      ...Object.fromEntries(MANY.map((id) => [id, aDriver({ id })])),
    },
    available_drivers: {
      own: { ...listed, fleetadmin: 'fleet' },
      ...Object.fromEntries(MANY.map((id) => [id, listed])),
    },
    busy_drivers: { other: { booking: 'b', carType: 'van', name: 'Omar' } },
  })
type Project = ReturnType<typeof project>
type Input = Parameters<typeof send_office_message.handle>[0]

const KEY = createPushKey(TEST_NOW, 1)
const send = (
  given: Project,
  uid: string,
  role: UserType,
  input: Partial<Input>,
  now: number = TEST_NOW,
) =>
  send_office_message.handle(
    { text: 'Rain in the west', ...input },
    { ...createUserContext(uid, role, given), now },
  )
const listInboxes = ({ db }: Project) => Object.keys(db.at('inbox') ?? {})

describe('a message of the office', () => {
  it('reaches one driver, once for each id', async () => {
    const given = project()
    const input = { driver: 'other', message_id: KEY }
    expect(await send(given, 'admin', 'admin', input)).toEqual({
      message_id: KEY,
      sent: 1,
      done: true,
    })
    await send(given, 'admin', 'admin', input)
    expect(given.db.at('inbox/other')).toEqual({
      [KEY]: {
        title: 'push_office_message_title',
        msg: 'push_office_message_msg',
        params: { text: 'Rain in the west' },
        screen: 'DriverTrips',
        at: TEST_NOW,
      },
    })
  })

  it('reaches all drivers on duty, free and busy, and those left by a repeat', async () => {
    const given = project()
    expect(await send(given, 'admin', 'admin', { message_id: KEY })).toMatchObject({
      sent: 47,
      done: true,
    })
    expect(listInboxes(given)).toEqual(['other', 'own', ...MANY])
    await given.db.update({ [`inbox/own/${KEY}`]: null })
    expect(await send(given, 'admin', 'admin', { message_id: KEY })).toMatchObject({ sent: 1 })
  })

  it('of a fleet admin reaches only the drivers of the fleet', async () => {
    const given = project()
    expect(await send(given, 'fleet', 'fleetadmin', {})).toMatchObject({ sent: 1 })
    expect(listInboxes(given)).toEqual(['own'])
    const refused = send(given, 'fleet', 'fleetadmin', { driver: 'other' })
    expect(await getErrorKey(refused)).toBe('not_found')
  })

  it('is refused to a rider as its reader, and in demo mode', async () => {
    const toRider = send(project(), 'admin', 'admin', { driver: 'ana' })
    expect(await getErrorKey(toRider)).toBe('not_found')
    const demo = project({ AllowCriticalEditsAdmin: false })
    expect(await getErrorKey(send(demo, 'admin', 'admin', {}))).toBe('demo_mode')
  })
})

describe('a message of a driver', () => {
  it('is an alert on the pages of the office, once for each id', async () => {
    const given = project()
    // The clock of a phone can be ahead.
    const message_id = createPushKey(TEST_NOW + 60_000, 1)
    await send(given, 'other', 'driver', { message_id })
    await send(given, 'other', 'driver', { message_id }, TEST_NOW + 10_000)
    expect(Object.values(given.db.at('internal/admin') ?? {})).toMatchObject([
      { event: 'driver_message', params: { sender: 'Omar Paz', text: 'Rain in the west' } },
    ])
    expect(listInboxes(given)).toEqual([])
  })

  it('cannot go to another driver', async () => {
    const refused = send(project(), 'own', 'driver', { driver: 'other' })
    expect(await getErrorKey(refused)).toBe('not_allowed')
  })
})
