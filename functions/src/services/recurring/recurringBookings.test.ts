import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import { encodeTime } from '~/domain/data/pushKeys'
import { getBookedOccurrence, type RecurringRecord } from '~/domain/recurring/series'
import { aRider, aSettings, aVehicleType, DROP, MINUTE, PICKUP } from '~/domain/testing/builders'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import { delete_user } from '../../endpoints/users/deleteUser'
import { change_recurring } from '../../endpoints/recurring/changeRecurring'
import { list_recurring } from '../../endpoints/recurring/listRecurring'
import { save_recurring } from '../../endpoints/recurring/saveRecurring'
import { runMaintenance } from '../jobs/maintenance'
import { getOccurrenceBookingId } from './occurrenceBookingId'
import { bookDueOccurrences, runRecurringBookings } from './recurringBookings'
import { handleRequest } from '../../http/requestHandler'
import {
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const SERIES = '-Oseriesabcdefghijkl'
const OTHER = '-Otherseriesabcdefgh'
/** Noon of Friday, November 20 in Montevideo. */
const NOW = TEST_NOW
const taxi = aSettings({ appcat: 'taxi' })

const input = (over: object = {}) => ({
  series_id: SERIES,
  pickup: PICKUP,
  drop: DROP,
  carType: 'van',
  deliveryPerson: 'Carla',
  deliveryPersonPhone: '099 123 456',
  // Friday and Saturday.
  days: [5, 6],
  time: '18:00',
  from: '2026-11-20',
  ...over,
})

const aCity = (more: object = {}) => {
  const given = createProjectPorts({ settings: taxi, ...more })
  const { db } = given
  const call = (
    endpoint: Parameters<typeof handleRequest>[0],
    uid: string,
    request: object,
    now = NOW,
  ) => {
    const caller = createCaller(given, uid)
    const asked = { input: request, caller, hasMapsBasicAuth: false, ip: '127.0.0.1', now }
    return handleRequest(endpoint, asked, given) as Promise<never>
  }
  const at = (now: number) => {
    const clock = { now: () => now, wait: () => Promise.resolve() }
    return createProjectPortsOver(given, clock)
  }
  return {
    given,
    db,
    save: (over: object = {}, uid = 'rider', now = NOW) =>
      call(save_recurring, uid, input(over), now),
    change: (request: object, uid = 'rider', now = NOW) =>
      call(change_recurring, uid, { series_id: SERIES, ...request }, now),
    list: (uid = 'rider', request: object = {}, now = NOW) =>
      call(list_recurring, uid, request, now) as Promise<
        Awaited<ReturnType<typeof list_recurring.handle>>
      >,
    run: (now = NOW) => runRecurringBookings(at(now), now, () => true),
    at,
    getBookings: () =>
      Object.values((db.at('bookings') ?? {}) as Record<string, Booking>).sort(
        (a, b) => a.tripdate - b.tripdate,
      ),
    getRecord: () => db.at('internal/recurring/rider') as RecurringRecord | null,
  }
}
const createProjectPortsOver = (
  given: ReturnType<typeof createProjectPorts>,
  clock: ReturnType<typeof createProjectPorts>['clock'],
) => {
  const { db, maps, push, random } = given
  return { ...createProjectPorts({}, { db, maps, push, random, clock }), db }
}
const toIso = (at: number) => new Date(at).toISOString().slice(0, 16)
const toTimes = (bookings: Booking[]) => bookings.map(({ tripdate }) => toIso(tripdate))
const SIX = '2026-11-20T21:00'

describe('the job of recurring bookings', () => {
  it('books each trip 24 hours ahead, as an ordinary later booking that names its series', async () => {
    const { save, run, getBookings, list } = aCity()
    await save({ back: '23:00' })
    expect(await run()).toMatchObject({ made: 2, refused: 0 })
    const made = getBookings()
    expect(toTimes(made)).toEqual([SIX, '2026-11-21T02:00'])
    const [out, back] = made
    expect(out).toMatchObject({ status: 'NEW', bookLater: true, customer: 'rider', pickup: PICKUP })
    expect(out?.estimate).toBeGreaterThan(0)
    expect(back).toMatchObject({ pickup: DROP, drop: PICKUP })
    expect(made.map((one) => getBookedOccurrence(one))).toEqual([
      { id: SERIES, date: '2026-11-20', leg: 'out' },
      { id: SERIES, date: '2026-11-20', leg: 'back' },
    ])
    const { series } = await list()
    expect(series[0]?.next.map(({ date, leg, booking }) => [date, leg, booking])).toEqual([
      ['2026-11-20', 'out', out?.id],
      ['2026-11-20', 'back', back?.id],
      ['2026-11-21', 'out', undefined],
      ['2026-11-21', 'back', undefined],
    ])
  })

  it('does nothing until the next trip is due', async () => {
    const { save, run, getBookings, getRecord } = aCity()
    await save()
    await run()
    expect(getRecord()?.due).toBe(Date.parse(`${SIX}Z`))
    expect(await run(NOW + 5 * HOUR_MS)).toMatchObject({ made: 0 })
    expect(await run(NOW + 6 * HOUR_MS)).toMatchObject({ made: 1 })
    expect(toTimes(getBookings())).toEqual([SIX, '2026-11-21T21:00'])
  })

  it('makes one booking per trip in fifty runs at once', async () => {
    const { save, at, getBookings, getRecord, db } = aCity()
    await save({ back: '23:00' })
    const record = getRecord()
    expect(record).not.toBeNull()
    await Promise.all(
      Array.from({ length: 50 }, () =>
        bookDueOccurrences({ ports: at(NOW), settings: taxi, now: NOW }, 'rider', record!),
      ),
    )
    expect(getBookings()).toHaveLength(2)
    expect(db.at('open_bookings/rider/open')).toBe(2)
    expect(Object.keys(getRecord()?.series?.[SERIES]?.made ?? {})).toHaveLength(2)
  })

  it('goes on where a run stopped that died after its booking', async () => {
    const { save, at, getBookings, run } = aCity()
    await save({ back: '23:00' })
    const ports = at(NOW)
    let writes = 0
    const dying = {
      ...ports,
      bookings: {
        applyEvent: async (...given: Parameters<typeof ports.bookings.applyEvent>) => {
          const answer = await ports.bookings.applyEvent(...given)
          writes += 1
          if (writes === 1) throw new Error('The process ends.')
          return answer
        },
      },
    }
    await runRecurringBookings(dying, NOW, () => true)
    expect(getBookings()).toHaveLength(1)
    expect(await run(NOW + 10 * MINUTE)).toMatchObject({ made: 1 })
    expect(getBookings()).toHaveLength(2)
  })

  it('books across a clock change at the same local time', async () => {
    const berlin = aSettings({ appcat: 'taxi', timezone: 'Europe/Berlin' })
    const { save, run, getBookings } = aCity({ settings: berlin })
    const start = Date.UTC(2026, 9, 24, 0)
    await save({ days: [6, 7], time: '02:30', from: '2026-10-24' }, 'rider', start - DAY_MS)
    for (let now = start - DAY_MS; now < start + 3 * DAY_MS; now += HOUR_MS) await run(now)
    // The clocks show 02:30 twice on the 25th; the first one counts, once.
    expect(toTimes(getBookings())).toEqual(['2026-10-24T00:30', '2026-10-25T00:30'])
  })

  it('books nothing for a skipped trip, in a pause and after the end', async () => {
    const { save, change, run, getBookings } = aCity()
    await save()
    await change({ action: 'skip', date: '2026-11-20', leg: 'out' })
    await run()
    expect(getBookings()).toEqual([])
    await change({ action: 'unskip', date: '2026-11-20', leg: 'out' })
    await change({ action: 'pause', from: '2026-11-20', to: '2026-11-20' })
    await run()
    expect(getBookings()).toEqual([])
    await change({ action: 'resume' })
    await run()
    expect(toTimes(getBookings())).toEqual([SIX])
    await change({ action: 'end' })
    await run(NOW + 6 * HOUR_MS)
    expect(getBookings()).toHaveLength(1)
    expect(await change({ action: 'end' })).toEqual({ series: null })
  })

  it('writes no booking when the trip is skipped at the same moment', async () => {
    const { save, change, at, getRecord, getBookings } = aCity()
    await save()
    const before = getRecord()
    await change({ action: 'skip', date: '2026-11-20', leg: 'out' })
    // The run has read the series before the customer skipped the trip.
    await bookDueOccurrences({ ports: at(NOW), settings: taxi, now: NOW }, 'rider', before!)
    expect(getBookings()).toEqual([])
    expect(getRecord()?.series?.[SERIES]?.problems).toBeUndefined()
  })

  it('keeps a canceled trip canceled, and refuses to skip one that has a booking', async () => {
    const { save, change, run, given, getBookings } = aCity()
    await save()
    await run()
    const [booking] = getBookings()
    expect(await getErrorKey(change({ action: 'skip', date: '2026-11-20', leg: 'out' }))).toBe(
      'event_not_possible',
    )
    const actor = { uid: 'rider', role: 'rider' } as const
    const cancel = { event: 'cancel', reason: 'Ill' } as const
    await given.bookings.applyEvent(booking?.id ?? '', cancel, actor)
    await run(NOW + HOUR_MS)
    expect(getBookings().map(({ status }) => status)).toEqual(['CANCELLED'])
    expect((await change({ action: 'resume' })) as object).toHaveProperty('series.id', SERIES)
  })

  it('notes why a trip was not booked, tells the rider once, tries again, and goes on', async () => {
    const { save, run, db, getBookings, list } = aCity()
    await save()
    db.put({ 'users/rider/approved': false })
    expect(await run()).toMatchObject({ made: 0, refused: 1 })
    db.put({ 'users/rider/approved': true })
    const { series } = await list()
    expect(series[0]?.problems).toMatchObject([{ date: '2026-11-20', key: 'require_approval' }])
    db.put({ 'users/rider/approved': false })
    await run(NOW + 2 * HOUR_MS)
    expect(Object.keys(db.at('inbox/rider') as object)).toHaveLength(1)
    db.put({ 'users/rider/approved': true })
    await run(NOW + 4 * HOUR_MS)
    expect(toTimes(getBookings())).toEqual([SIX])
    expect((await list()).series[0]?.problems).toEqual([])
  })

  it.each([
    ['too_many_bookings', { open_bookings: { rider: { open: 5, revision: 5 } } }],
    ['unpaid_bookings', { open_bookings: { rider: { open: 2, unpaid: 2, revision: 5 } } }],
  ])('notes %s as the reason', async (key, more) => {
    const { save, run, getRecord } = aCity(more)
    await save()
    await run()
    expect(getRecord()?.series?.[SERIES]?.problems).toMatchObject({ '2026-11-20_out': { key } })
  })

  const cancellations = (count: number) => ({
    internal: {
      free_actions: {
        rider: {
          cancel: Array.from({ length: count }, () => NOW - MINUTE),
          due: NOW + DAY_MS,
          revision: 9,
        },
      },
    },
  })

  it('rings no driver for a rider who keeps canceling, and books when their hour is over', async () => {
    const { save, run, getBookings, getRecord } = aCity(cancellations(5))
    await save()
    expect(await run()).toMatchObject({ made: 0, refused: 1 })
    expect(getRecord()?.series?.[SERIES]?.problems).toMatchObject({
      '2026-11-20_out': { key: 'too_many_changes', params: { minutes: 59 } },
    })
    await run(NOW + 2 * HOUR_MS)
    expect(toTimes(getBookings())).toEqual([SIX])
  })

  it('offers the booking of a rider who often cancels later, like any booking of theirs', async () => {
    const { save, run, getBookings } = aCity(cancellations(4))
    await save()
    await run()
    expect(getBookings()).toMatchObject([{ offers_from: NOW + MINUTE }])
  })

  it('notes a vehicle type that no longer exists, and trips that the job missed', async () => {
    const { save, run, db, getRecord } = aCity()
    await save()
    db.put({ 'cartypes/van': null })
    await run()
    expect(getRecord()?.series?.[SERIES]?.problems).toMatchObject({
      '2026-11-20_out': { key: 'select_proper' },
    })
    await run(NOW + 2 * DAY_MS)
    expect(getRecord()?.series?.[SERIES]?.problems).toMatchObject({
      '2026-11-20_out': { key: 'select_proper' },
      '2026-11-21_out': { key: 'past_booking_error' },
    })
  })

  it('has the price of the day on which the booking is made', async () => {
    const { save, run, db, getBookings } = aCity()
    await save()
    await run()
    db.put({ 'cartypes/van/base_fare': 110 })
    await run(NOW + 6 * HOUR_MS)
    const [first, second] = getBookings()
    expect((second?.estimate ?? 0) - (first?.estimate ?? 0)).toBeGreaterThan(90)
  })
})

describe('a recurring parcel', () => {
  const delivery = { settings: aSettings() }

  it('is paid by the driver’s cash or by the wallet before the trip', async () => {
    const { save, run, getBookings } = aCity(delivery)
    await save()
    await run()
    expect(getBookings()).toMatchObject([{ status: 'NEW', payment_mode: 'cash' }])
  })

  it('is not booked while the wallet has too little money', async () => {
    const users = { rider: aRider({ walletBalance: 1 }) }
    const { save, run, db, getBookings, getRecord } = aCity({ ...delivery, users })
    await save({ payment: 'wallet' })
    await run()
    expect(getBookings()).toEqual([])
    expect(getRecord()?.series?.[SERIES]?.problems).toMatchObject({
      '2026-11-20_out': { key: 'wallet_too_low' },
    })
    db.put({ 'users/rider/walletBalance': 1000 })
    await run(NOW + 2 * HOUR_MS)
    expect(getBookings()).toMatchObject([{ status: 'NEW', payment_mode: 'wallet' }])
    expect(db.at('users/rider/walletBalance')).toBeLessThan(1000)
  })

  it('is paid by the next run when a run died between the booking and its payment', async () => {
    const { save, at, run, getBookings } = aCity(delivery)
    await save()
    const ports = at(NOW)
    const dying = {
      ...ports,
      bookings: {
        applyEvent: async (...given: Parameters<typeof ports.bookings.applyEvent>) => {
          if (given[1].event === 'pay') throw new Error('The process ends.')
          return ports.bookings.applyEvent(...given)
        },
      },
    }
    await runRecurringBookings(dying, NOW, () => true)
    expect(getBookings()).toMatchObject([{ status: 'PAYMENT_PENDING' }])
    await run(NOW + 10 * MINUTE)
    expect(getBookings()).toMatchObject([{ status: 'NEW', payment_mode: 'cash' }])
  })

  it('of the office needs no payment before the trip', async () => {
    const { save, run, getBookings } = aCity(delivery)
    await save({ customer: 'rider' }, 'admin')
    await run()
    expect(getBookings()).toMatchObject([{ status: 'NEW', booking_type_admin: true }])
  })
})

describe('the id of the booking of a trip', () => {
  /** The id that a trip had until release 0.3: a stranger who had seen one knew the next ones. */
  const toFormerId = (date: string) =>
    encodeTime(Date.parse(`${date}T00:00Z`) - 2 * DAY_MS) + SERIES.slice(8)

  it('cannot be taken by a stranger who has seen the id of an earlier trip', async () => {
    const { save, run, db, getBookings } = aCity()
    await save()
    await run()
    const [first] = getBookings()
    const id = toFormerId('2026-11-21')
    const next = encodeTime(Date.parse('2026-11-19T00:00Z')) + (first?.id ?? '').slice(8)
    const taken = { ...first, customer: 'stranger', status: 'CANCELLED', event_log: {} }
    for (const key of [id, next]) db.put({ [`bookings/${key}`]: toJson({ ...taken, id: key }) })
    expect(await run(NOW + 6 * HOUR_MS)).toMatchObject({ made: 1, refused: 0 })
    expect(getBookings().filter(({ customer }) => customer === 'rider')).toHaveLength(2)
  })

  it('differs by customer, series, day, leg and salt, and is a push key', () => {
    const trip = { series: SERIES, date: '2026-11-20', leg: 'out' } as const
    const ids = [
      getOccurrenceBookingId({ salt: 'a' }, 'rider', trip),
      getOccurrenceBookingId({ salt: 'b' }, 'rider', trip),
      getOccurrenceBookingId({ salt: 'a' }, 'other', trip),
      getOccurrenceBookingId({ salt: 'a' }, 'rider', { ...trip, series: OTHER }),
      getOccurrenceBookingId({ salt: 'a' }, 'rider', { ...trip, date: '2026-11-21' }),
      getOccurrenceBookingId({ salt: 'a' }, 'rider', { ...trip, leg: 'back' }),
    ]
    expect(new Set(ids.map((id) => id.slice(8))).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^-[A-Za-z0-9_-]{19}$/)
  })

  it('may be a former one: a trip that the previous release booked is not booked again', async () => {
    const { save, run, db, getBookings, getRecord } = aCity()
    await save()
    await run()
    const [booking] = getBookings()
    const former = toFormerId('2026-11-20')
    db.put({
      [`bookings/${booking?.id}`]: null,
      [`bookings/${former}`]: toJson({ ...booking, id: former, booking_id: former }),
      [`internal/recurring/rider/series/${SERIES}/made/2026-11-20_out/booking`]: former,
      'internal/recurring/rider/due': 1,
    })
    expect(await run(NOW + MINUTE)).toMatchObject({ made: 0, refused: 0 })
    expect(getBookings().map(({ id }) => id)).toEqual([former])
    expect(getRecord()?.series?.[SERIES]?.made).toMatchObject({
      '2026-11-20_out': { booking: former },
    })
  })
})

describe('a series of the office', () => {
  const users = {
    rider: aRider(),
    admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
    other: { ...aRider({ id: 'other', mobile: '+15555550109' }), usertype: 'admin' },
  }

  it.each([
    ['has left', { 'users/admin': null, 'roles/admin': null, 'people/admin': null }],
    ['is suspended', { 'users/admin/approved': false, 'roles/admin': null }],
  ])('has the limits of a rider once the admin who saved it %s', async (_, removal) => {
    const { save, run, db, getBookings } = aCity({ users })
    await save({ customer: 'rider' }, 'admin')
    db.put(removal)
    await run()
    expect(getBookings()).toMatchObject([{ customer: 'rider', booking_type_admin: false }])
  })

  it('is the office’s again when another admin edits it', async () => {
    const { save, change, run, db, getBookings, getRecord } = aCity({ users })
    await save({ customer: 'rider' }, 'admin')
    db.put({ 'roles/admin': null, 'users/rider/email': '' })
    expect(await run()).toMatchObject({ made: 0, refused: 1 })
    await change({ action: 'edit', revision: 0, time: '18:00', customer: 'rider' }, 'other')
    expect(getRecord()?.series?.[SERIES]).toMatchObject({ by: 'other', role: 'admin' })
    await run(NOW + 3 * HOUR_MS)
    expect(getBookings()).toMatchObject([{ booking_type_admin: true }])
  })

  it('becomes the rider’s own with their edit after its admin has left', async () => {
    const { save, change, db, getRecord } = aCity({ users })
    await save({ customer: 'rider' }, 'admin')
    db.put({ 'roles/admin': null })
    await change({ action: 'edit', revision: 0, time: '19:00' })
    expect(getRecord()?.series?.[SERIES]).toMatchObject({ by: 'rider', role: 'rider' })
  })
})

describe('saving a recurring booking', () => {
  it('saves one for a repeated request', async () => {
    const { save, getRecord } = aCity()
    await save()
    await save()
    expect(Object.keys(getRecord()?.series ?? {})).toEqual([SERIES])
    expect(getRecord()?.revision).toBe(1)
  })

  it('refuses a late repeat of a request whose series was ended meanwhile', async () => {
    const { save, change, getRecord } = aCity()
    await save()
    await change({ action: 'end' })
    expect(await getErrorKey(save())).toBe('series_ended')
    expect(getRecord()?.series).toBeUndefined()
    await save({ series_id: OTHER })
    expect(await getErrorKey(save())).toBe('series_ended')
    expect(Object.keys(getRecord()?.series ?? {})).toEqual([OTHER])
  })

  it.each([
    ['days', { days: [] }, 'bad_input'],
    ['days', { days: [1, 1] }, 'bad_input'],
    ['days.0', { days: [8] }, 'bad_input'],
    ['time', { time: '24:00' }, 'bad_input'],
    ['back', { back: '18:00' }, 'bad_input'],
    ['from', { from: '2026-02-30' }, 'bad_input'],
    ['from', { from: '2026-11-19' }, 'past_booking_error'],
    ['from', { from: '2027-11-22' }, 'too_far_ahead'],
    ['from', { from: '2026-11-19' }, 'past_booking_error'],
    ['from', { from: '2029-11-20' }, 'too_far_ahead'],
    ['until', { until: '2026-11-19' }, 'series_empty'],
    ['until', { from: '2026-11-27', until: '2026-11-26' }, 'series_empty'],
    ['carType', { carType: 'gone' }, 'select_proper'],
    ['drop', { drop: PICKUP }, 'same_place'],
  ])('refuses a wrong %s: %o', async (field, over, key) => {
    const { save, db } = aCity()
    const refused = save(over)
    await expect(refused).rejects.toMatchObject({ error: { key, field } })
    expect(db.at('internal/recurring')).toBeNull()
  })

  it('refuses the eleventh, also of fifty at once', async () => {
    const { save, getRecord } = aCity()
    const ids = Array.from({ length: 50 }, (_, n) => `-Oseries${String(n).padStart(12, '0')}`)
    const settled = await Promise.allSettled(ids.map((series_id) => save({ series_id })))
    expect(Object.keys(getRecord()?.series ?? {})).toHaveLength(10)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await getErrorKey(save({ series_id: OTHER }))).toBe('too_many_series')
  })
})

