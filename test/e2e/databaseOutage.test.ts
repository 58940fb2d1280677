import { afterAll, beforeAll, expect, test } from 'vitest'
import { killDatabase } from '~/lab/simulate/databaseProcess'
import { killFunctions } from '~/lab/simulate/faultInjection'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { waitForStep } from '../support/bookingPage'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'
import { PHONE, pressButton } from '../support/driverSetup'
import { getSuite } from '../support/testSuite'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let browser: TestBrowser
let platform: TestPlatform
beforeAll(async () => {
  platform = openTestPlatform()
  browser = await openTestBrowser()
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

/**
 * Errors that a browser logs by itself when a server is down; the emulator's response for a dead
 * process lacks CORS headers.
 */
const EXPECTED_OUTAGE_ERRORS = /WebSocket connection to|net::ERR_|blocked by CORS policy| 5\d\d: /

test('the rider, driver and office screens report the lost connection and then recover by themselves', async () => {
  const ports = getSuite().ports
  const { carType = '', location } = (await platform.read<User>('users/seed-driver')) ?? {}
  const [[driver = ''], [rider = '']] = await Promise.all([
    platform.createUsers(1, { usertype: 'driver', carType }),
    platform.createUsers(1, {}),
  ])
  const [client, office] = await Promise.all([
    platform.signInAs(rider),
    platform.signInAs('seed-admin'),
  ])
  const { booking_id: id } = await platform.createBooking(client, { bookLater: false })
  await advanceBooking(client, id, 'pay', { payment_mode: 'cash' })
  await advanceBooking(office, id, 'assign', { driver })
  const code = String(await platform.read<number>(`booking_otps/${id}`))

  const screens = {
    rider: await browser.openAs(rider, `/bookings/${id}`, PHONE),
    driver: await browser.openAs(driver, '/trips', PHONE),
    office: await browser.openAs('seed-admin', '/bookings'),
  }
  const [site, cab, officePage] = [screens.rider.page, screens.driver.page, screens.office.page]
  if (location)
    await screens.driver.context.setGeolocation({ latitude: location.lat, longitude: location.lng })
  const everybodySees = (status: string) =>
    Promise.all([
      waitForStep(site, status),
      officePage
        .getByRole('row')
        .filter({ has: officePage.locator(`a[href="/bookings/${id}"]`) })
        .getByText(status, { exact: true })
        .waitFor(),
    ])
  await pressButton(cab, 'Accept')
  await everybodySees('Driver on the way')
  await cab.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
  for (const page of [site, cab, officePage])
    await page.evaluate(() => Reflect.set(window, 'neverReloaded', true))

  // The database is down, so every screen must report it.
  const startAgain = await killDatabase(ports)
  const lost = [
    site.getByText(/may be out of date/),
    officePage.getByText(/may be out of date/),
    cab.getByText(/No connection/),
  ]
  try {
    await Promise.all(lost.map((banner) => banner.waitFor()))
    // The driver continues during the outage; the others cannot see it yet.
    await pressButton(cab, 'I’m at the pickup')
    killFunctions(ports)
  } finally {
    await startAgain()
  }
  // The database is back, and every screen shows the step taken during the outage.
  await everybodySees('Driver at the pickup')
  await Promise.all(lost.map((banner) => banner.waitFor({ state: 'detached' })))

  // The functions process dies while the driver continues.
  await pressButton(cab, 'Start')
  const dialog = cab.getByRole('dialog')
  await dialog.getByLabel('Trip code').fill(code)
  killFunctions(ports)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await everybodySees('In progress')
  await pressButton(cab, 'I’m at the drop-off')
  await pressButton(cab, 'Finish')
  await pressButton(cab, 'I have the cash')
  await everybodySees('Paid')

  for (const page of [site, cab, officePage])
    expect(await page.evaluate(() => Reflect.get(window, 'neverReloaded') as unknown)).toBe(true)
  const log = Object.values((await platform.read<Booking>(`bookings/${id}`))?.event_log ?? {})
  const count = (event: string) => log.filter((entry) => entry.event === event).length
  expect(['accept', 'arrive', 'start', 'reach', 'finish', 'collect'].map(count)).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
  const errors = Object.values(screens).flatMap((screen) => screen.errors)
  expect(errors.filter((error) => !EXPECTED_OUTAGE_ERRORS.test(error))).toEqual([])
}, 1_800_000)
