import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findCovered } from '../support/coveredControls'
import { recordShifts, waitForTwoFrames } from '../support/layoutShifts'
import { passTimeUntilHidden, passTimeUntilVisible } from '../support/pageClock'
import {
  PLAIN_FILE,
  isHydrated,
  openTestBrowser,
  type TestBrowser,
  blockServiceWorker,
} from '../support/testBrowser'

const PAGES = ['/', '/about-us', '/privacy-policy']
const PHONE = { width: 390, height: 844 }
/** Matches the scripts of the prerendered parts, which hydrate late. */
const HYDRATED_PARTS = /\/assets\/(Footer|AboutPage|PrivacyPage|HomeFeatures|CityArt)-[^/]*\.js$/

let browser: TestBrowser
let scene: TestPlatform
beforeAll(async () => {
  scene = openTestPlatform()
  browser = await openTestBrowser({ serviceWorkers: 'allow' })
})
afterAll(async () => {
  await browser.close()
  await scene.close()
})

/** Opens a page of the site in a fresh browser that has not visited any built page. */
const openFreshPage = async (uid: string | null) => {
  const screen = await browser.openAs(uid, PLAIN_FILE, PHONE)
  await blockServiceWorker(screen.page)
  return screen
}

describe('a prerendered page', () => {
  test('hydrates without an error and then works in each language', async () => {
    const { page, context, errors } = await openFreshPage(null)
    const locales = Object.keys(readInterfaceTexts())
    expect(locales.length).toBeGreaterThanOrEqual(8)
    for (const [index, locale] of locales.entries()) {
      // Each page hydrates in English and changes its language afterwards, so that one page is
      // enough for a language.
      const path = PAGES[index % PAGES.length] ?? '/'
      await page.evaluate((chosen) => {
        localStorage.clear()
        localStorage.setItem('kerbside.locale', chosen)
      }, locale)
      await page.goto(path)
      await page.locator(`html[lang="${locale}"]`).waitFor()
      // A page of text in the language of its markup starts the app only now.
      await page.locator('header a').first().focus()
      await expect.poll(() => isHydrated(page)).toBe(true)
      expect(errors, `${path} in ${locale}`).toEqual([])
    }
    await context.close()
  })

  test.each([
    ['a language', null, 'html[dir="rtl"]'],
    ['a signed-in user', 'seed-rider', 'a[href="/bookings"]:text("My account")'],
  ])('hydrates without an error when %s was already set', async (_, uid, sign) => {
    for (const path of PAGES) {
      const { page, context, errors } = await openFreshPage(uid)
      let letGo = () => {}
      const held = new Promise<void>((done) => (letGo = done))
      const isHeld = page.waitForRequest(HYDRATED_PARTS)
      await page.route(HYDRATED_PARTS, async (route) => {
        await held
        await route.continue()
      })
      if (!uid) await page.addInitScript(() => localStorage.setItem('kerbside.locale', 'he'))
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator(sign).first().waitFor({ state: 'attached' })
      await isHeld
      letGo()
      await expect.poll(() => isHydrated(page)).toBe(true)
      expect(errors, path).toEqual([])
      await context.close()
    }
  })
})

describe('a page of text', () => {
  const TEXT_PAGES = PAGES.slice(1)
  const listScripts = (page: Page) =>
    page.evaluate(() => [
      ...new Set(
        performance
          .getEntriesByType('resource')
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith('.js') && path !== '/sw.js'),
      ),
    ])

  test.each(TEXT_PAGES)('%s loads the app only when a visitor acts', async (path) => {
    const { page, context, errors } = await openFreshPage(null)
    const isChecked = page.waitForResponse((response) => response.url().includes('/settings.json'))
    await page.goto(path)
    await (await isChecked).finished()
    await page.waitForLoadState('networkidle')
    expect(await listScripts(page)).toEqual([
      expect.stringMatching(/^\/assets\/start-/),
      expect.stringMatching(/^\/assets\/platformCheck-/),
    ])
    expect(await isHydrated(page)).toBe(false)
    expect(
      await page.getByRole('link', { name: 'hello@kerbside.example' }).count(),
    ).toBeGreaterThan(0)
    // The first press of a button counts, although it comes before the app.
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('#site-drawer').getByRole('link', { name: 'Home' }).waitFor()
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(errors).toEqual([])
    await context.close()
  })

  test('presses a button once, however often a person tries while the app loads', async () => {
    const { page, context } = await openFreshPage(null)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/assets\/first-[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/about-us')
    const scheme = page.getByRole('button', { name: 'Dark' })
    await scheme.click()
    await scheme.click()
    letGo()
    await page.getByRole('button', { name: 'Light' }).waitFor()
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    await context.close()
  })

  test.each([
    ['name', 'settings/appName', 'Metro Taxis', '/privacy-policy', 'link'],
    ['text', 'languages/en/keyValuePairs/about_title', 'Who drives you', '/about-us', 'heading'],
  ] as const)('shows a %s that changed after the build', async (_, location, value, path, role) => {
    const before = await scene.read<string>(location)
    await scene.write({ [location]: value })
    try {
      const { page, context, errors } = await openFreshPage(null)
      await page.goto(path)
      await page.getByRole(role, { name: value }).first().waitFor()
      expect(errors).toEqual([])
      await context.close()
    } finally {
      await scene.write({ [location]: before })
    }
  })

  test('keeps the focus of a person who uses the keyboard', async () => {
    const { page, context } = await openFreshPage(null)
    await page.goto('/about-us')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await page.keyboard.press('Tab')
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true)
    await context.close()
  })
})

