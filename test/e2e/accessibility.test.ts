import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getVehicleTypeName } from '~/domain/catalog/vehicleTypes'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findAccessibilityFaults, measureOverflow } from '../support/accessibilityCheck'
import { findLargeTextFaults } from '../support/largeTextCheck'
import {
  PLAIN_FILE,
  navigateWithin,
  waitUntilLoaded,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import type { Booking } from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'

let platform: TestPlatform
let browser: TestBrowser
let office: TestClient
beforeAll(async () => {
  platform = openTestPlatform()
  ;[browser, office] = await Promise.all([openTestBrowser(), platform.signInAs('seed-admin')])
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

const getIdFromUrl = (url: string) => /\/bookings\/([^/?]+)/.exec(url)?.[1] ?? ''
const createCancelledBooking = (booking_id: string) =>
  advanceBooking(office, booking_id, 'cancel', { reason: 'Test' })
const readCourierName = async (locale: string): Promise<string> => {
  const courier = await platform.read<VehicleType>('cartypes/courier')
  return courier ? getVehicleTypeName(courier, locale) : ''
}
/** Returns the id of a completed and rated booking of the seeded rider. */
const createCompletedBooking = async (): Promise<string> => {
  const own = platform.admin.database.ref('bookings').orderByChild('customer').equalTo('seed-rider')
  const all = Object.values((await own.get()).val() as Record<string, Booking>)
  const found = all.find(({ status }) => status === 'COMPLETE')
  if (!found) throw new Error('The demo city’s rider has no booking that is over.')
  return found.id
}

const PHONE = { width: 390, height: 844 }
const NARROW_PHONE = { width: 360, height: 740 }
const TABLET = { width: 768, height: 1024 }
const DESKTOP = { width: 1280, height: 800 }

const expectFit = async (page: Page, what: string) =>
  expect(await measureOverflow(page), `${what} is wider than the screen`).toBe(0)

const expectLargeTextFit = async (page: Page, what: string) =>
  expect(await findLargeTextFaults(page), `${what} with text at double size`).toEqual([])

/** Expects no faults on a phone in both color schemes, and none of the wide layout. */
const expectAccessible = async (page: Page, what: string) => {
  await waitUntilLoaded(page)
  expect(await findAccessibilityFaults(page), what).toEqual([])
  await expectFit(page, what)
  await expectLargeTextFit(page, what)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityFaults(page, 'dark'), `${what} in dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(DESKTOP)
  await waitUntilLoaded(page)
  expect(await findAccessibilityFaults(page), `${what} on a desktop`).toEqual([])
  await expectFit(page, `${what} on a desktop`)
  await page.setViewportSize(PHONE)
}
/** Expects a page to fit a phone and a tablet and to state its language. */
const expectRightToLeft = async (page: Page, what: string) => {
  await waitUntilLoaded(page)
  expect(await findAccessibilityFaults(page, 'rightToLeft'), what).toEqual([])
  await expectFit(page, what)
  await expectLargeTextFit(page, what)
  await page.setViewportSize(TABLET)
  await waitUntilLoaded(page)
  await expectFit(page, `${what} on a tablet`)
  await page.setViewportSize(NARROW_PHONE)
}
/** Expects a page to fit with the longest words of all languages. */
const expectLongWordsFit = async (page: Page, what: string) => {
  await waitUntilLoaded(page)
  await expectLargeTextFit(page, what)
}

describe.each([
  { locale: 'en', size: PHONE, expectSound: expectAccessible },
  { locale: 'ar', size: NARROW_PHONE, expectSound: expectRightToLeft },
  { locale: 'de', size: NARROW_PHONE, expectSound: expectLongWordsFit },
] as const)('in $locale, $size.width px wide', ({ locale, size, expectSound }) => {
  const texts = readInterfaceTexts()[locale] ?? {}
  /** Returns the start of a text, up to its first placeholder. */
  const say = (key: string) => (texts[key] ?? key).replace(/\{\{.*$/, '').trim()

  const opened = async (uid: string | null): Promise<Screen> => {
    const screen = await browser.openAs(uid, PLAIN_FILE, size)
    const { page } = screen
    await page.emulateMedia({ colorScheme: 'light' })
    await page.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    await page.goto('/')
    return screen
  }
  const visit = async ({ page }: Screen, path: string) => {
    await navigateWithin(page, path)
    await page.waitForFunction(
      (lang) => document.querySelector(`html[lang="${lang}"] footer`),
      locale,
    )
    await waitUntilLoaded(page)
  }
  const check = async (screen: Screen, paths: string[]) => {
    for (const path of paths) {
      await visit(screen, path)
      await expectSound(screen.page, path)
    }
  }

  test('the public pages have no accessibility faults', async () => {
    const screen = await opened(null)
    await check(screen, [
      '/',
      '/about-us',
      '/privacy-policy',
      '/login',
      '/signup',
      '/track/none',
      '/payment-return',
    ])
    await screen.context.close()
  })

  test('the rider’s pages have no accessibility faults', async () => {
    const { booking_id: gone } = await platform.createBooking(await platform.signInAs('seed-rider'))
    await createCancelledBooking(gone)
    const bookings = [await createCompletedBooking(), gone]
    const screen = await opened('seed-rider')
    await check(screen, [
      '/bookings?tab=all',
      '/bookings?tab=all&view=table',
      ...bookings.map((id) => `/bookings/${id}`),
      '/wallet',
      '/wallet?tab=topup',
      '/profile',
    ])
    const { page } = screen
    await page.getByRole('button', { name: say('choose_language') }).click()
    await page.getByRole('dialog').getByRole('button', { pressed: true }).waitFor()
    await expectSound(page, 'the choice of languages')
    await page.keyboard.press('Escape')
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: say('inbox') }).click()
    await page.getByRole('dialog', { name: say('inbox') }).waitFor()
    await expectSound(page, 'the inbox')
    await screen.context.close()
  })

  test('each step of a booking has no accessibility faults', async () => {
    const [rider = ''] = await platform.createUsers(1, { firstName: 'Axel' })
    const screen = await opened(rider)
    const { page } = screen
    await visit(screen, '/')
    const pickup = page.getByRole('combobox', { name: say('pickup'), exact: true })
    const drop = page.getByRole('combobox', { name: say('drop'), exact: true })
    await page.locator('form button[type=submit]').click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await expectSound(page, 'the form with its errors')
    await pickup.click()
    await page.getByRole('option').first().waitFor()
    await expectSound(page, 'the list of places')
    await page.getByRole('option', { name: say('choose_on_map') }).click()
    const map = page.getByRole('dialog', { name: say('pickup') })
    await expect.poll(() => map.locator('p[aria-live]').textContent()).not.toBe('')
    await expectSound(page, 'the map with the pin')
    await map.getByRole('button', { name: say('use_this_place') }).click()
    // A field behind an open dialog takes no text.
    await map.waitFor({ state: 'detached' })
    await drop.fill('montevideo shopping')
    await page
      .getByRole('option', { name: /Montevideo Shopping/i })
      .first()
      .click()
    await page.locator('label', { hasText: await readCourierName(locale) }).click()
    await page.getByRole('application').waitFor()
    await expectSound(page, 'the form with the way')
    await page.locator('form button[type=submit]').click()
    const extras = page.getByRole('dialog', { name: say('extras_title') })
    await extras.waitFor()
    await expectSound(page, 'the extras')
    await extras.getByRole('button', { name: say('extras_continue') }).click()
    const estimate = page.getByRole('dialog', { name: say('estimate_title') })
    const book = estimate.locator('button').last()
    await book.click()
    await estimate.locator('[aria-invalid=true]').waitFor()
    await expectSound(page, 'the estimate with an error')
    await estimate.getByLabel(say('deliveryPersonPhone')).fill('099 123 456')
    await book.click()
    const payment = page.getByRole('dialog', { name: say('payment_title') })
    await payment.waitFor()
    await expectSound(page, 'the payment step')
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/bookings\/-/)
    await page.locator('main h1').waitFor()
    await expectSound(page, 'the booking')
    const id = getIdFromUrl(page.url())
    await page.getByRole('button', { name: say('cancel_booking') }).click()
    // An unpaid booking is canceled without a question for the reason.
    await page.getByRole('dialog', { name: say('cancel_title') }).waitFor()
    await expectSound(page, 'the question before a booking is cancelled')
    await page.keyboard.press('Escape')
    await visit(screen, `/bookings/${id}/chat`)
    await expectSound(page, 'the chat')
    await createCancelledBooking(id)
    expect(screen.errors).toEqual([])
    await screen.context.close()
  })
})

describe('with only the keyboard', () => {
  /** Presses Tab until the element with this role and name has the focus. */
  const tabTo = async (
    page: Page,
    role: 'combobox' | 'radio' | 'button' | 'textbox' | 'application' | 'link',
    name: RegExp,
  ) => {
    const wanted = page.getByRole(role, { name })
    await wanted.first().waitFor()
    for (let steps = 0; steps < 120; steps += 1) {
      const count = await wanted.count()
      for (let at = 0; at < count; at += 1)
        if (await wanted.nth(at).evaluate((one) => one === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never came to the ${role} ${String(name)}.`)
  }

  test('a rider books from a place chosen on the map, and the focus moves to each missing field', async () => {
    const [rider = ''] = await platform.createUsers(1, { firstName: 'Tab' })
    const screen = await browser.openAs(rider)
    const { page, context, errors } = screen
    const key = (name: string) => page.keyboard.press(name)
    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement
        return one instanceof HTMLInputElement ? one.value : (one?.textContent ?? '')
      })
    await page.getByRole('link', { name: 'My account' }).first().waitFor()

    // The last suggestion is the map; the arrow keys move it under its pin.
    await tabTo(page, 'combobox', /^Pickup$/)
    await key('ArrowDown')
    await key('ArrowUp')
    await key('Enter')
    const map = page.getByRole('dialog', { name: 'Pickup' })
    const readAddress = async () => (await map.locator('p[aria-live]').textContent()) ?? ''
    await expect.poll(readAddress).not.toBe('')
    const before = await readAddress()
    await tabTo(page, 'application', /Choose on the map/)
    for (let steps = 0; steps < 4; steps += 1) await key('ArrowUp')
    await expect.poll(async () => (await readAddress()) || before).not.toBe(before)
    await tabTo(page, 'button', /^Use this place$/)
    await key('Enter')
    const pickup = page.getByRole('combobox', { name: 'Pickup' })
    await expect.poll(() => pickup.inputValue()).not.toBe('')
    const chosen = await pickup.inputValue()
    expect(chosen).not.toBe(before)

    // The focus moves to the missing field.
    await tabTo(page, 'button', /^Book now/)
    await key('Enter')
    const drop = page.getByRole('combobox', { name: 'Drop-off' })
    await expect.poll(() => drop.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.type('montevideo shopping')
    await page
      .getByRole('option', { name: /Montevideo Shopping/i })
      .first()
      .waitFor()
    await key('ArrowDown')
    await key('Enter')
    await expect.poll(focused).toMatch(/Montevideo Shopping/i)
    await tabTo(page, 'radio', /./)
    const courier = page.getByRole('radio', { name: /Courier/ })
    for (let steps = 0; steps < 12 && !(await courier.isChecked()); steps += 1)
      await key('ArrowRight')
    expect(await courier.isChecked()).toBe(true)
    await tabTo(page, 'button', /^Book now/)
    await key('Enter')
    await tabTo(page, 'button', /^Continue$/)
    await key('Enter')
    await tabTo(page, 'textbox', /Recipient’s phone/)
    await page.keyboard.type('099 123 456')
    await tabTo(page, 'button', /^Book for/)
    await key('Enter')
    await tabTo(page, 'button', /^Pay (?!later)/)
    await key('Enter')
    await page.waitForURL(/\/bookings\/-/)
    const id = getIdFromUrl(page.url())
    expect((await platform.read<Booking>(`bookings/${id}`))?.pickup.add).toBe(chosen)
    await createCancelledBooking(id)
    expect(errors).toEqual([])
    await context.close()
  })
})
