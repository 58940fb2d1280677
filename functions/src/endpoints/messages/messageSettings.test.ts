import { describe, expect, it } from 'vitest'
import { internalPaths } from '~/domain/data/internalPaths'
import { toMessageSettingsForm, type MessageSettingsForm } from '~/domain/forms/messageForms'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import { buildOutboxUpdates } from '~/domain/messages/outbox'
import { aSettings } from '~/domain/testing/builders'
import { handleRequest } from '../../http/requestHandler'
import {
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { booking_messages } from '../bookings/bookingMessages'
import { message_settings } from './messageSettings'
import { save_message_settings } from './saveMessageSettings'

const NONE: MessageSettingsForm = toMessageSettingsForm({ revision: 0 })
const CHANGED: MessageSettingsForm = {
  ...NONE,
  operatorName: 'Acme Taxis Ltd',
  address: 'Rambla 1\nMontevideo',
  taxNumber: 'RUT 21',
  taxPercent: 22,
  quietStart: '22:00',
  quietEnd: '07:30',
  price: { ...NONE.price, sms: 0.0079 },
  budget: 50,
  on: { ...NONE.on, 'receipt-rider-email': false },
}

const anOffice = (more: object = {}) => {
  const ports = createProjectPorts(more)
  const admin = createUserContext('admin', 'admin', ports)
  return {
    ...ports,
    admin,
    read: () => message_settings.handle({}, admin),
    save: (settings: MessageSettingsForm, revision = 0) =>
      save_message_settings.handle({ settings, revision }, admin),
    /** Sends a call as the edge receives it. */
    call: (uid: string, input: unknown) =>
      handleRequest(
        save_message_settings,
        {
          input,
          caller: createCaller(ports, uid),
          hasMapsBasicAuth: false,
          ip: '10.0.0.1',
          now: TEST_NOW,
        },
        ports,
      ),
    stored: () => ports.db.at(internalPaths.messageSettings),
    audit: () => Object.values((ports.db.at('audit') ?? {}) as Record<string, object>),
  }
}

describe('the settings of messages', () => {
  it('are empty before the first change, with the costs of the month', async () => {
    const { read } = anOffice({
      internal: { message_totals: { '2026-11-UYU': { micros: 7_900, sms: 1, revision: 1 } } },
    })
    expect(await read()).toEqual({
      settings: { revision: 0 },
      month: '2026-11',
      total: { micros: 7_900, sms: 1, revision: 1 },
    })
  })

  it('are stored without empty fields, and the audit names what changed', async () => {
    const { save, stored, audit, read } = anOffice()
    expect(await save(CHANGED)).toEqual({ revision: 1 })
    expect(stored()).toEqual({
      operatorName: 'Acme Taxis Ltd',
      address: 'Rambla 1\nMontevideo',
      taxNumber: 'RUT 21',
      taxPercent: 22,
      quietStart: '22:00',
      quietEnd: '07:30',
      price: { sms: 0.0079 },
      budget: 50,
      off: { 'receipt-rider-email': true },
      revision: 1,
    })
    const { settings } = await read()
    expect(toMessageSettingsForm(settings)).toEqual(CHANGED)
    await save({ ...CHANGED, budget: null }, 1)
    expect(stored()).not.toHaveProperty('budget')
    expect(audit()).toMatchObject([
      {
        by: 'admin',
        action: 'settings_update',
        path: 'message_settings',
        to: { priceSms: 0.0079, messagesOff: 'receipt-rider-email', taxNumber: 'RUT 21' },
      },
      { from: { budget: 50 } },
    ])
  })

  it('have lists of email domains, in lowercase and each domain once', async () => {
    const { save, stored, read } = anOffice()
    await save({ ...NONE, refusedEmailDomains: 'Trash.example trash.example,b.example' })
    expect(stored()).toEqual({ refusedEmailDomains: ['trash.example', 'b.example'], revision: 1 })
    const { settings } = await read()
    expect(toMessageSettingsForm(settings).refusedEmailDomains).toBe('trash.example, b.example')
  })

  it('are saved by one of fifty admins who saw the same revision', async () => {
    const { save, stored, audit } = anOffice()
    const saves = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => save({ ...CHANGED, budget: i + 1 })),
    )
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((stored() as MessageSettings).revision).toBe(1)
    expect(audit()).toHaveLength(1)
  })

  it('answer a repeated request without a second change', async () => {
    const { save, audit } = anOffice()
    expect(await save(CHANGED)).toEqual({ revision: 1 })
    expect(await save(CHANGED)).toEqual({ revision: 1 })
    expect(audit()).toHaveLength(1)
    expect(await getErrorKey(save({ ...CHANGED, budget: 1 }))).toBe('changed_meanwhile')
  })

  it.each(['rider', 'driver'])('are refused to a %s', async (uid) => {
    const { call, stored } = anOffice()
    expect(await getErrorKey(call(uid, { settings: CHANGED, revision: 0 }))).toBe('not_allowed')
    expect(stored()).toBeNull()
  })

  it('are refused in demo mode', async () => {
    const { save, stored } = anOffice({ settings: aSettings({ AllowCriticalEditsAdmin: false }) })
    expect(await getErrorKey(save(CHANGED))).toBe('demo_mode')
    expect(stored()).toBeNull()
  })

  it.each([
    ['settings.quietStart', { quietStart: '25:00' }],
    ['settings.quietEnd', { quietEnd: '' }],
    ['settings.taxPercent', { taxPercent: 101 }],
    ['settings.officeMobile', { officeMobile: '099' }],
    ['settings.price.sms', { price: { ...NONE.price, sms: -1 } }],
    ['settings.budget', { budget: Infinity }],
    ['settings.on.accepted-rider-sms', { on: { ...NONE.on, 'accepted-rider-sms': 'yes' } }],
  ])('are refused with a wrong %s', async (field, wrong) => {
    const { call, stored } = anOffice()
    const refused = call('admin', { settings: { ...CHANGED, ...wrong }, revision: 0 })
    await expect(refused).rejects.toMatchObject({ error: { key: 'bad_input', field } })
    expect(stored()).toBeNull()
  })
})

