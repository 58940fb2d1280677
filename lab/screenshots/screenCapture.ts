import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { getTextDirection } from '~/domain/language/locales'
import { createLocalSession } from '~/scripts/local/localSession'
import type { Urls, WebConfig } from '~/scripts/local/suiteConfig'
import { findLayoutFaults, isSettled } from './layoutFaults'
import { EXTREME_SIZES, type ScreenshotPlan, SIZES } from './screenshotPlan'
import type { Translator, ScreenSpec } from './screenList'
import type { Screenshot } from './contactSheet'

/**
 * Maximum height of a picture in pixels; the remaining rows of a long page would show nothing new.
 */
const MAX_HEIGHT = 2600
const TIMEOUT_MS = 60_000

export interface CaptureContext {
  browser: Browser
  urls: Urls
  webConfig: WebConfig
  plan: ScreenshotPlan
  /** Folder for the pictures. */
  folder: string
  getTranslator: (language: string) => Translator
}

interface OpenedPage {
  page: Page
  /** Returns the errors that the page has reported since the last call. */
  takeErrors(): string[]
  close(): Promise<void>
}

const openPage = async (
  { browser, urls, webConfig }: CaptureContext,
  { uid, expectedErrors }: ScreenSpec,
  language: string,
): Promise<OpenedPage> => {
  const context = await browser.newContext({
    baseURL: urls.web,
    viewport: SIZES.desktop,
    locale: 'en-GB',
    timezoneId: 'America/Montevideo',
    reducedMotion: 'reduce',
    permissions: ['geolocation'],
    geolocation: { latitude: -34.90542, longitude: -56.19108 },
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const stored: Record<string, string> = { 'kerbside.locale': language }
  if (uid !== null) {
    const { key, value } = await createLocalSession(webConfig, uid)
    stored[key] = value
  }
  await context.addInitScript((items) => {
    if (localStorage.getItem('kerbside-pictures')) return
    for (const [key, value] of Object.entries({ ...items, 'kerbside-pictures': 'true' }))
      localStorage.setItem(key, value)
  }, stored)
  // The compiler wraps functions in this helper, which functions that run in the page need too.
  await context.addInitScript('globalThis.__name = (given) => given')
  const page = await context.newPage()
  const reports: string[] = []
  page.on('pageerror', (error) => reports.push(`Uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser's own message about a refused request does not name the request.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      reports.push(`The console says: ${message.text().slice(0, 300)}`)
  })
  page.on('response', (response) => {
    const refused = `${response.status()} ${new URL(response.url()).pathname}`
    if (response.status() >= 400 && !expectedErrors?.test(refused))
      reports.push(`Refused: ${refused}`)
  })
  return {
    page,
    takeErrors: () => reports.splice(0),
    close: () => context.close(),
  }
}

const waitUntilSettled = async (page: Page): Promise<string[]> => {
  try {
    await page.waitForFunction(isSettled, undefined, { polling: 120, timeout: TIMEOUT_MS / 2 })
    return []
  } catch {
    return ['It is still loading.']
  }
}

/** Photographs the whole page, or what is in sight when a dialog covers it. */
const takePicture = async (
  page: Page,
  path: string,
  { width, height }: { width: number; height: number },
): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true })
  const length = await page.evaluate(() => document.documentElement.scrollHeight)
  const isModal = (await page.locator('dialog[open]').count()) > 0
  await page.screenshot({
    path,
    animations: 'disabled',
    ...(!isModal && {
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(Math.max(length, height), MAX_HEIGHT) },
    }),
  })
}

/** Takes all pictures of one screen in one language. */
export const captureScreen = async (
  studio: CaptureContext,
  subject: ScreenSpec,
  language: string,
): Promise<Screenshot[]> => {
  const { plan, folder, getTranslator } = studio
  const { page, takeErrors, close } = await openPage(studio, subject, language)
  const shots: Screenshot[] = []
  const shot = (size: string, theme: string, faults: string[], file: string | null = null) =>
    shots.push({ name: subject.name, size, theme, language, file, faults })
  const sizes = plan.sizes.filter((size) => !subject.size || subject.size === size)
  const [first = 'desktop'] = sizes
  try {
    await page.setViewportSize(SIZES[subject.size ?? first])
    await page.goto(subject.path)
    if (!subject.isForeign)
      await page.waitForFunction(
        ([locale, dir]) =>
          document.documentElement.lang === locale && document.documentElement.dir === dir,
        [language, getTextDirection(language)],
      )
    const slow = await waitUntilSettled(page)
    await subject.steps?.(page, getTranslator(language))
    for (const size of sizes) {
      await page.setViewportSize(SIZES[size])
      for (const theme of plan.themes) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        const faults = [...slow.splice(0), ...(await waitUntilSettled(page)), ...takeErrors()]
        faults.push(...(await page.evaluate(findLayoutFaults)))
        const file = `${subject.name}.${language}.${size}.${theme}.png`
        await takePicture(page, join(folder, file), SIZES[size])
        shot(size, theme, faults, file)
      }
    }
    if (!subject.size && !subject.isForeign)
      for (const [size, viewport] of Object.entries(EXTREME_SIZES)) {
        await page.setViewportSize(viewport)
        const faults = await waitUntilSettled(page)
        shot(size, plan.themes[0] ?? 'light', [
          ...faults,
          ...(await page.evaluate(findLayoutFaults)),
        ])
      }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : error
    const file = `${subject.name}.${language}.failed.png`
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    await page.screenshot({ path: join(folder, file) }).catch(() => undefined)
    shot('failed', '', [`It could not be photographed: ${String(why)}`, ...takeErrors()], file)
  } finally {
    await close()
  }
  return shots
}