describe('an edit of a recurring booking', () => {
  it('counts from the next trip without a booking on, and the booked one stays', async () => {
    const { save, change, run, list, getBookings } = aCity()
    await save()
    await run()
    const elsewhere = { ...DROP, lat: DROP.lat + 0.01, add: 'Elsewhere' }
    await change({ action: 'edit', revision: 0, time: '20:30', drop: elsewhere, days: [5, 6, 7] })
    const { series } = await list()
    expect(series[0]).toMatchObject({ revision: 1, days: [5, 6, 7], time: '20:30' })
    expect(series[0]?.next.map(({ at, booking }) => [toIso(at), booking !== undefined])).toEqual([
      [SIX, true],
      ['2026-11-21T23:30', false],
      ['2026-11-22T23:30', false],
      ['2026-11-27T23:30', false],
    ])
    for (let hour = 0; hour <= 48; hour++) await run(NOW + hour * HOUR_MS)
    const made = getBookings()
    expect(toTimes(made)).toEqual([SIX, '2026-11-21T23:30', '2026-11-22T23:30'])
    expect(made.map(({ dropAddress }) => dropAddress)).toEqual([DROP.add, 'Elsewhere', 'Elsewhere'])
  })

  it('amends the bookings of upcoming trips on request, the return trip in reverse', async () => {
    const { save, change, run, list, getBookings } = aCity()
    await save({ back: '23:00' })
    await run()
    const nearer = { ...DROP, lat: (DROP.lat + PICKUP.lat) / 2, add: 'Nearer' }
    const answer = await change({
      action: 'edit',
      revision: 0,
      time: '18:20',
      drop: nearer,
      booked: 'amend',
    })
    expect(answer).toMatchObject({ amended: [{ leg: 'out' }, { leg: 'back' }] })
    expect((answer as { amended: object[] }).amended).toEqual([
      expect.not.objectContaining({ key: expect.anything() as string }),
      expect.not.objectContaining({ key: expect.anything() as string }),
    ])
    const [out, back] = getBookings()
    expect(toTimes([out!, back!])).toEqual(['2026-11-20T21:20', '2026-11-21T02:00'])
    expect(out).toMatchObject({ pickupAddress: PICKUP.add, dropAddress: 'Nearer' })
    expect(back).toMatchObject({ pickupAddress: 'Nearer', dropAddress: PICKUP.add })
    const { series } = await list()
    expect(series[0]?.next.slice(0, 2)).toMatchObject([
      { at: out?.tripdate, booking: out?.id },
      { at: back?.tripdate, booking: back?.id },
    ])
  })

  it('leaves a booking that would cost more, and one of a day without trips, with the reason', async () => {
    const { save, change, run, db, getBookings } = aCity()
    await save({ days: [5] })
    await run()
    await db.update({ 'cartypes/van/base_fare': 110 })
    const farther = { ...DROP, lat: DROP.lat + 0.3, add: 'Farther' }
    const edit = { action: 'edit', revision: 0, drop: farther, booked: 'amend' }
    expect(await change(edit)).toMatchObject({
      series: { drop: { add: 'Farther' } },
      amended: [{ key: 'estimate_changed', params: { estimate: expect.any(Number) as number } }],
    })
    const moved = { action: 'edit', revision: 1, days: [1], booked: 'amend' }
    expect(await change(moved)).toMatchObject({ amended: [{ key: 'series_trip_dropped' }] })
    expect(getBookings()).toMatchObject([{ dropAddress: DROP.add, status: 'NEW' }])
    // The booking stays in the list, although its day has no trips anymore.
    expect(await change(moved)).toMatchObject({
      series: { next: [{ booking: getBookings()[0]?.id }, {}, {}, {}] },
    })
  })

  it('keeps what was changed of one booking by itself', async () => {
    const { save, change, run, given, db, getBookings } = aCity()
    await save()
    await run()
    const [booking] = getBookings()
    const tripdate = (booking?.tripdate ?? 0) + 40 * MINUTE
    const actor = { uid: 'rider', role: 'rider' } as const
    await given.bookings.applyEvent(booking?.id ?? '', { event: 'amend', tripdate }, actor)
    const notes = { pickUpInstructions: 'Ring twice' }
    await change({ action: 'edit', revision: 0, ...notes, booked: 'amend' })
    expect(getBookings()).toMatchObject([{ tripdate }])
    expect(db.at(`booking_contacts/${booking?.id}`)).toMatchObject(notes)
  })

  it('gives the following bookings another recipient and other notes, and shows them', async () => {
    const { save, change, run, list, db, getBookings } = aCity({ settings: aSettings() })
    await save({ payment: 'cash', pickUpInstructions: 'Ring twice' })
    const details = {
      deliveryPerson: 'Bea',
      deliveryPersonPhone: '098 765 432',
      pickUpInstructions: '',
      deliveryInstructions: 'The green door',
    }
    await change({ action: 'edit', revision: 0, ...details })
    expect((await list()).series).toMatchObject([{ revision: 1, ...details }])
    await run()
    const [booking] = getBookings()
    expect(booking).toMatchObject({ deliveryPerson: 'Bea' })
    const contacts = db.at(`booking_contacts/${booking?.id}`)
    expect(contacts).toMatchObject({
      deliveryPersonPhone: '098 765 432',
      deliveryInstructions: 'The green door',
    })
    expect(contacts).not.toHaveProperty('pickUpInstructions')
  })

  it.each([
    ['deliveryPersonPhone', { deliveryPersonPhone: '12' }],
    ['deliveryPersonPhone', { deliveryPersonPhone: '' }],
  ])('refuses a parcel with a wrong %s: %o', async (field, over) => {
    const { save, change, getRecord } = aCity({ settings: aSettings() })
    await save({ payment: 'cash' })
    const before = getRecord()
    await expect(change({ action: 'edit', revision: 0, ...over })).rejects.toMatchObject({
      error: { key: 'deliveryDetailMissing', field },
    })
    expect(getRecord()).toEqual(before)
  })

  it('begins on another first day, and leaves a booking of a day before it with the reason', async () => {
    const { save, change, run, list, getBookings } = aCity()
    await save()
    await run()
    const edit = { action: 'edit', revision: 0, from: '2026-11-27', booked: 'amend' }
    expect(await change(edit)).toMatchObject({
      series: { from: '2026-11-27' },
      amended: [{ key: 'series_trip_dropped' }],
    })
    for (let hour = 0; hour <= 48; hour++) await run(NOW + hour * HOUR_MS)
    expect(toTimes(getBookings())).toEqual([SIX])
    const { series } = await list()
    expect(series[0]?.next.map(({ at }) => toIso(at))).toEqual([
      SIX,
      '2026-11-27T21:00',
      '2026-11-28T21:00',
      '2026-12-04T21:00',
    ])
  })

  it('keeps a first day that is over', async () => {
    const { save, change } = aCity()
    await save()
    const later = NOW + 3 * DAY_MS
    const edit = { action: 'edit', revision: 0, from: '2026-11-20', time: '19:00' }
    expect(await change(edit, 'rider', later)).toMatchObject({
      series: { from: '2026-11-20', time: '19:00' },
    })
  })

  it('is refused after an edit that the caller has not seen, and a repeat changes nothing', async () => {
    const { save, change, getRecord } = aCity()
    await save({ back: '23:00', until: '2026-12-20' })
    const edit = { action: 'edit', revision: 0, time: '19:00', back: null, until: null }
    await change(edit)
    const { revision } = getRecord()!
    expect(await change(edit)).toMatchObject({ series: { revision: 1, time: '19:00' } })
    expect(getRecord()?.revision).toBe(revision)
    expect(getRecord()?.series?.[SERIES]).not.toHaveProperty('back')
    expect(getRecord()?.series?.[SERIES]).not.toHaveProperty('until')
    await expect(change({ ...edit, time: '20:00' })).rejects.toMatchObject({
      error: { key: 'changed_meanwhile', params: { revision: 1 } },
    })
  })

  it('lets one of fifty different edits at once win', async () => {
    const { save, change, getRecord } = aCity()
    await save()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        change({ action: 'edit', revision: 0, time: `19:${String(n).padStart(2, '0')}` }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(getRecord()?.series?.[SERIES]?.revision).toBe(1)
  })

  it('is not booked with the old details by a run that began before it', async () => {
    const { save, change, at, run, getRecord, getBookings } = aCity()
    await save()
    const before = getRecord()
    await change({ action: 'edit', revision: 0, time: '20:30' })
    await bookDueOccurrences({ ports: at(NOW), settings: taxi, now: NOW }, 'rider', before!)
    expect(getBookings()).toEqual([])
    expect(getRecord()?.series?.[SERIES]?.problems).toBeUndefined()
    await run()
    expect(toTimes(getBookings())).toEqual(['2026-11-20T23:30'])
  })

  it('forgets the reasons of upcoming trips, so that the job tries again at once', async () => {
    const { save, change, run, db, getBookings } = aCity()
    await save()
    await db.update({ 'cartypes/bus': toJson(aVehicleType({ id: 'bus', name: 'Bus' })) })
    await db.update({ 'cartypes/van': null })
    expect(await run()).toMatchObject({ refused: 1 })
    await change({ action: 'edit', revision: 0, carType: 'bus' })
    expect(await run(NOW + MINUTE)).toMatchObject({ made: 1, refused: 0 })
    expect(getBookings()).toMatchObject([{ carTypeId: 'bus' }])
  })

  it.each([
    ['back', { back: '18:00' }, 'bad_input'],
    ['days', { days: [] }, 'bad_input'],
    ['until', { until: '2026-11-19' }, 'series_empty'],
    ['carType', { carType: 'gone' }, 'select_proper'],
    ['drop', { drop: PICKUP }, 'same_place'],
  ])('refuses a wrong %s: %o', async (field, over, key) => {
    const { save, change, getRecord } = aCity()
    await save()
    const before = getRecord()
    const refused = change({ action: 'edit', revision: 0, ...over })
    await expect(refused).rejects.toMatchObject({ error: { key, field } })
    expect(getRecord()).toEqual(before)
  })

  it('by the office keeps the rider as the one who pays, and names its fields in the audit', async () => {
    const users = {
      rider: aRider(),
      admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
    }
    const { save, change, db, getRecord } = aCity({ users, settings: aSettings() })
    await save()
    const edit = { action: 'edit', revision: 0, time: '19:00', deliveryPerson: 'Bea' }
    await change({ ...edit, customer: 'rider' }, 'admin')
    expect(getRecord()?.series?.[SERIES]).toMatchObject({ by: 'rider', role: 'rider' })
    const audit = Object.values(db.at('audit') as Record<string, { action: string; to: object }>)
    expect(audit).toMatchObject([
      { action: 'recurring_edit', to: { series: SERIES, fields: 'deliveryPerson, time' } },
    ])
  })

  it('by the rider makes a series of the office the rider’s own, with a rider’s limits', async () => {
    const users = {
      rider: aRider(),
      admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
    }
    const { save, change, run, getBookings, getRecord } = aCity({ users })
    await save({ customer: 'rider' }, 'admin')
    await change({ action: 'edit', revision: 0, time: '18:00' })
    expect(getRecord()?.series?.[SERIES]).toMatchObject({ by: 'admin', role: 'admin' })
    await change({ action: 'edit', revision: 0, time: '19:00' })
    expect(getRecord()?.series?.[SERIES]).toMatchObject({ by: 'rider', role: 'rider' })
    await run()
    expect(getBookings()[0]?.booking_type_admin).not.toBe(true)
  })
})

describe('the right to a recurring booking', () => {
  const users = {
    rider: aRider(),
    other: aRider({ id: 'other', mobile: '+15555550177' }),
    admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
    fleet: { ...aRider({ id: 'fleet', mobile: '+15555550101' }), usertype: 'fleetadmin' },
    driver: { ...aRider({ id: 'driver', mobile: '+15555550102' }), usertype: 'driver' },
  }

  it.each(['fleet', 'driver'])('is refused to a %s', async (uid) => {
    const { save, change, list } = aCity({ users })
    expect(await getErrorKey(save({}, uid))).toBe('not_allowed')
    expect(await getErrorKey(change({ action: 'end' }, uid))).toBe('not_allowed')
    expect(await getErrorKey(list(uid))).toBe('not_allowed')
  })

  it('lets riders save, see and change only their own', async () => {
    const { save, change, list } = aCity({ users })
    await save()
    expect(await getErrorKey(save({ customer: 'rider', series_id: OTHER }, 'other'))).toBe(
      'not_allowed',
    )
    expect(await getErrorKey(change({ action: 'end', customer: 'rider' }, 'other'))).toBe(
      'not_allowed',
    )
    expect(await getErrorKey(change({ action: 'pause', from: '2026-11-21' }, 'other'))).toBe(
      'not_found',
    )
    expect(await getErrorKey(list('other', { customer: 'rider' }))).toBe('not_allowed')
    expect((await list('other')).series).toEqual([])
    expect((await list()).series).toMatchObject([{ id: SERIES }])
  })

  it('lets the office save, see and change those of every rider, with an audit entry', async () => {
    const { save, change, list, db } = aCity({ users, people: toDirectory({ ...users }) })
    await save({ customer: 'rider' }, 'admin')
    await save({ customer: 'other', series_id: OTHER }, 'admin')
    const { series } = await list('admin')
    expect(series.map(({ customer, customer_name }) => [customer, customer_name]).sort()).toEqual([
      ['other', 'Ana Lima'],
      ['rider', 'Ana Lima'],
    ])
    expect((await list('admin', { customer: 'other' })).series).toMatchObject([{ id: OTHER }])
    await change({ action: 'end', customer: 'rider' }, 'admin')
    const audit = Object.values(db.at('audit') as Record<string, { action: string; by: string }>)
    expect(audit.map(({ action }) => action).sort()).toEqual([
      'recurring_end',
      'recurring_save',
      'recurring_save',
    ])
    expect(await getErrorKey(save({ series_id: OTHER }, 'admin'))).toBe('bad_input')
    expect(await getErrorKey(save({ customer: 'driver' }, 'admin'))).toBe('incomplete_user')
  })

  it('shows the list of all riders page by page', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, n): [string, User] => {
        const id = `many${String(n).padStart(2, '0')}`
        return [id, aRider({ id })]
      }),
    )
    const { save, list } = aCity({ users: { ...users, ...many } })
    for (const customer of Object.keys(many)) await save({ customer }, 'admin')
    const first = await list('admin')
    expect(first.series).toHaveLength(25)
    const second = await list('admin', { cursor: first.next ?? '' })
    expect(second).toMatchObject({ next: null })
    expect(new Set([...first.series, ...second.series].map(({ customer }) => customer)).size).toBe(
      30,
    )
  })
})

describe('a deleted account', () => {
  it('loses its recurring bookings', async () => {
    const { save, given, db, run } = aCity()
    await save()
    await delete_user.handle({ id: 'rider' }, createUserContext('rider', 'rider', given))
    expect(db.at('internal/recurring')).toBeNull()
    expect(await run()).toMatchObject({ made: 0 })
  })

  it('loses those that were written while it was deleted', async () => {
    const { save, db, run, getRecord } = aCity()
    await save()
    db.put({ 'users/rider': null, 'roles/rider': null })
    await run()
    expect(getRecord()).toBeNull()
  })
})

it('is part of the maintenance of a minute', async () => {
  const { save, at, getBookings } = aCity()
  await save()
  await runMaintenance(at(NOW), NOW)
  expect(toTimes(getBookings())).toEqual([SIX])
})
