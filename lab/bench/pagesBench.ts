import type { Page } from 'playwright-core'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Share } from '~/domain/access/shares'
import { screenPaths } from '~/src/store/screenPaths'
import type { Suite } from '~/scripts/local/suite'
import { openBrowserSession, throttlePage, type BrowserSession } from './browserSession'
import { auditPages } from './lighthouse'
import { boundAbove, boundBelow, compareWithPeer, getMedian, type Measurement } from './measurement'
import { installPeers } from './peerPackages'
import { startWebPeer } from './webPeer'
import type { Booking } from '~/domain/booking/types'
import type { Milliseconds } from '~/domain/language/units'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const RUNS = 5
const READING_TIME_MS = 3000

/** The timings that a page has recorded since it started. */
interface PageTimings {
  paint: number
  largest: number
  shift: number
  /** The elements that moved, with their old and new boxes, to find the cause of a layout shift. */
  moved: string[]
  usable: number
  worst: number
}

declare global {
  interface Window {
    benchTimings?: PageTimings
  }
}

/**
 * Records paints, shifts, slow responses and the time a field becomes usable, starting before the
 * page's first script.
 */
const observePage = (usable: string) => {
  const timings: PageTimings = { paint: 0, largest: 0, shift: 0, moved: [], usable: 0, worst: 0 }
  window.benchTimings = timings
  const observe = (type: string, take: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...more,
    })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') timings.paint = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => (timings.largest = entry.startTime))
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    if (hadRecentInput) return
    timings.shift += value
    for (const { node, previousRect, currentRect } of sources)
      timings.moved.push(
        `${Math.round(entry.startTime)} ms: ${node?.nodeName} “${node?.textContent?.slice(0, 40)}” from ${[previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')).join(' to ')}`,
      )
  })
  observe('event', ({ duration }) => (timings.worst = Math.max(timings.worst, duration)), {
    durationThreshold: 16,
  })
  // React adds its props to each element it handles; before that, the field does not respond.
  const measureUsable = () => {
    const field = document.querySelector(usable)
    if (field && Object.keys(field).some((key) => key.startsWith('__reactProps')))
      timings.usable = performance.now()
    else requestAnimationFrame(measureUsable)
  }
  measureUsable()
}

const readTimings = (page: Page): Promise<PageTimings> =>
  page.evaluate(() => {
    if (!window.benchTimings)
      throw new Error('The page recorded no timings. Run the benchmark again.')
    return window.benchTimings
  })

const waitUntilUsable = (page: Page) =>
  page.waitForFunction(() => (window.benchTimings?.usable ?? 0) > 0, null, { polling: 100 })

/** Fills the booking form as a rider does. */
const fillBookingForm = async (page: Page): Promise<void> => {
  const fields = page.locator('form input[role="combobox"]')
  for (const [at, text] of ['tres cruces', 'aeropuerto'].entries()) {
    const field = fields.nth(at)
    await field.click()
    await field.pressSequentially(text, { delay: 80 })
    // Before the search responds, the list shows other options: the user's own position, the map.
    await page
      .getByRole('option', { name: new RegExp(text, 'i') })
      .first()
      .click()
  }
}

/**
 * Counts the bytes of scripts, compressed and without headers, that had loaded after `ms`. Counts a
 * script that is fetched and then imported once, because the cache serves the import.
 */
const countScriptBytes = (page: Page, ms: Milliseconds): Promise<number> =>
  page.evaluate(
    (until) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(
          ({ name, responseEnd, transferSize }) =>
            name.endsWith('.js') && responseEnd <= until && transferSize > 0,
        )
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    ms,
  )

/**
 * Measures the first paint of the smallest file on the same host, which is the cost of the network
 * alone.
 */
const measureSmallestFile = async (stage: BrowserSession): Promise<number> => {
  const screen = await stage.openPage(null, PHONE)
  try {
    await throttlePage(screen)
    await screen.page.addInitScript(observePage, 'form input')
    await screen.page.goto('/robots.txt')
    await screen.page.waitForFunction(() => (window.benchTimings?.paint ?? 0) > 0)
    return (await readTimings(screen.page)).paint
  } finally {
    await screen.close()
  }
}

