import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaPaths } from '~/domain/data/schemaVersion'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import en from '~/src/i18n/locales/en/shared.json'
import { passTimeUntil, passTimeUntilHidden, passTimeUntilVisible } from '../support/pageClock'
import { PLAIN_FILE, openTestBrowser, type TestBrowser } from '../support/testBrowser'
import { getSuite } from '../support/testSuite'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

/** Opens a blank page in a fresh browser context that has not loaded any built page. */
const openFreshPage = (uid: string | null) => browser.openAs(uid, PLAIN_FILE)
/** Marks the page, so that a later reload is detectable. */
const markPage = (page: Page) => page.evaluate(() => void Reflect.set(window, 'isMarked', true))
const isMarked = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'isMarked') as boolean | undefined)

describe('a file of the app', () => {
  /** Aborts the first two downloads of each matching file; returns the count per file. */
  const breakOff = async (page: Page, files: RegExp) => {
    const broken = new Map<string, number>()
    await page.route(files, async (route) => {
      const { pathname } = new URL(route.request().url())
      const before = broken.get(pathname) ?? 0
      if (before === 2) return route.continue()
      broken.set(pathname, before + 1)
      return route.abort('connectionreset')
    })
    return broken
  }

  test('is fetched again after two broken downloads, as a page or as a dependency', async () => {
    for (const files of [/\/assets\/AboutPage-[^/]*\.js$/, /\/assets\/firebase-[^/]*\.js$/]) {
      const { page, context } = await openFreshPage(null)
      const broken = await breakOff(page, files)
      await page.clock.install()
      await page.goto('/')
      await page.getByRole('combobox', { name: 'Pickup', exact: true }).click()
      await markPage(page)
      await page.locator('header').getByRole('link', { name: 'About us' }).click()
      await passTimeUntilVisible(page, page.getByRole('heading', { level: 1, name: 'About us' }))
      await page.getByRole('button', { name: 'Choose a language' }).click()
      await passTimeUntilVisible(
        page,
        page.getByRole('dialog').getByRole('button', { name: 'Español' }),
      )
      expect([...broken.values()]).toEqual([2])
      expect(await isMarked(page)).toBe(true)
      await context.close()
    }
  })

  test('is fetched again after two broken downloads when it holds the back office', async () => {
    const { page, context } = await openFreshPage('seed-admin')
    const broken = await breakOff(page, /\/assets\/OfficeShell-[^/]*\.js$/)
    await page.clock.install()
    await page.goto('/dashboard')
    await markPage(page)
    const link = page.locator('nav').getByRole('link', { name: 'Bookings', exact: true })
    await passTimeUntilVisible(page, link)
    expect([...broken.values()]).toEqual([2])
    expect(await isMarked(page)).toBe(true)
    await context.close()
  })

  test('is downloaded only once, although it is both fetched and imported', async () => {
    const { page, context } = await openFreshPage('seed-rider')
    const session = await context.newCDPSession(page)
    const downloads: string[] = []
    session.on('Network.responseReceived', ({ response }) => {
      const { pathname } = new URL(response.url)
      if (/\.(js|css)$/.test(pathname) && !response.fromDiskCache) downloads.push(pathname)
    })
    await session.send('Network.enable')
    await page.goto('/')
    await page.getByRole('link', { name: 'App Store' }).waitFor()
    await page.locator('header').getByRole('link', { name: 'My account' }).click()
    await page.getByRole('heading', { name: 'My bookings' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(downloads.length).toBeGreaterThan(20)
    expect(downloads.filter((file, at) => downloads.indexOf(file) !== at)).toEqual([])
    await context.close()
  })

  test('replaced by a new release reloads the page only once', async () => {
    const { page, context } = await openFreshPage(null)
    const SIGN_UP = /\/assets\/DriverSignUpPage-[^/]*\.js$/
    await page.goto('/login')
    await page.waitForLoadState('networkidle')
    await markPage(page)
    let requestCount = 0
    await page.route(SIGN_UP, async (route) => {
      requestCount += 1
      await route.fulfill({ status: 404, contentType: 'text/html', body: 'Not found' })
    })
    await page.getByRole('link', { name: 'Drive with us' }).click()
    // When the release is the same, the page offers a button instead of reloading itself endlessly.
    const reload = page.getByRole('button', { name: 'Reload the page' })
    await reload.waitFor()
    expect(new URL(page.url()).pathname).toBe('/signup')
    expect(await isMarked(page)).toBeUndefined()
    // After the reload, the page asks for the file before it renders and when it does.
    expect(requestCount).toBe(3)
    await page.unroute(SIGN_UP)
    await reload.click()
    await reload.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.close()
  })

  test('that arrived but could not be imported reloads the page', async () => {
    const { page, context } = await openFreshPage(null)
    await page.goto('/')
    await page.getByRole('radio', { name: /Courier/ }).waitFor()
    await markPage(page)
    let failureCount = 0
    await page.route(/\/assets\/AboutPage-[^/]*\.js$/, async (route) => {
      const isImport = route.request().resourceType() === 'script'
      if (!isImport || failureCount > 0) return route.fallback()
      failureCount += 1
      await route.abort()
    })
    await page.locator('header').getByRole('link', { name: 'About us' }).click()
    await expect.poll(() => isMarked(page)).toBeUndefined()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/about-us')
    expect(failureCount).toBe(1)
    await context.close()
  })
})

describe('an unreachable database', () => {
  const TEXT = 'Unable to fetch database and settings.'

  /** Proxies the page's database connections and refuses them while `isDown` is true. */
  const between = async (page: Page) => {
    const database = { isDown: true, attempts: 0 }
    const isDatabase = ({ port }: URL) => port === String(getSuite().ports.database)
    await page.route(isDatabase, (route) =>
      database.isDown ? route.abort('connectionrefused') : route.continue(),
    )
    await page.routeWebSocket(isDatabase, async (socket) => {
      database.attempts += 1
      if (database.isDown) await socket.close()
      else socket.connectToServer()
    })
    return database
  }

  test('is reported beside the form, and a key press retries at once', async () => {
    const { page, context } = await openFreshPage(null)
    const database = await between(page)
    await page.clock.install()
    await page.goto('/')
    const message = page.getByRole('status').filter({ hasText: TEXT })
    const again = message.getByRole('button', { name: 'Try again' })
    await passTimeUntilVisible(page, again)
    expect(await page.getByText('You are offline.').count()).toBe(0)
    await expect.poll(() => page.title()).toBe('Setup')

    // The clock is paused, so that only the button can open the next connection.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    database.isDown = false
    const before = database.attempts
    await again.focus()
    await page.keyboard.press('Enter')
    // Connecting takes several timers of 0 ms with network requests between them.
    const runTimersAndCount = async () => {
      await page.clock.runFor(1)
      return database.attempts
    }
    await expect.poll(runTimersAndCount).toBeGreaterThan(before)
    await page.clock.resume()
    await message.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: /Courier/ }).waitFor()
    await context.close()
  })

  test.each([
    ['a visitor on the booking page', null, '/'],
    ['a visitor on a public page', null, '/about-us'],
    ['a visitor on the sign-in page', null, '/login'],
    ['a rider', 'seed-rider', '/bookings'],
    ['a driver', 'seed-driver', '/trips'],
    ['an admin', 'seed-admin', '/dashboard'],
  ])('is reported to %s until it answers', async (_, uid, path) => {
    const { page, context } = await openFreshPage(uid)
    const database = await between(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.clock.install()
    await page.goto(path)
    const message = page.getByRole('status').filter({ hasText: TEXT })
    await passTimeUntilVisible(page, message)
    // The trial click proves that nothing covers the message.
    await message.getByRole('button', { name: 'Try again' }).click({ trial: true })
    expect(await page.getByText(TEXT).count()).toBe(1)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true)
    database.isDown = false
    await passTimeUntilHidden(page, message)
    await page.locator('main h1').first().waitFor()
    await context.close()
  })

  test('is reported, although the server of the site took long to respond at first', async () => {
    const { page, context } = await openFreshPage(null)
    await between(page)
    await page.clock.install()
    let unanswered = 0
    await page.route('**/config.json', async (route) => {
      const isCheck = route.request().method() === 'HEAD'
      // The first check never gets a response.
      if (isCheck && unanswered === 0) unanswered += 1
      else await route.continue()
    })
    await page.goto('/')
    await passTimeUntilVisible(page, page.getByText('You are offline.'))
    expect(unanswered).toBe(1)
    await passTimeUntilVisible(page, page.getByRole('status').filter({ hasText: TEXT }))
    await context.close()
  })

  test('is reported in the last used language', async () => {
    const { page, context } = await openFreshPage(null)
    const database = await between(page)
    await page.clock.install()
    for (const locale of ['es', 'ar']) {
      const texts = readInterfaceTexts()[locale] ?? {}
      database.isDown = false
      await page.evaluate((chosen) => {
        localStorage.clear()
        localStorage.setItem('kerbside.locale', chosen)
      }, locale)
      await page.goto('/about-us')
      await page.locator(`html[lang="${locale}"]`).waitFor()
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('kerbside.language')))
        .toContain(`"langLocale":"${locale}"`)
      database.isDown = true
      await page.reload()
      await passTimeUntilVisible(
        page,
        page.getByText(texts['settings_fetch_error'] ?? '', { exact: true }),
      )
      await page.getByRole('button', { name: texts['try_again'], exact: true }).waitFor()
    }
    await context.close()
  })
})

test('a form that is sent during an update says so, and is saved when the update ends', async () => {
  const { page, context } = await openFreshPage('seed-rider')
  await page.clock.install()
  await page.goto('/profile')
  const database = openLocalDatabase(getSuite().urls.database)
  const readName = () => database.get('users/seed-rider/lastName')
  const name = (await readName()) as string
  const save = async (lastName: string) => {
    await page.getByLabel('Last name').fill(lastName)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await page.getByLabel('Last name').waitFor()
  await database.put(schemaPaths.closed, { until: 9_000_000_000_000 })
  try {
    await save('Updated')
    await page.getByText(en.service_updating).waitFor()
    expect(await readName()).toBe(name)
  } finally {
    await database.put(schemaPaths.closed, null)
  }
  await passTimeUntil(page, async () => (await readName()) === 'Updated')
  await page.getByText('Profile updated').waitFor()
  await passTimeUntilHidden(page, page.getByText(en.service_updating))
  await save(name)
  await expect.poll(readName).toBe(name)
  await context.close()
})