describe('the header', () => {
  const rgb = (page: Page) =>
    page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)
  const scrollTo = (page: Page, top: number) =>
    page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top)

  test.each([
    ['in English', 'en'],
    ['in a right-to-left language', 'ar'],
  ])('links to the four pages, on a phone through a drawer, %s', async (_, locale) => {
    const { page, context, errors } = await openFreshPage(null)
    await page.addInitScript((to) => localStorage.setItem('kerbside.locale', to), locale)
    await page.goto('/')
    await page.locator(`html[lang="${locale}"]`).waitFor()
    const texts = readInterfaceTexts()[locale] ?? {}
    const menu = page.getByRole('button', { name: texts['menu'], exact: true })
    await menu.click()
    const drawer = page.locator('#site-drawer')
    const box = await drawer.boundingBox()
    // The drawer opens at the end of the line: on the right, or on the left in right-to-left
    // languages.
    expect(locale === 'ar' ? box?.x : (box?.x ?? 0) + (box?.width ?? 0)).toBe(
      locale === 'ar' ? 0 : PHONE.width,
    )
    const links = await drawer
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links.sort()).toEqual(['/', '/about-us', '/bookings', '/privacy-policy'])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await menu.click()
    await drawer.getByRole('link', { name: texts['about_us'] }).click()
    await page.waitForURL('**/about-us')
    await drawer.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 900, height: 800 })
    expect(await menu.isVisible()).toBe(false)
    expect(await page.locator('header nav').getByRole('link').count()).toBe(4)
    expect(errors).toEqual([])
    await context.close()
  })

  test.each([
    ['a desktop', { width: 1280, height: 800 }, '500'],
    ['the narrowest screen with parallax', { width: 768, height: 900 }, '500'],
    ['a phone', PHONE, ''],
  ])(
    'changes its color after 400 px of scrolling, and houses drift only from 768 px width (%s)',
    async (_, size, drift) => {
      const { page, context } = await openFreshPage(null)
      await page.setViewportSize(size)
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.goto('/')
      await expect.poll(() => isHydrated(page)).toBe(true)
      const clear = await rgb(page)
      await scrollTo(page, 400)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400)
      expect(await page.locator('header[data-clear]').count()).toBe(1)
      await scrollTo(page, 500)
      await page.locator('header:not([data-clear])').waitFor()
      await expect.poll(() => rgb(page)).not.toBe(clear)
      await expect
        .poll(() =>
          page
            .locator('section')
            .first()
            .evaluate((hero) => hero.style.getPropertyValue('--scrolled')),
        )
        .toBe(drift)
      await context.close()
    },
  )
})

