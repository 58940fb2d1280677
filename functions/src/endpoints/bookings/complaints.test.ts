import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { sumAmounts } from '~/domain/money/money'
import { checkAction } from '~/domain/access/permissions'
import { aBooking, aCardPacket, admin, aRider, aSettings } from '~/domain/testing/builders'
import { toSignedAmount } from '~/domain/money/wallet'
import { handleRequest } from '../../http/requestHandler'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { add_booking_note } from './addBookingNote'
import { advance_booking } from './advanceBooking'
import { send_receipt } from './sendReceipt'
import type { Booking, BookingNote } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const ID = '-OAbcdefghijklmnopqr'
const toKey = (n: number) => `-OAcomplaint${String(n).padStart(8, '0')}`
const WALLET_PACKET = aCardPacket({
  payment_mode: 'wallet',
  cardPaymentAmount: 0,
  usedWalletMoney: 43.13,
})
const aPaidBooking = (over: Partial<Booking> = {}) =>
  aBooking({ status: 'COMPLETE', usedWalletMoney: 43.13, paymentPacket: WALLET_PACKET, ...over })
const anOffice = (more: object = {}) =>
  createProjectPorts({
    bookings: { [ID]: toJson(aPaidBooking()) },
    roles: { admin: 'admin', rider: 'rider', driver: 'driver', fleetadmin: 'fleetadmin' },
    ...more,
  })
type Office = ReturnType<typeof anOffice>
const asAdmin = (office: Office) => createUserContext('admin', 'admin', office)
const compensate = (office: Office, n: number, amounts: object, reason = 'late') =>
  advance_booking.handle(
    {
      booking_id: ID,
      event: 'compensate',
      request_id: toKey(n),
      reason: reason as 'late',
      ...amounts,
    },
    asAdmin(office),
  )

const getBalance = ({ db }: Office, uid: string): number => {
  const { walletBalance, walletHistory = {} } = db.at(`users/${uid}`) as User
  expect(walletBalance).toBe(sumAmounts(Object.values(walletHistory).map(toSignedAmount), 2))
  return walletBalance
}

describe('a complaint', () => {
  it('is settled once, however often the request comes', async () => {
    const office = anOffice()
    const first = await compensate(office, 1, { rider: 10, take_back: 4 })
    expect(first).toEqual({ booking_id: ID, status: 'COMPLETE', revision: 2 })
    expect(await compensate(office, 1, { rider: 10, take_back: 4 })).toEqual(first)
    expect([getBalance(office, 'rider'), getBalance(office, 'driver')]).toEqual([10, -4])
    expect(Object.keys(office.db.at('inbox/rider') as object)).toHaveLength(1)
    expect(Object.values(office.db.at('audit') as object)).toMatchObject([
      {
        action: 'booking_compensate',
        by: 'admin',
        to: { reason: 'late', rider_compensation: 10, driver_compensation: -4 },
      },
    ])
  })

  it('never gives more than was paid when fifty admins settle it at once', async () => {
    const office = anOffice()
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => compensate(office, n, { rider: 10, take_back: 10 })),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect([getBalance(office, 'rider'), getBalance(office, 'driver')]).toEqual([30, -30])
    const { adjustments = {}, revision } = office.db.at(`bookings/${ID}`) as Booking
    expect([Object.keys(adjustments).length, revision]).toEqual([3, 4])
  })

  it('is settled once when the same request comes fifty times at once', async () => {
    const office = anOffice()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => compensate(office, 1, { rider: 40 })),
    )
    expect(new Set(responses.map(({ revision }) => revision))).toEqual(new Set([2]))
    expect(getBalance(office, 'rider')).toBe(40)
  })
})

const requestAs = (endpoint: Parameters<typeof handleRequest>[0], uid: string, input: object) => {
  const office = anOffice({
    users: {
      ...aProject().users,
      fleetadmin: aRider({ id: 'fleetadmin', usertype: 'fleetadmin' }),
    },
  })
  const caller = createCaller(office, uid)
  const request = { input, caller, hasMapsBasicAuth: false, ip: '::1', now: TEST_NOW }
  return handleRequest(endpoint, request, office)
}

