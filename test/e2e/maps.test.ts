import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { choosePlace } from '../support/bookingForm'
import { openTestBrowser, type Screen, type TestBrowser } from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
let browser: TestBrowser
let rider: TestClient
let office: TestClient
let driver: TestClient
let booking: string
beforeAll(async () => {
  platform = openTestPlatform()
  const { carType = '', location } = (await platform.read<User>('users/seed-driver')) ?? {}
  const [[one = ''], [other = '']] = await Promise.all([
    platform.createUsers(1, { firstName: 'Rosa', lastName: 'Paz' }),
    platform.createUsers(1, {
      usertype: 'driver',
      firstName: 'Bruno',
      lastName: 'Silva',
      carType,
      ...(location && { location }),
    }),
  ])
  ;[browser, office, rider, driver] = await Promise.all([
    openTestBrowser(),
    platform.signInAs('seed-admin'),
    platform.signInAs(one),
    platform.signInAs(other),
  ])
  booking = (await platform.createBooking(rider)).booking_id
  await advanceBooking(rider, booking, 'pay', { payment_mode: 'cash' })
  await advanceBooking(office, booking, 'assign', { driver: other })
  await advanceBooking(driver, booking, 'accept')
})
afterAll(async () => {
  await advanceBooking(office, booking, 'cancel', { reason: 'Test' })
  await browser.close()
  await platform.close()
})

const openPage = async (uid: string | null, path: string): Promise<Page> => {
  const screen: Screen = await browser.openAs(uid, path)
  return screen.page
}
/**
 * Returns the lines of the list beside a map; screen readers get them even while the list is
 * hidden.
 */
const getMapLines = async (within: Page | Locator, map: string) => {
  const list = within.getByRole('list', { name: map, exact: true })
  await list.getByRole('listitem').first().waitFor({ state: 'attached' })
  return list.getByRole('listitem').allTextContents()
}
/**
 * Presses Tab until the element with this role and name has the focus; throws after 120 presses.
 */
const tabTo = async (page: Page, role: 'button' | 'combobox', name: RegExp) => {
  const wanted = page.getByRole(role, { name })
  await wanted.first().waitFor()
  const isThere = () => wanted.first().evaluate((one) => one === document.activeElement)
  for (let presses = 0; !(await isThere()); presses++) {
    if (presses > 120) throw new Error(`Tab never comes to ${String(name)}.`)
    await page.keyboard.press('Tab')
  }
}

