import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '~/domain/language/timeUnits'
import { formatDay } from '~/domain/language/zonedTime'
import { findCovered } from '../support/coveredControls'
import { choosePlace } from '../support/bookingForm'
import { openDriverSetup, PHONE, pollUntil, type DriverSetup } from '../support/driverSetup'
import type { Screen } from '../support/testBrowser'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const FAR_PLACE = /Montevideo Shopping/i

let setup: DriverSetup
beforeAll(async () => {
  setup = await openDriverSetup()
})
afterAll(() => setup.close())

const readBooking = async (id: string) => (await setup.platform.read<Booking>(`bookings/${id}`))!

/** Opens the page of a booking and the dialog that changes it. */
const openAmendDialog = async ({ page }: Screen) => {
  await page.getByRole('button', { name: 'Change booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change booking' })
  await dialog.waitFor()
  return dialog
}
/** Saves the open dialog, accepts the new price and returns its text. */
const saveAndAcceptPrice = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog', { name: 'Change booking' })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  const accept = dialog.getByRole('button', { name: /^Accept .+ and save$/ })
  await accept.waitFor()
  // The new price is on the screen before anybody scrolls.
  expect(await findCovered(accept)).toEqual([])
  const price = /^Accept (.+) and save$/.exec(await accept.innerText())?.[1] ?? ''
  await dialog.getByText('New price').waitFor()
  expect(await dialog.getByRole('definition').allInnerTexts()).toContain(price)
  await accept.click()
  await dialog.waitFor({ state: 'detached' })
  return price
}
const changeNotice = ({ page }: Screen, changes: string) =>
  page.getByRole('status').getByText(new RegExp(`^Changed at .+: ${changes}$`))

test('a rider moves drop-off and pickup time and accepts the new price, and the offered driver sees it', async () => {
  const { booking_id, driver } = await setup.request()
  const before = await readBooking(booking_id)
  const [rider, cab] = await Promise.all([
    setup.browser.openAs(before.customer, `/bookings/${booking_id}`, PHONE),
    setup.openDriverPhone(driver),
  ])
  // The driver's screens leave out the city and the country.
  const [street = ''] = before.dropAddress.split(',')
  await cab.page.getByText(street).first().waitFor()

  const { timezone } = (await setup.platform.read<Settings>('settings'))!
  const wallClock = `${formatDay(Date.now() + 2 * DAY_MS, timezone)}T10:30`
  const dialog = await openAmendDialog(rider)
  await choosePlace(dialog, 'Drop-off', 'montevideo shopping', FAR_PLACE)
  await dialog.getByLabel('Pickup time').fill(wallClock)
  const price = await saveAndAcceptPrice(rider.page)

  const after = await readBooking(booking_id)
  expect(after).toMatchObject({ status: 'NEW', bookLater: true, carTypeId: before.carTypeId })
  expect(after.dropAddress).toMatch(FAR_PLACE)
  // Uruguay has no daylight saving time.
  expect(after.tripdate).toBe(Date.parse(`${wallClock}:00-03:00`))
  expect(after.trip_cost).toBeGreaterThan(before.trip_cost)
  expect(Object.values(after.fare_history ?? {}).map(({ total }) => total)).toEqual(
    expect.arrayContaining([before.trip_cost, after.trip_cost]),
  )
  await rider.page.getByText(price).first().waitFor()
  await rider.page.getByText(FAR_PLACE).first().waitFor()

  // The driver's screen changes without a reload, and the offer can still be accepted.
  await changeNotice(cab, 'Drop-off · Pickup time').waitFor()
  await cab.page.getByText(FAR_PLACE).first().waitFor()
  await cab.page.getByRole('button', { name: 'Accept', exact: true }).click()
  await pollUntil(() => setup.readStatus(booking_id)).toBe('ACCEPTED')
  for (const { errors } of [rider, cab]) expect(errors.filter(isUnexpected)).toEqual([])
})

test('the office changes an accepted booking, and its driver and its rider see it', async () => {
  const { booking_id, driver } = await setup.request()
  const phone = await setup.platform.signInAs(driver)
  await phone.call('advance_booking', { booking_id, event: 'accept' })
  const before = await readBooking(booking_id)
  const [office, cab, rider] = await Promise.all([
    setup.browser.openAs('seed-admin', `/bookings/${booking_id}`),
    setup.openDriverPhone(driver),
    setup.browser.openAs(before.customer, `/bookings/${booking_id}`, PHONE),
  ])
  await cab.page.getByRole('article', { name: 'Current booking' }).waitFor()
  await rider.page.getByText(before.dropAddress).first().waitFor()

  const dialog = await openAmendDialog(office)
  await choosePlace(dialog, 'Drop-off', 'montevideo shopping', FAR_PLACE)
  await dialog.getByLabel('Delivery instructions').fill('Leave it at the gate')
  const price = await saveAndAcceptPrice(office.page)

  const after = await readBooking(booking_id)
  expect(after).toMatchObject({ status: 'ACCEPTED', driver, tripdate: before.tripdate })
  expect(after.trip_cost).toBeGreaterThan(before.trip_cost)
  await changeNotice(cab, 'Drop-off · Delivery instructions').waitFor()
  await cab.page.getByText(FAR_PLACE).first().waitFor()
  await cab.page.getByText('Leave it at the gate').waitFor()
  await rider.page.getByText(FAR_PLACE).first().waitFor()
  await rider.page.getByText(price).first().waitFor()
  for (const { errors } of [office, cab, rider]) expect(errors.filter(isUnexpected)).toEqual([])
})

/** Returns false for the response that names the new price: it is a refusal by design. */
const isUnexpected = (error: string) => !error.includes('"estimate_changed"')
