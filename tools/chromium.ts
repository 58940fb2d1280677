import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

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

const findInstalledChromium = (): string | undefined =>
  USUAL_PATHS.find((place) => existsSync(place))

/**
 * Returns the path of the Chromium to test with: CHROMIUM_PATH, otherwise an installed one,
 * otherwise Debian's, which it installs if it has permission.
 */
export function requireChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist. Correct it, or unset it.`)
  }
  const there = findInstalledChromium()
  if (there !== undefined) return there
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …')
    const apt = (...args: string[]) =>
      execFileSync('apt-get', ['-qq', '-y', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt('update')
    apt('install', '--no-install-recommends', 'chromium')
    const installed = findInstalledChromium()
    if (installed !== undefined) return installed
  }
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (on Debian: apt-get install chromium), ' +
      'or name its program in CHROMIUM_PATH, then run them again.',
  )
}
