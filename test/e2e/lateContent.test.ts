import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Share } from '~/domain/access/shares'
import { screenPaths } from '~/src/store/screenPaths'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { PLAIN_FILE, isHydrated, openTestBrowser, type TestBrowser } from '../support/testBrowser'
import { recordShifts, waitForTwoFrames } from '../support/layoutShifts'
import { getSuite } from '../support/testSuite'
import type { Booking } from '~/domain/booking/types'

const PHONE = { width: 412, height: 823 }
const TOKEN = 'latecontentlatecontent'
/** Their markup stays visible until it is hydrated. */
const TEXT_PAGES: string[] = [screenPaths.about, screenPaths.privacy]
const PRERENDERED: string[] = [screenPaths.home, ...TEXT_PAGES]
const PAGES = [
  ...PRERENDERED,
  screenPaths.login,
  screenPaths.driverSignUp,
  screenPaths.sharedBooking(TOKEN),
]
/** A link of the footer that appears with the settings. */
const CONTACT = 'footer a[href^="mailto:"]'

/** Selects late content: requests, and messages of the database with all that follow them. */
interface Late {
  requests?: (route: Route) => boolean
  messages?: (message: string) => boolean
}
const isFile = (name: RegExp) => (route: Route) => name.test(route.request().url())
const isSentTo = (...origins: string[]) => {
  const hosts = origins.map((origin) => new URL(origin).origin)
  return (route: Route) => hosts.includes(new URL(route.request().url()).origin)
}
const LATE: Record<string, () => Late> = {
  texts: () => ({
    requests: isFile(/\/assets\/i18n-[^/]*\.js$/),
    messages: (message) => message.includes('"p":"languages"'),
  }),
  settings: () => ({ messages: (message) => message.includes('"p":"settings"') }),
  answers: () => ({
    requests: isSentTo(getSuite().urls.auth, getSuite().urls.functions),
    messages: () => true,
  }),
  'scripts and styles of parts': () => ({
    requests: isFile(
      /\/assets\/(text|art|\w*(Footer|Page|Form|Features|Art|Map|Canvas|session))-[^/]*\.(js|css)$/,
    ),
  }),
}

let browser: TestBrowser
let platform: TestPlatform
beforeAll(async () => {
  platform = openTestPlatform()
  const bookings = (await platform.read<Record<string, Booking>>('bookings')) ?? {}
  const [booking, { customer: by } = { customer: '' }] =
    Object.entries(bookings).find(([, { status }]) => status === 'STARTED') ?? []
  if (booking === undefined) throw new Error('The demo city has no booking under way.')
  const at = Date.now()
  const share: Share = { booking, by, level: 'live', at, expires: at + 9e6 }
  await platform.write({ [dbPaths.share(TOKEN)]: share })
  browser = await openTestBrowser()
})
afterAll(async () => {
  await browser.close()
  await platform.write({ [dbPaths.share(TOKEN)]: null })
  await platform.close()
})

/** Opens a fresh browser that has not visited any built page. */
const openFreshPage = () => browser.openAs(null, PLAIN_FILE, PHONE)

/** Delays requests and database messages of a page until `release`. */
const holdBack = async (page: Page, { requests, messages }: Late) => {
  const held = new Set<unknown>()
  const open = new Set<unknown>()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  page.on('request', (request) => open.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request))
  await page.route(
    () => true,
    async (route) => {
      if (requests?.(route)) {
        held.add(route.request())
        await released
        held.delete(route.request())
      }
      await route.continue()
    },
  )
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer()
    let isHolding = false
    server.onMessage((message) => {
      isHolding ||= messages?.(String(message)) ?? false
      if (!isHolding) return socket.send(message)
      held.add(message)
      void released.then(() => {
        held.delete(message)
        socket.send(message)
      })
    })
  })
  return {
    release,
    getHeldCount: () => held.size,
    /** Waits until only requests that are held back are open, and draws what they left. */
    settle: async () => {
      await expect.poll(() => [...open].filter((request) => !held.has(request)).length).toBe(0)
      await waitForTwoFrames(page)
    },
  }
}

describe.each(PAGES)('the page %s', (path) => {
  test.each(Object.keys(LATE))('moves nothing when %s come late', async (kind) => {
    const { page, context, errors } = await openFreshPage()
    const readShifts = await recordShifts(page)
    const { release, settle, getHeldCount } = await holdBack(page, LATE[kind]?.() ?? {})
    await page.goto(path, { waitUntil: 'commit' })
    await expect
      .poll(async () => {
        // A page of text loads nothing more until a visitor acts.
        if (TEXT_PAGES.includes(path))
          await page.locator('header a').first().dispatchEvent('pointerover')
        return getHeldCount()
      })
      .toBeGreaterThan(0)
    await settle()
    if (PRERENDERED.includes(path)) expect(await page.locator('h1').isVisible()).toBe(true)
    release()
    await page.locator(CONTACT).waitFor({ state: 'attached' })
    await expect.poll(() => isHydrated(page)).toBe(true)
    await settle()
    expect(await readShifts()).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

test('the record of shifts finds content that moves', async () => {
  const { page, context } = await openFreshPage()
  const readShifts = await recordShifts(page)
  const { settle } = await holdBack(page, {})
  await page.goto(screenPaths.about)
  await page.locator(CONTACT).waitFor({ state: 'attached' })
  await settle()
  expect(await readShifts()).toEqual([])
  await page.locator('main').evaluate((main) => {
    const late = document.createElement('p')
    late.textContent = 'Late'
    main.prepend(late)
  })
  await settle()
  expect(await readShifts()).not.toEqual([])
  await context.close()
})

test('keeps the keys that a visitor presses before and while the form becomes interactive', async () => {
  const { page, context, errors } = await openFreshPage()
  const { release, getHeldCount } = await holdBack(page, {
    requests: isFile(/\/assets\/[^/]*\.js$/),
  })
  await page.goto(screenPaths.home, { waitUntil: 'commit' })
  const pickup = page.getByRole('combobox', { name: 'Pickup', exact: true })
  await pickup.click()
  await pickup.pressSequentially('Aven')
  expect(getHeldCount()).toBeGreaterThan(0)
  release()
  await pickup.pressSequentially('ida 18')
  await expect.poll(() => isHydrated(page)).toBe(true)
  await page
    .getByRole('option', { name: /18 de Julio/ })
    .first()
    .waitFor()
  expect(await pickup.inputValue()).toBe('Avenida 18')
  expect(errors).toEqual([])
  await context.close()
})
