import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStops } from '~/domain/booking/stops/bookingStops'
import {
  type DriverSetup,
  openDriverSetup,
  PHONE,
  pollUntil,
  pressButton,
  setDevicePosition,
  startTripWithCode,
  TIMEOUT_MS,
} from '../../support/driverSetup'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let setup: DriverSetup
beforeAll(async () => {
  setup = await openDriverSetup()
})
afterAll(() => setup.close())

/** Waits until the page's list of stops says this about a stop. */
const waitForStop = (page: Page, number: number, text: string | RegExp) =>
  page
    .getByRole('list', { name: 'Stops', exact: true })
    .getByRole('listitem')
    .nth(number - 1)
    .getByText(text)
    .waitFor()

test(
  'a driver passes one stop and skips another, and the rider, the recipient and the office see it',
  async () => {
    const { location: here = { lat: -34.9, lng: -56.18 } } =
      (await setup.platform.read<User>('users/seed-driver')) ?? {}
    const { driver, booking_id, pickup, drop } = await setup.request({
      waypoints: [
        { lat: here.lat + 0.004, lng: here.lng + 0.002, add: 'By the bakery' },
        { lat: here.lat + 0.008, lng: here.lng + 0.004, add: 'By the school' },
      ],
    })
    const readBooking = async () => (await setup.platform.read<Booking>(`bookings/${booking_id}`))!
    const { customer } = await readBooking()
    const code = await setup.readTripCode(booking_id)
    const phone = await setup.openDriverPhone(driver, (context) =>
      setDevicePosition(context, pickup),
    )
    await pressButton(phone.page, 'Accept')
    await pressButton(phone.page, 'I’m at the pickup')
    await startTripWithCode(phone.page, code)
    await phone.page.getByRole('heading', { name: 'Stop 1 of 2', exact: true }).waitFor()

    const riderClient = await setup.platform.signInAs(customer)
    const { token } = (await riderClient.call('share_booking', { booking_id })) as { token: string }
    const [rider, recipient, office] = await Promise.all([
      setup.browser.openAs(customer, `/bookings/${booking_id}`, PHONE),
      setup.browser.openAs(null, `/track/${token}`, PHONE),
      setup.browser.openAs('seed-admin', `/bookings/${booking_id}`),
    ])
    for (const { page } of [rider, recipient]) await waitForStop(page, 1, 'Next')

    await pressButton(phone.page, 'I’m at stop 1')
    await phone.page.getByRole('heading', { name: 'At stop 1 of 2' }).waitFor()
    for (const { page } of [rider, recipient]) await waitForStop(page, 1, 'The driver is here')
    await pressButton(phone.page, 'Continue')
    for (const { page } of [rider, recipient]) {
      await waitForStop(page, 1, /^Passed/)
      await waitForStop(page, 2, 'Next')
    }

    await pressButton(phone.page, 'Skip this stop')
    const dialog = phone.page.getByRole('dialog', { name: 'Skip stop 2?' })
    await dialog.getByRole('textbox').fill('The road is closed')
    await dialog.getByRole('button', { name: 'Skip this stop' }).click()
    for (const { page } of [rider, recipient]) await waitForStop(page, 2, /^Skipped/)
    await office.page.getByText('The road is closed').first().waitFor()
    expect(await rider.page.getByText('The road is closed').count()).toBe(0)

    await setDevicePosition(phone.context, drop)
    await pressButton(phone.page, 'I’m at the drop-off')
    await pollUntil(() => setup.readStatus(booking_id)).toBe('REACHED')
    expect(getStops(await readBooking()).map(({ state }) => state)).toEqual(['left', 'skipped'])
    for (const { context } of [phone, rider, recipient, office]) await context.close()
  },
  TIMEOUT_MS,
)
