import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import puppeteer from 'puppeteer-core'
import { Builder, By, error, type WebDriver, type WebElement } from 'selenium-webdriver'
import { vi } from 'vitest'
import { isListening } from '~/scripts/local/ports'
import { requireDisplayServer, requireFirefox, requireWebKit } from '~/lab/otherEngines'

const WAIT_MS = 60_000
/** Milliseconds for what a browser that still works does at once. */
const LAST_MS = 15_000
const SIZE = { width: 1280, height: 900 }

/** One page in one engine. Elements are named by XPath, which both protocols understand. */
export interface EnginePage {
  open(url: string): Promise<void>
  /** Waits until an element exists and is in view. */
  find(xpath: string): Promise<void>
  click(xpath: string): Promise<void>
  /** Types into a field as a person does. */
  type(xpath: string, text: string): Promise<void>
  readUrl(): Promise<string>
  /** Returns a picture of the page as a PNG in base64. */
  takePicture(): Promise<string>
  close(): Promise<void>
}

/** Opens Firefox, controlled by WebDriver BiDi. */
const openFirefox = async (): Promise<EnginePage> => {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: requireFirefox(),
    headless: true,
    defaultViewport: SIZE,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
  })
  const page = await browser.newPage()
  const locate = (xpath: string) =>
    page.locator(`::-p-xpath(${xpath})`).setTimeout(WAIT_MS).setEnsureElementIsInTheViewport(true)
  return {
    open: async (url) => void (await page.goto(url)),
    find: async (xpath) => void (await locate(xpath).waitHandle()),
    click: (xpath) => locate(xpath).click(),
    type: async (xpath, text) => {
      await locate(xpath).click()
      await page.keyboard.type(text)
    },
    readUrl: () => Promise.resolve(page.url()),
    takePicture: () => page.screenshot({ encoding: 'base64' }),
    close: () => browser.close(),
  }
}

const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Starts a display without a screen; returns its name. */
const startDisplay = (): Promise<{ server: ChildProcess; name: string }> =>
  new Promise((resolve, reject) => {
    const server = spawn(
      requireDisplayServer(),
      ['-displayfd', '1', '-screen', '0', '1400x1000x24'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    server.once('error', reject)
    server.stdout.once('data', (text: Buffer) =>
      resolve({ server, name: `:${text.toString().trim()}` }),
    )
  })

const connectWebKit = (port: number, browser: string): Promise<WebDriver> =>
  new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    })
    .build()

/** Rejects when a browser that hangs does not answer. */
const giveUpLate = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  const late = AbortSignal.timeout(LAST_MS)
  return Promise.race([
    answer,
    new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(late.reason as Error)),
    ),
  ])
}

/** Opens WebKitGTK, controlled by WebDriver. */
const openWebKit = async (): Promise<EnginePage> => {
  const { driver, browser } = requireWebKit()
  const display = await startDisplay()
  const port = await findFreePort()
  const service = spawn(driver, [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DISPLAY: display.name, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  })
  const stop = () => {
    service.kill()
    display.server.kill()
  }
  try {
    await vi.waitFor(async () => {
      if (!(await isListening(port))) throw new Error('WebKitWebDriver does not listen yet.')
    }, WAIT_MS)
    const page = await connectWebKit(port, browser)
    await page
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...SIZE })
    /**
     * Acts on an element once it is in view, and again on its successor when React replaced it
     * between two requests.
     */
    const withElement = async (
      xpath: string,
      act: (element: WebElement) => Promise<void> = () => Promise.resolve(),
    ): Promise<void> => {
      await page.wait(async () => {
        try {
          const element = await page.findElement(By.xpath(xpath))
          if (!(await element.isDisplayed())) return false
          await act(element)
          return true
        } catch (failure) {
          const isGone =
            failure instanceof error.StaleElementReferenceError ||
            failure instanceof error.NoSuchElementError
          if (isGone) return false
          throw failure
        }
      }, WAIT_MS)
    }
    return {
      open: (url) => page.get(url),
      find: (xpath) => withElement(xpath),
      click: (xpath) => withElement(xpath, (element) => element.click()),
      type: (xpath, text) => withElement(xpath, (element) => element.sendKeys(text)),
      readUrl: () => page.getCurrentUrl(),
      takePicture: () => giveUpLate(page.takeScreenshot()),
      close: () => giveUpLate(page.quit()).finally(stop),
    }
  } catch (failure) {
    stop()
    throw failure
  }
}

export const ENGINES = { Firefox: openFirefox, WebKit: openWebKit } as const
