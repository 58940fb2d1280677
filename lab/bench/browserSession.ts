import { join } from 'node:path'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { ROOT } from '~/scripts/local/build'
import { CHROMIUM_FLAGS, requireChromium } from '~/scripts/local/chromium'
import { createLocalSession } from '~/scripts/local/localSession'
import { startSuite, type Suite } from '~/scripts/local/suite'
import { reserveCore } from './processorCores'

/** An open page and the bytes its websocket received since `resetSocketBytes` or the start. */
export interface BenchPage {
  page: Page
  cdp: CDPSession
  /** Bytes of websocket messages received. */
  getSocketBytes(): number
  resetSocketBytes(): void
  close(): Promise<void>
}

export interface BrowserSession {
  suite: Suite
  browser: Browser
  /** Opens a page as a user or a visitor; pages share no state. */
  openPage(uid: string | null, size: { width: number; height: number }): Promise<BenchPage>
  close(): Promise<void>
}

/** Chromium's Slow 4G profile: 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
}

/** Slows a page to the level of a cheap phone: slow 4G and a quarter of the CPU speed. */
export const throttlePage = async ({ cdp }: BenchPage): Promise<void> => {
  await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

const HEAP_MEGABYTES = 9000

/** Starts a separate suite with the demo city. */
const startBenchSuite = (
  say: (line: string) => void,
  options: { hosting?: boolean } = {},
): Promise<Suite> => {
  // A million bookings need more memory than Node.js allows by default.
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${HEAP_MEGABYTES}`
  say('Starting a suite …')
  return startSuite({
    portBase: 'free',
    dataDir: join(ROOT, '.cache', 'bench', 'suite'),
    isFresh: true,
    isQuiet: true,
    ...options,
  })
}

interface BrowserSessionOptions {
  /** Gives the browser a core of its own, as on a computer that runs no server. */
  hasOwnCore?: boolean
  /** Allows the service worker, which would serve all visits after the first one. */
  allowsServiceWorker?: boolean
}

/** Opens the built app on a separate suite, and a Chromium. */
export const openBrowserSession = async (
  say: (line: string) => void,
  { hasOwnCore = false, allowsServiceWorker = false }: BrowserSessionOptions = {},
): Promise<BrowserSession> => {
  const core = hasOwnCore ? reserveCore() : undefined
  const suite = await startBenchSuite(say)
  const launch = () => chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_FLAGS })
  const browser = await (core ? core.startOnCore(launch) : launch())
  const open: BrowserSession['openPage'] = async (uid, viewport) => {
    const context = await browser.newContext({
      baseURL: suite.urls.web,
      viewport,
      locale: 'en-GB',
      timezoneId: 'America/Montevideo',
      permissions: ['geolocation'],
      geolocation: { latitude: -34.90542, longitude: -56.19108 },
      serviceWorkers: allowsServiceWorker ? 'allow' : 'block',
    })
    context.setDefaultTimeout(120_000)
    // The script runner wraps functions in a helper, `__name`, that functions sent to the page need
    // too.
    await context.addInitScript({ content: 'globalThis.__name = (named) => named' })
    if (uid !== null) {
      const { key, value } = await createLocalSession(suite.webConfig, uid)
      await context.addInitScript(
        ([name = '', user = '']) => {
          localStorage.setItem(name, user)
        },
        [key, value],
      )
    }
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    let received = 0
    cdp.on('Network.webSocketFrameReceived', ({ response }) => {
      received += Buffer.byteLength(response.payloadData)
    })
    return {
      page,
      cdp,
      getSocketBytes: () => received,
      resetSocketBytes: () => {
        received = 0
      },
      close: () => context.close(),
    }
  }
  return {
    suite,
    browser,
    openPage: open,
    close: async () => {
      await browser.close()
      await suite.stop()
    },
  }
}