const measureHome = async (
  stage: BrowserSession,
  say: (line: string) => void,
): Promise<PageTimings & { bytes: number }> => {
  const screen = await stage.openPage(null, PHONE)
  try {
    await throttlePage(screen)
    await screen.page.addInitScript(observePage, 'form input')
    await screen.page.goto('/', { waitUntil: 'commit' })
    await waitUntilUsable(screen.page)
    const bytes = await countScriptBytes(screen.page, (await readTimings(screen.page)).usable)
    await screen.page.waitForLoadState('networkidle')
    const before = await readTimings(screen.page)
    await fillBookingForm(screen.page)
    const { worst, shift, moved } = await readTimings(screen.page)
    for (const line of moved) say(`The layout moved at ${line}`)
    return { ...before, worst, shift, bytes }
  } finally {
    await screen.close()
  }
}

/** Waits for the dashboard's cards with their amounts and for a menu that responds. */
const waitForDashboard = (page: Page) =>
  page.waitForFunction(
    () => {
      const cards = document.querySelectorAll('[role="group"] section p')
      const link = document.querySelector('nav a')
      const listens = link && Object.keys(link).some((key) => key.startsWith('__reactProps'))
      return cards.length >= 3 && listens ? performance.now() : false
    },
    null,
    { polling: 'raf' },
  )

/**
 * Returns the time until the login form of a page handles input, or of the peer's. Both have an
 * input in a form.
 */
const measureLogin = async (stage: BrowserSession, url: string): Promise<number> => {
  const screen = await stage.openPage(null, PHONE)
  try {
    await throttlePage(screen)
    await screen.page.addInitScript(observePage, 'form input')
    await screen.page.goto(url, { waitUntil: 'commit' })
    await waitUntilUsable(screen.page)
    return (await readTimings(screen.page)).usable
  } finally {
    await screen.close()
  }
}

/** Shares a booking of the demo city that is under way, and returns the path of the link. */
const createSharedLink = async ({ database }: Suite): Promise<string> => {
  const bookings = (await database.get('bookings')) as Record<string, Booking>
  const [id, booking] =
    Object.entries(bookings).find(([, { status }]) => status === 'STARTED') ?? []
  if (id === undefined || booking === undefined)
    throw new Error('The demo city has no booking under way. Run the benchmark again.')
  const token = 'benchmarkbenchmarkbenchmark'
  const now = Date.now()
  const share: Share = {
    booking: id,
    by: booking.customer,
    level: 'live',
    at: now,
    expires: now + 9e6,
  }
  await database.put(dbPaths.share(token), { ...share })
  return screenPaths.sharedBooking(token)
}

/** Compares the public pages with the smallest app of react-admin in the same browser. */
const benchWithPeer = async (
  stage: BrowserSession,
  homeUsable: number,
  say: (line: string) => void,
): Promise<Measurement[]> => {
  if (!installPeers(say, 'bench-web')) return []
  const peer = await startWebPeer()
  try {
    say('Visiting the login and the peer …')
    const measure = async (url: string) =>
      getMedian(await repeatVisit(() => measureLogin(stage, url))) / 1000
    const [login, peerLogin] = [await measure('/login'), await measure(peer.url)]
    const paths = [
      screenPaths.home,
      screenPaths.about,
      screenPaths.privacy,
      await createSharedLink(stage.suite),
      screenPaths.login,
    ]
    const urls = [...paths.map((path) => new URL(path, stage.suite.urls.web).href), peer.url]
    const scores = await auditPages(urls, RUNS, say)
    const peerScores = scores.at(-1)
    const audited = scores.slice(0, -1).flatMap((pageScores, at): Measurement[] => {
      const name = (paths[at] ?? '').startsWith('/track') ? 'a shared link' : (paths[at] ?? '')
      // Search engines must not list the login, so it has no bounds.
      const atLeast = (what: string, value: number, least: number): Measurement =>
        name === screenPaths.login
          ? { name: what, unit: '', here: value }
          : boundBelow(what, '', value, least)
      return [
        {
          ...atLeast(`${name}: performance`, pageScores.performance, 99),
          ...(peerScores && { peer: peerScores.performance }),
        },
        atLeast('  accessibility', pageScores.accessibility, 100),
        atLeast('  best practices', pageScores['best-practices'], 100),
        atLeast('  search engines', pageScores.seo, 100),
        boundAbove('  total blocking time', 'ms', pageScores.blockingMs, 100),
        boundAbove('  layout shift', '‰', 1000 * pageScores.shift, 0),
      ]
    })
    return [
      compareWithPeer('cost', 'home, form usable', 's', { here: homeUsable, peer: peerLogin }, 3),
      compareWithPeer('cost', 'login, form usable', 's', { here: login, peer: peerLogin }, 2),
      ...audited,
    ]
  } finally {
    peer.stop()
  }
}

