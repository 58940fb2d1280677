import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import { chooseByArrows } from '../support/boardList'
import { bookParcel } from '../support/bookingForm'
import { pressButton } from '../support/driverSetup'
import { findLargeTextFaults } from '../support/largeTextCheck'
import { pollUntil } from '../support/officeLocators'
import { openTestBrowser, type Screen, type TestBrowser } from '../support/testBrowser'
import { openAdmin } from '../support/testClients'
import { getSuite } from '../support/testSuite'

const DRIVER_NAME = 'Darío Conductor'

let browser: TestBrowser
const store = openAdmin()

beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(async () => {
  await browser.close()
  await store.close()
})

const readText = async (path: string): Promise<string> =>
  String((await store.database.ref(path).get()).val() ?? '')

/** Opens a browser on a site that offers the tour with this id, or none. */
const openSite = async (tour?: string): Promise<Screen> => {
  const context = await browser.openContext({
    baseURL: getSuite().urls.web,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'America/Montevideo',
    permissions: ['geolocation'],
    geolocation: { latitude: -34.90542, longitude: -56.19108 },
  })
  context.setDefaultTimeout(60_000)
  await context.route('**/config.json', (route) =>
    route.fulfill({ json: { ...getSuite().webConfig, ...(tour && { tour }) } }),
  )
  const errors: string[] = []
  context.on('weberror', (error) => errors.push(error.error().message))
  context.on('console', (message) => {
    // The browser's own line about a refused request lacks the request.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  context.on('response', (response) => {
    // The Auth emulator has no captcha, and the SDK asks it for one.
    if (response.status() >= 400 && !response.url().includes('/v2/recaptchaConfig'))
      errors.push(`${response.status()} ${response.url()}`)
  })
  const page = await context.newPage()
  await page.goto('/')
  return { context, page, errors }
}

const getPanel = (page: Page) => page.getByRole('complementary', { name: 'Demo tour' })

const unfold = (page: Page, name = 'Demo tour') =>
  page.getByRole('complementary', { name }).getByRole('button', { name, expanded: false }).click()

const getSection = (page: Page, role: string) =>
  getPanel(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: new RegExp(`^${role}`) }) })

const openRole = async (context: BrowserContext, guide: Page, role: string, link: string) => {
  const section = getSection(guide, role)
  const open = section.getByRole('link', { name: link })
  const summary = section.locator('summary')
  await summary.waitFor()
  if (!(await open.isVisible())) await summary.click()
  const [opened] = await Promise.all([context.waitForEvent('page'), open.click()])
  return opened
}

const getProgress = (page: Page, role: string) => getSection(page, role).locator('summary')

