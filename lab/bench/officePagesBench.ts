import type { Page } from 'playwright-core'
import { listProcesses } from '~/scripts/local/processes'
import { boundAbove, getMedian, type Measurement } from './measurement'
import { openPlatformDatabase, growPlatform } from './platform/platformData'
import { getUid } from './platform/platformPeople'
import { openBrowserSession, type BenchPage, type BrowserSession } from './browserSession'
import type { Booking } from '~/domain/booking/types'
import type { Milliseconds } from '~/domain/language/units'

const BOOKING_COUNTS = [1000, 10_000, 100_000, 1_000_000]
const RUNS = 3
const DESKTOP = { width: 1280, height: 800 }
/** Includes what the page still receives after its rows, in milliseconds. */
const SETTLE_MS = 1500
const MAX_BYTES = 200_000

/** The back office pages, each with the user, the URL and the selector that shows it has loaded. */
const OFFICE_PAGES = [
  ['bookings', 'seed-admin', '/bookings', 'table tbody tr'],
  ['bookings of a status', 'seed-admin', '/bookings?status=COMPLETE', 'table tbody tr'],
  [
    'bookings of a driver',
    'seed-admin',
    `/bookings?driver=${getUid('driver', 3)}`,
    'table tbody tr',
  ],
  ['riders', 'seed-admin', '/riders', 'table tbody tr'],
  ['drivers', 'seed-admin', '/drivers', 'table tbody tr'],
  ['fleet admins', 'seed-admin', '/fleetadmins', 'table tbody tr'],
  ['admins', 'seed-admin', '/alladmin', 'table tbody tr'],
  ['promos', 'seed-admin', '/promos', 'table tbody tr'],
  ['withdraws', 'seed-admin', '/withdraws', 'table tbody tr'],
  ['audit', 'seed-admin', '/audit', 'table tbody tr'],
  ['driver earnings', 'seed-admin', '/driverearning', 'table tbody tr'],
  ['earning reports', 'seed-admin', '/earningreports', 'table tbody tr'],
  ['dashboard', 'seed-admin', '/dashboard', '[role="group"] section p'],
  ['add booking', 'seed-admin', '/addbookings', 'form'],
  ['add to wallet', 'seed-admin', '/addtowallet', 'form'],
  ['car types', 'seed-admin', '/cartypes', 'table tbody tr'],
  ['notifications', 'seed-admin', '/notifications', 'table tbody tr'],
  ['languages', 'seed-admin', '/languagesetting', 'table tbody tr'],
  ['settings', 'seed-admin', '/settings', 'form'],
  ['fleet: dashboard', 'seed-fleetadmin', '/dashboard', '[role="group"] section p'],
  ['fleet: bookings', 'seed-fleetadmin', '/bookings', 'table tbody tr'],
  ['fleet: drivers', 'seed-fleetadmin', '/drivers', 'table tbody tr'],
  ['fleet: driver earnings', 'seed-fleetadmin', '/driverearning', 'table tbody tr'],
] as const

interface OpenedPage {
  ms: Milliseconds
  bytes: number
}

const openPage = async (
  screen: BenchPage,
  path: string,
  contentSelector: string,
): Promise<OpenedPage> => {
  screen.resetSocketBytes()
  await screen.page.goto(path, { waitUntil: 'commit' })
  const shownAt = await screen.page.waitForFunction(
    (selector) => (document.querySelector(selector) ? performance.now() : false),
    contentSelector,
    { polling: 'raf' },
  )
  const ms = Number(await shownAt.jsonValue())
  await screen.page.waitForTimeout(SETTLE_MS)
  return { ms, bytes: screen.getSocketBytes() }
}

/**
 * Returns the longest time the page was blocked while a name was typed into its search field, in
 * milliseconds.
 */
const measureTyping = async (page: Page): Promise<number> => {
  const field = page.getByRole('searchbox').first()
  await field.click()
  await page.evaluate(() => {
    const gaps: number[] = []
    let last = performance.now()
    const tick = (now: number) => {
      gaps.push(now - last)
      last = now
      if (document.documentElement.dataset.benchTyping !== 'over') requestAnimationFrame(tick)
      else document.documentElement.dataset.benchWorst = String(Math.max(...gaps.slice(1)))
    }
    document.documentElement.dataset.benchTyping = 'on'
    requestAnimationFrame(tick)
  })
  await field.pressSequentially('maria silva', { delay: 70 })
  await page.waitForTimeout(500)
  await page.evaluate(() => {
    document.documentElement.dataset.benchTyping = 'over'
  })
  await page.waitForFunction(() => document.documentElement.dataset.benchWorst)
  const worst = await page.evaluate(() => Number(document.documentElement.dataset.benchWorst))
  await page.evaluate(() => {
    delete document.documentElement.dataset.benchWorst
  })
  await field.fill('')
  return worst
}

/**
 * Returns the resident memory of the database on a port in megabytes (10⁶ bytes); NaN when no such
 * process exists.
 */
const readDatabaseMemory = (port: number): number => {
  const databaseProcess = listProcesses().find(
    ({ command }) =>
      / -jar \S*database\S* /.test(command) && `${command} `.includes(` --port ${port} `),
  )
  return ((databaseProcess?.memoryKilobytes ?? Number.NaN) * 1024) / 1e6
}

const formatSize = (size: number) => (size >= 1e6 ? `${size / 1e6}M` : `${size / 1000}k`)

