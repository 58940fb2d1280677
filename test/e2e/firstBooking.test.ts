import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Page } from 'playwright-core'
import { dayOf, monthOf } from '~/domain/clock'
import type { Booking, Settings, StatsTotals, User } from '~/domain/entities'
import { violations } from '~/domain/invariants'
import { openBrowser, type Screen, type TestBrowser } from '../support/browser'
import { openAdmin } from '../support/clients'
import { PHONE } from '../support/driving'

const choosePlace = async (page: Page, field: string, words: string, full: RegExp) => {
  await page.getByRole('combobox', { name: field }).fill(words)
  await page.getByRole('option', { name: full }).first().click()
}

describe('a first booking, from the public site to the rating', () => {
  let browser: TestBrowser
  let rider: Screen
  let admin: Screen
  let driver: Screen
  const store = openAdmin()
  const read = async <T>(path: string): Promise<T> =>
    (await store.database.ref(path).get()).val() as T

  beforeAll(async () => {
    browser = await openBrowser()
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

  test('the rider books a parcel with an option, the office assigns, the driver delivers, the rider rates', async () => {
    onTestFailed(() => browser.picture({ rider, admin, driver }))
    const before = {
      rider: await read<User>('users/seed-rider'),
      driver: await read<User>('users/seed-driver'),
      total: await read<StatsTotals>('stats/total'),
      days: await read<Record<string, StatsTotals>>('stats/days'),
    }

    // The rider books.
    const site = rider.page
    await choosePlace(site, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
    await choosePlace(site, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
    await site.getByRole('radio', { name: /Courier/ }).check({ force: true })
    await site.getByText(/km · about/).waitFor()
    await site.getByRole('button', { name: 'Book now' }).click()
    const extras = site.getByRole('dialog', { name: 'What are you sending?' })
    await extras.getByRole('group', { name: 'Extra service' }).getByRole('radio').last().check({
      force: true,
    })
    await extras.getByRole('button', { name: 'Continue' }).click()
    const estimate = site.getByRole('dialog', { name: 'Your estimate' })
    await estimate.getByLabel('Recipient', { exact: true }).fill('Ana Pereira')
    await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
    await estimate.getByLabel('Delivery instructions').fill('Ring twice')
    await estimate.getByRole('button', { name: /^Book for/ }).click()
    const payment = site.getByRole('dialog', { name: 'How would you like to pay?' })
    await payment.getByRole('radio', { name: /Cash/ }).check({ force: true })
    await payment.getByRole('button', { name: /^Pay/ }).last().click()
    const success = site.getByRole('dialog', { name: 'You are booked' })
    const text = await success.getByText(/Your booking was successful. ID:/).textContent()
    const id = /ID: (\S+)/.exec(text ?? '')?.[1] ?? ''
    expect(id).toMatch(/^-/)
    await success.getByRole('link', { name: 'Go to my bookings' }).click()
    await site.waitForURL('**/bookings')
    await site.locator(`a[href="/bookings/${id}"]`).first().click()
    await site.getByText('Looking for a driver').first().waitFor()

    // The office assigns; its table shows the booking by itself.
    const office = admin.page
    const row = office.getByRole('row').filter({ hasText: id })
    await row.getByRole('button', { name: 'Assign driver' }).click()
    const assign = office.getByRole('dialog', { name: /Assign/ })
    await assign
      .getByRole('button', { name: /Assign/ })
      .first()
      .click()

    // The driver's task appears by itself.
    const cab = driver.page
    await cab.getByRole('button', { name: 'Accept' }).first().click()
    await site.getByText('Driver on the way').first().waitFor()
    await office.getByRole('row').filter({ hasText: id }).getByText('Driver on the way').waitFor()
    await cab.getByRole('button', { name: 'I’m at the pickup' }).click()
    await site.getByText('Driver is here').first().waitFor()

    // The rider reads the code to the driver.
    const code = String(await read<number>(`booking_otps/${id}`))
    await site.getByText(code).first().waitFor()
    await cab.getByRole('button', { name: 'Start', exact: true }).click()
    const start = cab.getByRole('dialog')
    await start.getByLabel('Trip code').fill(code)
    const { timezone } = await read<Settings>('settings')
    await start.getByRole('button', { name: 'Start', exact: true }).click()
    await site.getByText('On the way', { exact: true }).first().waitFor()
    await cab.getByRole('button', { name: 'I’m at the drop-off' }).click()
    await site.getByText('Arrived', { exact: true }).first().waitFor()
    await cab.getByRole('button', { name: 'Finish' }).click()
    await site.getByText('To be paid').first().waitFor()
    await cab.getByText('Collect in cash').waitFor()
    await cab.getByRole('button', { name: 'I have the cash' }).click()
    await site.getByText('Paid', { exact: true }).first().waitFor()

    // The rider rates.
    await site.getByRole('radio', { name: '5 stars' }).check({ force: true })
    await site.getByRole('button', { name: 'Send rating' }).click()
    await site.getByText('Complete', { exact: true }).first().waitFor()

    // Everything the specification names is in the database.
    const booking = await read<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({
      id,
      booking_id: id,
      status: 'COMPLETE',
      carType: 'Courier',
      customer: 'seed-rider',
      customer_name: `${before.rider.firstName} ${before.rider.lastName}`,
      customer_email: before.rider.email,
      customer_contact: before.rider.mobile,
      bookLater: false,
      booking_type_admin: false,
      otp: true,
      driver: 'seed-driver',
      driver_name: `${before.driver.firstName} ${before.driver.lastName}`,
      driver_contact: before.driver.mobile,
      vehicle_number: before.driver.vehicleNumber,
      fleetadmin: 'seed-fleetadmin',
      payment_mode: 'cash',
      prepaid: false,
      rating: 5,
      deliveryPerson: 'Ana Pereira',
      deliveryPersonPhone: '099 123 456',
      deliveryInstructions: 'Ring twice',
      promo_applied: false,
      discount_amount: 0,
      usedWalletMoney: 0,
      cardPaymentAmount: 0,
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

    // The driver has his share less the cash he holds; he is free again.
    const after = await read<User>('users/seed-driver')
    expect(after.walletBalance - before.driver.walletBalance).toBeCloseTo(
      booking.driver_share - booking.trip_cost,
      2,
    )
    expect(after.queue).toBe(false)
    expect(after.walletHistory).toMatchObject({
      [`${id}-share`]: { type: 'Credit', amount: booking.driver_share },
      [`${id}-cash`]: { type: 'Debit', amount: booking.trip_cost },
    })
    expect(await read(`driver_tasks/seed-driver/${id}`)).toBeNull()

    // The totals counted it, on the day it was paid.
    const total = await read<StatsTotals>('stats/total')
    expect((total.total_rides ?? 0) - (before.total.total_rides ?? 0)).toBe(1)
    const paidAt = booking.paid_at ?? 0
    const day = dayOf(paidAt, timezone)
    const earned = (totals: StatsTotals | null | undefined) => totals?.convenienceFee ?? 0
    expect(
      earned(await read<StatsTotals>(`stats/days/${day}`)) - earned(before.days[day]),
    ).toBeCloseTo(booking.convenience_fees, 2)
    const month = monthOf(paidAt, timezone)
    expect(await read(`stats/driver_earnings/seed-driver/${month}`)).toMatchObject({
      driverName: booking.driver_name,
      driverVehicleNo: booking.vehicle_number,
    })
    expect(violations(await read('/'))).toEqual([])
    for (const { errors } of [rider, admin, driver]) expect(errors).toEqual([])
  })
})