test('a visitor opens a window for each role, and books, dispatches and drives one trip', async () => {
  const { context, page: guide, errors } = await openSite('first')
  const screens: Record<string, Screen> = { 'tour-guide': { context, page: guide, errors } }
  await unfold(guide)
  const open = async (role: string, link: string) => {
    const page = await openRole(context, guide, role, link)
    screens[`tour-${role}`] = { context, page, errors }
    return page
  }
  const rider = await open('Book', 'Open as a rider')
  const driver = await open('Drive', 'Open as a driver')
  const dispatcher = await open('Dispatch', 'Open as a dispatcher')

  // All three are signed in at the same time, and stay so after a reload.
  await rider.getByRole('link', { name: 'My account' }).first().waitFor()
  await driver.waitForURL('**/trips')
  await driver.getByRole('switch', { checked: true }).waitFor()
  await dispatcher.waitForURL('**/board')
  await dispatcher.getByRole('listbox', { name: 'Drivers on duty' }).waitFor()
  await rider.reload()
  await rider.getByRole('link', { name: 'My account' }).first().waitFor()
  expect(await guide.getByRole('link', { name: 'My account' }).count()).toBe(0)

  const reference = await bookParcel(rider)
  const id = await readText(`booking_refs/${reference}`)

  await chooseByArrows(dispatcher.getByRole('listbox', { name: 'Waiting for a driver' }), reference)
  await dispatcher.getByRole('searchbox', { name: 'Name or plate' }).fill(DRIVER_NAME)
  await dispatcher.getByRole('option', { name: new RegExp(`^${DRIVER_NAME}`) }).click()
  await dispatcher.getByRole('button', { name: `Assign to ${DRIVER_NAME}` }).click()

  await driver.getByRole('button', { name: 'Accept' }).first().click()
  await pressButton(driver, 'I’m at the pickup')
  await rider.locator(`a[href="/bookings/${id}"]`).first().click()
  const code = await readText(`booking_otps/${id}`)
  await rider.getByText(code).first().waitFor()
  await pressButton(driver, 'Start')
  const start = driver.getByRole('dialog')
  await start.getByLabel('Trip code').fill(code)
  await start.getByRole('button', { name: 'Start', exact: true }).click()
  await pressButton(driver, 'I’m at the drop-off')
  await pressButton(driver, 'Finish')
  await pressButton(driver, 'I have the cash')
  await dispatcher.getByRole('link', { name: 'Bookings', exact: true }).first().click()
  await rider.getByRole('radio', { name: '5 stars' }).check({ force: true })
  await rider.getByRole('button', { name: 'Send rating' }).click()

  // The window with the tour has followed all three.
  await getPanel(guide).getByText('You have seen a whole trip from all three sides.').waitFor()
  for (const role of ['Book', 'Drive', 'Dispatch'])
    expect(await getProgress(guide, role).innerText()).toContain('4 of 4 done')
  expect(errors).toEqual([])
  await context.close()
})

test('steps are ticked by hand, and the choice and the closed tour are remembered', async () => {
  const { context, page } = await openSite('second')
  const step = () =>
    getPanel(page).getByRole('checkbox', { name: 'Choose a pickup and a drop-off.' })
  await unfold(page)
  await step().focus()
  await page.keyboard.press('Space')
  await getProgress(page, 'Book').getByText('1 of 4 done').waitFor()
  await page.reload()
  await unfold(page)
  await getProgress(page, 'Book').getByText('1 of 4 done').waitFor()
  expect(await step().isChecked()).toBe(true)
  await getPanel(page).getByRole('button', { name: 'Close the tour' }).click()
  await pollUntil(() => getPanel(page).count()).toBe(0)
  await page.reload()
  await page.getByRole('combobox', { name: 'Pickup', exact: true }).waitFor()
  await page.waitForFunction(() => localStorage.getItem('demo-tour.closed') === 'second')
  expect(await getPanel(page).count()).toBe(0)
  await context.close()
})

test('the panel has no accessibility faults, fits a narrow phone with large text, and follows the direction', async () => {
  const { context, page } = await openSite('third')
  await unfold(page)
  await getPanel(page).getByRole('link', { name: 'Open as a rider' }).waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityFaults(page, 'dark')).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await findLargeTextFaults(page)).toEqual([])
  await page.evaluate(() => localStorage.setItem('kerbside.locale', 'ar'))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.reload()
  const panel = page.getByRole('complementary', { name: 'جولة تجريبية' })
  await unfold(page, 'جولة تجريبية')
  await panel.getByRole('link', { name: 'الفتح كراكب' }).waitFor()
  expect(await findAccessibilityFaults(page, 'rightToLeft')).toEqual([])
  const box = await panel.boundingBox()
  expect(box && box.x + box.width).toBeGreaterThan(340)
  await context.close()
})

test('a site that does not offer the tour shows no panel and opens no session', async () => {
  const { context, page } = await openSite()
  await page.goto('/?tour=book')
  await page.getByRole('combobox', { name: 'Pickup', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Log in or sign up' }).first().waitFor()
  expect(await getPanel(page).count()).toBe(0)
  expect(await page.evaluate(() => localStorage === sessionStorage)).toBe(false)
  await context.close()
})