test('a visitor picks a place by keyboard alone, without seeing the map', async () => {
  const page = await openPage(null, '/')
  await tabTo(page, 'combobox', /^Pickup$/)
  // The map is the last suggestion before anything is typed.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Pickup' })
  expect(await getMapLines(dialog, 'Choose on the map')).toContain('Move pin north')
  const picked = dialog.locator('[aria-live]')
  await expect.poll(() => picked.textContent()).toMatch(/Montevideo, Uruguay$/)
  const before = await picked.textContent()
  await tabTo(page, 'button', /^Show as list$/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^Move pin north$/)
  for (let steps = 0; steps < 4; steps++) await page.keyboard.press('Enter')
  await expect
    .poll(async () => [(await picked.textContent()) || before, before])
    .not.toEqual([before, before])
  await expect.poll(() => picked.textContent()).toMatch(/Montevideo, Uruguay$/)
  await tabTo(page, 'button', /^Use this place$/)
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Pickup', exact: true })
  await expect.poll(() => field.inputValue()).toMatch(/Montevideo, Uruguay$/)
  const chosen = await field.inputValue()
  expect(chosen).not.toBe(before)

  // The next dialog lists the chosen place beside the map.
  await tabTo(page, 'combobox', /^Drop-off$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const drop = page.getByRole('dialog', { name: 'Drop-off' })
  expect(await getMapLines(drop, 'Choose on the map')).toContain(chosen)
  await drop.getByRole('button', { name: 'Show as list' }).click()
  await drop.getByRole('button', { name: chosen, exact: true }).waitFor()
})

test('the list beside a booking form’s map describes the route', async () => {
  const page = await openPage(rider.uid, '/')
  for (const [field, words, full] of [
    ['Pickup', 'plaza independencia', /Plaza Independencia/i],
    ['Drop-off', 'montevideo shopping', /Montevideo Shopping/i],
  ] as const)
    await choosePlace(page, field, words, full)
  expect(await getMapLines(page, 'Route map')).toEqual([
    expect.stringMatching(/^PickupPlaza Independencia/i),
    expect.stringMatching(/^Drop-offMontevideo Shopping/i),
  ])
  // The list makes the map smaller, but the whole route still fits.
  await page.getByRole('button', { name: 'Show as list' }).click()
  // Each line moves the map to its place.
  const lines = page.getByRole('list', { name: 'Route map', exact: true }).getByRole('listitem')
  await lines.nth(0).getByRole('button').waitFor()
  await lines.nth(1).getByRole('button').waitFor()
  const map = page.getByRole('application', { name: 'Route map' })
  const readRightEdge = async (what: Locator) => {
    const box = await what.boundingBox()
    return box ? box.x + box.width : Number.NaN
  }
  await expect
    .poll(
      async () => (await readRightEdge(map.locator('.map-pin-end'))) < (await readRightEdge(map)),
    )
    .toBe(true)
})

test('the rider, the office and a guest get a list of the booking’s places and its vehicle beside the map', async () => {
  const labels = ['PickupFrom here', 'Drop-offTo there']
  const { driver_name = '' } = (await platform.read<Booking>(`bookings/${booking}`)) ?? {}
  const own = await openPage(rider.uid, `/bookings/${booking}`)
  await expect
    .poll(() => getMapLines(own, 'Map of the booking'))
    .toEqual([...labels, `Driver${driver_name}`])
  const officeScreen = await openPage('seed-admin', `/bookings/${booking}`)
  await expect
    .poll(() => getMapLines(officeScreen, 'Map of this booking'))
    .toEqual([...labels, `Driver${driver_name}`])
  const { token } = await rider.call('share_booking', { booking_id: booking })
  const guest = await openPage(null, `/track/${token}`)
  await expect
    .poll(() => getMapLines(guest, 'Map of the booking'))
    .toEqual([...labels, expect.stringMatching(/^DriverBruno/)])
})

test('an admin chooses places by keyboard alone, and a list describes them', async () => {
  const page = await openPage('seed-admin', '/addbookings')
  for (const [field, words, full] of [
    [/^Pickup$/, 'tres cruces', /Tres Cruces/i],
    [/^Drop-off$/, 'parque rodo', /Parque Rod/i],
  ] as const) {
    await tabTo(page, 'combobox', field)
    await page.keyboard.type(words)
    await page.getByRole('option', { name: full }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await expect
    .poll(() => getMapLines(page, 'Map of this booking'))
    .toEqual([
      expect.stringMatching(/^Pickup.*Tres Cruces/i),
      expect.stringMatching(/^Drop-off.*Parque Rod/i),
    ])
  expect(await page.locator('.map-path-faint').count()).toBe(0)

  // Outside the city the route is an approximation, and both the map and the price say so.
  await page.getByRole('combobox', { name: 'Drop-off' }).fill('punta del este')
  await page.getByRole('option', { name: /^Punta del Este, Uruguay/ }).click()
  await page.getByLabel('Vehicle type', { exact: true }).selectOption({ index: 1 })
  await page.getByText('The distance is an estimate because this area has no street map.').waitFor()
  await page.locator('.map-path-faint').first().waitFor({ state: 'attached' })
})

test('the list shows drivers on duty by name, with their state and distance from the browser, and opens them', async () => {
  const page = await openPage('seed-admin', '/dashboard')
  await page.getByRole('button', { name: 'Show my location' }).click()
  const list = page.getByRole('list', { name: 'Drivers on duty', exact: true })
  const busy = list.getByRole('listitem').filter({ hasText: /Bruno Silva.*\d km/ })
  await busy.waitFor({ state: 'attached' })
  await expect
    .poll(() =>
      list
        .getByRole('listitem')
        .filter({ hasText: /Available.*\d km$/ })
        .count(),
    )
    .toBeGreaterThan(5)
  await tabTo(page, 'button', /^Show as list$/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^Bruno Silva/)
  await page.keyboard.press('Enter')
  await page.getByText('Bruno Silva', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
})

test('a vehicle follows its reported positions, facing forward', async () => {
  const page = await openPage(rider.uid, `/bookings/${booking}`)
  const car = page.locator('.map-pin-vehicle')
  await car.waitFor()
  const before = (await platform.read<Booking>(`bookings/${booking}`))?.pickup ?? { lat: 0, lng: 0 }
  const drive = async (north: number, east: number) => {
    const at = { lat: before.lat + north, lng: before.lng + east }
    const point = { ...at, at: Date.now(), status: 'ACCEPTED' }
    await platform.admin.database.ref(`tracking/${booking}`).push(point)
  }
  const turned = () => car.locator('.map-marker').evaluate((one) => one.style.transform)
  await drive(0.001, 0)
  await expect.poll(turned).toBe('rotate(0deg)')
  const first = await car.evaluate((one) => one.style.transform)
  await drive(0.001, 0.003)
  await expect.poll(turned).toBe('rotate(90deg)')
  expect(await car.evaluate((one) => one.style.transform)).not.toBe(first)
})

/**
 * Returns how much of a map's free width and height the booking's two ends take, whichever is more.
 * The next zoom doubles it, so a fitted map has more than a half.
 */
const readFill = async (map: Locator, padding: { x: number; y: number }) => {
  const boxes = await Promise.all(
    [map, map.locator('.map-pin-start'), map.locator('.map-pin-end')].map((one) =>
      one.boundingBox(),
    ),
  )
  const [frame, start, end] = boxes
  if (!frame || !start || !end) return 0
  const wide = Math.abs(start.x - end.x) / (frame.width - padding.x)
  const high = Math.abs(start.y + start.height - end.y - end.height) / (frame.height - padding.y)
  return Math.max(wide, high)
}

test.each([
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
])(
  'a map of $width px fits the route when it covers the screen, and again at its place',
  async (size) => {
    const { booking_id: id } = await platform.createBooking(rider, {
      pickup: { lat: -34.9066, lng: -56.1996, add: 'Plaza Independencia' },
      drop: { lat: -34.8894, lng: -56.0867, add: 'Portones' },
    })
    await advanceBooking(rider, id, 'pay', { payment_mode: 'cash' })
    const { page } = await browser.openAs(rider.uid, `/bookings/${id}`, size)
    const map = page.getByRole('application', { name: 'Map of the booking' })
    const isFitted = async (padding: { x: number; y: number }) => {
      const fill = await readFill(map, padding)
      return fill > 0.5 && fill <= 1
    }
    await expect.poll(() => isFitted({ x: 80, y: 80 })).toBe(true)
    await page.getByRole('button', { name: 'Map over the whole screen' }).click()
    await expect.poll(() => isFitted({ x: 96, y: 200 })).toBe(true)
    await page.getByRole('button', { name: 'Close the whole-screen map' }).click()
    await expect.poll(() => isFitted({ x: 80, y: 80 })).toBe(true)
    await advanceBooking(office, id, 'cancel', { reason: 'Test' })
  },
)
