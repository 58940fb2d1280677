import { describe, expect, it } from 'vitest'
import { aBooking, admin, aRider, aSettings, DROP, PICKUP } from '~/domain/testing/builders'
import { eraseAccountData } from '../../services/users/accountErasure'
import { answer_call } from './answerCall'
import { find_caller } from './findCaller'
import { save_note } from '../users/saveNote'
import { createTestDatabase } from '../../testing/testDatabase'
import { handleRequest, parseInput } from '../../http/requestHandler'
import {
  aProject,
  createTestPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'

const MOBILE = '+59899123456'
const HARBOR = { lat: -34.9, lng: -56.21, add: 'Harbor' }
const known = aRider({ id: 'known', mobile: MOBILE, firstName: 'Gilda' })
const makeBookingEntry = (n: number, over: Partial<Booking> = {}) => {
  const id = `-Obooking00000000000${n}`
  return [id, aBooking({ id, booking_id: id, customer: 'known', status: 'COMPLETE', ...over })]
}
const BOOKINGS = Object.fromEntries([
  makeBookingEntry(1, { deliveryPerson: 'Old recipient' }),
  makeBookingEntry(2, { drop: HARBOR }),
  makeBookingEntry(3, { deliveryPerson: 'Ana Paz' }),
  makeBookingEntry(4, { pickup: HARBOR, status: 'NEW' }),
  makeBookingEntry(5, { customer: 'rider' }),
]) as Record<string, Booking>

const anOffice = (more: object = {}) => {
  const db = createTestDatabase(
    aProject({
      users: { ...(aProject().users as object), known },
      bookings: BOOKINGS,
      booking_contacts: { '-Obooking000000000003': { deliveryPersonPhone: '099 111 222' } },
      ...more,
    }),
  )
  const context = createUserContext(admin.uid, 'admin', createTestPorts({ db }))
  const find = (given: object) => find_caller.handle(parseInput(find_caller.input, given), context)
  const note = (text: string, revision: number, uid = 'known') =>
    save_note.handle({ uid, text, revision }, context)
  return { db, context, find, note }
}

describe('the card of a caller', () => {
  it('has the person, their last trips, their open bookings and the note', async () => {
    const { find, note } = anOffice()
    await note('Rings the wrong bell', 0)
    const card = await find({ mobile: '+598 99 123-456' })
    expect(card).toMatchObject({
      person: { id: 'known', usertype: 'rider', firstName: 'Gilda', mobile: MOBILE },
      open: [{ id: '-Obooking000000000004', status: 'NEW' }],
      note: { text: 'Rings the wrong bell', revision: 1 },
    })
    expect(card.trips).toMatchObject([
      { booking_id: '-Obooking000000000004', pickup: HARBOR },
      {
        booking_id: '-Obooking000000000003',
        pickup: PICKUP,
        drop: DROP,
        deliveryPerson: 'Ana Paz',
        deliveryPersonPhone: '099 111 222',
      },
      { booking_id: '-Obooking000000000002', drop: HARBOR },
    ])
    expect(await find({ uid: 'known' })).toEqual(card)
  })

  it('is empty for an unknown number', async () => {
    const { find } = anOffice()
    expect(await find({ mobile: '+59899000000' })).toMatchObject({ person: null, trips: [] })
  })

  it('leaves out the recipients’ numbers in demo mode', async () => {
    const { find } = anOffice({ settings: aSettings({ AllowCriticalEditsAdmin: false }) })
    expect(JSON.stringify((await find({ mobile: MOBILE })).trips)).not.toContain('099')
  })

  it.each(['rider', 'driver', 'fleetadmin'] as const)('is refused to a %s', async (uid) => {
    const { context } = anOffice({ roles: { [uid]: uid } })
    const call = { input: {}, caller: { uid }, hasMapsBasicAuth: false, ip: '::1', now: TEST_NOW }
    expect(await getErrorKey(handleRequest(find_caller, call, context))).toBe('not_allowed')
    expect(await getErrorKey(handleRequest(save_note, call, context))).toBe('not_allowed')
    expect(await getErrorKey(handleRequest(answer_call, call, context))).toBe('not_allowed')
  })
})

describe('a note about a person', () => {
  it('is changed by one of fifty admins who saw the same note', async () => {
    const { db, note } = anOffice()
    await note('First', 0)
    const saved = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => note(`Note ${n}`, 1)),
    )
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(db.at('internal/person_notes/known')).toMatchObject({ revision: 2, by: admin.uid })
  })

  it('is saved once when the request is repeated', async () => {
    const { db, note } = anOffice()
    expect(await note('Once', 0)).toEqual(await note('Once', 0))
    expect(db.getCommitCount()).toBe(1)
  })

  it('is refused about a person who does not exist', async () => {
    const { db, note } = anOffice()
    expect(await getErrorKey(note('Who?', 0, 'missing'))).toBe('not_found')
    expect(db.getCommitCount()).toBe(0)
  })

  it('leaves its field, but not its text, in the audit log', async () => {
    const { db, note } = anOffice()
    await note('Secret', 0)
    expect(Object.values(db.at('audit') as object)).toMatchObject([
      { action: 'user_edit', path: 'users/known', to: { fields: ['note'] } },
    ])
    expect(JSON.stringify(db.at('audit'))).not.toContain('Secret')
  })

  it('is erased with the account', async () => {
    const ended = Object.entries(BOOKINGS).filter(([, { status }]) => status === 'COMPLETE')
    const { db, context, note } = anOffice({ bookings: Object.fromEntries(ended) })
    await note('Rings the wrong bell', 0)
    await eraseAccountData(context, 'known')
    expect(db.at('internal/person_notes/known') ?? null).toBeNull()
  })
})
