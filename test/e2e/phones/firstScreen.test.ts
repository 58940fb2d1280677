import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceBooking } from '../../functions/testPlatform'
import { choosePlace } from '../../support/bookingForm'
import { findCovered, findCoveredAfterScrolling } from '../../support/coveredControls'
import { type DriverSetup, openDriverSetup, pollUntil } from '../../support/driverSetup'
import { waitUntilLoaded } from '../../support/testBrowser'
import { getSuite } from '../../support/testSuite'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'
import type { VehicleType } from '~/domain/catalog/types'

/** A small phone. No test here scrolls: only its first screen counts. */
const SMALL_PHONE = { width: 360, height: 740 }
/** A position beside Plaza Independencia. */
const PICKUP = { lat: -34.9064, lng: -56.1987 }
const VEHICLE_TYPE = 'first-screen-car'

let setup: DriverSetup
beforeAll(async () => {
  setup = await openDriverSetup()
  await setup.platform.createVehicleType(VEHICLE_TYPE)
})
afterAll(async () => {
  await setup.platform.write({ [`cartypes/${VEHICLE_TYPE}`]: null })
  await setup.close()
})

const openPhone = async (uid: string, path: string): Promise<Page> => {
  const { page } = await setup.browser.openAs(uid, path, SMALL_PHONE)
  await waitUntilLoaded(page)
  return page
}

test('a person who is signed in finds "Book now" on the first screen', async () => {
  const [rider = ''] = await setup.platform.createUsers(1, {})
  const page = await openPhone(rider, '/')
  await pollUntil(() => findCovered(page.getByRole('button', { name: 'Book now' }))).toEqual([])
  expect(await findCovered(page.getByRole('combobox', { name: 'Pickup' }))).toEqual([])
})

