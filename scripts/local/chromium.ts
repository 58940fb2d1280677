import { existsSync } from 'node:fs'
import { installPackages, mayInstallPackages } from './aptPackages'

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
// Without the background flags, Chromium contacts hosts of its vendor at every start.
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Debian's Chromium without a window, which needs a fifth less processor time in the browser tests.
 * It lacks notifications.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const findFullChromium = (): string | undefined => USUAL_PATHS.find((place) => existsSync(place))
const findChromium = (): string | undefined =>
  existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findFullChromium()

/** Installs Debian's Chromium, and its headless shell where the distribution has one. */
const installChromium = () => {
  installPackages('chromium')
  try {
    installPackages('chromium-headless-shell')
  } catch {
    console.log('This system has no chromium-headless-shell: the browser tests take longer.')
  }
}

/**
 * Returns the path of the Chromium to test with: CHROMIUM_PATH, otherwise an installed one,
 * otherwise Debian's, which it installs if it has permission. `isFull` asks for a browser with
 * notifications.
 */
export function requireChromium({ isFull = false }: { isFull?: boolean } = {}): string {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist. Correct it, or unset it.`)
  }
  const find = isFull ? findFullChromium : findChromium
  const there = find()
  if (there !== undefined) return there
  if (mayInstallPackages()) {
    installChromium()
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (on Debian: apt-get install chromium ' +
      'chromium-headless-shell), or name its program in CHROMIUM_PATH, then run them again.',
  )
}