// A font that came late would move content.
test.each([
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
])('the dialog of languages shows all of them in full at $width px', async (size) => {
  const { page, context } = await browser.openAs(null, '/', size)
  await page.getByRole('button', { name: 'Choose a language' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Choose a language' })
  const languages = dialog.getByRole('listitem').getByRole('button')
  const count = Object.keys(readInterfaceTexts()).length
  await expect.poll(() => languages.count()).toBeGreaterThanOrEqual(count)
  expect(await findCovered(languages)).toEqual([])
  const faults = await languages.evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect())
    const panel = all[0]!.closest('dialog')!
    return {
      cut: all.filter((one) => one.scrollWidth > one.clientWidth).length,
      overlapping: boxes.filter((a, at) =>
        boxes.some(
          (b, other) =>
            other > at &&
            a.left < b.right &&
            b.left < a.right &&
            a.top < b.bottom &&
            b.top < a.bottom,
        ),
      ).length,
      isScrolling: panel.scrollWidth > panel.clientWidth || panel.scrollHeight > panel.clientHeight,
    }
  })
  expect(faults).toEqual({ cut: 0, overlapping: 0, isScrolling: false })
  await languages.first().focus()
  for (let at = 1; at < (await languages.count()); at++) {
    await page.keyboard.press('Tab')
    const isNext = languages.nth(at).evaluate((one) => one === document.activeElement)
    expect(await isNext, `language ${at}`).toBe(true)
  }
  await context.close()
})

