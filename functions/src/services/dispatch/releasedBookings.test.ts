import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { encodeGeohash } from '~/domain/geo/geohash'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import {
  aBookingRequest,
  aDriver,
  admin,
  aRider,
  aSettings,
  aVehicleType,
  driver,
  MINUTE,
  PICKUP,
  rider,
} from '~/domain/testing/builders'
import type { Actor } from '~/domain/booking/eventTypes'
import { getDueTime } from '~/domain/booking/deadlines'
import { sortByWait } from '~/domain/dispatch/waitingBookings'
import { runMaintenance } from '../jobs/maintenance'
import { aProject, createProjectPorts, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import type { EventInput } from '~/domain/booking/eventInput'
import { DISPATCH_MODES, type Settings } from '~/domain/catalog/types'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'

const ID = aBookingRequest().booking_id
const other: Actor = { uid: 'other', role: 'driver' }
const release = { event: 'release', reason: 'The car broke down' } as const
const available = (step: number) => {
  const place = { lat: PICKUP.lat + step / 1000, lng: PICKUP.lng }
  return { carType: 'van', ...place, geohash: encodeGeohash(place), at: 1 }
}

/** Opens a platform with the drivers `driver`, the nearest, and `other`. */
const openPlatform = (settings: Partial<Settings> = {}, more: object = {}) => {
  const project = createProjectPorts({
    settings: aSettings({ otp_secure: false, ...settings }),
    users: {
      ...aProject().users,
      rider: aRider({
        walletBalance: 100,
        walletHistory: { start: { type: 'Credit', amount: 100, date: TEST_NOW, txRef: 'start' } },
      }),
      driver: aDriver({ shift: 'car-of-driver' }),
      other: aDriver({ id: 'other', shift: 'car-of-other' }),
    },
    available_drivers: { driver: available(0), other: available(1) },
    nearby_cars: { 'car-of-driver': available(0), 'car-of-other': available(1) },
    promos: {
      spring: {
        promo_name: 'Spring',
        promo_description: '',
        promo_discount_type: 'flat',
        promo_discount_value: 5,
        max_promo_discount_value: 5,
        min_order: 1,
        promo_validity: TEST_NOW + 86_400_000,
        promo_usage_limit: 9,
      },
    },
    ...more,
  })
  const { db, bookings } = project
  const does = (actor: Actor, input: EventInput, id = ID) => bookings.applyEvent(id, input, actor)
  const read = (id = ID) => db.at(`bookings/${id}`) as Booking
  const getOffers = (id = ID) =>
    Object.values((db.at(`offers/${id}`) ?? {}) as Record<string, Offer>)
  /** Lists the driver as free again, as their app does. */
  const comeBack = () =>
    db.put({
      'available_drivers/driver': toJson(available(0)),
      'nearby_cars/car-of-driver': toJson(available(0)),
      'users/driver/shift': 'car-of-driver',
    })
  const getNews = () =>
    Object.values((db.at('internal/admin') ?? {}) as Record<string, { event: string }>).map(
      ({ event }) => event,
    )
  return { ...project, does, read, getOffers, comeBack, getNews }
}

const getViolations = ({ db }: ReturnType<typeof openPlatform>) =>
  findViolations(db.at('') as DatabaseTree)

/** Creates the booking and lets `driver` accept it. */
const openAccepted = async (settings: Partial<Settings> = {}, payment: EventInput = payCash) => {
  const platform = openPlatform(settings)
  await platform.does(rider, { event: 'create', input: aBookingRequest() })
  await platform.does(rider, payment)
  if (!settings.autoDispatch) await platform.does(admin, { event: 'assign', driver: 'driver' })
  await platform.does(driver, { event: 'accept' })
  return platform
}
const payCash: EventInput = { event: 'pay', payment_mode: 'cash' }

describe('a release by the driver', () => {
  it('makes the booking NEW without its driver, who is free', async () => {
    const platform = await openAccepted()
    const { does, read, db } = platform
    await does(driver, { event: 'arrive', lat: PICKUP.lat, lng: PICKUP.lng })
    const answer = await does(driver, release)
    expect(answer.status).toBe('NEW')
    const drivers = Object.keys(read()).filter((field) =>
      /^(driver(?!_share)|vehicle|accepted|fleet)/.test(field),
    )
    expect(drivers).toEqual([])
    expect(read()).toMatchObject({ status: 'NEW', requeued_at: TEST_NOW })
    expect(read().event_log).toMatchObject({
      release_6: { event: 'release', by: 'driver', ref: 'driver' },
    })
    expect(read().words).toEqual({ release_6: 'The car broke down' })
    expect(db.at(`booking_contacts/${ID}/driver_contact`)).toBeNull()
    expect(db.at('users/driver/queue')).toBe(false)
    expect(db.at('busy_drivers')).toBeNull()
    expect(db.at('stats/total/accepted') ?? 0).toBe(0)
    expect(getViolations(platform)).toEqual([])
  })

  it('tells the customer and the office', async () => {
    const { does, db, getNews } = await openAccepted()
    await does(driver, release)
    expect(Object.values(db.at('inbox/rider') as object)).toContainEqual(
      expect.objectContaining({ title: 'push_released_title', booking_id: ID }),
    )
    expect(Object.values(db.at('internal/outbox') as object)).toContainEqual(
      expect.objectContaining({ event: 'released', audience: 'rider', channel: 'sms' }),
    )
    expect(getNews()).toContain('booking_released')
  })

  it.each([
    ['cash with a promo', { event: 'pay', payment_mode: 'cash', promo: 'spring' }],
    ['the wallet with a promo', { event: 'pay', payment_mode: 'wallet', promo: 'spring' }],
  ] as const)('keeps the price, the promo and the money of %s', async (_, payment) => {
    const platform = await openAccepted({}, payment)
    const { does, read, db } = platform
    const getMoney = ({
      trip_cost,
      estimate,
      paymentPacket,
      prepaid,
      promo_details,
      fare_history,
    }: Booking) => ({ trip_cost, estimate, paymentPacket, prepaid, promo_details, fare_history })
    const getAccounts = () => [
      db.at('users/rider/walletBalance'),
      db.at('users/rider/walletHistory'),
      db.at('promo_uses'),
      db.at('promos/spring/user_avail'),
    ]
    const before = [getMoney(read()), getAccounts()]
    await does(driver, release)
    expect([getMoney(read()), getAccounts()]).toEqual(before)
    expect(getViolations(platform)).toEqual([])
  })

  it('keeps the money of a card payment', async () => {
    const platform = openPlatform()
    const { does, read } = platform
    await does(rider, { event: 'create', input: aBookingRequest() })
    const amount = read().trip_cost
    const payment = { id: '-Opayment', gateway: 'test', amount, currency: 'UYU' }
    await does({ uid: 'kerbside-server', role: 'system' }, { event: 'pay', payment })
    await does(admin, { event: 'assign', driver: 'driver' })
    await does(driver, { event: 'accept' })
    const packet = read().paymentPacket
    expect(packet?.cardPaymentAmount).toBe(amount)
    await does(driver, release)
    expect(read()).toMatchObject({ status: 'NEW', paymentPacket: packet, prepaid: true })
  })

  it('gives the same response to a repeat, also after another driver has accepted', async () => {
    const { does, read, comeBack } = await openAccepted()
    const first = await does(driver, release)
    expect(await does(driver, release)).toEqual(first)
    comeBack()
    await does(admin, { event: 'assign', driver: 'other' })
    await does(other, { event: 'accept' })
    expect(await does(driver, release)).toEqual(first)
    expect(read()).toMatchObject({ status: 'ACCEPTED', driver: 'other' })
    expect(await getErrorKey(does(driver, { event: 'accept' }))).toBe('booking_taken')
  })

  it('lets another driver take the booking to its end, with one waiting time counted', async () => {
    const platform = await openAccepted()
    const { does, read } = platform
    const at = { lat: PICKUP.lat, lng: PICKUP.lng }
    await does(driver, { event: 'arrive', ...at })
    await does(driver, release)
    await does(admin, { event: 'assign', driver: 'other' })
    await does(other, { event: 'accept' })
    expect(read().requeued_at).toBeUndefined()
    await does(other, { event: 'arrive', ...at })
    await does(other, { event: 'start' })
    await does(other, { event: 'reach', ...at })
    await does(other, { event: 'finish' })
    expect(await does(other, { event: 'collect' })).toMatchObject({ status: 'PAID' })
    expect(platform.db.at('stats/total/accepted')).toBe(1)
    expect(getViolations(platform)).toEqual([])
  })

  it('needs a reason, and a driver may not choose the next one', async () => {
    const { does } = await openAccepted()
    expect(await getErrorKey(does(driver, { ...release, reason: ' ' }))).toBe('reason_required')
    expect(await getErrorKey(does(driver, { ...release, driver: 'other' }))).toBe('not_allowed')
    expect(await getErrorKey(does(other, release))).toBe('not_allowed')
    const cancel = { event: 'cancel', reason: 'The car broke down' } as const
    expect(await getErrorKey(does(driver, cancel))).toBe('not_allowed')
  })

  it('starts the attempts at the code and the fee of a cancellation again', async () => {
    const cancelSlab = [{ minsDelayed: 0, amount: 7 }]
    const platform = openPlatform(
      { otp_secure: true },
      { cartypes: { van: aVehicleType({ cancelSlab }) } },
    )
    const { does, db } = platform
    await does(rider, { event: 'create', input: aBookingRequest() })
    await does(rider, payCash)
    await does(admin, { event: 'assign', driver: 'driver' })
    await does(driver, { event: 'accept' })
    await does(driver, { event: 'arrive', lat: PICKUP.lat, lng: PICKUP.lng })
    expect(await getErrorKey(does(driver, { event: 'start', otp: 1 }))).toBe('code_wrong')
    const code = db.at(`booking_otps/${ID}`)
    await does(driver, release)
    expect(db.at(`otp_attempts/${ID}`)).toBeNull()
    expect(db.at(`booking_otps/${ID}`)).toBe(code)
    await does(rider, { event: 'cancel', reason: 'Too late' })
    expect(platform.read().cancellationFee).toBe(0)
  })
})

describe('a release by an admin', () => {
  it('asks the chosen driver at once and tells the one who loses the booking', async () => {
    const platform = await openAccepted()
    const { does, read, db, getOffers } = platform
    await does(admin, { ...release, driver: 'other' })
    expect(read().requestedDrivers).toEqual({ other: true })
    expect(getOffers().at(-1)).toMatchObject({ driver: 'other', by: 'admin' })
    expect(Object.values(db.at('inbox/driver') as object)).toContainEqual(
      expect.objectContaining({ title: 'push_unassigned_title' }),
    )
    expect(getViolations(platform)).toEqual([])
  })

  it.each(DISPATCH_MODES)(
    'with automatic dispatch in mode %s asks only the chosen driver',
    async (dispatchMode) => {
      const settings = { autoDispatch: true, dispatchMode }
      const { does, read, comeBack, db } = await openAccepted(settings)
      comeBack()
      db.put({ 'users/third': toJson(aDriver({ id: 'third' })) })
      db.put({ 'available_drivers/third': toJson(available(0.5)) })
      await does(admin, { ...release, driver: 'other' })
      expect(read().requestedDrivers).toEqual({ other: true })
    },
  )

  it('is refused with the field when the chosen driver is not free', async () => {
    const { does, read } = await openAccepted()
    for (const uid of ['driver', 'rider'])
      await expect(does(admin, { ...release, driver: uid })).rejects.toMatchObject({
        error: { field: 'driver' },
      })
    expect(read().status).toBe('ACCEPTED')
  })
})

describe('automatic dispatch', () => {
  it.each(DISPATCH_MODES)(
    'in mode %s asks another driver at once, and never the one who released',
    async (dispatchMode) => {
      const settings = { autoDispatch: true, dispatchMode, dispatchSeconds: 30 }
      const platform = await openAccepted(settings)
      const { does, read, comeBack, getOffers } = platform
      comeBack()
      await does(driver, release)
      expect(read().requestedDrivers).toEqual({ other: true })
      const offered = getOffers().length
      await does(other, { event: 'decline' })
      // The job goes on searching, also after the process that released has died.
      for (let minute = 1; minute <= 30; minute++)
        await runMaintenance(platform, TEST_NOW + minute * MINUTE)
      expect(read()).toMatchObject({ status: 'NEW' })
      expect(read().requestedDrivers).toBeUndefined()
      expect(getOffers()).toHaveLength(offered)
    },
  )

  it.each(DISPATCH_MODES)(
    'in mode %s leaves the booking to the office when no driver is left to ask',
    async (dispatchMode) => {
      const platform = await openAccepted({ autoDispatch: true, dispatchMode })
      const { does, read, comeBack, db } = platform
      comeBack()
      await does(driver, release)
      const assign = (uid: string) => does(admin, { event: 'assign', driver: uid })
      expect(await getErrorKey(assign('driver'))).toBe('auto_dispatch_on')
      expect(read().requestedDrivers).toEqual({ other: true })
      await does(other, { event: 'decline' })
      await assign('driver')
      expect(read().requestedDrivers).toEqual({ driver: true })
      await does(driver, { event: 'decline' })
      expect(read()).toMatchObject({ status: 'NEW' })
      expect(db.at('driver_tasks')).toBeNull()
      await assign('other')
      await does(other, { event: 'accept' })
      expect(read()).toMatchObject({ status: 'ACCEPTED', driver: 'other' })
      expect(getViolations(platform)).toEqual([])
    },
  )

  it('lets the office ask the driver who released by hand', async () => {
    const { does, read, db, comeBack } = await openAccepted()
    await does(driver, release)
    comeBack()
    await does(admin, { event: 'assign', driver: 'driver' })
    await does(driver, { event: 'accept' })
    expect(read()).toMatchObject({ status: 'ACCEPTED', driver: 'driver' })
    expect(await does(driver, { ...release, reason: 'Again' })).toMatchObject({ status: 'NEW' })
    expect(db.at('stats/total/accepted') ?? 0).toBe(0)
  })
})

describe('fifty processes', () => {
  it('release a booking once', async () => {
    const platform = await openAccepted()
    const before = platform.db.getCommitCount()
    await Promise.all(Array.from({ length: 50 }, () => platform.does(driver, release)))
    expect(platform.db.getCommitCount()).toBe(before + 1)
    expect(getViolations(platform)).toEqual([])
  })

  it('release and cancel a booking, and it stays sound', async () => {
    const platform = await openAccepted({}, { event: 'pay', payment_mode: 'wallet' })
    const cancel = { event: 'cancel', reason: 'Changed my mind' } as const
    await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 ? platform.does(driver, release) : platform.does(rider, cancel),
      ),
    )
    expect(platform.read().status).toBe('CANCELLED')
    expect(platform.db.at('users/driver/queue')).toBe(false)
    expect(getViolations(platform)).toEqual([])
  })

  it('release and accept a booking, and it has one driver or none', async () => {
    const platform = await openAccepted()
    const { does, read, comeBack } = platform
    comeBack()
    await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        n % 2
          ? does(other, { event: 'accept' })
          : does(admin, { ...release, ...(n % 4 === 0 && { driver: 'other' }) }),
      ),
    )
    expect(['NEW', 'ACCEPTED']).toContain(read().status)
    expect(read().driver).toBe(read().status === 'NEW' ? undefined : 'other')
    expect(getViolations(platform)).toEqual([])
  })
})

