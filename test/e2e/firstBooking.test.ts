import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseReference } from '~/domain/booking/search/reference'
import { formatDay, formatMonth } from '~/domain/language/zonedTime'
import { sumAmounts, toMinorUnits } from '~/domain/money/money'
import { getMinorUnitName } from '~/domain/money/stats'
import { findViolations } from '~/domain/data/invariants'
import { bookParcel } from '../support/bookingForm'
import { waitForStep } from '../support/bookingPage'
import { openTestBrowser, type Screen, type TestBrowser } from '../support/testBrowser'
import { openAdmin } from '../support/testClients'
import { PHONE, pressButton } from '../support/driverSetup'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { StatsRow } from '~/domain/money/types'
import type { User } from '~/domain/accounts/types'

describe('a first booking, from the public site to the rating', () => {
  let browser: TestBrowser
  let rider: Screen
  let admin: Screen
  let driver: Screen
  const store = openAdmin()
  const read = async <T>(path: string): Promise<T> =>
    (await store.database.ref(path).get()).val() as T

  beforeAll(async () => {
    browser = await openTestBrowser()
    ;[rider, admin, driver] = await Promise.all([
      browser.openAs('seed-rider'),
      browser.openAs('seed-admin', '/bookings'),
      browser.openAs('seed-driver', '/trips', PHONE),
    ])
  })
  afterAll(async () => {
    await browser.close()
    await store.close()
  })

  test('the rider books a parcel with an option, an admin assigns it, the driver delivers it and the rider rates it', async () => {
    const before = {
      rider: await read<User>('users/seed-rider'),
      driver: await read<User>('users/seed-driver'),
      total: await read<StatsRow>('stats/total'),
      days: await read<Record<string, StatsRow>>('stats/days'),
    }

    const site = rider.page
    const reference = await bookParcel(site)
    expect(parseReference(reference)).toBe(reference)
    const id = (await read<string | null>(`booking_refs/${reference}`)) ?? ''
    expect(id).toMatch(/^-/)
    await site.waitForURL(`**/bookings/${id}`)
    await waitForStep(site, 'Looking for a driver')

    // The admin assigns the booking; the office table shows it without a reload.
    const office = admin.page
    const row = office.getByRole('row').filter({ hasText: reference })
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await row.getByRole('button', { name: 'Assign driver' }).click()
    const assign = office.getByRole('dialog', { name: /Assign/ })
    await assign
      .getByRole('button', { name: /Assign/ })
      .first()
      .click()

    // The driver's booking appears without a reload. Earlier tests may have left other requests.
    const cab = driver.page
    const request = cab.getByRole('article').filter({ hasText: 'Bring back a signed copy' })
    await request.getByRole('button', { name: 'Accept' }).click()
    await waitForStep(site, 'Driver on the way')
    await office
      .getByRole('row')
      .filter({ hasText: reference })
      .getByText('Driver on the way')
      .waitFor()
    await pressButton(cab, 'I’m at the pickup')
    await waitForStep(site, 'Driver at the pickup')

    // The rider tells the driver the code.
    const code = String(await read<number>(`booking_otps/${id}`))
    await site.getByText(code).first().waitFor()
    await pressButton(cab, 'Start')
    const start = cab.getByRole('dialog')
    await start.getByLabel('Trip code').fill(code)
    const { timezone } = await read<Settings>('settings')
    await start.getByRole('button', { name: 'Start', exact: true }).click()
    await waitForStep(site, 'In progress')
    await pressButton(cab, 'I’m at the drop-off')
    await waitForStep(site, 'At the drop-off')
    await pressButton(cab, 'Finish')
    await site.getByText('Payment due').first().waitFor()
    await cab.getByText('Collect in cash').waitFor()
    await pressButton(cab, 'I have the cash')
    await waitForStep(site, 'Paid')

    await site.getByRole('radio', { name: '5 stars' }).check({ force: true })
    await site.getByRole('button', { name: 'Send rating' }).click()
    await site.getByText('Completed', { exact: true }).first().waitFor()

    // The database must hold every field of the completed booking.
    const booking = await read<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({
      id,
      booking_id: id,
      status: 'COMPLETE',
      carType: 'Courier',
      customer: 'seed-rider',
      customer_name: `${before.rider.firstName} ${before.rider.lastName}`,
      bookLater: false,
      booking_type_admin: false,
      otp: true,
      driver: 'seed-driver',
      driver_name: `${before.driver.firstName} ${before.driver.lastName}`,
      vehicle_number: before.driver.vehicleNumber,
      fleetadmin: 'seed-fleetadmin',
      payment_mode: 'cash',
      prepaid: false,
      rating: 5,
      deliveryPerson: 'Ana Pereira',
      promo_applied: false,
      discount_amount: 0,
      usedWalletMoney: 0,
      cardPaymentAmount: 0,
    })
    expect(await read<BookingContacts>(`booking_contacts/${id}`)).toEqual({
      customer_email: before.rider.email,
      customer_contact: before.rider.mobile,
      driver_contact: before.driver.mobile,
      deliveryPersonPhone: '099 123 456',
      deliveryInstructions: 'Ring twice',
    })
    expect(booking.pickup.add).toMatch(/Plaza Independencia/i)
    expect(booking.dropAddress).toBe(booking.drop.add)
    expect(booking.coords).toHaveLength(2)
    expect(booking.parcelTypeSelected).toMatchObject({ amount: expect.any(Number) })
    expect(booking.optionSelected).toMatchObject({ amount: expect.any(Number) })
    expect(booking.requestedDrivers).toBeUndefined()
    for (const field of [
      'estimateDistance',
      'distance',
      'estimateTime',
      'tripdate',
      'bookingDate',
      'driver_arrive_time',
      'startTime',
      'endTime',
      'total_trip_time',
      'paid_at',
    ] as const)
      expect(booking[field], field).toEqual(expect.any(Number))
    expect(booking.trip_start_time).toMatch(/^\d\d:\d\d:\d\d$/)
    expect(booking.trip_end_time).toMatch(/^\d\d:\d\d:\d\d$/)
    expect(booking.trip_cost).toBe(booking.estimate)
    expect(booking.customer_paid).toBe(booking.trip_cost)
    expect(booking.cashPaymentAmount).toBe(booking.trip_cost)
    expect(booking.driver_share).toBeCloseTo(booking.trip_cost - booking.convenience_fees, 2)
    expect(Object.values(booking.event_log).map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        'create',
        'pay',
        'assign',
        'accept',
        'arrive',
        'start',
        'reach',
        'finish',
        'collect',
        'rate',
      ]),
    )
    const tracking = await read<Record<string, { status: string }>>(`tracking/${id}`)
    const statuses = Object.values(tracking).map(({ status }) => status)
    for (const status of ['ACCEPTED', 'STARTED', 'REACHED']) expect(statuses).toContain(status)

    // The driver has their share less the cash they hold, and is free again.
    const after = await read<User>('users/seed-driver')
    expect(after.walletBalance).toBe(
      sumAmounts([before.driver.walletBalance, booking.driver_share, -booking.trip_cost], 2),
    )
    expect(after.queue).toBe(false)
    expect(after.walletHistory).toMatchObject({
      [`${id}-share`]: { type: 'Credit', amount: booking.driver_share },
      [`${id}-cash`]: { type: 'Debit', amount: booking.trip_cost },
    })
    expect(await read(`driver_tasks/seed-driver/${id}`)).toBeNull()

    // The totals count the booking on the day of its payment.
    const total = await read<StatsRow>('stats/total')
    expect((total.total_rides ?? 0) - (before.total.total_rides ?? 0)).toBe(1)
    const paidAt = booking.paid_at ?? 0
    const day = formatDay(paidAt, timezone)
    const settings = await read<Settings>('settings')
    const earned = (row: StatsRow | undefined) =>
      row?.minor?.[getMinorUnitName(settings)]?.convenienceFee ?? 0
    expect(earned(await read<StatsRow>(`stats/days/${day}`)) - earned(before.days[day])).toBe(
      toMinorUnits(booking.convenience_fees, settings.decimal),
    )
    const month = formatMonth(paidAt, timezone)
    expect(await read(`stats/driver_earnings/seed-driver/${month}`)).toMatchObject({
      driverName: booking.driver_name,
      driverVehicleNo: booking.vehicle_number,
    })
    expect(findViolations(await read('/'))).toEqual([])
    for (const { errors } of [rider, admin, driver]) expect(errors).toEqual([])
  })
})
