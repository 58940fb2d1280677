import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumAmounts } from '~/domain/money/money'
import { advanceBooking } from '../../functions/testPlatform'
import {
  type DriverSetup,
  openDriverSetup,
  PHONE,
  pollUntil,
  TIMEOUT_MS,
} from '../../support/driverSetup'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let setup: DriverSetup
beforeAll(async () => {
  setup = await openDriverSetup()
})
afterAll(() => setup.close())

const BALANCE = 500
const TIP = 12.5

test(
  'a rider tips the driver after the trip, and the driver finds it in their wallet',
  async () => {
    const { platform, browser } = setup
    const { driver, booking_id, pickup, drop } = await setup.request({})
    const readBooking = async () => (await platform.read<Booking>(`bookings/${booking_id}`))!
    const { customer } = await readBooking()
    await platform.write({
      [`users/${customer}/walletBalance`]: BALANCE,
      [`users/${customer}/walletHistory`]: {
        start: { type: 'Credit', amount: BALANCE, date: Date.now(), txRef: 'AdminCredit' },
      },
    })
    const client = await platform.signInAs(driver)
    const code = await setup.readTripCode(booking_id)
    await advanceBooking(client, booking_id, 'accept', {})
    await advanceBooking(client, booking_id, 'arrive', { lat: pickup.lat, lng: pickup.lng })
    await advanceBooking(client, booking_id, 'start', { otp: Number(code) })
    await advanceBooking(client, booking_id, 'reach', { lat: drop.lat, lng: drop.lng })
    await advanceBooking(client, booking_id, 'finish', {})
    await advanceBooking(client, booking_id, 'collect', {})

    const readBalance = async (uid: string) =>
      (await platform.read<User['walletBalance']>(`users/${uid}/walletBalance`)) ?? 0
    const before = await readBalance(driver)
    const rider = await browser.openAs(customer, `/bookings/${booking_id}`, PHONE)
    await rider.page.getByRole('heading', { name: 'Tip your driver' }).waitFor()
    await rider.page.getByRole('textbox', { name: /^Amount/ }).fill(String(TIP))
    await rider.page.getByRole('button', { name: 'Give tip' }).click()
    await rider.page.getByText('Thank you. The driver got your tip.').waitFor()
    await pollUntil(() => readBalance(driver)).toBe(sumAmounts([before, TIP], 2))
    expect(await readBalance(customer)).toBe(sumAmounts([BALANCE, -TIP], 2))
    await rider.page
      .getByRole('list', { name: 'Payments' })
      .getByRole('listitem')
      .filter({ hasText: 'Tip' })
      .waitFor()

    const phone = await browser.openAs(driver, '/wallet', PHONE)
    await phone.page.getByRole('tab', { name: 'Statement' }).click()
    await phone.page.getByText('Tip', { exact: true }).first().waitFor()
    expect([...rider.errors, ...phone.errors]).toEqual([])
  },
  TIMEOUT_MS,
)
