import { afterAll, beforeAll, expect, test } from 'vitest'
import { getBookedOccurrence } from '~/domain/recurring/series'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { formatDay, formatTimeOfDay } from '~/domain/language/zonedTime'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import { choosePlace } from '../support/bookingForm'
import { waitForStep } from '../support/bookingPage'
import { PHONE, pollUntil } from '../support/driverSetup'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

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

test('a rider repeats a booking every day, sees the next trip booked, skips one, and edits the rest', async () => {
  const [uid = ''] = await platform.createUsers(1, {})
  const [rider, office] = await Promise.all([
    browser.openAs(uid, '/', PHONE),
    platform.signInAs('seed-admin'),
  ])
  const { page } = rider
  const { timezone } = (await platform.read<Settings>('settings'))!
  const first = Date.now() + 3 * HOUR_MS
  const when = `${formatDay(first, timezone)}T${formatTimeOfDay(first, timezone).slice(0, 5)}`

  await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(page, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await page.getByRole('radio', { name: /Courier/ }).check({ force: true })
  await page.getByText(/km · about/).waitFor()
  await page.getByRole('radio', { name: 'Later' }).check({ force: true })
  await page.getByLabel('Pickup date and time').fill(when)
  await page.getByRole('button', { name: /^Book for later/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const estimate = page.getByRole('dialog', { name: 'Your estimate' })
  await estimate.getByLabel('Recipient', { exact: true }).fill('Ana Pereira')
  await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
  await estimate.getByRole('button', { name: 'Repeat weekly' }).click()
  const repeat = page.getByRole('dialog', { name: 'Repeat weekly' })
  for (const day of await repeat.getByRole('group').getByRole('checkbox').all()) await day.check()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await repeat.getByRole('button', { name: 'Save recurring booking' }).click()
  await page.getByRole('link', { name: 'Show recurring bookings' }).click()
  await page.getByRole('heading', { name: 'Next trips' }).waitFor()

  await office.call('run_sweep')
  const findBookings = () => platform.listBookingIds(uid)
  await pollUntil(async () => (await findBookings()).length).toBe(1)
  const [id = ''] = await findBookings()
  const booking = (await platform.read<Booking>(`bookings/${id}`))!
  expect(formatDay(booking.tripdate, timezone)).toBe(when.slice(0, 10))
  expect(getBookedOccurrence(booking)).toMatchObject({ date: when.slice(0, 10), leg: 'out' })
  await pollUntil(async () => (await platform.read<Booking>(`bookings/${id}`))?.status).toBe('NEW')

  await page.reload()
  const booked = page.getByRole('link', { name: 'Booked', exact: true })
  await booked.waitFor()
  expect(await booked.getAttribute('href')).toBe(`/bookings/${id}`)
  const trips = page.getByRole('button', { name: /^Skip / })
  await trips.first().click()
  await page.getByText('Skipped', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Undo skipping / }).waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])

  // A time of the same day, also when the first one is close to midnight.
  const later = first + 20 * MINUTE_MS
  const moved = formatDay(later, timezone) === when.slice(0, 10) ? later : first - 20 * MINUTE_MS
  const time = formatTimeOfDay(moved, timezone).slice(0, 5)
  const opener = page.getByRole('button', { name: 'Edit', exact: true })
  await opener.click()
  const edit = page.getByRole('dialog', { name: 'Edit' })
  await edit.getByLabel('Pickup time', { exact: true }).fill(time)
  await edit.getByRole('radio', { name: 'Change them too' }).check({ force: true })
  expect(await findAccessibilityFaults(page)).toEqual([])
  await edit.getByRole('button', { name: 'Save changes' }).click()
  const result = page.getByRole('dialog', { name: 'Booked trips' })
  await result.getByText('Changed', { exact: true }).waitFor()
  await result.getByRole('button', { name: 'Close' }).last().click()
  await pollUntil(async () => {
    const { tripdate } = (await platform.read<Booking>(`bookings/${id}`))!
    return `${formatDay(tripdate, timezone)} ${formatTimeOfDay(tripdate, timezone).slice(0, 5)}`
  }).toBe(`${when.slice(0, 10)} ${time}`)
  await office.call('run_sweep')
  expect(await findBookings()).toEqual([id])
  await page.getByRole('link', { name: 'Booked', exact: true }).click()
  await page.waitForURL(`**/bookings/${id}`)
  await waitForStep(page, 'Looking for a driver')
  expect(rider.errors).toEqual([])
})
