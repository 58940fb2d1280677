import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { shippedTexts } from '~/scripts/demoTree'
import { openBrowser, type TestBrowser } from '../support/browser'

const PAGES = ['/', '/about-us', '/privacy-policy']
const PHONE = { width: 390, height: 844 }
/** The parts of these pages that are made at build time and taken over late. */
const LATE_PARTS = /\/assets\/(Footer|AboutPage|PrivacyPage|BelowForm|art)-[^/]*\.js$/

let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** A page of the site in a fresh browser, before it has been to any that were built. */
const fresh = async (uid: string | null) => {
  const screen = await browser.openAs(uid, '/robots.txt', PHONE)
  onTestFailed(() => browser.picture({ [uid ?? 'visitor']: screen }))
  // What a worker fetches cannot be held back.
  await screen.page.addInitScript(() => {
    navigator.serviceWorker.register = () => new Promise(() => {})
  })
  return screen
}
/** Whether heading and footer have been taken over. */
const takenOver = (page: Page) =>
  page.evaluate(() =>
    ['h1', 'footer'].every((name) =>
      Object.keys(document.querySelector(name) ?? {}).some((key) => key.startsWith('__reactProps')),
    ),
  )

describe('a page that was made at build time', () => {
  test('is taken over without a fault, and then speaks each language', async () => {
    const { page, context, errors } = await fresh(null)
    const locales = Object.keys(shippedTexts())
    expect(locales.length).toBeGreaterThanOrEqual(8)
    for (const locale of locales)
      for (const path of PAGES) {
        await page.evaluate((chosen) => {
          localStorage.clear()
          localStorage.setItem('kerbside.locale', chosen)
        }, locale)
        await page.goto(path)
        await page.locator(`html[lang="${locale}"]`).waitFor()
        await expect.poll(() => takenOver(page)).toBe(true)
        expect(errors, `${path} in ${locale}`).toEqual([])
      }
    await context.close()
  })

  test.each([
    ['a language', null, 'html[dir="rtl"]'],
    ['a person', 'seed-rider', 'a[href="/bookings"]:text("My account")'],
  ])('is taken over without a fault when %s was there first', async (_, uid, sign) => {
    for (const path of PAGES) {
      const { page, context, errors } = await fresh(uid)
      let letGo = () => {}
      const held = new Promise<void>((done) => (letGo = done))
      await page.route(LATE_PARTS, async (route) => {
        await held
        await route.continue()
      })
      if (!uid) await page.addInitScript(() => localStorage.setItem('kerbside.locale', 'he'))
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator(sign).first().waitFor({ state: 'attached' })
      letGo()
      await expect.poll(() => takenOver(page)).toBe(true)
      expect(errors, path).toEqual([])
      await context.close()
    }
  })
})

