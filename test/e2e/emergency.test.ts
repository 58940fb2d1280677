import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPanicAlertId } from '~/domain/messages/officeAlert'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import { findLargeTextFaults } from '../support/largeTextCheck'
import { pollUntil } from '../support/officeLocators'
import {
  PLAIN_FILE,
  navigateWithin,
  openTestBrowser,
  waitUntilLoaded,
  type TestBrowser,
} from '../support/testBrowser'
import { getSuite } from '../support/testSuite'

const PHONE = { width: 360, height: 740 }
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

/** Returns the accessibility faults of a page, and whether it is wider than the screen. */
const findFaults = async (page: Page): Promise<string[]> => {
  await waitUntilLoaded(page)
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return [...(await findAccessibilityFaults(page)), ...(wide > 0 ? [`${wide} px too wide`] : [])]
}

/** Creates a booking with a driver on the way to its rider. */
const createTrip = async () => {
  const carType = (await platform.read<string>('users/seed-driver/carType')) ?? ''
  const [uid = ''] = await platform.createUsers(1, { firstName: 'Elisa', lastName: 'Alarm' })
  const [driver = ''] = await platform.createUsers(1, {
    usertype: 'driver',
    firstName: 'Dora',
    carType,
  })
  const admin = await platform.signInAs('seed-admin')
  const { booking_id } = await platform.createBooking(admin, { customer: uid })
  await advanceBooking(admin, booking_id, 'assign', { driver })
  await advanceBooking(await platform.signInAs(driver), booking_id, 'accept')
  return { uid, driver, booking_id }
}

test('an emergency of a rider and of the driver reaches the open page of the office, which takes and closes it', async () => {
  const { uid, driver, booking_id } = await createTrip()
  const [admin = ''] = await platform.createUsers(1, { usertype: 'admin', firstName: 'Axel' })
  const [office, rider] = await Promise.all([
    browser.openAs(admin, '/promos', PHONE),
    browser.openAs(uid, `/bookings/${booking_id}`, PHONE),
  ])
  for (const { page } of [office, rider]) await page.emulateMedia({ colorScheme: 'dark' })
  await office.page.getByRole('heading', { level: 1 }).waitFor()
  await rider.page.getByRole('button', { name: 'Emergency' }).click()
  const dialog = rider.page.getByRole('dialog', { name: 'Emergency' })
  await dialog.getByText(/emergency number first/).waitFor()
  expect(await findFaults(rider.page)).toEqual([])
  const alertPath = `internal/admin/${toPanicAlertId(booking_id, uid)}`
  // Opening the dialog alone raises no alarm.
  expect(await platform.read(alertPath)).toBeNull()
  await dialog.getByRole('button', { name: 'Alert the office' }).click()
  await dialog.getByText('The office has been alerted.').waitFor()

  const list = office.page.getByRole('region', { name: 'Emergencies' })
  const alert = list.locator('[class*=panic]', { hasText: 'Elisa Alarm' })
  await alert.getByText('Emergency: Elisa Alarm').waitFor()
  expect(await findFaults(office.page)).toEqual([])
  expect(await findLargeTextFaults(office.page)).toEqual([])
  await alert.getByRole('button', { name: 'I’ll take care of it' }).click()
  await alert.getByText(/Axel.* is taking care of it\./).waitFor()

  const car = await browser.openAs(driver, `/bookings/${booking_id}`, PHONE)
  await car.page.getByRole('button', { name: 'Emergency' }).click()
  await car.page.getByRole('button', { name: 'Alert the office' }).click()
  await list.getByText(/^Emergency: Dora/).waitFor()

  await alert.getByRole('button', { name: 'Close emergency' }).click()
  await pollUntil(() => platform.read(alertPath)).toBeNull()
  await pollUntil(() => alert.count()).toBe(0)
  expect(await list.getByText(/^Emergency: Dora/).count()).toBe(1)
  // An open emergency is on every page of the office, also in other tests.
  await platform.write({ [`internal/admin/${toPanicAlertId(booking_id, driver)}`]: null })
  await navigateWithin(office.page, `/bookings/${booking_id}`)
  const log = office.page.locator('section', { hasText: 'Emergency button pressed' }).last()
  await log.getByText('Emergency taken on').waitFor()
  await log.getByText('Emergency closed').waitFor()
  for (const { errors } of [office, rider, car]) expect(errors).toEqual([])
  await Promise.all([office, rider, car].map(({ context }) => context.close()))
})

describe.each([
  { look: 'light', locale: 'en' },
  { look: 'dark', locale: 'ar' },
] as const)('at 360 px in the $look scheme, in $locale', ({ look, locale }) => {
  test('the office’s pages of messages have no accessibility faults', async () => {
    const [admin = ''] = await platform.createUsers(1, { usertype: 'admin', firstName: 'Axel' })
    const screen = await browser.openAs(admin, PLAIN_FILE, PHONE)
    const { page, context, errors } = screen
    await page.emulateMedia({ colorScheme: look })
    await page.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    await page.goto('/messages')
    await page.locator(`html[lang="${locale}"]`).waitFor()
    await page.locator('form').waitFor()
    expect(await findFaults(page)).toEqual([])
    await navigateWithin(page, '/messages?part=texts&event=panic')
    await page.locator('form textarea').waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

test.each(['light', 'dark'] as const)(
  'the local inbox has no accessibility faults at 360 px in the %s scheme',
  async (colorScheme) => {
    const screen = await browser.openAs(null, PLAIN_FILE, PHONE)
    const { page, context } = screen
    await page.emulateMedia({ colorScheme })
    await page.goto(`${getSuite().urls.functions}/local_messages`)
    await page.getByRole('heading', { level: 1, name: 'Local messages' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await context.close()
  },
)
