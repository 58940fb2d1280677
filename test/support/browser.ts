import { resolve } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Page,
  type Response,
} from 'playwright-core'
import { inject } from 'vitest'
import { CHROMIUM_FLAGS, chromiumPath } from '~/scripts/chromium'
import { storedUser } from './clients'

const PICTURES = resolve(import.meta.dirname, '../../.kerbside/test')

export interface Screen {
  context: BrowserContext
  page: Page
  /** What went wrong in the page's own eyes: uncaught errors and console errors. */
  errors: string[]
}
export interface TestBrowser {
  browser: Browser
  /** Opens a page of the app signed in as `uid`, or as a visitor; each with storage of its own. */
  openAs(
    uid: string | null,
    path?: string,
    size?: { width: number; height: number },
  ): Promise<Screen>
  /** Leaves a picture of each screen in .kerbside/test/, to see why a test failed. */
  picture(screens: Record<string, Screen>): Promise<void>
  close(): Promise<void>
}

/** A refused request in one line: which it was, what was sent and what came back. */
async function told(response: Response): Promise<string> {
  const request = response.request()
  const answer = await response.text().catch(() => '')
  const sent = request.postData() ?? ''
  return `${request.method()} ${response.url()} ${response.status()}: ${sent.slice(0, 200)} → ${answer.slice(0, 400)}`
}

/** Until nothing on a page that has begun is still on its way. */
export const loaded = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('[aria-busy=true], [class*=skeleton]'))

/** One headless Chromium for a test file. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS })
  return {
    browser,
    openAs: async (uid, path = '/', size = { width: 1280, height: 800 }) => {
      const context = await browser.newContext({
        baseURL: inject('urls').web,
        viewport: size,
        locale: 'en-GB',
        timezoneId: 'America/Montevideo',
        permissions: ['geolocation'],
        geolocation: { latitude: -34.90542, longitude: -56.19108 },
      })
      if (uid !== null) {
        const { key, value } = await storedUser(uid)
        // The SDK adopts a user it finds in localStorage; only the first page of a context may put it there.
        await context.addInitScript(
          ([name = '', user = '']) => {
            if (localStorage.getItem('kerbside-test-signed-in')) return
            localStorage.setItem('kerbside-test-signed-in', 'true')
            localStorage.setItem(name, user)
          },
          [key, value],
        )
      }
      // A machine with other work takes its time; a wait that never ends is still told.
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        // The browser's own line about a refused request names neither the request nor the answer.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          errors.push(message.text())
      })
      page.on('response', (response) => {
        if (response.status() >= 400) void told(response).then((line) => errors.push(line))
      })
      await page.goto(path)
      return { context, page, errors }
    },
    picture: async (screens) => {
      for (const [name, { page, errors }] of Object.entries(screens)) {
        const path = resolve(PICTURES, `${name}.png`)
        await page.screenshot({ path }).catch(() => undefined)
        console.log(`${name} at ${page.url()}: ${path}`, errors)
      }
    },
    close: () => browser.close(),
  }
}