describe('the header', () => {
  const rgb = (page: Page) =>
    page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)
  const scrollTo = (page: Page, top: number) =>
    page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top)

  test.each([
    ['in English', 'en'],
    ['from right to left', 'ar'],
  ])('leads to the four pages, on a phone from a drawer, %s', async (_, locale) => {
    const { page, context, errors } = await fresh(null)
    await page.addInitScript((to) => localStorage.setItem('kerbside.locale', to), locale)
    await page.goto('/')
    await page.locator(`html[lang="${locale}"]`).waitFor()
    const texts = shippedTexts()[locale] ?? {}
    const menu = page.getByRole('button', { name: texts['menu'], exact: true })
    await menu.click()
    const drawer = page.locator('#site-drawer')
    const box = await drawer.boundingBox()
    // Where a line ends: on the right, or on the left of a page that is read from there.
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
    ['a desk', { width: 1280, height: 800 }, '500'],
    ['the narrowest with parallax', { width: 768, height: 900 }, '500'],
    ['a phone', PHONE, ''],
  ])(
    'changes its colour after 400 pixels; houses drift only from 768 on (%s)',
    async (_, size, drift) => {
      const { page, context } = await fresh(null)
      await page.setViewportSize(size)
      await page.goto('/')
      await expect.poll(() => takenOver(page)).toBe(true)
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

test.each([
  ['index.html', 'Kerbside: rides and parcels across town'],
  ['about-us.html', 'About us'],
  ['privacy-policy.html', 'Privacy'],
])('%s says in its own markup what it is', (file, title) => {
  const html = readFileSync(resolve(import.meta.dirname, '../../dist', file), 'utf8')
  const said = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  expect(said(/<title>(.*?)<\/title>/)).toContain(title)
  expect(said(/property="og:title" content="(.*?)"/)).toBe(said(/<title>(.*?)<\/title>/))
  const description = said(/name="description" content="(.*?)"/)
  expect(description.length).toBeGreaterThan(40)
  expect(said(/property="og:description" content="(.*?)"/)).toBe(description)
  expect(said(/<h1[^>]*>(.*?)<\/h1>/)).toBeTruthy()
  expect(said(/property="og:image" content="(.*?)"/)).toMatch(/\/icons\/share\.jpg$/)
})

describe('the first visit', () => {
  test.each([
    ['a visitor', null, PHONE],
    ['a visitor', null, { width: 768, height: 1024 }],
    ['a visitor', null, { width: 1280, height: 800 }],
    ['a rider', 'seed-rider', PHONE],
    ['a rider', 'seed-rider', { width: 1920, height: 1080 }],
  ])('moves nothing that %s has seen (%s, %o)', async (_, uid, size) => {
    const { page, context } = await fresh(uid)
    await page.setViewportSize(size)
    await page.addInitScript(() => {
      const seen = window as unknown as { moved: string[] }
      seen.moved = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          sources: { node?: Node }[]
        })[])
          for (const { node } of entry.sources)
            seen.moved.push(node instanceof Element ? node.outerHTML.slice(0, 120) : String(node))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/')
    if (uid) await page.getByRole('button', { name: /^Messages/ }).waitFor()
    await page.getByRole('radio', { name: /Courier/ }).waitFor()
    await page.getByRole('link', { name: 'App Store' }).waitFor()
    await expect.poll(() => takenOver(page)).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
    await context.close()
  })

  test.each([
    ['a phone', PHONE],
    ['a desk', { width: 1280, height: 800 }],
  ])('moves nothing when answers about places come late (%s)', async (_, size) => {
    const { page, context, errors } = await fresh(null)
    await page.setViewportSize(size)
    await page.addInitScript(() => {
      const seen = window as unknown as { lastInput: number; moved: () => string[] }
      seen.lastInput = 0
      for (const kind of ['keydown', 'pointerdown', 'pointerup'])
        window.addEventListener(kind, () => (seen.lastInput = performance.now()), true)
      const moved: string[] = []
      const add = (entries: PerformanceEntryList) => {
        for (const { value, hadRecentInput, sources } of entries as (PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
        })[])
          if (!hadRecentInput)
            moved.push(
              `${value} ${sources.map(({ node, previousRect: from, currentRect: to }) => `${node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent)} ${JSON.stringify([from, to])}`).join(' ')}`,
            )
      }
      const observer = new PerformanceObserver((list) => add(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      seen.moved = () => {
        add(observer.takeRecords())
        return moved
      }
      // Places of before, of one line and of more.
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
    /** Lets the questions of one kind go once what moves is no answer to a hand any more: half a second after it. */
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
      // Until what came is drawn.
      await page.evaluate(
        () =>
          new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(() => done(null))),
          ),
      )
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
    await expect.poll(() => takenOver(page)).toBe(true)
    await page.waitForLoadState('networkidle')

    await choose('Pickup', 'plaza independencia', /Plaza Independencia/i)
    // The first place is found while the second one's list is open, with the places of before in it.
    await page.getByRole('combobox', { name: 'Drop-off', exact: true }).click()
    await page.getByRole('option', { name: 'Plaza Matriz' }).waitFor()
    await answer('getcoords')
    await choose('Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
    await answer('getcoords')
    await answer('getdirections')
    await page.getByText(/km · /).first().waitFor()
    await page.waitForLoadState('networkidle')
    // Nothing, not even by a fraction: each that moves is named.
    expect(
      await page.evaluate(() => (window as unknown as { moved: () => string[] }).moved()),
    ).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  test('needs at most 110 KB of scripts before the form can be used', () => {
    const dist = resolve(import.meta.dirname, '../../dist')
    const page = readFileSync(resolve(dist, 'index.html'), 'utf8')
    const scripts = new Set([...page.matchAll(/\/assets\/[^"]+\.js/g)].map(([file]) => file))
    const bytes = [...scripts].map(
      (file) => gzipSync(readFileSync(`${dist}${file}`), { level: 9 }).length,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110 * 1024)
  })

  test('leaves the shell on the device: without a network each public page opens, and says so', async () => {
    const screen = await browser.openAs(null, '/', PHONE)
    onTestFailed(() => browser.picture({ visitor: screen }))
    const { page, context } = screen
    await page.evaluate(() => navigator.serviceWorker.ready)
    await context.setOffline(true)
    for (const path of PAGES) {
      await page.goto(path)
      await page.getByText('You are offline.').waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    // What is not on the device can be asked for again, and takes nothing away meanwhile.
    await page.getByRole('button', { name: 'Choose a language' }).click()
    const choice = page.getByRole('dialog', { name: 'Choose a language' })
    const again = choice.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await context.setOffline(false)
    await again.click()
    await choice.getByRole('button', { name: 'Español' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await context.close()
  })
})

describe('a slow network', () => {
  const SLOW_3G = {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  }
  /** Like `fresh`, with a network from the edge of the city. */
  const slow = async (uid: string | null) => {
    const screen = await fresh(uid)
    const session = await screen.context.newCDPSession(screen.page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_3G)
    return screen
  }
  /** The shapes of what is still on its way. */
  const shapes = (page: Page) => page.locator('main [class*="skeleton"]')

  test('shows a visitor the form at once and the shapes of its vehicles, and then all of it', async () => {
    const { page, context, errors } = await slow(null)
    await page.goto('/', { waitUntil: 'commit' })
    await shapes(page).first().waitFor()
    expect(await page.getByRole('combobox', { name: 'Pickup', exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('radio', { name: /Courier/ }).count()).toBe(0)
    await page.getByRole('radio', { name: /Courier/ }).waitFor({ state: 'attached' })
    await expect.poll(() => shapes(page).count()).toBe(0)
    await page.getByRole('link', { name: 'App Store' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  test('shows a rider the shapes of his bookings, and then them', async () => {
    const { page, context, errors } = await slow('seed-rider')
    await page.goto('/bookings?tab=all', { waitUntil: 'commit' })
    await page.getByText('Loading…').first().waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: 'My bookings' }).waitFor()
    await page.locator('main a[href^="/bookings/"]').first().waitFor()
    await expect.poll(() => shapes(page).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })
})

test('a page whose connection broke off while it loaded goes on by itself', async () => {
  const { page, context } = await fresh(null)
  const PART = /\/assets\/firebase-[^/]*\.js$/
  let lost = 0
  await page.route(PART, async (route) => {
    lost += 1
    await route.abort('connectionreset')
  })
  await page.goto('/')
  await expect.poll(() => lost).toBeGreaterThan(0)
  await page.unroute(PART)
  await page.getByRole('radio', { name: /Courier/ }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Choose a language' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Español' }).waitFor()
  await context.close()
})