describe('with requeueDeclined', () => {
  const openAssigned = async (settings: Partial<Settings>) => {
    const platform = openPlatform(settings)
    await platform.does(rider, { event: 'create', input: aBookingRequest() })
    await platform.does(rider, payCash)
    await platform.does(admin, { event: 'assign', driver: 'driver' })
    return platform
  }

  it('a booking whose only asked driver declines is first in the queue, with an alert', async () => {
    const platform = await openAssigned({ requeueDeclined: true })
    const { does, read, getNews, db } = platform
    expect(await does(driver, { event: 'decline' })).toMatchObject({ status: 'NEW' })
    expect(read()).toMatchObject({ status: 'NEW', requeued_at: TEST_NOW })
    expect(read().requestedDrivers).toBeUndefined()
    expect(db.at('driver_tasks')).toBeNull()
    expect(getNews()).toEqual(['booking_declined'])
    const older = { ...read(), id: 'older', bookingDate: TEST_NOW - 9 * MINUTE }
    delete older.requeued_at
    expect(sortByWait([older, { ...read(), id: ID }]).map(({ id }) => id)).toEqual([ID, 'older'])
    expect(getViolations(platform)).toEqual([])
  })

  it('off, a decline of the only asked driver cancels the booking', async () => {
    for (const settings of [{}, { requeueDeclined: false }]) {
      const { does, getNews } = await openAssigned(settings)
      expect(await does(driver, { event: 'decline' })).toMatchObject({ status: 'CANCELLED' })
      expect(getNews()).toEqual([])
    }
  })

  it('a booking whose asked drivers let the time pass is first in the queue, with one alert', async () => {
    const platform = await openAssigned({ requeueDeclined: true, dispatchSeconds: 30 })
    const { does, read, getNews, getOffers } = platform
    await does(admin, { event: 'assign', driver: 'other' })
    await runMaintenance(platform, TEST_NOW + 29_000)
    expect(read().requestedDrivers).toEqual({ driver: true, other: true })
    await runMaintenance(platform, TEST_NOW + 30_000)
    expect(read()).toMatchObject({ status: 'NEW', requeued_at: TEST_NOW })
    expect(read().requestedDrivers).toBeUndefined()
    expect(getOffers().map(({ answer }) => answer)).toEqual(['expired', 'expired'])
    await runMaintenance(platform, TEST_NOW + MINUTE)
    expect(getNews()).toEqual(['booking_declined'])
    expect(getViolations(platform)).toEqual([])
  })

  it('off, an offer of the office stays open after its time', async () => {
    const platform = await openAssigned({ requeueDeclined: false, dispatchSeconds: 30 })
    await runMaintenance(platform, TEST_NOW + MINUTE)
    expect(platform.read().requestedDrivers).toEqual({ driver: true })
  })

  it('the job looks at a later booking when the time of its offer ends', async () => {
    const platform = await openAssigned({ requeueDeclined: true, dispatchSeconds: 30 })
    const later = { ...platform.read(), bookLater: true, tripdate: TEST_NOW + 600 * MINUTE }
    const settings = aSettings({ requeueDeclined: true, dispatchSeconds: 30 })
    expect(getDueTime(later, settings, TEST_NOW, 'run')).toBe(TEST_NOW + 30_000)
  })
})
