import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumAmounts } from '~/domain/money/money'
import { openTestPlatform, type TestPlatform } from '../../functions/testPlatform'
import { PHONE } from '../../support/driverSetup'
import { pollUntil } from '../../support/officeLocators'
import { openTestBrowser, type TestBrowser } from '../../support/testBrowser'
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

/** Returns a completed booking of the seeded rider without an earlier complaint. */
const findCompletedBooking = async (): Promise<Booking> => {
  const query = platform.admin.database
    .ref('bookings')
    .orderByChild('customer')
    .equalTo('seed-rider')
  const bookings = Object.values(((await query.get()).val() ?? {}) as Record<string, Booking>)
  const found = bookings.find(
    ({ status, adjustments, driver }) => status === 'COMPLETE' && !adjustments && driver,
  )
  if (!found) throw new Error('The seeded rider has no completed booking. Seed the demo city.')
  return found
}

test('the office settles a complaint, and rider, driver and receipt say what it was about', async () => {
  const booking = await findCompletedBooking()
  const readBalance = async (uid: string) =>
    (await platform.read<User['walletBalance']>(`users/${uid}/walletBalance`)) ?? 0
  const before = await readBalance(booking.customer)
  const office = await browser.openAs('seed-admin', `/bookings/${booking.id}`)
  const { page } = office
  await page.getByRole('combobox', { name: /^Reason/ }).selectOption('late')
  await page.getByRole('textbox', { name: /^Credit to the rider/ }).fill('5')
  await page.getByRole('textbox', { name: /^Take back from the driver/ }).fill('2')
  await page.getByRole('button', { name: 'Settle complaint' }).click()
  const preview = page.getByRole('dialog', { name: 'Settle this complaint?' })
  await preview.getByText('Platform').waitFor()
  await preview.getByRole('button', { name: 'Settle complaint' }).click()
  await page.getByText('The complaint is settled.').waitFor()
  await pollUntil(() => readBalance(booking.customer)).toBe(sumAmounts([before, 5], 2))

  await page.getByRole('textbox', { name: /^Note/ }).fill('Promised a call back')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('list', { name: 'Notes' }).getByText('Promised a call back').waitFor()
  await page.getByRole('button', { name: 'Send receipt again' }).click()
  await page.getByText('The receipt was sent again.').waitFor()

  const rider = await browser.openAs(booking.customer, `/bookings/${booking.id}`, PHONE)
  await rider.page
    .getByRole('list', { name: 'Payments' })
    .getByRole('listitem')
    .filter({ hasText: 'Compensation' })
    .getByText('Late arrival')
    .waitFor()
  const notes = await platform.read<Record<string, { text: string }>>(`booking_notes/${booking.id}`)
  expect(Object.values(notes ?? {}).map(({ text }) => text)).toContain('Promised a call back')
  expect([...office.errors, ...rider.errors]).toEqual([])
})
