import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Response,
} from 'playwright-core'
import { CHROMIUM_FLAGS, requireChromium } from '~/scripts/local/chromium'
import { recordContext } from './failureEvidence'
import { createStoredUser } from './testClients'
import { getSuite } from './testSuite'

export interface Screen {
  context: BrowserContext
  page: Page
  /** The page's own errors: uncaught errors and console errors. */
  errors: string[]
}
export interface TestBrowserOptions extends Pick<BrowserContextOptions, 'serviceWorkers'> {
  isFull?: boolean
}
export interface TestBrowser {
  /** Opens a context that the evidence of a failed test includes. */
  openContext(options: BrowserContextOptions): Promise<BrowserContext>
  /** Opens a page of the app signed in as `uid`, or as a visitor; each page has its own storage. */
  openAs(
    uid: string | null,
    path?: string,
    size?: { width: number; height: number },
  ): Promise<Screen>
  close(): Promise<void>
}

/** Returns one line about a refused request: its URL, its input and the response. */
async function describeResponse(response: Response): Promise<string> {
  const request = response.request()
  const answer = await response.text().catch(() => '')
  const sent = request.postData() ?? ''
  return `${request.method()} ${response.url()} ${response.status()}: ${sent.slice(0, 200)} → ${answer.slice(0, 400)}`
}

/**
 * A file of the site without the app. A test opens it first to prepare a browser's storage or its
 * requests before the app starts.
 */
export const PLAIN_FILE = '/robots.txt'

/**
 * Waits until the page has its heading and nothing on it is loading. It looks at every frame;
 * waiting for a locator looks twice a second.
 */
export const waitUntilLoaded = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('h1') &&
      !document.querySelector('[aria-busy=true], [class*=skeleton]'),
  )

/** Returns true when the heading and the footer of a prerendered page have been hydrated. */
export const isHydrated = (page: Page) =>
  page.evaluate(() =>
    ['h1', 'footer'].every((name) =>
      Object.keys(document.querySelector(name) ?? {}).some((key) => key.startsWith('__reactProps')),
    ),
  )

/** Navigates as the app's own links do, without loading the page again. */
export const navigateWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    // The router numbers its history entries, and gives each a key of its own.
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ idx: idx + 1, key: `${to}-${idx + 1}` }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as object }))
  }, path)

/** Opens the panel at an address of the app, over its page without another panel. */
export const openPanel = async (page: Page, address: string) => {
  await navigateWithin(page, new URL(address, page.url()).pathname)
  await page.waitForFunction(
    () => document.querySelector('h1') && !document.querySelector('dialog[open]'),
  )
  await navigateWithin(page, address)
  await page.waitForFunction(() => document.querySelector('dialog[open]'))
}

/** Blocks a page's service worker, whose requests a test cannot intercept. */
export const blockServiceWorker = (page: Page) =>
  page.addInitScript(() => {
    navigator.serviceWorker.register = () => new Promise(() => {})
  })

/** The running browsers of this worker by executable. They end with the worker. */
const browsers = new Map<string, Browser>()

/**
 * Returns the worker's browser with this executable. The first file that needs it starts it, and so
 * does the first file after a crash.
 */
async function getBrowser(executablePath: string): Promise<Browser> {
  const running = browsers.get(executablePath)
  if (running?.isConnected()) return running
  const started = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  browsers.set(executablePath, started)
  return started
}

/**
 * Opens a headless Chromium for a test file. Its pages have no service worker, which would cache
 * the shell again in every context, unless `serviceWorkers` allows it: a test needs it for pages
 * that open offline and for pushes. Its pages prefer reduced motion, because Chromium draws every
 * frame of an animation without a graphics card. `isFull` opens a browser with notifications.
 * `close` closes only the contexts of the file, because the files of a worker share the browser.
 */
export async function openTestBrowser({
  serviceWorkers = 'block',
  isFull = false,
}: TestBrowserOptions = {}): Promise<TestBrowser> {
  const browser = await getBrowser(requireChromium({ isFull }))
  const contexts: BrowserContext[] = []
  const openContext = async (options: BrowserContextOptions) => {
    const context = await browser.newContext({
      serviceWorkers,
      reducedMotion: 'reduce',
      ...options,
    })
    contexts.push(context)
    await recordContext(context)
    return context
  }
  return {
    openContext,
    openAs: async (uid, path = '/', size = { width: 1280, height: 800 }) => {
      const context = await openContext({
        baseURL: getSuite().urls.web,
        viewport: size,
        locale: 'en-GB',
        timezoneId: 'America/Montevideo',
        permissions: ['geolocation'],
        geolocation: { latitude: -34.90542, longitude: -56.19108 },
      })
      if (uid !== null) {
        const { key, value } = await createStoredUser(uid)
        // The SDK adopts a user that it finds in localStorage; only the first page of a context may
        // put one there.
        await context.addInitScript(
          ([name = '', user = '', owner = '']) => {
            // The empty page that a context starts with has no storage.
            if (location.protocol === 'about:') return
            if (localStorage.getItem('kerbside-test-signed-in')) return
            localStorage.setItem('kerbside-test-signed-in', 'true')
            localStorage.setItem(name, user)
            localStorage.setItem('kerbside.person', owner)
          },
          [key, value, uid],
        )
      }
      // A busy machine is slow, but an endless wait must still fail.
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        // The browser's own line about a refused request lacks the request and the response.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          errors.push(message.text())
      })
      page.on('response', (response) => {
        if (response.status() >= 400)
          void describeResponse(response).then((line) => errors.push(line))
      })
      await page.goto(path)
      return { context, page, errors }
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}
