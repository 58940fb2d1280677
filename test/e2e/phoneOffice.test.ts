import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import {
  navigateWithin,
  openPanel,
  waitUntilLoaded,
  openTestBrowser,
  type TestBrowser,
} from '../support/testBrowser'

const PHONE = { width: 360, height: 740 }
const TALLEST_CARD = 160

let scene: TestPlatform
let browser: TestBrowser
beforeAll(async () => {
  scene = openTestPlatform()
  browser = await openTestBrowser()
})
afterAll(async () => {
  await browser.close()
  await scene.close()
})

test('gives the text of a stuck booking the whole line on a phone’s dashboard, without lists that scroll inside the page', async () => {
  const office = await scene.signInAs('seed-admin')
  const { booking_id } = await scene.createBooking(office, { customer: 'seed-rider' })
  const now = Date.now()
  await scene.write({
    [`stuck_bookings/${booking_id}`]: { status: 'NEW', since: now, found_at: now },
  })
  const screen = await browser.openAs('seed-admin', '/dashboard', PHONE)
  const { page } = screen
  const row = page
    .locator('section[aria-labelledby=stuck] li')
    .filter({ has: page.locator('button') })
  await row.first().waitFor()
  await waitUntilLoaded(page)
  const measured = await row.first().evaluate((one) => ({
    row: one.getBoundingClientRect().width,
    text: one.querySelector('div')?.getBoundingClientRect().width,
  }))
  expect(measured.text).toBe(measured.row)
  const lists = page.locator(':is(section[aria-labelledby=stuck], [aria-labelledby=unassigned]) ul')
  expect(await lists.count()).toBe(2)
  const scrolling = await lists.evaluateAll(
    (all) => all.filter((one) => getComputedStyle(one).overflowY !== 'visible').length,
  )
  expect(scrolling).toBe(0)
  await screen.context.close()
})

test('fits every list of the office into the width of a phone', async () => {
  await scene.write({
    'notifications/wide': {
      devicetype: 'All',
      usertype: 'driver',
      title: 'A title of many words that does not fit on one line of a phone',
      body: 'A text that is longer than a phone is wide, as most texts of a notification are.',
      createdAt: Date.now(),
    },
  })
  const screen = await browser.openAs('seed-admin', '/dashboard', PHONE)
  const { page } = screen
  const wide: Record<string, number> = {}
  const lists = [
    '/bookings?status=COMPLETE',
    '/cancelreasons',
    '/notifications',
    '/withdraws',
    '/audit',
    '/payments',
  ]
  const measure = async (path: string) => {
    await waitUntilLoaded(page)
    wide[path] = await page.evaluate(() =>
      Math.max(
        ...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
          (box) => box.scrollWidth - box.clientWidth,
        ),
      ),
    )
  }
  for (const path of lists) {
    await navigateWithin(page, path)
    await measure(path)
  }
  const texts = '/languagesetting?edit=pt~json'
  await openPanel(page, texts)
  await measure(texts)
  expect(Object.entries(wide).filter(([, more]) => more > 0)).toEqual([])
  await screen.context.close()
})

test('keeps the cards of the office’s tables short on a phone until they are opened', async () => {
  const screen = await browser.openAs('seed-admin', '/dashboard', PHONE)
  const { page } = screen
  const paths = ['/bookings', '/drivers', '/riders', '/cartypes', '/promos', '/earningreports']
  const heights: Record<string, number> = {}
  for (const path of paths) {
    await navigateWithin(page, path)
    const cards = page.locator('main li:has(> details)')
    await cards.first().waitFor()
    await waitUntilLoaded(page)
    const tall = await cards.evaluateAll((all) =>
      all.map((card) => card.getBoundingClientRect().height),
    )
    heights[path] = Math.max(...tall)
  }
  const tooTall = Object.entries(heights).filter(([, height]) => height > TALLEST_CARD)
  expect(tooTall).toEqual([])
  await screen.context.close()
})