describe('a note about a booking', () => {
  const note = { booking_id: ID, note_id: toKey(1), text: 'Called twice, no answer.' }
  it('is added once, with its author and time', async () => {
    const office = anOffice()
    const call = () => add_booking_note.handle(note, asAdmin(office))
    expect(await call()).toEqual({ note_id: note.note_id, at: TEST_NOW })
    expect(await call()).toEqual({ note_id: note.note_id, at: TEST_NOW })
    expect(office.db.at(`booking_notes/${ID}`)).toEqual({
      [note.note_id]: { text: note.text, by: admin.uid, at: TEST_NOW } satisfies BookingNote,
    })
  })
  it('is never changed', async () => {
    const office = anOffice()
    await add_booking_note.handle(note, asAdmin(office))
    const other = add_booking_note.handle({ ...note, text: 'Other' }, asAdmin(office))
    expect(await getErrorKey(other)).toBe('already_processed')
  })
  it('needs an existing booking', async () => {
    const call = add_booking_note.handle({ ...note, booking_id: 'none' }, asAdmin(anOffice()))
    expect(await getErrorKey(call)).toBe('not_found')
  })
  it.each(['rider', 'driver', 'fleetadmin'])('is refused to a %s', async (uid) => {
    expect(await getErrorKey(requestAs(add_booking_note, uid, note))).toBe('not_allowed')
  })
})

describe('sending a receipt again', () => {
  const request = { booking_id: ID, request_id: toKey(1) }
  const listOutbox = (office: Office) => Object.entries(office.db.at('internal/outbox') ?? {})
  it('puts one e-mail in the outbox and one message in the inbox', async () => {
    const office = anOffice()
    const call = () => send_receipt.handle(request, asAdmin(office))
    expect(await call()).toEqual({ at: TEST_NOW })
    expect(await call()).toEqual({ at: TEST_NOW })
    expect(listOutbox(office)).toMatchObject([
      [
        `${ID}-${request.request_id}-receipt_sent-rider-email`,
        { event: 'receipt_sent', uid: 'rider', channel: 'email', booking_id: ID },
      ],
    ])
    expect(Object.values(office.db.at('inbox/rider') as object)).toMatchObject([
      { title: 'push_receipt_sent_title', booking_id: ID },
    ])
  })
  it.each<[string, Partial<Booking>]>([
    ['unpaid', { status: 'PENDING' }],
    ['canceled', { status: 'CANCELLED', reason: 'x', cancelledBy: 'rider', cancelled_at: 1 }],
  ])('is refused for an %s booking', async (_, over) => {
    const office = anOffice({ bookings: { [ID]: toJson(aPaidBooking(over)) } })
    expect(await getErrorKey(send_receipt.handle(request, asAdmin(office)))).toBe(
      'event_not_possible',
    )
    expect(listOutbox(office)).toEqual([])
  })
  it.each(['rider', 'driver', 'fleetadmin'])('is refused to a %s', async (uid) => {
    expect(await getErrorKey(requestAs(send_receipt, uid, request))).toBe('not_allowed')
  })
  it.each(['rider', 'driver', 'fleetadmin'] as const)(
    'needs the permission of its own, which a %s has not',
    async (role) => {
      const office = anOffice()
      const call = send_receipt.handle(request, createUserContext(role, role, office))
      expect(await getErrorKey(call)).toBe('not_allowed')
      expect(checkAction('receipt_send', role, aSettings())?.key).toBe('not_allowed')
      expect(checkAction('receipt_send', 'admin', aSettings())).toBeUndefined()
      expect(listOutbox(office)).toEqual([])
    },
  )
  it('is possible in demo mode, like a credit', async () => {
    const office = anOffice({ settings: aSettings({ AllowCriticalEditsAdmin: false }) })
    expect(await send_receipt.handle(request, asAdmin(office))).toEqual({ at: TEST_NOW })
  })
})
