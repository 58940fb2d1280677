import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import type { Booking, User } from '~/domain/entities'
import { advance, openScene, type Scene } from '../functions/scene'
import { openBrowser, type Screen, type TestBrowser } from '../support/browser'
import type { Client } from '../support/clients'

let scene: Scene
let browser: TestBrowser
let rider: Client
let office: Client
let driver: Client
let booking: string
beforeAll(async () => {
  scene = openScene()
  const { carType = '', location } = (await scene.read<User>('users/seed-driver')) ?? {}
  const [[one = ''], [other = '']] = await Promise.all([
    scene.people(1, { firstName: 'Rosa', lastName: 'Paz' }),
    scene.people(1, {
      usertype: 'driver',
      firstName: 'Bruno',
      lastName: 'Silva',
      carType,
      ...(location && { location }),
    }),
  ])
  ;[browser, office, rider, driver] = await Promise.all([
    openBrowser(),
    scene.as('seed-admin'),
    scene.as(one),
    scene.as(other),
  ])
  booking = (await scene.book(rider)).booking_id
  await advance(rider, booking, 'pay', { payment_mode: 'cash' })
  await advance(office, booking, 'assign', { driver: other })
  await advance(driver, booking, 'accept')
})
afterAll(async () => {
  await advance(office, booking, 'cancel', { reason: 'Test' })
  await browser.close()
  await scene.close()
})

const open = async (uid: string | null, path: string): Promise<Page> => {
  const screen: Screen = await browser.openAs(uid, path)
  onTestFailed(() => browser.picture({ maps: screen }))
  return screen.page
}
/** What the list beside the map says; each line is read out whether the list is shown or not. */
const linesOf = async (within: Page | Locator, map: string) => {
  const list = within.getByRole('list', { name: map, exact: true })
  await list.getByRole('listitem').first().waitFor({ state: 'attached' })
  return list.getByRole('listitem').allTextContents()
}
/** Goes on by Tab, as a hand without a mouse does, until that is where one is. */
const tabTo = async (page: Page, role: 'button' | 'combobox', name: RegExp) => {
  const wanted = page.getByRole(role, { name })
  await wanted.first().waitFor()
  const isThere = () => wanted.first().evaluate((one) => one === document.activeElement)
  for (let presses = 0; !(await isThere()); presses++) {
    if (presses > 120) throw new Error(`Tab never comes to ${String(name)}.`)
    await page.keyboard.press('Tab')
  }
}

