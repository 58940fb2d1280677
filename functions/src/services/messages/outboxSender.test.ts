import { describe, expect, it, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import type { MessageSettings, MessageTotal } from '~/domain/messages/messageSettings'
import type { MessageEvent } from '~/domain/messages/messageTable'
import { buildOutboxUpdates, LEASE_MS, type OutboxMessage } from '~/domain/messages/outbox'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { formatMonth, formatTimeOfDay } from '~/domain/language/zonedTime'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase'
import type { MessagePort, OutgoingMessage, SendOutcome } from '../../ports/messages'
import { noProviders } from '../../ports/payments'
import {
  aProject,
  createRequestContext,
  createTestPorts,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { track } from '../../endpoints/bookings/track'
import { removeExpiredDecisions } from '../jobs/maintenance'
import { createOutboxSender } from './outboxSender'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'

const aTrip = (more: Partial<Booking> = {}) =>
  aBooking({ id: 'b1', status: 'ACCEPTED', driver: 'driver', tripdate: TEST_NOW, ...more })
const TEXTS = {
  en: {
    push_accepted_title: 'Driver on the way',
    push_accepted_msg: '{{driver}} is coming in {{vehicle}}.',
    push_arrived_title: 'Your driver is here',
    push_arrived_msg: '{{driver}} is waiting.',
    push_booked_title: 'Booking received',
    push_booked_msg: 'We are looking for a driver.',
    push_cancelled_title: 'Booking canceled',
    push_cancelled_msg: 'Reason: {{reason}}',
    push_parcel_sent_title: 'A parcel for you',
    push_parcel_sent_msg: '{{sender}} is sending you a parcel.',
    push_booking_waits_title: 'Booking waits too long',
    push_booking_waits_msg: 'Booking {{reference}} waits.',
    message_follow: 'Follow it here: {{link}}',
  },
  he: {
    push_accepted_title: 'הנהג בדרך',
    push_accepted_msg: '{{driver}} בדרך אליך ב{{vehicle}}.',
    push_booked_msg: '{{carType}}',
  },
}

/** A service that keeps what it took. It can be asked for a message unless `isForgetful`. */
const createFakeService = (isForgetful = false) => {
  const taken: OutgoingMessage[] = []
  const outcomes: SendOutcome[] = []
  const port: MessagePort = {
    has: (channel) => channel !== 'whatsapp',
    send: (message) => {
      const outcome = outcomes.shift() ?? { state: 'sent', ref: `ref-${taken.length + 1}` }
      if (outcome.state === 'sent') taken.push(message)
      return Promise.resolve(outcome)
    },
    find: ({ idempotencyKey }) =>
      Promise.resolve(
        !isForgetful && taken.some((one) => one.idempotencyKey === idempotencyKey) ? 'found' : null,
      ),
  }
  return { port, taken, outcomes }
}

const CONTACTS = {
  customer_contact: '+15555550103',
  customer_email: 'ana@example.com',
  deliveryPersonPhone: '099 123 456',
}
const TOTAL = `${formatMonth(TEST_NOW, 'America/Montevideo')}-UYU`
const readTotal = (db: TestDatabase) =>
  db.at(internalPaths.messageTotal(TOTAL)) as MessageTotal | null
const withSettings = (settings: Partial<MessageSettings>, more: object = {}) => ({
  internal: {
    message_settings: { current: { revision: 1, countries: ['UY', 'US'], ...settings } },
    ...more,
  },
})
/** A name with a link and a change of direction, which a profile no longer accepts. */
const LINK_NAME = 'www.evil.example/pay \u202eJuan'
const MESSAGES = {
  accepted: { event: 'accepted', audience: 'rider', params: { driver: 'Juan', vehicle: 'SAB 1' } },
  linked: {
    event: 'accepted',
    audience: 'rider',
    params: { driver: LINK_NAME, vehicle: 'SAB 1' },
  },
  arrived: { event: 'arrived', audience: 'guest', params: { driver: 'Juan' } },
  parcel: { event: 'parcel_sent', audience: 'recipient', params: { sender: 'Ana Paz' } },
  office: { event: 'booking_waits', audience: 'office', params: { reference: 'K7M-4QX' } },
  taken: {
    event: 'accepted',
    audience: 'guest',
    by: 'driver',
    params: { driver: 'Juan', vehicle: 'SAB 1' },
  },
  panic: { event: 'panic', audience: 'office', by: 'rider', params: { reference: 'K7M-4QX' } },
  review: { event: 'payment_review', audience: 'office', by: 'rider', params: { payment: 'p1' } },
  booked: { event: 'booked', audience: 'guest', params: { carType: 'Van' } },
  cancelled: { event: 'cancelled', audience: 'guest', params: { reason: 'Rain' } },
  parcelCancelled: { event: 'parcel_cancelled', audience: 'recipient', params: { sender: 'Ana' } },
  receipt: { event: 'receipt_sent', audience: 'rider', params: { reference: 'K7M-4QX' } },
  paid: { event: 'receipt', audience: 'rider', params: { reference: 'K7M-4QX' } },
  signedUp: { event: 'driver_signed_up', audience: 'office', params: { driver: 'Juan' } },
} as const
type MessageCase = Pick<
  Parameters<typeof buildOutboxUpdates>[0],
  'event' | 'audience' | 'params' | 'by'
>
const putInOutbox = (name: keyof typeof MESSAGES, at = TEST_NOW, scope = 'b1-2') => {
  const { event, audience, params, by }: MessageCase = MESSAGES[name]
  const uid = audience === 'rider' || audience === 'guest' ? 'rider' : undefined
  return buildOutboxUpdates({
    scope,
    event,
    audience,
    uid,
    booking_id: 'b1',
    by,
    params,
    at,
    now: at,
  })
}
const IDS = {
  accepted: 'b1-2-accepted-rider-sms',
  linked: 'b1-2-accepted-rider-sms',
  arrived: 'b1-2-arrived-rider-sms',
  parcel: 'b1-2-parcel_sent-recipient-sms',
  office: 'b1-2-booking_waits-office-email',
  taken: 'b1-2-accepted-rider-sms',
  panic: 'b1-2-panic-office-email',
  review: 'b1-2-payment_review-office-email',
  booked: 'b1-2-booked-rider-sms',
  cancelled: 'b1-2-cancelled-rider-sms',
  parcelCancelled: 'b1-2-parcel_cancelled-recipient-sms',
  receipt: 'b1-2-receipt_sent-rider-email',
  paid: 'b1-2-receipt-rider-email',
  signedUp: 'b1-2-driver_signed_up-office-email',
}

const createOutbox = async (
  name: keyof typeof MESSAGES,
  { more = {}, at }: { more?: object; at?: number } = {},
) => {
  const db = createTestDatabase(
    aProject({
      settings: aSettings({
        restrictCountry: 'UY',
        appName: 'Acme',
        CompanyName: 'Acme Taxis',
        contact_email: 'office@acme.example',
      }),
      bookings: { b1: aTrip() },
      booking_contacts: { b1: CONTACTS },
      ...withSettings({}),
      ...more,
    }),
  )
  await db.update(putInOutbox(name, at))
  const clock = { now: TEST_NOW }
  const service = createFakeService()
  const createPorts = (given: Partial<Ports> = {}) =>
    createTestPorts({
      db,
      messages: service.port,
      clock: { now: () => clock.now, wait: () => Promise.resolve() },
      texts: () => Promise.resolve(TEXTS),
      payments: {
        ...noProviders,
        urls: { ...noProviders.urls, appOrigin: 'https://acme.example' },
      },
      ...given,
    })
  return {
    db,
    clock,
    service,
    createPorts,
    sender: createOutboxSender(createPorts()),
    readMessage: () => db.at(internalPaths.outboxMessage(IDS[name])) as OutboxMessage | null,
  }
}
const readLink = (db: TestDatabase) =>
  db.at(dbPaths.shareLink('b1', 'rider', 'live')) as string | null

describe('a message of the outbox', () => {
  it('reaches a rider without a device by SMS, with a link that the tracking page opens', async () => {
    const { db, sender, service, readMessage } = await createOutbox('accepted')
    expect(await sender.deliver(IDS.accepted)).toBe('sent')
    const token = readLink(db)
    expect(db.at(dbPaths.share(token ?? ''))).toMatchObject({ booking: 'b1', level: 'live' })
    expect(service.taken).toMatchObject([
      {
        channel: 'sms',
        to: '+15555550199',
        text: `Acme: Driver on the way. Juan is coming in SAB 1. Follow it here: https://acme.example/track/${token}`,
      },
    ])
    expect(readMessage()).toMatchObject({ state: 'sent', ref: 'ref-1', tries: 1, revision: 4 })
    expect(readMessage()).not.toHaveProperty('params')
  })

  it('goes to the address that a change replaced, which is removed when it is sent', async () => {
    const { db, sender, service } = await createOutbox('accepted')
    const former = { email: 'former@example.com', sms: '+598 99 123 456' }
    const [scope, event] = ['rider-1', 'phone_changed'] as const
    const about = { scope, event, audience: 'account', uid: 'rider' } as const
    await db.update(
      buildOutboxUpdates({ ...about, addresses: former, at: TEST_NOW, now: TEST_NOW }),
    )
    const id = 'rider-1-phone_changed-rider'
    service.outcomes.push({ state: 'retry', why: 'twilio_503' })
    expect(await sender.deliver(`${id}-sms`)).toBe('waiting')
    expect(db.at(internalPaths.outboxMessage(`${id}-sms`))).toHaveProperty('address', former.sms)
    expect(await sender.deliver(`${id}-email`)).toBe('sent')
    expect(service.taken.at(-1)?.to).toBe(former.email)
    expect(db.at(internalPaths.outboxMessage(`${id}-email`))).not.toHaveProperty('address')
  })

  it('has no words of a link from an older name, and the letters of a first name in an SMS', async () => {
    const driver_name = LINK_NAME
    const sms = await createOutbox('linked')
    expect(await sms.sender.deliver(IDS.linked)).toBe('sent')
    expect(sms.service.taken[0]?.text).toContain('wwwevilexamplepay is coming')
    const receipt = await createOutbox('receipt', {
      more: { bookings: { b1: aTrip({ status: 'COMPLETE', driver_name }) } },
    })
    await receipt.sender.deliver(IDS.receipt)
    expect(receipt.service.taken[0]?.text).toContain('www. evil. example/pay Juan')
    expect(receipt.service.taken[0]?.html).not.toMatch(/evil\.\S|\u202e/)
  })

  it('is sent in the rider’s language', async () => {
    const rider = { ...aRider(), lang: { langLocale: 'he', dateLocale: 'he-IL' } }
    const languages = {
      he: { langLocale: 'he', dateLocale: 'he-IL', default: false, keyValuePairs: TEXTS.he },
    }
    const { db, sender, service } = await createOutbox('accepted', { more: { languages } })
    await db.update({ 'users/rider/lang': { ...rider.lang } })
    await sender.deliver(IDS.accepted)
    expect(service.taken[0]?.language).toBe('he')
    expect(service.taken[0]?.text).toContain('\u2068Juan\u2069 בדרך אליך ב\u2068SAB 1\u2069.')
    // A text that the language lacks is in English.
    expect(service.taken[0]?.text).toContain('Follow it here')
  })

  it('names the vehicle type in the rider’s language, or as the office does', async () => {
    const language = { langLocale: 'he', dateLocale: 'he-IL', default: false }
    const languages = { he: { ...language, keyValuePairs: TEXTS.he } }
    const { db, sender, service } = await createOutbox('booked', { more: { languages } })
    await db.update({
      'users/rider/lang': { langLocale: 'he', dateLocale: 'he-IL' },
      'cartypes/van/names': { de: 'Transporter' },
    })
    await sender.deliver(IDS.booked)
    expect(service.taken[0]?.text).toContain('Van')
    const translated = await createOutbox('booked', { more: { languages } })
    await translated.db.update({
      'users/rider/lang': { langLocale: 'he', dateLocale: 'he-IL' },
      'cartypes/van/names': { he: 'מסחרית' },
    })
    await translated.sender.deliver(IDS.booked)
    expect(translated.service.taken[0]?.text).toContain('מסחרית')
  })

  it('gives the office’s cancellation reason in the rider’s language', async () => {
    const language = { langLocale: 'he', dateLocale: 'he-IL', default: false }
    const languages = { he: { ...language, keyValuePairs: TEXTS.he } }
    const { db, sender, service } = await createOutbox('cancelled', { more: { languages } })
    await db.update({ 'users/rider/lang': { langLocale: 'he', dateLocale: 'he-IL' } })
    db.put({ cancel_reason: [{ label: 'Rain', names: { he: 'גשם' }, value: 0 }] })
    await sender.deliver(IDS.cancelled)
    expect(service.taken[0]?.text).toContain('גשם')
  })

  it('gives the recipient a link of their own, which ends when their number is corrected', async () => {
    const { db, sender, service, createPorts } = await createOutbox('parcel')
    const getToken = (at: number) => (service.taken[at]?.text ?? '').split('/track/')[1] ?? ''
    const open = (token: string) =>
      track.handle({ token }, { ...createRequestContext(null, createPorts()), now: TEST_NOW })
    await sender.deliver(IDS.parcel)
    const wrong = getToken(0)
    expect(readLink(db)).toBeNull()
    expect(await open(wrong)).toMatchObject({ level: 'live', status: 'ACCEPTED' })

    db.put({ 'booking_contacts/b1/deliveryPersonPhone': '099 765 432' })
    expect(await getErrorKey(open(wrong))).toBe('not_found')
    await db.update(putInOutbox('parcel', TEST_NOW, 'b1-3'))
    await sender.deliver(IDS.parcel.replace('b1-2', 'b1-3'))
    expect(service.taken[1]?.to).toBe('+59899765432')
    expect(getToken(1)).not.toBe(wrong)
    expect(await open(getToken(1))).toMatchObject({ level: 'live' })
  })

  it('gives no recipient a link while the number is corrected at the same moment', async () => {
    const { db, service, createPorts } = await createOutbox('parcel')
    const corrects = {
      ...service.port,
      send: (message: OutgoingMessage) => {
        db.put({ 'booking_contacts/b1/deliveryPersonPhone': '099 765 432' })
        return service.port.send(message)
      },
    }
    await createOutboxSender(createPorts({ messages: corrects })).deliver(IDS.parcel)
    const token = (service.taken[0]?.text ?? '').split('/track/')[1] ?? ''
    const opened = track.handle({ token }, createRequestContext(null, createPorts()))
    expect(await getErrorKey(opened)).toBe('not_found')
  })

  it('reaches the recipient of a parcel at the number that the sender typed', async () => {
    const { sender, service } = await createOutbox('parcel')
    expect(await sender.deliver(IDS.parcel)).toBe('sent')
    expect(service.taken[0]).toMatchObject({ to: '+59899123456' })
    expect(service.taken[0]?.text).toMatch(/^Acme: A parcel for you\. Ana is sending .*\/track\//)
  })

  it('is the whole receipt when the office sends it again', async () => {
    const { sender, service } = await createOutbox('receipt', {
      more: { bookings: { b1: aTrip({ status: 'COMPLETE' }) } },
    })
    expect(await sender.deliver(IDS.receipt)).toBe('sent')
    expect(service.taken[0]).toMatchObject({ channel: 'email', to: 'rider@kerbside.example' })
    expect(service.taken[0]?.text).toContain('Plaza Independencia')
  })

  it.each([
    [true, true],
    [undefined, false],
  ])(
    'is a receipt with people’s words for a verified address: %s',
    async (emailVerified, hasWords) => {
      const driver = { driver_name: 'Wins a prize', vehicle_number: 'CALL 555' }
      const { sender, service } = await createOutbox('paid', {
        more: {
          bookings: { b1: aTrip({ status: 'COMPLETE', ...driver }) },
          users: { rider: { ...aRider(), ...(emailVerified && { emailVerified }) } },
        },
      })
      expect(await sender.deliver(IDS.paid)).toBe('sent')
      const { text = '', html = '' } = service.taken[0] ?? {}
      for (const words of ['Plaza', ...Object.values(driver)])
        expect([text.includes(words), html.includes(words)]).toEqual([hasWords, hasWords])
      expect(service.taken[0]?.text).toContain('booking_reference')
    },
  )

  it('reaches the office by e-mail', async () => {
    const { sender, service } = await createOutbox('office')
    expect(await sender.deliver(IDS.office)).toBe('sent')
    expect(service.taken[0]).toMatchObject({
      channel: 'email',
      to: 'office@acme.example',
      subject: 'Acme: Booking waits too long',
      text: 'Booking K7M-4QX waits.\n\nAcme Taxis',
    })
  })

  it.each([
    [
      'a rider with a device',
      'accepted',
      { push_tokens: { h: { uid: 'rider', token: 't', at: 1 } } },
      'has_device',
    ],
    ['a rider whose account is deleted', 'accepted', { users: {} }, 'no_address'],
    ['a deleted booking', 'accepted', { bookings: {} }, 'no_booking'],
    [
      'a booking that has ended',
      'accepted',
      { bookings: { b1: aTrip({ status: 'CANCELLED' }) } },
      'booking_over',
    ],
    ['a recipient without a number', 'parcel', { booking_contacts: {} }, 'no_address'],
    [
      'a rider who receives the parcel themselves',
      'parcel',
      { booking_contacts: { b1: { ...CONTACTS, deliveryPersonPhone: '+1 555 555 0103' } } },
      'same_person',
    ],
  ] as const)('is not sent to %s', async (_, name, more, why) => {
    const { sender, service, readMessage } = await createOutbox(name, { more })
    expect(await sender.deliver(IDS[name])).toBe('skipped')
    expect(readMessage()).toMatchObject({ state: 'skipped', why })
    expect(service.taken).toEqual([])
  })

  it('is not sent after the person has answered STOP', async () => {
    const first = await createOutbox('accepted')
    first.service.outcomes.push({ state: 'rejected', why: 'twilio_21610', isOptedOut: true })
    expect(await first.sender.deliver(IDS.accepted)).toBe('rejected')
    await first.db.update(putInOutbox('arrived'))
    expect(await first.sender.deliver(IDS.arrived)).toBe('skipped')
    expect(first.service.taken).toEqual([])
    expect(JSON.stringify(first.db.at('internal/message_opt_outs'))).not.toContain('5555550199')
  })

  it('is not sent without a service, and goes by WhatsApp when only that one is configured', async () => {
    const { createPorts, service, readMessage, db } = await createOutbox('accepted')
    const none = createPorts({ messages: { ...service.port, has: () => false } })
    expect(await createOutboxSender(none).deliver(IDS.accepted)).toBe('skipped')
    expect(readMessage()).toMatchObject({ why: 'not_configured' })
    await db.update(putInOutbox('arrived'))
    const only = createPorts({
      messages: { ...service.port, has: (channel) => channel === 'whatsapp' },
    })
    expect(await createOutboxSender(only).deliver(IDS.arrived)).toBe('sent')
    expect(service.taken[0]?.channel).toBe('whatsapp')
  })

  it('is tried again later, with longer pauses, until it is not worth sending', async () => {
    const { sender, service, clock, readMessage } = await createOutbox('arrived')
    const busy: SendOutcome = { state: 'retry', why: 'twilio_503' }
    service.outcomes.push(busy, busy, busy, busy)
    expect(await sender.deliver(IDS.arrived)).toBe('waiting')
    expect(readMessage()).toMatchObject({ tries: 1, due: TEST_NOW + MINUTE_MS, why: 'twilio_503' })
    expect(await sender.deliver(IDS.arrived)).toBeNull()
    clock.now += MINUTE_MS
    expect(await sender.deliver(IDS.arrived)).toBe('waiting')
    clock.now += 2 * MINUTE_MS
    expect(await sender.deliver(IDS.arrived)).toBe('waiting')
    expect(readMessage()).toMatchObject({ tries: 3, due: TEST_NOW + 8 * MINUTE_MS })
    clock.now += 5 * MINUTE_MS
    // The next pause would end after the quarter of an hour for which this message is worth it.
    expect(await sender.deliver(IDS.arrived)).toBe('expired')
    expect(service.taken).toEqual([])
  })

  it('waits as long as the service asks', async () => {
    const { sender, service, readMessage } = await createOutbox('accepted')
    service.outcomes.push({ state: 'retry', why: 'twilio_20429', afterMs: 10 * MINUTE_MS })
    await sender.deliver(IDS.accepted)
    expect(readMessage()?.due).toBe(TEST_NOW + 10 * MINUTE_MS)
  })

  it('is not sent when it comes too late', async () => {
    const { sender, service, readMessage } = await createOutbox('arrived', {
      at: TEST_NOW - 16 * MINUTE_MS,
    })
    expect(await sender.deliver(IDS.arrived)).toBe('expired')
    expect(readMessage()).toMatchObject({ state: 'expired', why: 'too_late' })
    expect(service.taken).toEqual([])
  })

  it('is tried again after an error of ours', async () => {
    const { createPorts, db, readMessage } = await createOutbox('accepted')
    const broken = createPorts({
      db: {
        ...db,
        list: () => Promise.reject(new Error('The database is closed.')),
      },
    })
    expect(await createOutboxSender(broken).deliver(IDS.accepted)).toBe('waiting')
    expect(readMessage()).toMatchObject({ why: 'fault', tries: 1 })
  })
})

/** Returns quiet hours, HH:MM, that begin and end some minutes from the time of the tests. */
const quietFrom = (start: number, end: number) => {
  const toClock = (minutes: number) =>
    formatTimeOfDay(TEST_NOW + minutes * MINUTE_MS, 'America/Montevideo').slice(0, 5)
  return withSettings({ quietStart: toClock(start), quietEnd: toClock(end) })
}

describe('the decisions of the office', () => {
  it('stop a message that is turned off', async () => {
    const off = { 'accepted-rider-sms': true } as const
    const { sender, readMessage } = await createOutbox('accepted', { more: withSettings({ off }) })
    expect(await sender.deliver(IDS.accepted)).toBe('skipped')
    expect(readMessage()).toMatchObject({ why: 'switched_off' })
  })

  it('keep a message until the end of the quiet hours', async () => {
    const outbox = await createOutbox('signedUp', { more: quietFrom(-60, 90) })
    const { sender, clock, service, readMessage } = outbox
    expect(await sender.deliver(IDS.signedUp)).toBe('waiting')
    expect(readMessage()).toMatchObject({
      why: 'quiet_hours',
      tries: 0,
      due: Math.floor(TEST_NOW / MINUTE_MS) * MINUTE_MS + 90 * MINUTE_MS,
      params: { driver: 'Juan' },
    })
    clock.now = readMessage()?.due ?? 0
    expect(await sender.deliver(IDS.signedUp)).toBe('sent')
    expect(service.taken).toHaveLength(1)
  })

  it('drop a message that is not worth sending after the quiet hours', async () => {
    const outbox = await createOutbox('parcelCancelled', { more: quietFrom(-60, 150) })
    expect(await outbox.sender.deliver(IDS.parcelCancelled)).toBe('skipped')
    expect(outbox.readMessage()).toMatchObject({ why: 'quiet_hours' })
  })

  it.each(['accepted', 'parcel', 'office'] as const)(
    'send the urgent message %s in the quiet hours',
    async (name) => {
      const { sender } = await createOutbox(name, { more: quietFrom(-60, 90) })
      expect(await sender.deliver(IDS[name])).toBe('sent')
    },
  )

  it('add the price of each part of an SMS to the month, and show the end of the number', async () => {
    const { sender, db, readMessage } = await createOutbox('accepted', {
      more: withSettings({ price: { sms: 0.0079, email: 1 } }),
    })
    await sender.deliver(IDS.accepted)
    expect(readTotal(db)).toEqual({ micros: 7_900, sms: 1, revision: 1 })
    expect(readMessage()).toMatchObject({ to: '…99', charge: { micros: 7_900, channel: 'sms' } })
  })

  it.each([
    [{ state: 'rejected', why: 'twilio_21211' }, 'rejected'],
    [{ state: 'retry', why: 'twilio_503' }, 'waiting'],
  ] as const)(
    'take the price back when the service does not take the message: %j',
    async (outcome, state) => {
      const { sender, db, service, readMessage } = await createOutbox('accepted', {
        more: withSettings({ price: { sms: 0.05 } }),
      })
      service.outcomes.push(outcome)
      expect(await sender.deliver(IDS.accepted)).toBe(state)
      expect(readTotal(db)).toMatchObject({ micros: 0, sms: 0 })
      expect(readMessage()).not.toHaveProperty('charge')
    },
  )

  const aboveBudget = withSettings(
    { price: { sms: 0.05 }, budget: 0.09 },
    { message_totals: { [TOTAL]: { micros: 50_000, sms: 1, revision: 1 } } },
  )

  it('stop optional messages above the budget, warn the office once, and send the office’s own', async () => {
    const { sender, db, readMessage } = await createOutbox('booked', {
      more: { ...aboveBudget, bookings: { b1: aTrip({ booking_type_admin: true }) } },
    })
    expect(await sender.deliver(IDS.booked)).toBe('skipped')
    expect(readMessage()).toMatchObject({ why: 'budget' })
    await db.update({
      ...putInOutbox('signedUp'),
      ...putInOutbox('arrived'),
      ...putInOutbox('parcel'),
    })
    expect(await sender.deliver(IDS.arrived)).toBe('sent')
    expect(await sender.deliver(IDS.parcel)).toBe('sent')
    const warning = `${TOTAL}-message_budget-office-email`
    expect(db.at(internalPaths.outboxMessage(warning))).toMatchObject({ state: 'waiting' })
    expect(await sender.deliver(warning)).toBe('sent')
    expect(await sender.deliver(IDS.signedUp)).toBe('skipped')
    expect(db.at(internalPaths.outboxMessage(warning))).toMatchObject({ state: 'sent' })
  })

  it.each(['accepted', 'parcel', 'parcelCancelled'] as const)(
    'stop the message %s above the budget, because a rider causes it',
    async (name) => {
      const { sender, readMessage, service } = await createOutbox(name, { more: aboveBudget })
      expect(await sender.deliver(IDS[name])).toBe('skipped')
      expect(readMessage()).toMatchObject({ why: 'budget' })
      expect(service.taken).toEqual([])
    },
  )

  it('never exceed the budget when fifty optional messages are sent at once', async () => {
    const { createPorts, db, service } = await createOutbox('booked', {
      more: withSettings({
        price: { sms: 0.05 },
        budget: 1,
        dailyLimits: { customer: 100, address: 100 },
      }),
    })
    const [[, message] = []] = Object.entries(putInOutbox('booked'))
    const ids = Array.from({ length: 50 }, (_, i) => `b1-${i + 3}-booked-rider-sms`)
    await db.update(
      Object.fromEntries(
        ids.map((id) => [internalPaths.outboxMessage(id), message as DatabaseValue]),
      ),
    )
    const states = await Promise.all(ids.map((id) => createOutboxSender(createPorts()).deliver(id)))
    expect(states.filter((state) => state === 'sent')).toHaveLength(20)
    expect(states.filter((state) => state === 'skipped')).toHaveLength(30)
    expect(service.taken).toHaveLength(20)
    expect(readTotal(db)).toMatchObject({ micros: 1_000_000, sms: 20 })
  })
})

describe('a warning to an account', () => {
  const addresses = { email: 'former@example.com', sms: '+598 99 123 456' }
  const warn = (db: TestDatabase, event: MessageEvent, scope = 'rider-1', to = addresses) => {
    const about = { scope, event, audience: 'account', uid: 'rider' } as const
    return db.update(buildOutboxUpdates({ ...about, addresses: to, at: TEST_NOW, now: TEST_NOW }))
  }

  it('is stopped by no limits of other messages, no budget, list of domains and switch', async () => {
    const off = { 'phone_changed-account-sms': true, 'phone_changed-account-email': true } as const
    const limits = { customer: 0, driver: 0, address: 0 }
    const settings = { countries: ['UY'], allowedEmailDomains: ['a.example'], off }
    const money = { price: { sms: 10, email: 10 }, budget: 0, dailyLimits: limits }
    const { db, sender } = await createOutbox('accepted', {
      more: withSettings({ ...settings, ...money }),
    })
    await warn(db, 'phone_changed')
    for (const channel of ['sms', 'email'])
      expect(await sender.deliver(`rider-1-phone_changed-rider-${channel}`)).toBe('sent')
  })

  it.each([
    ['email_changed', 'skipped'],
    ['bank_changed', 'skipped'],
    ['office_access_given', 'sent'],
  ] as const)('%s to a number of another country: %s', async (event, state) => {
    const { db, sender } = await createOutbox('accepted', { more: withSettings({}) })
    await warn(db, event, 'rider-1', { ...addresses, sms: '+882 16 5555 1234' })
    expect(await sender.deliver(`rider-1-${event}-rider-sms`)).toBe(state)
    expect(await sender.deliver(`rider-1-${event}-rider-email`)).toBe('sent')
  })

  it('reaches an address twelve times a day', async () => {
    const { db, sender } = await createOutbox('accepted', { more: withSettings({}) })
    const states: unknown[] = []
    for (let n = 0; n < 15; n++) {
      await warn(db, 'email_changed', `rider-${n}`)
      states.push(await sender.deliver(`rider-${n}-email_changed-rider-sms`))
    }
    expect(states.filter((state) => state === 'sent')).toHaveLength(12)
    expect(states.slice(0, 12)).not.toContain('skipped')
  })
})

describe('messages that riders and drivers cause', () => {
  const abroad = { ...CONTACTS, deliveryPersonPhone: '+1 876 555 1234' }

  it.each([
    ['the platform’s own country only', { countries: undefined }, 'skipped'],
    ['other countries', { countries: ['UY', 'US'] }, 'skipped'],
    ['the number’s country', { countries: ['UY', 'JM'] }, 'sent'],
  ])('reach a number abroad when the settings name %s: %#', async (_, settings, state) => {
    const { sender, readMessage } = await createOutbox('parcel', {
      more: { ...withSettings(settings), booking_contacts: { b1: abroad } },
    })
    expect(await sender.deliver(IDS.parcel)).toBe(state)
    if (state === 'skipped') expect(readMessage()).toMatchObject({ why: 'country' })
  })

  it('reach a number abroad when the office made the booking', async () => {
    const { sender } = await createOutbox('parcel', {
      more: {
        ...withSettings({ countries: ['UY'] }),
        bookings: { b1: aTrip({ booking_type_admin: true }) },
        booking_contacts: { b1: abroad },
      },
    })
    expect(await sender.deliver(IDS.parcel)).toBe('sent')
  })

  it('reaches no number abroad once the rider has amended the office’s booking', async () => {
    const amend = { event: 'amend', by: 'rider', at: TEST_NOW, status: 'NEW', revision: 3 } as const
    const booking = aTrip({ booking_type_admin: true, event_log: { amend_3: amend } })
    const { sender, readMessage } = await createOutbox('parcel', {
      more: {
        ...withSettings({ countries: ['UY'] }),
        bookings: { b1: booking },
        booking_contacts: { b1: abroad },
      },
    })
    expect(await sender.deliver(IDS.parcel)).toBe('skipped')
    expect(readMessage()).toMatchObject({ why: 'country' })
  })

  it.each([
    ['budget', 'panic', {}, 'sent'],
    ['budget', 'office', {}, 'skipped'],
    ['budget', 'review', {}, 'skipped'],
    ['budget', 'office', { booking_type_admin: true }, 'sent'],
    ['budget', 'taken', { booking_type_admin: true }, 'skipped'],
    ['budget', 'arrived', { booking_type_admin: true }, 'sent'],
  ] as const)(
    'above the %s, the message %s of a booking %j is %s',
    async (why, name, trip, state) => {
      const { sender, readMessage } = await createOutbox(name, {
        more: {
          ...withSettings({ price: { sms: 1, email: 1 }, budget: 0 }),
          bookings: { b1: aTrip(trip) },
        },
      })
      expect(await sender.deliver(IDS[name])).toBe(state)
      if (state === 'skipped') expect(readMessage()).toMatchObject({ why })
    },
  )

  it.each([
    ['taken', { booking_type_admin: true }, ['driver_driver']],
    ['arrived', { booking_type_admin: true }, []],
    ['office', {}, ['customer_rider', 'driver_driver']],
    ['review', {}, ['customer_rider', 'driver_driver']],
    ['panic', {}, []],
  ] as const)('count the message %s of a booking %j for %j', async (name, trip, expected) => {
    const { sender, db } = await createOutbox(name, { more: { bookings: { b1: aTrip(trip) } } })
    expect(await sender.deliver(IDS[name])).toBe('sent')
    const keys = Object.keys(db.at(internalPaths.messageCounts) ?? {})
    expect(keys.map((key) => key.slice(key.indexOf('_') + 1))).toEqual(expected)
  })

  it('stop a driver who accepts and releases bookings of the office again and again', async () => {
    const { sender, db, readMessage } = await createOutbox('taken', {
      more: {
        ...withSettings({ dailyLimits: { driver: 1 } }),
        bookings: { b1: aTrip({ booking_type_admin: true }) },
      },
    })
    expect(await sender.deliver(IDS.taken)).toBe('sent')
    await db.update(putInOutbox('taken', TEST_NOW, 'b1-3'))
    expect(await sender.deliver(IDS.taken.replace('b1-2', 'b1-3'))).toBe('skipped')
    expect(readMessage()).toMatchObject({ state: 'sent' })
  })

  it.each([
    ['a refused domain', 'paid', { refusedEmailDomains: ['kerbside.example'] }, 'skipped'],
    ['another domain', 'paid', { refusedEmailDomains: ['other.example'] }, 'sent'],
    ['a domain that is not allowed', 'receipt', { allowedEmailDomains: ['a.example'] }, 'skipped'],
    ['an allowed domain', 'receipt', { allowedEmailDomains: ['kerbside.example'] }, 'sent'],
    ['the office’s own address', 'office', { allowedEmailDomains: ['a.example'] }, 'sent'],
  ] as const)('to an address of %s: %s', async (_, name, settings, state) => {
    const { sender, service, readMessage } = await createOutbox(name, {
      more: {
        ...withSettings(settings),
        bookings: { b1: aTrip(name === 'office' ? {} : { status: 'COMPLETE' }) },
      },
    })
    expect(await sender.deliver(IDS[name])).toBe(state)
    expect(service.taken).toHaveLength(state === 'sent' ? 1 : 0)
    if (state === 'skipped') expect(readMessage()).toMatchObject({ why: 'domain' })
  })

  const sendParcels = async (count: number, settings: Partial<MessageSettings>) => {
    const { createPorts, db, service } = await createOutbox('parcel', {
      more: withSettings({ price: { sms: 0.05 }, ...settings }),
    })
    const [[, message] = []] = Object.entries(putInOutbox('parcel'))
    const ids = Array.from({ length: count }, (_, i) => `b1-${i + 3}-parcel_sent-recipient-sms`)
    await db.update(
      Object.fromEntries(
        ids.map((id) => [internalPaths.outboxMessage(id), message as DatabaseValue]),
      ),
    )
    const states = await Promise.all(ids.map((id) => createOutboxSender(createPorts()).deliver(id)))
    const reasons = ids.map((id) => (db.at(internalPaths.outboxMessage(id)) as OutboxMessage).why)
    return { states, reasons, service, total: readTotal(db) }
  }

  it.each([
    ['one number', { dailyLimits: { address: 7 } }, 7],
    ['one customer', { dailyLimits: { customer: 5, address: 100 } }, 5],
    ['one driver', { dailyLimits: { driver: 6, address: 100 } }, 6],
    ['one number without a setting', {}, 10],
    ['the budget', { dailyLimits: { customer: 100, address: 100 }, budget: 0.2 }, 4],
  ])(
    'stop at the daily limit of %s, also when fifty are sent at once',
    async (_, settings, limit) => {
      const { states, reasons, service, total } = await sendParcels(50, settings)
      expect(states.filter((state) => state === 'sent')).toHaveLength(limit)
      expect(service.taken).toHaveLength(limit)
      expect(total).toMatchObject({ sms: limit })
      const reason = 'budget' in settings ? 'budget' : 'daily_limit'
      expect(reasons.filter((why) => why === reason)).toHaveLength(50 - limit)
    },
  )

  it('go out again on the next day, and the old counts are removed', async () => {
    const { sender, db, clock } = await createOutbox('parcel', {
      more: withSettings({ dailyLimits: { customer: 1 } }),
    })
    const putParcel = (id: string) => {
      const [[, message] = []] = Object.entries(putInOutbox('parcel', clock.now))
      return db.update({ [internalPaths.outboxMessage(id)]: message as DatabaseValue })
    }
    expect(await sender.deliver(IDS.parcel)).toBe('sent')
    await putParcel('second')
    expect(await sender.deliver('second')).toBe('skipped')
    clock.now += 24 * 60 * MINUTE_MS
    await putParcel('third')
    expect(await sender.deliver('third')).toBe('sent')
    expect(Object.keys(db.at(internalPaths.messageCounts) as object)).toHaveLength(6)
    await removeExpiredDecisions({ db }, clock.now + 3 * 24 * 60 * MINUTE_MS)
    expect(db.at(internalPaths.messageCounts)).toBeNull()
  })
})

test('the office gets SMS at its number, and none without one', async () => {
  const sms = IDS.office.replace('email', 'sms')
  const { sender, service } = await createOutbox('office', {
    more: withSettings({ officeMobile: '+59899000111' }),
  })
  expect(await sender.deliver(sms)).toBe('sent')
  expect(service.taken[0]).toMatchObject({ channel: 'sms', to: '+59899000111' })
  const without = await createOutbox('office')
  expect(await without.sender.deliver(sms)).toBe('skipped')
  expect(without.db.at(internalPaths.outboxMessage(sms))).toMatchObject({ why: 'no_address' })
})

test('a person gets no optional message that they turned off, and every other one', async () => {
  const off = { 'booked-sms': true, 'accepted-sms': true }
  const { sender, db, readMessage } = await createOutbox('booked', {
    more: withSettings({}, { message_preferences: { rider: { off, revision: 1 } } }),
  })
  expect(await sender.deliver(IDS.booked)).toBe('skipped')
  expect(readMessage()).toMatchObject({ why: 'not_wanted' })
  await db.update(putInOutbox('accepted'))
  expect(await sender.deliver(IDS.accepted)).toBe('sent')
})

/** Ports whose process ends at the `n`th call: that call and all later ones never come back. */
const killAt = (ports: Ports, n: number, after: boolean) => {
  let calls = 0
  let isDead = false
  let end: () => void = () => undefined
  const died = new Promise<'died'>((resolve) => {
    end = () => resolve('died')
  })
  const never = new Promise<never>(() => undefined)
  const guard =
    <Args extends unknown[], T>(run: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (isDead) return never
      calls += 1
      if (calls < n) return run(...args)
      isDead = true
      if (after) await run(...args)
      end()
      return never
    }
  const { db, messages } = ports
  return {
    died,
    ports: {
      ...ports,
      db: {
        ...db,
        read: <T>(path: string) => guard(() => db.read<T>(path))(),
        list: <T>(...args: Parameters<typeof db.list>) => guard(() => db.list<T>(...args))(),
        update: guard((updates: Readonly<Record<string, DatabaseValue>>) => db.update(updates)),
      },
      messages: {
        has: (channel) => messages.has(channel),
        send: guard((message: OutgoingMessage) => messages.send(message)),
        find: guard((message: OutgoingMessage, since: number) => messages.find(message, since)),
      } satisfies MessagePort,
    },
  }
}
const MAX_CALLS = 60

describe('a sender that ends at any point', () => {
  it.each([
    ['before its call', false],
    ['after its call', true],
  ])('leaves a message that the next one sends exactly once: it ends %s', async (_, after) => {
    let n = 1
    for (; n < MAX_CALLS; n++) {
      const { createPorts, service, clock, readMessage, db } = await createOutbox('accepted', {
        more: withSettings({ price: { sms: 0.05 } }),
      })
      const victim = killAt(createPorts(), n, after)
      const ended = await Promise.race([
        createOutboxSender(victim.ports).deliver(IDS.accepted),
        victim.died,
      ])
      clock.now += LEASE_MS + 1
      const next = createOutboxSender(createPorts())
      await next.deliverDue()
      clock.now += LEASE_MS + 1
      await next.deliverDue()
      expect([n, service.taken.length, readMessage()?.state]).toEqual([n, 1, 'sent'])
      // The text has 126 characters of the GSM alphabet, which is one part.
      expect([n, readTotal(db)]).toEqual([n, expect.objectContaining({ sms: 1, micros: 50_000 })])
      if (ended !== 'died') break
    }
    expect(n).toBeGreaterThan(10)
    expect(n).toBeLessThan(MAX_CALLS)
  })

  it('causes a second request only between the request and its record, when the service cannot be asked', async () => {
    const twice: number[] = []
    for (let n = 1; n < MAX_CALLS; n++) {
      const { createPorts, clock } = await createOutbox('accepted')
      const service = createFakeService(true)
      const victim = killAt(createPorts({ messages: service.port }), n, true)
      const ended = await Promise.race([
        createOutboxSender(victim.ports).deliver(IDS.accepted),
        victim.died,
      ])
      clock.now += LEASE_MS + 1
      await createOutboxSender(createPorts({ messages: service.port })).deliverDue()
      expect(service.taken.length).toBeGreaterThan(0)
      if (service.taken.length > 1) twice.push(n)
      if (ended !== 'died') break
    }
    expect(twice).toHaveLength(1)
  })
})

describe('many senders', () => {
  it('send a message once when fifty of them have it', async () => {
    const { createPorts, service, readMessage } = await createOutbox('accepted')
    const states = await Promise.all(
      Array.from({ length: 50 }, () => createOutboxSender(createPorts()).deliver(IDS.accepted)),
    )
    expect(states.filter((state) => state !== null)).toEqual(['sent'])
    expect(service.taken).toHaveLength(1)
    expect(readMessage()?.revision).toBe(4)
  })
})

describe('a run of the schedule', () => {
  it('sends what is due, oldest first and at most a hundred, and leaves the rest to the next run', async () => {
    const { db, sender, service, clock } = await createOutbox('accepted', {
      more: withSettings({ dailyLimits: { customer: 200, driver: 200, address: 200 } }),
    })
    const [[, message] = []] = Object.entries(putInOutbox('accepted'))
    const rows = Array.from({ length: 119 }, (_, i): [string, DatabaseValue] => [
      internalPaths.outboxMessage(`b1-${i + 3}-accepted-rider-sms`),
      { ...(message as { [key: string]: DatabaseValue }), due: TEST_NOW - i },
    ])
    await db.update(Object.fromEntries(rows))
    expect(await sender.deliverDue()).toBe(100)
    expect(service.taken).toHaveLength(100)
    expect(await sender.deliverDue()).toBe(20)
    clock.now += MINUTE_MS
    expect(await sender.deliverDue()).toBe(0)
  })

  it('removes a sent message after a month', async () => {
    const { sender, clock, readMessage } = await createOutbox('accepted')
    await sender.deliverDue()
    clock.now += 29 * 1440 * MINUTE_MS
    await sender.deliverDue()
    expect(readMessage()?.state).toBe('sent')
    clock.now += 2 * 1440 * MINUTE_MS
    await sender.deliverDue()
    expect(readMessage()).toBeNull()
  })
})
