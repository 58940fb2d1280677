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
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await context.close()
  })
})
