import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import { chooseByArrows, getActiveOption as active } from '../support/boardList'
import { findLargeTextFaults } from '../support/largeTextCheck'
import { pollUntil, waitUntilGone } from '../support/officeLocators'
import {
  openTestBrowser,
  type Screen,
  type TestBrowser,
  waitUntilLoaded,
} from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import type { Booking } from '~/domain/booking/types'

/** This file's own vehicle type, so that its drivers get no bookings of other tests. */
const VEHICLE_TYPE = 'board-test-van'
const stamp = Date.now().toString(36)

let browser: TestBrowser
let platform: TestPlatform
let board: Screen
let page: Page
let rider: TestClient

beforeAll(async () => {
  platform = openTestPlatform()
  await platform.createVehicleType(VEHICLE_TYPE)
  const [[admin = ''], [customer = '']] = await Promise.all([
    platform.createUsers(1, { usertype: 'admin', firstName: 'Alma', lastName: `Board ${stamp}` }),
    platform.createUsers(1, { firstName: 'Rita', lastName: `Rider ${stamp}` }),
  ])
  ;[browser, rider] = await Promise.all([openTestBrowser(), platform.signInAs(customer)])
  board = await browser.openAs(admin, '/board')
  page = board.page
})
afterEach(() => {
  expect(board.errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await platform.write({ [`cartypes/${VEHICLE_TYPE}`]: null })
  await browser.close()
  await platform.close()
})

const list = (name: string) => page.getByRole('listbox', { name, exact: true })
const searchDrivers = (text: string) =>
  page.getByRole('searchbox', { name: 'Name or plate' }).fill(text)

/** Creates a paid booking for Rita, which waits for a driver; returns its id and reference. */
const createWaitingBooking = async (more: { bookLater?: boolean } = {}) => {
  const { booking_id } = await platform.createBooking(rider, { carType: VEHICLE_TYPE, ...more })
  await advanceBooking(rider, booking_id, 'pay', { payment_mode: 'cash' })
  const reference = await platform.read<string>(`bookings/${booking_id}/reference`)
  return { id: booking_id, reference: reference ?? '' }
}
const createDriverOnDuty = async (firstName: string) => {
  const location = await platform.getPickup(0.002)
  const like = { firstName, lastName: stamp, carType: VEHICLE_TYPE, location }
  const [uid = ''] = await platform.createUsers(1, { usertype: 'driver', ...like })
  await platform.goOnDuty(uid, like)
  return uid
}

test('assigns a waiting booking with the keyboard alone, and the booking leaves the queue', async () => {
  const driver = await createDriverOnDuty('Dario')
  const { id, reference } = await createWaitingBooking({ bookLater: false })
  const queue = list('Waiting for a driver')
  const row = queue.getByRole('option').filter({ hasText: reference })
  await pollUntil(() => page.title()).toMatch(/^\([1-9]\d*\) Board · /)

  await chooseByArrows(queue, reference)
  const card = page.getByRole('region', { name: `Booking ${reference}` })
  await card.getByText(`Rita Rider ${stamp}`).waitFor()
  await card.locator('a[href^="tel:"]').first().waitFor()
  await page.keyboard.press('Enter')
  const drivers = list('Drivers on duty')
  await pollUntil(() => active(drivers).innerText()).toMatch(
    new RegExp(`^Dario ${stamp}[^]*by street`),
  )
  await page.keyboard.press('Enter')
  await page.getByText(`The booking was offered to Dario ${stamp}.`).waitFor()
  await row.getByText(`Offered to Dario ${stamp}`).waitFor()
  const requested = await platform.read<Booking['requestedDrivers']>(
    `bookings/${id}/requestedDrivers`,
  )
  expect(requested).toEqual({ [driver]: true })

  await advanceBooking(await platform.signInAs(driver), id, 'accept')
  await waitUntilGone(row)
  await searchDrivers(`dario ${stamp}`)
  await drivers
    .getByRole('option', { name: new RegExp(`^Dario ${stamp}.*Driver on the way`) })
    .waitFor()
  await card.getByText('Driver on the way').first().waitFor()
})

test('returns the focus to the button that opened a dialog', async () => {
  const { id, reference } = await createWaitingBooking()
  await chooseByArrows(list('Waiting for a driver'), reference)
  const opener = page
    .getByRole('region', { name: `Booking ${reference}` })
    .getByRole('button', { name: 'Cancel booking' })
  await opener.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await waitUntilGone(dialog)
  await pollUntil(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
  await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
})

test('withdraws an offer through Undo', async () => {
  await createDriverOnDuty('Fabio')
  const { id, reference } = await createWaitingBooking()
  await searchDrivers(`fabio ${stamp}`)
  await chooseByArrows(list('Waiting for a driver'), reference)
  await list('Drivers on duty')
    .getByRole('option', { name: new RegExp(`^Fabio ${stamp}`) })
    .click()
  await page.getByRole('button', { name: `Assign to Fabio ${stamp}` }).click()
  const notice = page.getByText(`The booking was offered to Fabio ${stamp}.`).locator('../..')
  await notice.waitFor()
  // The notice fades in.
  await notice.evaluate((node) => Promise.all(node.getAnimations().map(({ finished }) => finished)))
  expect(await findAccessibilityFaults(page, 'dark')).toEqual([])
  await notice.getByRole('button', { name: 'Undo' }).click()
  await pollUntil(() => platform.read(`bookings/${id}/requestedDrivers`)).toBeNull()
  await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
})

describe('the board', () => {
  const texts = readInterfaceTexts()
  test.each([
    { look: 'light', locale: 'en', rules: 'light' },
    { look: 'dark', locale: 'en', rules: 'dark' },
    { look: 'light', locale: 'ar', rules: 'rightToLeft' },
  ] as const)(
    'fits a screen of 1280 by 800 pixels and is accessible in the $look scheme, in $locale',
    async ({ look, locale, rules }) => {
      const { id, reference } = await createWaitingBooking()
      await page.emulateMedia({ colorScheme: look })
      await page.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
      await page.reload()
      await page.locator(`html[lang="${locale}"]`).waitFor()
      const queue = list(texts[locale]?.unassigned ?? '')
      await chooseByArrows(queue, reference)
      await page.getByRole('tablist', { name: texts[locale]?.board_parts ?? '' }).waitFor()
      await waitUntilLoaded(page)
      expect(await findAccessibilityFaults(page, rules)).toEqual([])
      const overflow = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight]
      })
      expect(Math.max(...overflow)).toBeLessThanOrEqual(0)
      await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
    },
  )

  test.each([
    { look: 'light', locale: 'en' },
    { look: 'dark', locale: 'de' },
    { look: 'light', locale: 'ar' },
  ] as const)(
    'fits the narrowest phone at double text size in the $look scheme, in $locale',
    async ({ look, locale }) => {
      const { id, reference } = await createWaitingBooking()
      const say = (key: string) => texts[locale]?.[key] ?? key
      await page.emulateMedia({ colorScheme: look })
      await page.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.reload()
      await page.locator(`html[lang="${locale}"]`).waitFor()
      const found: Record<string, string[]> = {}
      const queue = list(say('unassigned'))
      await queue.getByRole('option').first().waitFor()
      found.queue = await findLargeTextFaults(page)
      await chooseByArrows(queue, reference)
      await page.getByRole('tablist', { name: say('board_parts') }).waitFor()
      await waitUntilLoaded(page)
      found.card = await findLargeTextFaults(page)
      await page.getByRole('tab', { name: say('live_drivers') }).click()
      await list(say('live_drivers')).getByRole('option').first().waitFor()
      found.drivers = await findLargeTextFaults(page)
      await page.getByRole('tab', { name: say('board_map') }).click()
      found.map = await findLargeTextFaults(page)
      expect(found).toEqual({ queue: [], card: [], drivers: [], map: [] })
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'light' })
      await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
    },
  )

  test('keeps its three parts whole when the menu is collapsed', async () => {
    await page.evaluate(() => localStorage.setItem('kerbside.locale', 'en'))
    await page.reload()
    const { id, reference } = await createWaitingBooking()
    await chooseByArrows(list('Waiting for a driver'), reference)
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await page.getByRole('button', { name: 'Expand menu' }).waitFor()
    const parts = [
      list('Waiting for a driver'),
      page.getByRole('region', { name: `Booking ${reference}` }),
      list('Drivers on duty'),
    ]
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
    for (const box of boxes) {
      expect(box?.width).toBeGreaterThan(240)
      expect(box?.height).toBeGreaterThan(120)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1280)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
    }
    // The page itself does not scroll: its parts do.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800)
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
  })

  test('keeps its rows low on a tablet, with the menu expanded', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    for (const part of [list('Waiting for a driver'), list('Drivers on duty')]) {
      await part.getByRole('option').first().waitFor()
      await expect.poll(() => part.getAttribute('data-narrow-rows')).toBeNull()
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('keeps the widest reference on one line beside the age and a long vehicle type on a tablet', async () => {
    const { id, reference: own } = await createWaitingBooking()
    // As wide as any: references have six letters or digits.
    const reference = 'WWW-MMM'
    const carType = await platform.read<string>(`bookings/${id}/carType`)
    await platform.write({
      [`bookings/${id}/reference`]: reference,
      [`bookings/${id}/carType`]: 'Minibus with a wheelchair ramp and a child seat',
    })
    await page.setViewportSize({ width: 1024, height: 768 })
    const queue = list('Waiting for a driver')
    await chooseByArrows(queue, reference)
    const row = active(queue)
    const words = row.getByText(reference, { exact: true })
    await words.waitFor()
    const lines = await words.evaluate((one) => {
      const { height } = one.getBoundingClientRect()
      const inside = one.closest('[role=option]')!.getBoundingClientRect()
      const siblings = [...one.parentElement!.children].map((part) => part.getBoundingClientRect())
      return {
        count: Math.round(height / Number.parseFloat(getComputedStyle(one).lineHeight)),
        isCut: one.scrollWidth > one.clientWidth && getComputedStyle(one).overflow === 'hidden',
        isInRow: siblings.every(({ left, right }) => left >= inside.left && right <= inside.right),
        isOneLine: siblings.every(
          ({ top, bottom }) => top < siblings[0]!.bottom && bottom > siblings[0]!.top,
        ),
      }
    })
    expect(lines).toEqual({ count: 1, isCut: false, isInRow: true, isOneLine: true })
    await platform.write({ [`bookings/${id}/reference`]: own, [`bookings/${id}/carType`]: carType })
    await page.setViewportSize({ width: 1280, height: 800 })
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
  })

  test('works at a zoom of 200 %', async () => {
    await page.evaluate(() => localStorage.setItem('kerbside.locale', 'en'))
    await page.reload()
    const { id, reference } = await createWaitingBooking()
    // A zoom of 200 % halves the CSS pixels of a screen of 1280 by 800.
    await page.setViewportSize({ width: 640, height: 400 })
    await chooseByArrows(list('Waiting for a driver'), reference)
    const card = page.getByRole('region', { name: `Booking ${reference}` })
    await card.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: 'Drivers on duty' }).click()
    await page.getByRole('searchbox', { name: 'Name or plate' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640)
    await page.setViewportSize({ width: 1280, height: 800 })
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
  })
})