describe('the messages of a booking', () => {
  const put = (booking_id: string, revision: number) =>
    buildOutboxUpdates({
      scope: `${booking_id}-${revision}`,
      event: 'accepted',
      audience: 'guest',
      uid: 'rider',
      booking_id,
      params: { driver: 'Juan Pérez', vehicle: 'SAB 1' },
      at: TEST_NOW,
      now: TEST_NOW,
    })

  it('are only those of the booking, without names, a page at a time', async () => {
    const { db, admin } = anOffice()
    for (let revision = 2; revision < 62; revision++) await db.update(put('b1', revision))
    await db.update({ ...put('b1-2', 3), ...put('b2', 2) })
    const first = await booking_messages.handle({ booking_id: 'b1' }, admin)
    const second = await booking_messages.handle(
      { booking_id: 'b1', cursor: first.next ?? '' },
      admin,
    )
    expect(second.next).toBeNull()
    const rows = [...first.rows, ...second.rows]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(60)
    expect(rows[0]).toEqual({
      id: 'b1-10-accepted-rider-sms',
      event: 'accepted',
      audience: 'guest',
      channel: 'sms',
      state: 'waiting',
      at: TEST_NOW,
    })
  })

  it('are refused to anyone but admins', async () => {
    const { db, push } = anOffice()
    const ports = createProjectPorts({}, { db, push })
    const input = { booking_id: 'b1' }
    const call = { input, caller: { uid: 'rider' }, hasMapsBasicAuth: false, ip: '', now: TEST_NOW }
    expect(await getErrorKey(handleRequest(booking_messages, call, ports))).toBe('not_allowed')
  })
})