const measureOffice = async (stage: BrowserSession): Promise<number> => {
  const screen = await stage.openPage('seed-admin', DESKTOP)
  try {
    await throttlePage(screen)
    await screen.page.goto('/dashboard', { waitUntil: 'commit' })
    return Number(await (await waitForDashboard(screen.page)).jsonValue())
  } finally {
    await screen.close()
  }
}

/** Returns the time from the tap that sends the code to the first back office page. */
const measureSignIn = async (stage: BrowserSession): Promise<number> => {
  const screen = await stage.openPage(null, DESKTOP)
  const { page } = screen
  try {
    await throttlePage(screen)
    await page.goto('/login')
    await page.getByLabel('Mobile number').fill('+15555550100')
    await page.getByRole('button', { name: 'Get code' }).click()
    const code = page.getByRole('button', { name: 'Use this code' })
    await code.waitFor()
    // While the user reads and types six digits, the page has time to preload.
    await page.waitForTimeout(READING_TIME_MS)
    await page.evaluate(() => performance.mark('bench-sent'))
    await code.click()
    const shownAt = Number(await (await waitForDashboard(page)).jsonValue())
    const sentAt = await page.evaluate(
      () => performance.getEntriesByName('bench-sent')[0]?.startTime ?? 0,
    )
    return shownAt - sentAt
  } finally {
    await screen.close()
  }
}

const repeatVisit = async <Result>(visit: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = []
  for (let run = 0; run < RUNS; run++) results.push(await visit())
  return results
}

/**
 * Measures the home page and the first back office page on the network and CPU of a cheap phone.
 */
export const benchPages = async (say: (line: string) => void): Promise<Measurement[]> => {
  const stage = await openBrowserSession(say)
  try {
    say('Visiting the home page …')
    await measureHome(stage, say)
    const home = await repeatVisit(() => measureHome(stage, say))
    const floor = getMedian(await repeatVisit(() => measureSmallestFile(stage)))
    const mid = (of: (timings: (typeof home)[number]) => number) => getMedian(home.map(of))
    say('Signing in to the office …')
    await measureSignIn(stage)
    const signedIn = await repeatVisit(() => measureSignIn(stage))
    const opened = await repeatVisit(() => measureOffice(stage))
    const homeUsable = mid(({ usable }) => usable) / 1000
    return [
      { name: 'robots.txt, first paint: the network alone', unit: 's', here: floor / 1000 },
      boundAbove('home, first paint', 's', mid(({ paint }) => paint) / 1000, 0.8),
      boundAbove('home, largest paint', 's', mid(({ largest }) => largest) / 1000, 0.8),
      boundAbove('home, form usable', 's', homeUsable, 1.4),
      boundAbove('home, scripts before that', 'KB', mid(({ bytes }) => bytes) / 1024, 110),
      boundAbove(
        'home, worst interaction',
        'ms',
        mid(({ worst }) => worst),
        64,
      ),
      boundAbove('home, layout shift', '‰', 1000 * Math.max(...home.map(({ shift }) => shift)), 0),
      boundAbove(
        'office, from the code to its first page usable',
        's',
        getMedian(signedIn) / 1000,
        2.2,
      ),
      boundAbove('office, opened again', 's', getMedian(opened) / 1000, 2.5),
      ...(await benchWithPeer(stage, homeUsable, say)),
    ]
  } finally {
    await stage.close()
  }
}
