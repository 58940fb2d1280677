import { describe, expect, it } from 'vitest'
import { aBookingRequest, admin, aRider, ROUTE } from '~/domain/testing/builders'
import { create_booking } from '../../endpoints/bookings/createBooking'
import { ensure_profile } from '../../endpoints/users/ensureProfile'
import { parseInput } from '../../http/requestHandler'
import { createTestDatabase } from '../../testing/testDatabase'
import {
  aProject,
  createMemoryAccounts,
  createRequestContext,
  createTestPorts,
  createUserContext,
  getErrorKey,
  straightLineMaps,
} from '../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const MOBILE = '+59899123456'
const GUEST = { name: 'Gil Paz Rey', mobile: MOBILE }
const makeBookingRequest = (n: number) =>
  aBookingRequest({ booking_id: `-OAbcdefghijklmno${100 + n}` })

const createScene = (more: object = {}, taken: Record<string, string> = {}) => {
  const db = createTestDatabase(aProject(more))
  const accounts = createMemoryAccounts(taken)
  const route = { ...ROUTE, coords: [], steps: [], approximate: false }
  const maps = { ...straightLineMaps, getDirections: () => Promise.resolve(route) }
  const ports = createTestPorts({ db, accounts, maps: () => Promise.resolve(maps) })
  const context = createUserContext(admin.uid, 'admin', ports)
  const book = (n: number) =>
    create_booking.handle({ ...makeBookingRequest(n), guest: GUEST }, context)
  const bookings = () => Object.values((db.at('bookings') ?? {}) as Record<string, Booking>)
  return { db, accounts, ports, book, bookings }
}

describe('a booking for a caller without an account', () => {
  it('gets a rider with their name and number, and is paid in cash', async () => {
    const { db, book, accounts } = createScene()
    const { booking_id, status } = await book(1)
    expect(status).toBe('NEW')
    const uid = await accounts.findByPhone(MOBILE)
    expect(db.at(`bookings/${booking_id}`)).toMatchObject({
      customer: uid,
      customer_name: 'Gil Paz Rey',
    })
    expect(db.at(`users/${uid}`)).toMatchObject({
      usertype: 'rider',
      firstName: 'Gil',
      lastName: 'Paz Rey',
      mobile: MOBILE,
      createdByAdmin: true,
    })
    expect((db.at(`bookings/${booking_id}`) as Booking).paymentPacket).toBeUndefined()
  })

  it('keeps the number with the contacts, apart from the booking', async () => {
    const { db, book } = createScene()
    const { booking_id } = await book(1)
    expect(db.at(`booking_contacts/${booking_id}/customer_contact`)).toBe(MOBILE)
    expect(JSON.stringify(db.at(`bookings/${booking_id}`))).not.toContain(MOBILE)
  })

  it('belongs to the person who signs in with the number', async () => {
    const { accounts, ports, book, bookings } = createScene()
    await book(1)
    const uid = (await accounts.findByPhone(MOBILE)) ?? ''
    const caller = { uid, phone: MOBILE }
    const profile: User = await ensure_profile.handle({}, createRequestContext(caller, ports))
    expect(profile.mobile).toBe(MOBILE)
    expect(bookings().map(({ customer }) => customer)).toEqual([profile.id])
  })

  it('uses the account that signed in with the number and has no profile', async () => {
    const { book, bookings } = createScene({}, { [MOBILE]: 'earlier' })
    await book(1)
    expect(bookings()[0]?.customer).toBe('earlier')
  })

  it('uses the rider who has the number', async () => {
    const known = aRider({ id: 'known', mobile: MOBILE, firstName: 'Gilda' })
    const { db, book, bookings } = createScene({ users: { ...aProject().users, known } })
    await book(1)
    expect(bookings()[0]).toMatchObject({ customer: 'known', customer_name: 'Gilda Lima' })
    expect(db.at('users/known/firstName')).toBe('Gilda')
  })

  it('gets the same rider in all of fifty simultaneous requests', async () => {
    const { db, book, bookings } = createScene()
    await Promise.all(Array.from({ length: 50 }, (_, n) => book(n)))
    const [uid, ...others] = new Set(bookings().map(({ customer }) => customer))
    expect(others).toEqual([])
    expect(db.at(`open_bookings/${uid}/open`)).toBe(50)
    const riders = Object.values(db.at('users') as Record<string, User>)
    expect(riders.filter(({ mobile }) => mobile === MOBILE)).toHaveLength(1)
  })

  it('is refused together with a rider', async () => {
    const { db, ports } = createScene()
    const input = { ...makeBookingRequest(1), guest: GUEST, customer: 'rider' }
    const call = create_booking.handle(input, createUserContext(admin.uid, 'admin', ports))
    expect(await getErrorKey(call)).toBe('bad_input')
    expect(db.getCommitCount()).toBe(0)
  })

  it('needs a number with its country code', async () => {
    const parse = (mobile: string) =>
      parseInput(create_booking.input, { ...makeBookingRequest(1), guest: { ...GUEST, mobile } })
    const call = Promise.resolve('099 123 456').then(parse)
    await expect(call).rejects.toMatchObject({ error: { key: 'bad_input', field: 'guest.mobile' } })
    expect(parse('+598 99 123-456').guest?.mobile).toBe(MOBILE)
  })

  it('is made once when the request is repeated', async () => {
    const { book, bookings } = createScene()
    expect(await book(1)).toEqual(await book(1))
    expect(bookings()).toHaveLength(1)
  })
})
