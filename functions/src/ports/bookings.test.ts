import { describe, expect, it } from 'vitest'
import type { Booking } from '~/domain/entities'
import { aBooking, admin, aRequest, driver, rider } from '~/domain/testing/builders'
import { aProject, projectPorts, refusedKey, somePorts } from '../testing'
import { bookingsIn } from './bookings'
import type { DatabasePort } from './database'
import { Conflict } from './database'
import { memoryDatabase, raceGuards } from './memoryDatabase'

const id = aRequest().booking_id
const create = { event: 'create', input: aRequest() } as const
const requested = { bookings: { [id]: aBooking({ requestedDrivers: { driver: true } }) } }
const booking = (db: { at(path: string): unknown }) => db.at(`bookings/${id}`) as Booking

describe('one change', () => {
  it('is committed in one write, with the inbox entries, and pushed afterwards', async () => {
    const { bookings, db, pushed } = projectPorts({
      ...requested,
      users: {
        ...(projectPorts().db.at('users') as object),
        rider: { ...(projectPorts().db.at('users/rider') as object), pushToken: 'phone' },
      },
    })
    const answer = await bookings.change(id, { event: 'accept' }, driver)
    expect(answer).toMatchObject({ booking_id: id, status: 'ACCEPTED', revision: 2 })
    expect(db.commits()).toBe(1)
    expect(Object.values(db.at('inbox/rider') as object)).toMatchObject([
      { title: 'push_accepted_title', booking_id: id },
    ])
    expect(pushed).toEqual([{ token: 'phone', title: 'push_accepted_title' }])
  })

  it('refused writes nothing', async () => {
    const { bookings, db } = projectPorts(requested)
    const call = bookings.change(id, { event: 'rate', rating: 5 }, rider)
    expect(await refusedKey(call)).toBe('event_not_possible')
    expect(db.commits()).toBe(0)
  })

  it('a wrong code is refused and counted', async () => {
    const { bookings, db } = projectPorts({
      bookings: { [id]: aBooking({ status: 'ARRIVED', otp: true }) },
      booking_otps: { [id]: 12_345 },
    })
    const call = bookings.change(id, { event: 'start', otp: 99_999 }, driver)
    expect(await refusedKey(call)).toBe('code_wrong')
    expect(db.at(`otp_attempts/${id}/tries`)).toBe(1)
    expect(booking(db).status).toBe('ARRIVED')
  })

  it('the repeat answers as the first time and writes nothing', async () => {
    const { bookings, db } = projectPorts()
    const first = await bookings.change(id, create, rider)
    expect(first).toMatchObject({ revision: 1, estimate: create.input.estimateFare })
    expect(await bookings.change(id, create, rider)).toEqual(first)
    expect(db.commits()).toBe(1)
  })
})

describe('a race', () => {
  it('two creates of one id at once make one booking', async () => {
    const { bookings, db } = projectPorts()
    const both = await Promise.all([
      bookings.change(id, create, rider),
      bookings.change(id, create, rider),
    ])
    expect(both[0]).toEqual(both[1])
    expect(db.at('stats/total/created')).toBe(1)
  })

  it('whoever loses asks the table again and is told what the winner did', async () => {
    const { bookings, db } = projectPorts(requested)
    const [accepted, cancelled] = await Promise.allSettled([
      bookings.change(id, { event: 'accept' }, driver),
      bookings.change(id, { event: 'cancel', reason: 'Changed my mind' }, admin),
    ])
    expect(accepted.status).toBe('fulfilled')
    expect(cancelled.status).toBe('fulfilled')
    expect(booking(db)).toMatchObject({ status: 'CANCELLED', revision: 3 })
  })

  it('a repeat that read the booking before the first was done and the driver after it is no refusal', async () => {
    const db = memoryDatabase(aProject(requested), raceGuards)
    const { maps, push, random } = somePorts()
    const clock = { now: () => 1, wait: () => Promise.resolve() }
    const before = db.at(`bookings/${id}`) as Booking
    const first = await bookingsIn({ db, maps, push, random, clock }).change(
      id,
      { event: 'accept' },
      driver,
    )
    let torn = true
    const tearing: DatabasePort = {
      ...db,
      read: <T>(path: string) => {
        if (!torn || path !== `bookings/${id}`) return db.read<T>(path)
        torn = false
        return Promise.resolve(before as T)
      },
    }
    const bookings = bookingsIn({ db: tearing, maps, push, random, clock })
    expect(await bookings.change(id, { event: 'accept' }, driver)).toEqual(first)
    expect(db.commits()).toBe(1)
  })

  it('gives up when the rules refuse the same thing again and again', async () => {
    const closed = memoryDatabase(aProject(requested), () => false)
    const { bookings } = somePorts({ db: closed })
    const call = bookings.change(id, { event: 'accept' }, driver)
    expect(await refusedKey(call)).toBe('changed_meanwhile')
  })

  it('rests between tries and wins in the end', async () => {
    const db = memoryDatabase(aProject(requested), raceGuards)
    let refusals = 3
    const contended: DatabasePort = {
      ...db,
      update: (updates) => (refusals-- > 0 ? Promise.reject(new Conflict()) : db.update(updates)),
    }
    const rests: number[] = []
    const { maps, push, random } = somePorts()
    const clock = { now: () => 1, wait: (ms: number) => Promise.resolve(void rests.push(ms)) }
    const bookings = bookingsIn({ db: contended, maps, push, random, clock })
    expect((await bookings.change(id, { event: 'accept' }, driver)).status).toBe('ACCEPTED')
    expect(rests).toHaveLength(3)
  })

  it('a failure that is no race is not tried again', async () => {
    const db = memoryDatabase(aProject(requested))
    let calls = 0
    const broken: DatabasePort = {
      ...db,
      update: () => {
        calls += 1
        return Promise.reject(new Error('The line is down.'))
      },
    }
    const { bookings } = somePorts({ db: broken })
    await expect(bookings.change(id, { event: 'accept' }, driver)).rejects.toThrow('down')
    expect(calls).toBe(1)
  })
})
