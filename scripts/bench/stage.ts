import { join } from 'node:path'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { ROOT } from '../build'
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium'
import { localSession } from '../localSession'
import { startSuite, type Suite } from '../suite'

/** One opened page, and what its websocket received since `forget` or the beginning. */
export interface Screen {
  page: Page
  cdp: CDPSession
  /** Bytes of websocket messages received. */
  socketBytes(): number
  forget(): void
  close(): Promise<void>
}

export interface Stage {
  suite: Suite
  browser: Browser
  /** Opens a page as somebody, or as a visitor; nothing of it is kept between two. */
  open(uid: string | null, size: { width: number; height: number }): Promise<Screen>
  close(): Promise<void>
}

/** Chromium's own name of it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
}

/** Makes a page as slow as a cheap phone: slow 4G and a quarter of the processor. */
export const slowDown = async ({ cdp }: Screen): Promise<void> => {
  await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

const MEGABYTES_OF_HEAP = 9000

/** A suite of its own with the demo city. */
export const openSuite = (
  say: (line: string) => void,
  options: { hosting?: boolean } = {},
): Promise<Suite> => {
  // A million bookings are more than Node.js gives a process unasked.
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${MEGABYTES_OF_HEAP}`
  say('Starting a suite …')
  return startSuite({
    portBase: 'free',
    dataDir: join(ROOT, '.cache', 'bench', 'suite'),
    fresh: true,
    quiet: true,
    ...options,
  })
}

/** The built app on a suite of its own, and a Chromium. */
export const openStage = async (say: (line: string) => void): Promise<Stage> => {
  const suite = await openSuite(say)
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS })
  const open: Stage['open'] = async (uid, viewport) => {
    const context = await browser.newContext({
      baseURL: suite.urls.web,
      viewport,
      locale: 'en-GB',
      timezoneId: 'America/Montevideo',
      permissions: ['geolocation'],
      geolocation: { latitude: -34.90542, longitude: -56.19108 },
      // What a first visit costs; a second one is the worker's.
      serviceWorkers: 'block',
    })
    context.setDefaultTimeout(120_000)
    // What runs the scripts here marks functions by their names, and so those that are sent to the page.
    await context.addInitScript({ content: 'globalThis.__name = (named) => named' })
    if (uid !== null) {
      const { key, value } = await localSession(suite.webConfig, uid)
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
      socketBytes: () => received,
      forget: () => {
        received = 0
      },
      close: () => context.close(),
    }
  }
  return {
    suite,
    browser,
    open,
    close: async () => {
      await browser.close()
      await suite.stop()
    },
  }
}
