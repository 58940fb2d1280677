import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { screenPaths } from '~/src/store/screenPaths'
import {
  navigateWithin,
  openTestBrowser,
  type TestBrowser,
  waitUntilLoaded,
} from '../../support/testBrowser'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

/** Returns the tables that are wider than their frame, with their headings. */
const findWideTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')].flatMap((table) => {
      const frame = table.closest('[role=region]')
      if (!frame || frame.scrollWidth <= frame.clientWidth) return []
      const columns = [...table.querySelectorAll('thead th')].map(
        (heading) => `${heading.textContent} ${Math.round(heading.getBoundingClientRect().width)}`,
      )
      return [`${frame.scrollWidth} px in ${frame.clientWidth}: ${columns.join(', ')}`]
    }),
  )

const PLATFORM_TABLES = [
  ...[screenPaths.bookings, screenPaths.riders, screenPaths.drivers, screenPaths.fleetAdmins],
  ...[screenPaths.admins, screenPaths.vehicleTypes, screenPaths.cancellationReasons],
  ...[screenPaths.earningsReports, screenPaths.driverEarnings, screenPaths.withdrawals],
  ...[screenPaths.payments, screenPaths.promos, screenPaths.audit],
  ...[screenPaths.notifications, screenPaths.languages],
  `${screenPaths.driverEarnings}?view=fairness`,
]
const FLEET_TABLES = [screenPaths.bookings, screenPaths.drivers, screenPaths.driverEarnings]

test.each([
  ['an admin', 'English', { uid: 'seed-admin', locale: 'en', paths: PLATFORM_TABLES }],
  ['an admin', 'German', { uid: 'seed-admin', locale: 'de', paths: PLATFORM_TABLES }],
  ['a fleet admin', 'English', { uid: 'seed-fleetadmin', locale: 'en', paths: FLEET_TABLES }],
] as const)(
  'at 1280 × 800 the usual columns of every table of %s fit without scrolling sideways in %s',
  async (_, _language, { uid, locale, paths }) => {
    const { page, context } = await browser.openAs(uid, '/', { width: 1280, height: 800 })
    await page.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    await page.goto('/')
    await page.locator(`html[lang="${locale}"]`).waitFor()
    const wide: Record<string, string[]> = {}
    for (const path of paths) {
      await navigateWithin(page, path)
      await waitUntilLoaded(page)
      await page.locator('main :is(table tbody tr, [class*=states-module])').first().waitFor()
      const found = await findWideTables(page)
      if (found.length > 0) wide[path] = found
    }
    expect(wide).toEqual({})
    await context.close()
  },
)

test('a long name of a vehicle type does not widen the table of bookings', async () => {
  const { page, context } = await browser.openAs('seed-admin', '/', { width: 1280, height: 800 })
  await navigateWithin(page, screenPaths.bookings)
  await waitUntilLoaded(page)
  const name = page.locator('main tbody td [class*=typeName]').first()
  await name.evaluate((element) => {
    const [text] = element.childNodes
    if (text?.nodeType !== Node.TEXT_NODE) throw new Error('The name is not a text.')
    text.nodeValue = 'x'.repeat(60)
  })
  expect(await findWideTables(page)).toEqual([])
  await context.close()
})