test('the style sheets load no fonts', () => {
  const assets = resolve(import.meta.dirname, '../../dist/assets')
  const styles = readdirSync(assets).filter((file) => file.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(0)
  for (const file of styles)
    expect(readFileSync(resolve(assets, file), 'utf8'), file).not.toContain('@font-face')
})

test.each([
  ['index.html', 'Kerbside: across town at a price you see first'],
  ['about-us.html', 'About us'],
  ['privacy-policy.html', 'Privacy'],
])('%s describes itself in its own markup', (file, title) => {
  const html = readFileSync(resolve(import.meta.dirname, '../../dist', file), 'utf8')
  const findText = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  expect(findText(/<title>(.*?)<\/title>/)).toContain(title)
  expect(findText(/property="og:title" content="(.*?)"/)).toBe(findText(/<title>(.*?)<\/title>/))
  const description = findText(/name="description" content="(.*?)"/)
  expect(description.length).toBeGreaterThan(40)
  expect(findText(/property="og:description" content="(.*?)"/)).toBe(description)
  expect(findText(/<h1[^>]*>(.*?)<\/h1>/)).toBeTruthy()
  expect(findText(/property="og:image" content="(.*?)"/)).toMatch(/\/icons\/share\.jpg$/)
})

describe('the first visit', () => {
  test.each([PHONE, { width: 1280, height: 800 }])(
    'moves nothing on a platform with another name that lists its vehicles (%o)',
    async (size) => {
      const own = { appName: 'Metropolitan Taxi Company', horizontal_view: false }
      const before = (await scene.read<typeof own>('settings')) ?? own
      const write = ({ appName, horizontal_view }: typeof own) =>
        scene.write({ 'settings/appName': appName, 'settings/horizontal_view': horizontal_view })
      await write(own)
      try {
        const { page, context, errors } = await openFreshPage(null)
        await page.setViewportSize(size)
        const readShifts = await recordShifts(page)
        await page.goto('/')
        const courier = page.getByRole('radio', { name: /Courier/ })
        await courier.waitFor()
        await page.getByRole('link', { name: 'Metropolitan Taxi Company, home' }).waitFor()
        await expect.poll(() => isHydrated(page)).toBe(true)
        await page.waitForLoadState('networkidle')
        expect(await readShifts()).toEqual([])
        const boxes = await Promise.all(
          [courier, page.getByRole('radio', { name: /Economy/ })].map((card) => card.boundingBox()),
        )
        const [first, second] = boxes
        expect(second?.x).toBe(first?.x)
        expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0))
        expect(errors).toEqual([])
        await context.close()
      } finally {
        await write(before)
      }
    },
  )

  test('needs at most 110 KB of scripts before the form is usable', () => {
    const dist = resolve(import.meta.dirname, '../../dist')
    const page = readFileSync(resolve(dist, 'index.html'), 'utf8')
    const scripts = new Set([...page.matchAll(/\/assets\/[^"]+\.js/g)].map(([file]) => file))
    const bytes = [...scripts].map(
      (file) => gzipSync(readFileSync(`${dist}${file}`), { level: 9 }).length,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110 * 1024)
  })

  test('loads the SDK for pushes only where a person turns them on', () => {
    const dist = resolve(import.meta.dirname, '../../dist')
    const files = readdirSync(`${dist}/assets`).filter((file) => file.endsWith('.js'))
    const texts = new Map(
      files.map((file) => [file, readFileSync(`${dist}/assets/${file}`, 'utf8')]),
    )
    const filesWith = (pattern: RegExp) =>
      files.filter((file) => pattern.test(texts.get(file) ?? ''))
    const withSdk = filesWith(/fcmregistrations\.googleapis\.com/)
    expect(withSdk).toEqual([expect.stringMatching(/^messaging-/)])
    // The SDK and the files that load with it, because they import it when they start.
    const loaded = new Set(withSdk)
    for (const file of loaded)
      for (const importer of filesWith(new RegExp(`(from|import)\\s*["'][^"']*${file}`)))
        loaded.add(importer)
    for (const page of ['index.html', 'app.html', 'sw.js'])
      for (const file of loaded) expect(readFileSync(`${dist}/${page}`, 'utf8')).not.toContain(file)
    // Only the push port imports one of them, and only when it is used.
    const importers = [...loaded].flatMap((file) => filesWith(new RegExp(`import\\(.[^)]*${file}`)))
    expect(importers).toEqual([expect.stringMatching(/^push-/)])
  })

  test('caches the shell on the device, so that each public page opens offline and says so', async () => {
    const screen = await browser.openAs(null, '/', PHONE)
    const { page, context } = screen
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.clock.install()
    await context.setOffline(true)
    const offline = page.getByText('You are offline.')
    for (const path of PAGES) {
      await page.goto(path)
      await passTimeUntilVisible(page, offline)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    // A text that is not cached can be requested again, and the page stays as it is meanwhile.
    await page.getByRole('button', { name: 'Choose a language' }).click()
    const choice = page.getByRole('dialog', { name: 'Choose a language' })
    const again = choice.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await context.setOffline(false)
    await again.click()
    await choice.getByRole('button', { name: 'Español' }).waitFor()
    await page.keyboard.press('Escape')
    await passTimeUntilHidden(page, offline)
    await context.close()
  })
})

// The tests of this block and the next one wait most of the time, so they run at the same time. The
// slowest come first.
describe.concurrent('a slow network', () => {
  const SLOW_3G = {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  }
  /** Opens a page like `openFreshPage`, on a slow network. */
  const slow = async (uid: string | null) => {
    const screen = await openFreshPage(uid)
    const session = await screen.context.newCDPSession(screen.page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_3G)
    // The browser does not throttle WebSockets, so the test delays the database connection itself.
    await screen.page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((message) => void setTimeout(() => server.send(message), SLOW_3G.latency))
      server.onMessage((message) => void setTimeout(() => socket.send(message), SLOW_3G.latency))
    })
    await screen.page.addInitScript(() => {
      const seen = window as unknown as { troubles: string[] }
      seen.troubles = []
      new MutationObserver(() => {
        for (const banner of document.querySelectorAll('[role=status] [class*=banner]'))
          seen.troubles.push(banner.textContent)
      }).observe(document, { childList: true, subtree: true })
    })
    return screen
  }
  /** Returns every connection message that the page has shown. */
  const troubles = (page: Page) =>
    page.evaluate(() => (window as unknown as { troubles: string[] }).troubles)
  /** Locates the skeletons of content that is still loading. */
  const shapes = (page: Page) => page.locator('main [class*="skeleton"]')

  test('shows a visitor the form and vehicle skeletons at once, and then the full page', async ({
    expect,
  }) => {
    const { page, context, errors } = await slow(null)
    await page.goto('/', { waitUntil: 'commit' })
    await shapes(page).first().waitFor()
    expect(await page.getByRole('combobox', { name: 'Pickup', exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('radio', { name: /Courier/ }).count()).toBe(0)
    await page.getByRole('radio', { name: /Courier/ }).waitFor({ state: 'attached' })
    await expect.poll(() => shapes(page).count()).toBe(0)
    await page.getByRole('link', { name: 'App Store' }).waitFor()
    expect(await troubles(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  test('shows a rider skeletons of their bookings, and then the bookings', async ({ expect }) => {
    const { page, context, errors } = await slow('seed-rider')
    await page.goto('/bookings?tab=all', { waitUntil: 'commit' })
    await page.getByText('Loading…').first().waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: 'My bookings' }).waitFor()
    await page.locator('main a[href^="/bookings/"]').first().waitFor()
    await expect.poll(() => shapes(page).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await troubles(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})

describe.concurrent('the first visit, while it loads and is filled in', () => {
  test.for([
    ['a visitor', null, PHONE],
    ['a visitor', null, { width: 768, height: 1024 }],
    ['a visitor', null, { width: 1280, height: 800 }],
    ['a rider', 'seed-rider', PHONE],
    ['a rider', 'seed-rider', { width: 1920, height: 1080 }],
  ] as const)('shifts nothing that %s has seen (%s, %o)', async ([, uid, size], { expect }) => {
    const { page, context } = await openFreshPage(uid)
    await page.setViewportSize(size)
    const readShifts = await recordShifts(page)
    await page.goto('/')
    if (uid) await page.getByRole('button', { name: /^Messages/ }).waitFor()
    await page.getByRole('radio', { name: /Courier/ }).waitFor()
    await page.getByRole('link', { name: 'App Store' }).waitFor()
    await expect.poll(() => isHydrated(page)).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(await readShifts()).toEqual([])
    await context.close()
  })

  test.for([
    ['a phone', PHONE],
    ['a desktop', { width: 1280, height: 800 }],
  ] as const)(
    'shifts nothing when responses about places arrive late (%s)',
    async ([, size], { expect }) => {
      const { page, context, errors } = await openFreshPage(null)
      await page.setViewportSize(size)
      const readShifts = await recordShifts(page)
      await page.addInitScript(() => {
        const seen = window as unknown as { lastInput: number }
        seen.lastInput = 0
        for (const kind of ['keydown', 'pointerdown', 'pointerup'])
          window.addEventListener(kind, () => (seen.lastInput = performance.now()), true)
        // Recent places, one with a short address and one with a long one.
        const known = [
          'Plaza Matriz',
          'Terminal de Ómnibus Tres Cruces, Bulevar General Artigas 1825',
        ]
        const recent = known.map((add, at) => ({ lat: -34.9, lng: -56.2 + at / 100, add }))
        localStorage.setItem('kerbside.recent', JSON.stringify(recent))
      })
      const questions: { about: string; letGo: () => void }[] = []
      await page.route(/googleapis-/, async (route) => {
        await new Promise<void>((letGo) => questions.push({ about: route.request().url(), letGo }))
        await route.continue()
      })
      /**
       * Releases the requests of one kind 600 ms after the last input, because the browser no
       * longer counts a shift as user-initiated then.
       */
      const answer = async (kind: string) => {
        const asked = () => questions.filter(({ about }) => about.endsWith(kind))
        await expect.poll(() => asked().length).toBeGreaterThan(0)
        await page.waitForFunction(
          () => performance.now() - (window as unknown as { lastInput: number }).lastInput > 600,
        )
        const answered = page.waitForResponse((response) => response.url().endsWith(kind))
        for (const { letGo } of asked()) letGo()
        questions.splice(
          0,
          questions.length,
          ...questions.filter(({ about }) => !about.endsWith(kind)),
        )
        await answered
        await waitForTwoFrames(page)
      }
      const choose = async (field: string, words: string, full: RegExp) => {
        const input = page.getByRole('combobox', { name: field, exact: true })
        await input.click()
        await input.pressSequentially(words)
        await answer('autocomplete')
        await page.getByRole('option', { name: full }).first().click()
      }
      await page.goto('/')
      await page.getByRole('radio', { name: /Courier/ }).waitFor()
      await expect.poll(() => isHydrated(page)).toBe(true)
      await page.waitForLoadState('networkidle')

      await choose('Pickup', 'plaza independencia', /Plaza Independencia/i)
      // The first place resolves while the second field's list is open and shows the recent places.
      await page.getByRole('combobox', { name: 'Drop-off', exact: true }).click()
      await page.getByRole('option', { name: 'Plaza Matriz' }).waitFor()
      await answer('getcoords')
      await choose('Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
      await answer('getcoords')
      await answer('getdirections')
      await page.getByText(/km · /).first().waitFor()
      await page.waitForLoadState('networkidle')
      // The list names every element that moved, even by a fraction of a pixel.
      expect(await readShifts()).toEqual([])
      expect(errors).toEqual([])
      await context.close()
    },
  )
})

test('a page whose connection broke while loading recovers by itself', async () => {
  const { page, context } = await openFreshPage(null)
  const PART = /\/assets\/firebase-[^/]*\.js$/
  let lost = 0
  await page.route(PART, async (route) => {
    lost += 1
    await route.abort('connectionreset')
  })
  await page.clock.install()
  await page.goto('/')
  await expect.poll(() => lost).toBeGreaterThan(0)
  await page.unroute(PART)
  await passTimeUntilVisible(page, page.getByRole('radio', { name: /Courier/ }))
  await page.getByRole('button', { name: 'Choose a language' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Español' }).waitFor()
  await context.close()
})
