import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBrowser, PLAIN_FILE, type Screen, type TestBrowser } from '../support/testBrowser'
import { openAdmin } from '../support/testClients'
import { PHONE } from '../support/driverSetup'
import type { User } from '~/domain/accounts/types'

const requestCode = async ({ page }: Screen, mobile: string) => {
  await page.getByLabel('Mobile number').fill(mobile)
  await page.getByRole('button', { name: 'Get code' }).click()
}

describe('signing in by phone and code', () => {
  let browser: TestBrowser
  const store = openAdmin()
  beforeAll(async () => {
    browser = await openTestBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await store.close()
  })

  test.each([
    ['a rider', '+15555550103', '/'],
    ['a driver', '+15555550102', '/bookings'],
    ['a fleet admin', '+15555550101', '/dashboard'],
    ['an admin', '+15555550100', '/dashboard'],
  ])('%s signs in with the offered code and lands on their home page', async (_, mobile, home) => {
    const screen = await browser.openAs(null, '/login')
    await requestCode(screen, mobile)
    await screen.page.getByRole('button', { name: 'Use this code' }).click()
    await screen.page.waitForURL((url) => url.pathname === home)
    await screen.context.close()
  })

  test('the session starts on a page that is not painted, as in a background tab', async () => {
    const { page, context } = await browser.openAs('seed-rider', PLAIN_FILE)
    await page.addInitScript(() => {
      window.requestAnimationFrame = () => 0
    })
    await page.goto('/')
    await expect
      .poll(() => page.getByRole('link', { name: 'My account' }).count())
      .toBeGreaterThan(0)
    await context.close()
  })

  test('a number typed and sent before the app has loaded counts', async () => {
    const screen = await browser.openAs(null, PLAIN_FILE)
    const { page, context } = screen
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/assets\/(first|LoginScreen|shared)-[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    const field = page.getByLabel('Mobile number')
    await field.pressSequentially('+15555550103')
    await page.getByRole('button', { name: 'Get code' }).click()
    expect(await field.inputValue()).toBe('+15555550103')
    letGo()
    await page.getByRole('button', { name: 'Use this code' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await context.close()
  })

  test('a number typed before the app has loaded stays, and the countries arrive', async () => {
    const { page, context, errors } = await browser.openAs(null, PLAIN_FILE)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/assets\/LoginScreen-[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/login')
    const field = page.getByLabel('Mobile number')
    const countries = page.getByLabel('Country')
    await field.pressSequentially('98 123 456')
    expect(await countries.locator('option').count()).toBe(1)
    letGo()
    await expect.poll(() => countries.locator('option').count()).toBeGreaterThan(200)
    expect(await field.inputValue()).toBe('98 123 456')
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.press('End')
    await field.pressSequentially('7')
    expect(await field.inputValue()).toBe('98 123 4567')
    expect(errors).toEqual([])
    await context.close()
  })

  test('a wrong code shows an error at its field, and the right one still works', async () => {
    const screen = await browser.openAs(null, '/login')
    const { page } = screen
    await requestCode(screen, '+15555550103')
    await page.getByRole('button', { name: 'Use this code' }).waitFor()
    await page.getByLabel('Six-digit code').fill('12345')
    await page.getByRole('button', { name: 'Verify code' }).click()
    await page.getByText('Enter all six digits of the code.').waitFor()
    const offer = await page.getByText('your code is').innerText()
    await page.getByLabel('Six-digit code').fill(offer.includes('500000') ? '500001' : '500000')
    await page.getByText('This code is incorrect.').waitFor()
    await page.getByRole('button', { name: 'Use this code' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await screen.context.close()
  })

  test('a driver who waits for approval sees a message and is signed out', async () => {
    const screen = await browser.openAs(null, '/login')
    await requestCode(screen, '+15555550104')
    await screen.page.getByRole('button', { name: 'Use this code' }).click()
    await screen.page
      .getByRole('heading', { name: 'Your request is waiting for approval' })
      .waitFor()
    await screen.page.getByRole('link', { name: 'Log in or sign up' }).first().waitFor()
    await screen.context.close()
  })

  test('a desktop preloads the office files while the user enters the code, and a phone never does', async () => {
    const isOffice = (address: string) => /\/assets\/OfficeShell-[^/]*\.js$/.test(address)
    const officeScreen = await browser.openAs(null, '/login')
    const ahead = officeScreen.page.waitForRequest((request) => isOffice(request.url()))
    await requestCode(officeScreen, '+15555550100')
    await ahead
    await officeScreen.page.getByRole('button', { name: 'Use this code' }).waitFor()
    await officeScreen.context.close()

    const phone = await browser.openAs(null, '/login', PHONE)
    const fetched: string[] = []
    phone.page.on('request', (request) => void fetched.push(request.url()))
    await requestCode(phone, '+15555550103')
    await phone.page.getByRole('button', { name: 'Use this code' }).click()
    await phone.page.waitForURL((url) => url.pathname === '/')
    expect(fetched.filter((address) => /\/assets\//.test(address))).not.toEqual([])
    expect(fetched.filter(isOffice)).toEqual([])
    await phone.context.close()
  })

  test('a sign-in with a new number creates a rider with an empty wallet', async () => {
    const screen = await browser.openAs(null, '/login')
    await requestCode(screen, '+15555550191')
    await screen.page.getByRole('button', { name: 'Use this code' }).click()
    await screen.page.waitForURL((url) => url.pathname === '/')
    const found = await store.database
      .ref('users')
      .orderByChild('mobile')
      .equalTo('+15555550191')
      .get()
    const users = Object.values((found.val() ?? {}) as Record<string, User>)
    expect(users).toMatchObject([{ usertype: 'rider', approved: true, walletBalance: 0 }])
    await screen.context.close()
  })
})
