import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { directionOf } from '~/src/i18n/speak'
import { localSession } from '../localSession'
import type { Urls, WebConfig } from '../suiteConfig'
import { faultsIn, isSettled } from './faults'
import { EXTREMES, type PicturesPlan, SIZES } from './plan'
import type { Say, Subject } from './screens'
import type { Shot } from './sheet'

/** A long page is shown so far; a picture of all its rows says no more. */
const TALLEST = 2600
const PATIENCE_MS = 60_000

export interface Studio {
  browser: Browser
  urls: Urls
  webConfig: WebConfig
  plan: PicturesPlan
  /** Where the pictures go. */
  folder: string
  say: (language: string) => Say
}

interface Opened {
  page: Page
  /** What the page complained of since it was last asked. */
  complaints(): string[]
  close(): Promise<void>
}

const openPage = async (
  { browser, urls, webConfig }: Studio,
  { uid, expects }: Subject,
  language: string,
): Promise<Opened> => {
  const context = await browser.newContext({
    baseURL: urls.web,
    viewport: SIZES.desktop,
    locale: 'en-GB',
    timezoneId: 'America/Montevideo',
    reducedMotion: 'reduce',
    permissions: ['geolocation'],
    geolocation: { latitude: -34.90542, longitude: -56.19108 },
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const stored: Record<string, string> = { 'kerbside.locale': language }
  if (uid !== null) {
    const { key, value } = await localSession(webConfig, uid)
    stored[key] = value
  }
  await context.addInitScript((items) => {
    if (localStorage.getItem('kerbside-pictures')) return
    for (const [key, value] of Object.entries({ ...items, 'kerbside-pictures': 'true' }))
      localStorage.setItem(key, value)
  }, stored)
  // The compiler wraps functions in this one; those that run in the page need it there.
  await context.addInitScript('globalThis.__name = (given) => given')
  const page = await context.newPage()
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(`Uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser's own line about a refused request does not name the request.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      heard.push(`The console says: ${message.text().slice(0, 300)}`)
  })
  page.on('response', (response) => {
    const refused = `${response.status()} ${new URL(response.url()).pathname}`
    if (response.status() >= 400 && !expects?.test(refused)) heard.push(`Refused: ${refused}`)
  })
  return {
    page,
    complaints: () => heard.splice(0),
    close: () => context.close(),
  }
}

const settle = async (page: Page): Promise<string[]> => {
  try {
    await page.waitForFunction(isSettled, undefined, { polling: 120, timeout: PATIENCE_MS / 2 })
    return []
  } catch {
    return ['It is still loading.']
  }
}

/** Takes every picture of one screen in one language. */
export const photograph = async (
  studio: Studio,
  subject: Subject,
  language: string,
): Promise<Shot[]> => {
  const { plan, folder, say } = studio
  const { page, complaints, close } = await openPage(studio, subject, language)
  const shots: Shot[] = []
  const shot = (size: string, theme: string, faults: string[], file: string | null = null) =>
    shots.push({ name: subject.name, size, theme, language, file, faults })
  const sizes = plan.sizes.filter((size) => !subject.size || subject.size === size)
  const [first = 'desktop'] = sizes
  try {
    await page.setViewportSize(SIZES[subject.size ?? first])
    await page.goto(subject.path)
    if (!subject.foreign)
      await page.waitForFunction(
        ([locale, dir]) =>
          document.documentElement.lang === locale && document.documentElement.dir === dir,
        [language, directionOf(language)],
      )
    const slow = await settle(page)
    await subject.steps?.(page, say(language))
    for (const size of sizes) {
      await page.setViewportSize(SIZES[size])
      for (const theme of plan.themes) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        const faults = [...slow.splice(0), ...(await settle(page)), ...complaints()]
        faults.push(...(await page.evaluate(faultsIn)))
        const file = `${subject.name}.${language}.${size}.${theme}.png`
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        const { width, height } = SIZES[size]
        const length = await page.evaluate(() => document.documentElement.scrollHeight)
        const isModal = (await page.locator('dialog[open]').count()) > 0
        await page.screenshot({
          path: join(folder, file),
          animations: 'disabled',
          ...(!isModal && {
            fullPage: true,
            clip: { x: 0, y: 0, width, height: Math.min(Math.max(length, height), TALLEST) },
          }),
        })
        shot(size, theme, faults, file)
      }
    }
    if (!subject.size && !subject.foreign)
      for (const [size, viewport] of Object.entries(EXTREMES)) {
        await page.setViewportSize(viewport)
        const faults = await settle(page)
        shot(size, plan.themes[0] ?? 'light', [...faults, ...(await page.evaluate(faultsIn))])
      }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : error
    const file = `${subject.name}.${language}.failed.png`
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    await page.screenshot({ path: join(folder, file) }).catch(() => undefined)
    shot('failed', '', [`It could not be photographed: ${String(why)}`, ...complaints()], file)
  } finally {
    await close()
  }
  return shots
}
