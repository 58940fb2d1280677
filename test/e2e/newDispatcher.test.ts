import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { choosePlace } from '../support/bookingForm'
import { pollUntil } from '../support/officeLocators'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'
import type { Booking } from '~/domain/booking/types'

/** This file's own vehicle type, so that its driver gets no bookings of other tests. */
const VEHICLE_TYPE = 'new-dispatcher-van'
const stamp = Date.now().toString(36)

let browser: TestBrowser
let platform: TestPlatform
beforeAll(async () => {
  platform = openTestPlatform()
  await platform.createVehicleType(VEHICLE_TYPE)
  browser = await openTestBrowser()
})
afterAll(async () => {
  await platform.write({ [`cartypes/${VEHICLE_TYPE}`]: null })
  await browser.close()
  await platform.close()
})

const createDriverOnDuty = async (): Promise<string> => {
  const location = await platform.getPickup()
  const like = { firstName: 'Dario', lastName: stamp, carType: VEHICLE_TYPE, location }
  const [uid = ''] = await platform.createUsers(1, { usertype: 'driver', ...like })
  await platform.goOnDuty(uid, like)
  return uid
}
/** Fills in the form for a caller without an account and books. */
const bookCaller = async (page: Page, number: string) => {
  await page.getByRole('combobox', { name: 'Rider' }).fill(number)
  await page.getByRole('option', { name: /^New caller/ }).click()
  await page.getByLabel('Name', { exact: true }).fill(`Gil ${stamp}`)
  await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(page, 'Drop-off', 'palacio legislativo', /Palacio Legislativo/i)
  await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: VEHICLE_TYPE })
  await page.getByLabel('Recipient', { exact: true }).fill('Ana Paz')
  await page.getByLabel('Recipient’s phone', { exact: true }).fill('099 123 456')
  await page.getByText('Total', { exact: true }).waitFor()
  const book = page.getByRole('button', { name: 'Book', exact: true })
  await pollUntil(() => book.getAttribute('aria-busy')).toBeNull()
  await book.click()
}

test('a dispatcher books a caller, watches the booking on the board, changes it and sees it end', async () => {
  const driver = await createDriverOnDuty()
  const [admin = ''] = await platform.createUsers(1, { usertype: 'admin', firstName: 'Nora' })
  const office = await browser.openAs(admin, '/dashboard')
  const { page } = office

  await page.getByRole('link', { name: 'Add booking' }).click()
  await bookCaller(page, `099${String(Date.now()).slice(-6)}`)
  const booked = page.getByRole('dialog', { name: 'Booked' })
  await booked.getByRole('link', { name: 'Watch on the board' }).click()
  await page.waitForURL(/\/board\?open=/)
  const id = new URL(page.url()).searchParams.get('open') ?? ''
  const before = (await platform.read<Booking>(`bookings/${id}`))!
  const card = page.getByRole('region', { name: `Booking ${before.reference}` })
  await card.getByText(`Gil ${stamp}`).waitFor()
  await card.getByText('Looking for a driver').waitFor()

  await card.getByRole('button', { name: 'Change booking' }).click()
  const change = page.getByRole('dialog', { name: 'Change booking' })
  await choosePlace(change, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await change.getByRole('button', { name: 'Save changes' }).click()
  await change.getByRole('button', { name: /^Accept .+ and save$/ }).click()
  await card.getByText(/Montevideo Shopping/i).waitFor()
  const after = (await platform.read<Booking>(`bookings/${id}`))!
  expect(after.trip_cost).toBeGreaterThan(before.trip_cost)

  await page
    .getByRole('listbox', { name: 'Drivers on duty' })
    .getByRole('option', { name: new RegExp(`^Dario ${stamp}`) })
    .click()
  await page.getByRole('button', { name: `Assign to Dario ${stamp}` }).click()
  await page.getByText(`The booking was offered to Dario ${stamp}.`).waitFor()

  const cab = await platform.signInAs(driver)
  await advanceBooking(cab, id, 'accept')
  await card.getByText('Driver on the way').first().waitFor()
  const { pickup, drop } = after
  await advanceBooking(cab, id, 'arrive', { lat: pickup.lat, lng: pickup.lng })
  await card.getByText('Driver at the pickup').first().waitFor()
  const otp = await platform.read<number>(`booking_otps/${id}`)
  await advanceBooking(cab, id, 'start', { otp })
  await card.getByText('In progress').first().waitFor()
  await advanceBooking(cab, id, 'reach', { lat: drop.lat, lng: drop.lng })
  await advanceBooking(cab, id, 'finish')
  await advanceBooking(cab, id, 'collect')
  await card.getByText('Paid').first().waitFor()
  expect(await platform.read(`bookings/${id}/status`)).toMatch(/^(PAID|COMPLETE)$/)
  // The server refuses the old price once, and the dispatcher accepts the new one.
  expect(office.errors.filter((line) => !line.includes('"key":"estimate_changed"'))).toEqual([])
  await platform.goOffDuty(driver)
})