test('"Book now" stays on the first screen with both places, and hides nothing for good', async () => {
  const [rider = ''] = await setup.platform.createUsers(1, {})
  const page = await openPhone(rider, '/')
  await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(page, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await page.getByText(/km · about/).waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await pollUntil(() => findCovered(page.getByRole('button', { name: /^Book now/ }))).toEqual([])
  for (const choice of await page.getByRole('radio').all()) {
    await choice.focus()
    await pollUntil(() => findCovered(page.locator('label:focus-within'))).toEqual([])
  }
  expect(await findCoveredAfterScrolling(page)).toEqual([])
})

test('the part that the wallet pays is in view when it gets the focus', async () => {
  const [rider = ''] = await setup.platform.createUsers(1, { walletBalance: 5 })
  const { booking_id: id } = await setup.platform.createBooking(
    await setup.platform.signInAs(rider),
  )
  const page = await openPhone(rider, `/bookings/${id}`)
  await page.getByRole('button', { name: /^Pay/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'How would you like to pay?' })
  const part = dialog.getByRole('checkbox', { name: /from my wallet first$/ })
  await part.focus()
  await pollUntil(() => findCovered(dialog.locator('label:focus-within'))).toEqual([])
  for (const mode of await dialog.getByRole('radio').all()) {
    if (!(await mode.isEnabled())) continue
    await mode.focus()
    await pollUntil(() => findCovered(dialog.locator('label:focus-within'))).toEqual([])
  }
})

test('a waiting rider sees the driver, how to reach them, and half of the map', async () => {
  const { booking_id, driver } = await setup.request()
  await advanceBooking(await setup.platform.signInAs(driver), booking_id, 'accept')
  const booking = (await setup.platform.read<Booking>(`bookings/${booking_id}`))!
  const { firstName } = (await setup.platform.read<User>(`users/${driver}`))!
  const page = await openPhone(booking.customer, `/bookings/${booking_id}`)
  const main = page.getByRole('main')
  for (const control of [
    main.getByText(new RegExp(`^${firstName}`)).first(),
    main.getByRole('link', { name: 'Call' }),
    main.getByRole('link', { name: 'Chat' }),
  ]) {
    await control.waitFor()
    await pollUntil(() => findCovered(control)).toEqual([])
  }
  const map = await main.getByRole('application', { name: 'Map of the booking' }).boundingBox()
  expect((map?.y ?? Infinity) + (map?.height ?? 0) / 2).toBeLessThan(SMALL_PHONE.height)
})

const LONG_PICKUP = 'Peatonal Sarandí esquina Bartolomé Mitre y Rincón, Ciudad Vieja'
const LONG_DROP = 'Terminal de Ómnibus Tres Cruces, Bulevar General Artigas'
const LONG_VEHICLE = 'Großraumlimousine mit Rollstuhlrampe und Platz für sechs Personen'

test.each(['NEW', 'ACCEPTED'])(
  'long German texts leave half of the map to the rider of a booking that is %s',
  async (status) => {
    const pickup = await setup.platform.getPickup()
    const { booking_id, driver } = await setup.request({
      pickup: { lat: pickup.lat, lng: pickup.lng, add: LONG_PICKUP },
      drop: { lat: pickup.lat + 0.02, lng: pickup.lng + 0.01, add: LONG_DROP },
    })
    const office = setup.office
    if (status === 'ACCEPTED')
      await advanceBooking(await setup.platform.signInAs(driver), booking_id, 'accept')
    else await advanceBooking(office, booking_id, 'withdraw', { driver })
    const { customer } = (await setup.platform.read<Booking>(`bookings/${booking_id}`))!
    await setup.platform.write({
      [`bookings/${booking_id}/carType`]: LONG_VEHICLE,
      [`bookings/${booking_id}/otp`]: true,
      [`users/${customer}/lang`]: { langLocale: 'de', dateLocale: 'de' },
    })
    const page = await openPhone(customer, `/bookings/${booking_id}`)
    await pollUntil(() => page.evaluate(() => document.documentElement.lang)).toBe('de')
    const map = page.getByRole('main').getByRole('application')
    await map.waitFor()
    await pollUntil(async () => {
      const box = await map.boundingBox()
      return (box?.y ?? Infinity) + (box?.height ?? 0) / 2 < SMALL_PHONE.height
    }).toBe(true)
  },
)

test('the chip of the tour lies above the page and covers nothing of it', async () => {
  const { page, context } = await setup.browser.openAs(null, '/robots.txt', SMALL_PHONE)
  await context.route('**/config.json', (route) =>
    route.fulfill({ json: { ...getSuite().webConfig, tour: 'above' } }),
  )
  await page.goto('/')
  const chip = page.getByRole('complementary', { name: 'Demo tour' })
  await chip.waitFor()
  await waitUntilLoaded(page)
  const [panel, main] = await Promise.all(
    [chip, page.getByRole('banner')].map((one) => one.boundingBox()),
  )
  expect(main?.y).toBeGreaterThanOrEqual((panel?.y ?? Infinity) + (panel?.height ?? 0))
  await context.close()
})

test('a price that rose before the booking is on the screen, with the button that accepts it', async () => {
  const [rider = ''] = await setup.platform.createUsers(1, {})
  const driver = await setup.createDriver({ carType: VEHICLE_TYPE })
  await setup.platform.goOnDuty(driver, { carType: VEHICLE_TYPE, location: PICKUP })
  const page = await openPhone(rider, '/')
  await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(page, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await page.getByRole('radio', { name: new RegExp(VEHICLE_TYPE) }).check({ force: true })
  await page.getByText(/km · about/).waitFor()
  await page.getByRole('button', { name: 'Book now' }).click()
  const estimate = page.getByRole('dialog', { name: 'Your estimate' })
  const accept = estimate.getByRole('button', { name: /^Book for/ })
  await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
  const before = await accept.innerText()
  const path = `cartypes/${VEHICLE_TYPE}`
  const { base_fare = 0 } = (await setup.platform.read<VehicleType>(path)) ?? {}
  // The office changes the price while the request is on its way.
  await page.route('**/create_booking', async (route) => {
    await setup.platform.write({ [`${path}/base_fare`]: base_fare + 50 })
    await route.continue()
  })
  await accept.click()
  await estimate
    .getByRole('alert')
    .getByText(/^The price is now/)
    .waitFor()
  expect(await accept.innerText()).not.toBe(before)
  expect(await findCovered(accept)).toEqual([])
  expect(await findCovered(estimate.getByRole('alert'))).toEqual([])
  await setup.platform.goOffDuty(driver)
})