test('a visitor picks a place without the map, by keys alone', async () => {
  const page = await open(null, '/')
  await tabTo(page, 'combobox', /^Pickup$/)
  // The last of what is offered before anything is typed.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Pickup' })
  expect(await linesOf(dialog, 'Choose on the map')).toContain('A little further north')
  const picked = dialog.locator('[aria-live]')
  await expect.poll(() => picked.textContent()).toMatch(/Montevideo, Uruguay$/)
  const before = await picked.textContent()
  await tabTo(page, 'button', /^Show as list$/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^A little further north$/)
  for (let steps = 0; steps < 4; steps++) await page.keyboard.press('Enter')
  await expect
    .poll(async () => [(await picked.textContent()) || before, before])
    .not.toEqual([before, before])
  await expect.poll(() => picked.textContent()).toMatch(/Montevideo, Uruguay$/)
  const take = dialog.getByRole('button', { name: 'Use this place' })
  await expect.poll(() => take.isEnabled()).toBe(true)
  await tabTo(page, 'button', /^Use this place$/)
  // As it says when it is pressed: the map may come to rest only now.
  await picked.evaluate((said) =>
    said.closest('dialog')?.addEventListener(
      'click',
      () => {
        document.body.dataset.said = said.textContent ?? ''
      },
      { capture: true },
    ),
  )
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Pickup', exact: true })
  await expect.poll(() => field.inputValue()).not.toBe('')
  const chosen = await page.evaluate(() => document.body.dataset.said ?? '')
  expect(chosen).not.toBe(before)
  await expect.poll(() => field.inputValue()).toBe(chosen)

  // The next time it is offered beside the map.
  await tabTo(page, 'combobox', /^Drop-off$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const drop = page.getByRole('dialog', { name: 'Drop-off' })
  expect(await linesOf(drop, 'Choose on the map')).toContain(chosen)
})

test('the way of a booking form is told beside its map', async () => {
  const page = await open(rider.uid, '/')
  for (const [field, words, full] of [
    ['Pickup', 'plaza independencia', /Plaza Independencia/i],
    ['Drop-off', 'montevideo shopping', /Montevideo Shopping/i],
  ] as const) {
    await page.getByRole('combobox', { name: field, exact: true }).fill(words)
    await page.getByRole('option', { name: full }).first().click()
  }
  expect(await linesOf(page, 'Map of the way')).toEqual([
    expect.stringMatching(/^PickupPlaza Independencia/i),
    expect.stringMatching(/^Drop-offMontevideo Shopping/i),
  ])
  // Beside the list there is less of a map, and still the whole way on it.
  await page.getByRole('button', { name: 'Show as list' }).click()
  const map = page.getByRole('application', { name: 'Map of the way' })
  const rightOf = async (what: Locator) => {
    const box = await what.boundingBox()
    return box ? box.x + box.width : Number.NaN
  }
  await expect
    .poll(async () => (await rightOf(map.locator('.map-pin-end'))) < (await rightOf(map)))
    .toBe(true)
})

test('a booking’s places and its car are told beside its map: to the rider, the office and a guest', async () => {
  const told = ['PickupFrom here', 'Drop-offTo there']
  const { driver_name = '' } = (await scene.read<Booking>(`bookings/${booking}`)) ?? {}
  const own = await open(rider.uid, `/bookings/${booking}`)
  await expect
    .poll(() => linesOf(own, 'Map of the booking'))
    .toEqual([...told, `Driver${driver_name}`])
  const desk = await open('seed-admin', `/bookings/${booking}`)
  await expect
    .poll(() => linesOf(desk, 'Map of this booking'))
    .toEqual([...told, `Driver${driver_name}`])
  const { token } = await rider.call<{ token: string }>('share_booking', { booking_id: booking })
  const guest = await open(null, `/track/${token}`)
  await expect
    .poll(() => linesOf(guest, 'Map of the booking'))
    .toEqual([...told, expect.stringMatching(/^DriverBruno/)])
})

test('the office chooses places by keys alone, and hears where they are', async () => {
  const page = await open('seed-admin', '/addbookings')
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
    .poll(() => linesOf(page, 'Map of this booking'))
    .toEqual([
      expect.stringMatching(/^Pickup.*Tres Cruces/i),
      expect.stringMatching(/^Drop-off.*Parque Rod/i),
    ])
  expect(await page.locator('.map-path-faint').count()).toBe(0)

  // Beyond the city the way is a guess, and both the map and the price say so.
  await page.getByRole('combobox', { name: 'Drop-off' }).fill('punta del este')
  await page.getByRole('option', { name: /^Punta del Este, Uruguay/ }).click()
  await page.getByLabel('Vehicle', { exact: true }).selectOption({ index: 1 })
  await page.getByText('Distance is estimated: we have no street map here.').waitFor()
  await page.locator('.map-path-faint').first().waitFor({ state: 'attached' })
})

test('the drivers on duty are told by name or as free, with how far they are, and opened from the list', async () => {
  const page = await open('seed-admin', '/dashboard')
  const list = page.getByRole('list', { name: 'Drivers on duty', exact: true })
  const busy = list.getByRole('listitem').filter({ hasText: /Bruno Silva.*\d km/ })
  await busy.waitFor({ state: 'attached' })
  await expect
    .poll(() =>
      list
        .getByRole('listitem')
        .filter({ hasText: /^Free.*\d km$/ })
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

test('a car glides from place to place, its front ahead', async () => {
  const page = await open(rider.uid, `/bookings/${booking}`)
  const car = page.locator('.map-pin-vehicle')
  await car.waitFor()
  const before = (await scene.read<Booking>(`bookings/${booking}`))?.pickup ?? { lat: 0, lng: 0 }
  const drive = async (north: number, east: number) => {
    const at = { lat: before.lat + north, lng: before.lng + east }
    const point = { ...at, at: Date.now(), status: 'ACCEPTED' }
    await scene.admin.database.ref(`tracking/${booking}`).push(point)
  }
  const turned = () => car.locator('.map-marker').evaluate((one) => one.style.transform)
  await drive(0.001, 0)
  await expect.poll(turned).toBe('rotate(0deg)')
  const places = car.evaluate(
    (one) =>
      new Promise<number>((done) => {
        const seen = new Set<string>()
        const watch = new MutationObserver(() => {
          seen.add(one.style.transform)
          if (one.querySelector<HTMLElement>('.map-marker')?.style.transform !== 'rotate(90deg)')
            return
          watch.disconnect()
          done(seen.size)
        })
        watch.observe(one, { attributes: true, subtree: true, attributeFilter: ['style'] })
      }),
  )
  await drive(0.001, 0.003)
  // Half-turned and half-way in between, not there in one leap.
  expect(await places).toBeGreaterThan(1)
})