/** Measures every page at one size: the median of a few visits each. */
const measurePages = async (
  stage: BrowserSession,
  size: number,
  say: (line: string) => void,
): Promise<Measurement[]> => {
  const figures: Measurement[] = []
  const screens = new Map<string, BenchPage>()
  const getScreen = async (uid: string) => {
    const openScreen = screens.get(uid)
    if (openScreen) return openScreen
    const opened = await stage.openPage(uid, DESKTOP)
    screens.set(uid, opened)
    // The first page of a browser loads the scripts, which `pages` measures.
    await openPage(opened, '/dashboard', '[role="group"] section p')
    return opened
  }
  try {
    for (const [name, uid, path, selector] of OFFICE_PAGES) {
      const screen = await getScreen(uid)
      const openedPages: OpenedPage[] = []
      for (let run = 0; run < RUNS; run++) openedPages.push(await openPage(screen, path, selector))
      const ms = getMedian(openedPages.map((visit) => visit.ms))
      const bytes = Math.max(...openedPages.map((visit) => visit.bytes))
      say(`${formatSize(size)} ${name}: ${Math.round(ms)} ms, ${Math.round(bytes / 1000)} kB`)
      figures.push(
        boundAbove(`${formatSize(size)}, ${name}`, 's', ms / 1000, 1),
        boundAbove('  read over the websocket', 'kB', bytes / 1000, MAX_BYTES / 1000),
      )
    }
    for (const path of ['/bookings', '/riders', '/drivers']) {
      const { page } = await getScreen('seed-admin')
      await page.goto(path)
      await page.locator('table tbody tr').first().waitFor()
      const worst: number[] = []
      for (let run = 0; run < RUNS; run++) worst.push(await measureTyping(page))
      say(`${formatSize(size)} typing in ${path}: ${worst.map(Math.round).join(', ')} ms`)
      figures.push(
        boundAbove(
          `${formatSize(size)}, worst frame while typing in ${path}`,
          'ms',
          getMedian(worst),
          50,
        ),
      )
    }
  } finally {
    for (const screen of screens.values()) await screen.close()
  }
  return figures
}

/** The queries behind the pages, sent to the database directly. */
const LIST_QUERIES: readonly (readonly [
  name: string,
  path: string,
  query: Record<string, string>,
])[] = [
  ['a page by key', 'bookings', { orderBy: '"$key"', limitToLast: '26' }],
  [
    'a page of a status',
    'bookings',
    { orderBy: '"status"', equalTo: '"COMPLETE"', limitToLast: '26' },
  ],
  [
    'a page of a driver',
    'bookings',
    { orderBy: '"driver"', equalTo: `"${getUid('driver', 3)}"`, limitToLast: '26' },
  ],
  [
    'a page of a fleet',
    'bookings',
    { orderBy: '"fleetadmin"', equalTo: '"seed-fleetadmin"', limitToLast: '30' },
  ],
  ['a page by date', 'bookings', { orderBy: '"bookingDate"', startAt: '0', limitToFirst: '500' }],
  [
    'a page of drivers',
    'people',
    { orderBy: '"usertype"', equalTo: '"driver"', limitToLast: '26' },
  ],
  [
    'a name’s beginning',
    'people',
    { orderBy: '"firstName"', startAt: '"Mar"', endAt: '"Mar\uf8ff"', limitToFirst: '20' },
  ],
]

const measureLists = async (stage: BrowserSession, size: number): Promise<Measurement[]> => {
  const figures: Measurement[] = []
  for (const [name, path, query] of LIST_QUERIES) {
    const times: number[] = []
    let bytes = 0
    for (let run = 0; run < 9; run++) {
      const began = performance.now()
      const rows = await stage.suite.database.get(path, query)
      times.push(performance.now() - began)
      bytes = JSON.stringify(rows).length
    }
    figures.push(
      { name: `${formatSize(size)}, list: ${name}`, unit: 'ms', here: getMedian(times) },
      { name: '  what came', unit: 'kB', here: bytes / 1000 },
    )
  }
  return figures
}

/**
 * Measures the back office pages with a year of one thousand to one million bookings;
 * KERBSIDE_BENCH_ROWS=1000,10000 sets other sizes.
 */
export const benchOfficePages = async (say: (line: string) => void): Promise<Measurement[]> => {
  const stage = await openBrowserSession(say)
  const now = Date.now()
  const named = (process.env.KERBSIDE_BENCH_ROWS ?? '').split(',').map(Number).filter(Boolean)
  const sizes = named.length > 0 ? named : BOOKING_COUNTS
  const figures: Measurement[] = []
  try {
    const demo = (await stage.suite.database.get('bookings')) as Record<string, Booking>
    const templates = Object.values(demo)
    const filling = openPlatformDatabase(stage.suite.urls.database)
    let from = 0
    for (const to of sizes) {
      say(`Growing to ${formatSize(to)} bookings …`)
      const began = performance.now()
      await growPlatform(filling, { now, templates, from, to })
      const seconds = (performance.now() - began) / 1000
      const memory = readDatabaseMemory(stage.suite.ports.database)
      say(`… in ${Math.round(seconds)} s; the database has ${Math.round(memory)} MB.`)
      figures.push(...(await measureLists(stage, to)), ...(await measurePages(stage, to, say)), {
        name: `${formatSize(to)}, memory of the database`,
        unit: 'MB',
        here: memory,
      })
      from = to
    }
    return figures
  } finally {
    await stage.close()
  }
}
