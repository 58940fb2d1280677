import type { Page } from 'playwright-core'
import type { Booking } from '~/domain/entities'
import { processes } from '../processes'
import { atMost, median, type Figure } from './figure'
import { fillingOf, grow, personAt } from './platform'
import { openStage, type Screen, type Stage } from './stage'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
const RUNS = 3
const DESKTOP = { width: 1280, height: 800 }
/** What still comes after the rows belongs to the page too. */
const AFTERWARDS_MS = 1500
const MOST_BYTES = 200_000

/** The pages of the office, and what tells that one shows what it is opened for. */
const PAGES = [
  ['bookings', 'seed-admin', '/bookings', 'table tbody tr'],
  ['bookings of a status', 'seed-admin', '/bookings?status=COMPLETE', 'table tbody tr'],
  [
    'bookings of a driver',
    'seed-admin',
    `/bookings?driver=${personAt('driver', 3)}`,
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

interface Opened {
  ms: number
  bytes: number
}

const openPage = async (screen: Screen, path: string, shown: string): Promise<Opened> => {
  screen.forget()
  await screen.page.goto(path, { waitUntil: 'commit' })
  const seen = await screen.page.waitForFunction(
    (selector) => (document.querySelector(selector) ? performance.now() : false),
    shown,
    { polling: 'raf' },
  )
  const ms = Number(await seen.jsonValue())
  await screen.page.waitForTimeout(AFTERWARDS_MS)
  return { ms, bytes: screen.socketBytes() }
}

/** The longest the page did not answer while a name was typed into its search field, ms. */
const typing = async (page: Page): Promise<number> => {
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

/** Resident memory of the database that was told to take a port, in megabytes (10⁶ bytes); NaN when there is none. */
const memoryAt = (port: number): number => {
  const found = processes().find(
    ({ command }) =>
      / -jar \S*database\S* /.test(command) && `${command} `.includes(` --port ${port} `),
  )
  return ((found?.kilobytes ?? Number.NaN) * 1024) / 1e6
}

const told = (size: number) => (size >= 1e6 ? `${size / 1e6}M` : `${size / 1000}k`)

/** Every page at one size: the middle of a few visits each. */
const measure = async (
  stage: Stage,
  size: number,
  say: (line: string) => void,
): Promise<Figure[]> => {
  const figures: Figure[] = []
  const screens = new Map<string, Screen>()
  const screenOf = async (uid: string) => {
    const known = screens.get(uid)
    if (known) return known
    const opened = await stage.open(uid, DESKTOP)
    screens.set(uid, opened)
    // The first page of a browser fetches the scripts; that is what \`pages\` measures.
    await openPage(opened, '/dashboard', '[role="group"] section p')
    return opened
  }
  try {
    for (const [name, uid, path, shown] of PAGES) {
      const screen = await screenOf(uid)
      const visits: Opened[] = []
      for (let run = 0; run < RUNS; run++) visits.push(await openPage(screen, path, shown))
      const ms = median(visits.map((visit) => visit.ms))
      const bytes = Math.max(...visits.map((visit) => visit.bytes))
      say(`${told(size)} ${name}: ${Math.round(ms)} ms, ${Math.round(bytes / 1000)} kB`)
      figures.push(
        atMost(`${told(size)}, ${name}`, 's', ms / 1000, 1),
        atMost('  read over the websocket', 'kB', bytes / 1000, MOST_BYTES / 1000),
      )
    }
    for (const path of ['/bookings', '/riders', '/drivers']) {
      const { page } = await screenOf('seed-admin')
      await page.goto(path)
      await page.locator('table tbody tr').first().waitFor()
      const worst: number[] = []
      for (let run = 0; run < RUNS; run++) worst.push(await typing(page))
      say(`${told(size)} typing in ${path}: ${worst.map(Math.round).join(', ')} ms`)
      figures.push(
        atMost(`${told(size)}, worst frame while typing in ${path}`, 'ms', median(worst), 50),
      )
    }
  } finally {
    for (const screen of screens.values()) await screen.close()
  }
  return figures
}

/** The queries behind the pages, asked of the database itself: the middle of several, and what came. */
const LISTS: readonly (readonly [name: string, path: string, query: Record<string, string>])[] = [
  ['a page by key', 'bookings', { orderBy: '"$key"', limitToLast: '26' }],
  [
    'a page of a status',
    'bookings',
    { orderBy: '"status"', equalTo: '"COMPLETE"', limitToLast: '26' },
  ],
  [
    'a page of a driver',
    'bookings',
    { orderBy: '"driver"', equalTo: `"${personAt('driver', 3)}"`, limitToLast: '26' },
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

const listCosts = async (stage: Stage, size: number): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [name, path, query] of LISTS) {
    const times: number[] = []
    let bytes = 0
    for (let run = 0; run < 9; run++) {
      const began = performance.now()
      const rows = await stage.suite.database.get(path, query)
      times.push(performance.now() - began)
      bytes = JSON.stringify(rows).length
    }
    figures.push(
      { name: `${told(size)}, list: ${name}`, unit: 'ms', here: median(times) },
      { name: '  what came', unit: 'kB', here: bytes / 1000 },
    )
  }
  return figures
}

/** The office's pages over a year of a thousand to a million bookings; KERBSIDE_BENCH_ROWS=1000,10000 names other sizes. */
export const benchRows = async (say: (line: string) => void): Promise<Figure[]> => {
  const stage = await openStage(say)
  const now = Date.now()
  const named = (process.env.KERBSIDE_BENCH_ROWS ?? '').split(',').map(Number).filter(Boolean)
  const sizes = named.length > 0 ? named : SIZES
  const figures: Figure[] = []
  try {
    const demo = (await stage.suite.database.get('bookings')) as Record<string, Booking>
    const templates = Object.values(demo)
    const filling = fillingOf(stage.suite.urls.database)
    let from = 0
    for (const to of sizes) {
      say(`Growing to ${told(to)} bookings …`)
      const began = performance.now()
      await grow(filling, { now, templates, from, to })
      const seconds = (performance.now() - began) / 1000
      const memory = memoryAt(stage.suite.ports.database)
      say(`… in ${Math.round(seconds)} s; the database has ${Math.round(memory)} MB.`)
      figures.push(...(await listCosts(stage, to)), ...(await measure(stage, to, say)), {
        name: `${told(to)}, memory of the database`,
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
