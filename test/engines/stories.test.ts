import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROOT } from '~/scripts/local/build'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { getSuite } from '../support/testSuite'
import { type EnginePage, ENGINES } from './engineBrowsers'
import type { Booking } from '~/domain/booking/types'

// One story per role in each engine. `npm test -- --endurance` runs them (KERBSIDE_ENDURANCE).

const button = (text: string) => `//button[contains(normalize-space(.), "${text}")]`
const field = (label: string) => `//*[@id=//label[contains(., "${label}")]/@for]`
const shown = (text: string) => `//*[text()[contains(., "${text}")]]`

/** Keeps a picture of the page beside the other evidence of failed tests. */
const savePicture = (name: string, picture: string) => {
  const folder = join(ROOT, '.kerbside', 'test', 'failures', 'stories')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name.replace(/\W+/g, '-')}.png`), picture, 'base64')
}

let platform: TestPlatform
beforeAll(() => {
  platform = openTestPlatform()
})
afterAll(() => platform.close())

describe.each(Object.entries(ENGINES))('in %s', (_, openEngine) => {
  let page: EnginePage
  beforeEach(async () => {
    page = await openEngine()
  })
  afterEach(async ({ task }) => {
    try {
      if (task.result?.state === 'fail') savePicture(task.fullName, await page.takePicture())
    } finally {
      await page.close()
    }
  })

  const openPage = (path: string) => page.open(`${getSuite().urls.web}${path}`)
  const signIn = async (mobile: string, home: string) => {
    await openPage('/login')
    await page.type(field('Mobile number'), mobile)
    await page.click(button('Get code'))
    await page.click(button('Use this code'))
    await expect.poll(async () => new URL(await page.readUrl()).pathname).toBe(home)
  }
  const choosePlace = async (label: string, words: string) => {
    await page.type(field(label), words)
    await page.click(`//*[@role="option"][contains(., "${words}")]`)
  }
  const fillForm = async (type: string) => {
    await choosePlace('Pickup', 'Plaza Independencia')
    await choosePlace('Drop-off', 'Montevideo Shopping')
    await page.click(`//label[contains(., "${type}")]`)
    await page.find(shown('km · about'))
  }

  test('a visitor chooses two places and sees route and price', async () => {
    await openPage('/')
    await fillForm('Economy')
    await page.find(button('Book now'))
  })

  test('a rider signs in, books for cash, and finds the booking', async () => {
    await signIn('+15555550103', '/')
    await fillForm('Courier')
    await page.click(button('Book now'))
    await page.click('(//dialog//label[.//input[@type="radio"]])[last()]')
    await page.click('//dialog//button[contains(., "Continue")]')
    await page.type('//dialog' + field('Recipient’s phone'), '099 123 456')
    await page.type('(//dialog//*[@id=//label[contains(., "Recipient")]/@for])[1]', 'Ana Pereira')
    await page.click(button('Book for'))
    await page.click('//dialog//label[contains(., "Cash")]')
    await page.click('(//dialog//button[starts-with(normalize-space(.), "Pay")])[last()]')
    await page.find(shown('Your booking was successful'))
    await page.find('//h1[contains(., "Looking for a driver")]')
  })

  test('a driver gets an offer over the screen and accepts it', async () => {
    const rider = await platform.signInAs('seed-rider')
    const office = await platform.signInAs('seed-admin')
    const { booking_id } = await platform.createBooking(rider)
    await rider.call('advance_booking', { booking_id, event: 'pay', payment_mode: 'cash' })
    await office.call('advance_booking', { booking_id, event: 'assign', driver: 'seed-driver' })
    await signIn('+15555550102', '/bookings')
    await page.click('//dialog//button[normalize-space(.)="Accept"]')
    await expect
      .poll(async () => (await platform.read<Booking>(`bookings/${booking_id}`))?.status)
      .toBe('ACCEPTED')
    // Each visit leaves a page that is still writing to the browser's databases.
    for (let visit = 0; visit < 5; visit += 1) {
      await openPage('/trips')
      await page.find(shown('Drive to the pickup'))
    }
    await office.call('advance_booking', { booking_id, event: 'cancel', reason: 'Test' })
  })

  test.each([
    ['a fleet admin', '+15555550101', '/drivers'],
    ['an admin', '+15555550100', '/bookings'],
  ])('%s signs in, and opens a row of a table', async (_who, mobile, path) => {
    await signIn(mobile, '/dashboard')
    await openPage(path)
    await page.click('(//table//tbody//a)[1]')
    await page.find('//dialog')
  })
})
