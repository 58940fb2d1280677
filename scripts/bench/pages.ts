import type { Page } from 'playwright-core'
import { atMost, median, type Figure } from './figure'
import { openStage, slowDown, type Stage } from './stage'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const RUNS = 5
const READING_MS = 3000

/** What the page has written down about itself since it began. */
interface Told {
  paint: number
  largest: number
  shift: number
  /** What moved, from where and to where: a shift without its cause can't be mended. */
  moved: string[]
  usable: number
  worst: number
}

declare global {
  interface Window {
    benchTold?: Told
  }
}

/** Begins to write down, before the page's own first script: paints, shifts, slow answers, and when a field listens. */
const listen = (usable: string) => {
  const told: Told = { paint: 0, largest: 0, shift: 0, moved: [], usable: 0, worst: 0 }
  window.benchTold = told
  const observe = (type: string, take: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...more,
    })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') told.paint = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => (told.largest = entry.startTime))
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    if (hadRecentInput) return
    told.shift += value
    for (const { node, previousRect, currentRect } of sources)
      told.moved.push(
        `${Math.round(entry.startTime)} ms: ${node?.nodeName} “${node?.textContent?.slice(0, 40)}” from ${[previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')).join(' to ')}`,
      )
  })
  observe('event', ({ duration }) => (told.worst = Math.max(told.worst, duration)), {
    durationThreshold: 16,
  })
  // React marks what it listens to: before that a field is only a picture of one.
  const look = () => {
    const field = document.querySelector(usable)
    if (field && Object.keys(field).some((key) => key.startsWith('__reactProps')))
      told.usable = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

const toldBy = (page: Page): Promise<Told> =>
  page.evaluate(() => {
    if (!window.benchTold) throw new Error('The page has written nothing down about itself.')
    return window.benchTold
  })

const untilUsable = (page: Page) =>
  page.waitForFunction(() => (window.benchTold?.usable ?? 0) > 0, null, { polling: 100 })

/** What somebody who books does with the form's fields. */
const fillForm = async (page: Page): Promise<void> => {
  const fields = page.locator('form input[role="combobox"]')
  for (const [at, text] of ['tres cruces', 'aeropuerto'].entries()) {
    const field = fields.nth(at)
    await field.click()
    await field.pressSequentially(text, { delay: 80 })
    // Before the search answers there are other ways on the list: one's own place, the map.
    await page
      .getByRole('option', { name: new RegExp(text, 'i') })
      .first()
      .click()
  }
}

/** Bytes of scripts, compressed and without headers, that were whole by then. */
const scriptsBefore = (page: Page, ms: number): Promise<number> =>
  page.evaluate(
    (until) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= until)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    ms,
  )

/** The first paint of the smallest file of the same host: what the network alone costs. */
const visitSmallest = async (stage: Stage): Promise<number> => {
  const screen = await stage.open(null, PHONE)
  try {
    await slowDown(screen)
    await screen.page.addInitScript(listen, 'form input')
    await screen.page.goto('/robots.txt')
    await screen.page.waitForFunction(() => (window.benchTold?.paint ?? 0) > 0)
    return (await toldBy(screen.page)).paint
  } finally {
    await screen.close()
  }
}

const visitHome = async (
  stage: Stage,
  say: (line: string) => void,
): Promise<Told & { bytes: number }> => {
  const screen = await stage.open(null, PHONE)
  try {
    await slowDown(screen)
    await screen.page.addInitScript(listen, 'form input')
    await screen.page.goto('/', { waitUntil: 'commit' })
    await untilUsable(screen.page)
    const bytes = await scriptsBefore(screen.page, (await toldBy(screen.page)).usable)
    await screen.page.waitForLoadState('networkidle')
    const before = await toldBy(screen.page)
    await fillForm(screen.page)
    const { worst, shift, moved } = await toldBy(screen.page)
    for (const line of moved) say(`The layout moved at ${line}`)
    return { ...before, worst, shift, bytes }
  } finally {
    await screen.close()
  }
}

/** The dashboard's cards with their amounts, and a menu that listens. */
const untilDashboard = (page: Page) =>
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

const openOffice = async (stage: Stage): Promise<number> => {
  const screen = await stage.open('seed-admin', DESKTOP)
  try {
    await slowDown(screen)
    await screen.page.goto('/dashboard', { waitUntil: 'commit' })
    return Number(await (await untilDashboard(screen.page)).jsonValue())
  } finally {
    await screen.close()
  }
}

/** From the touch that sends the code to the first page of the office. */
const signIn = async (stage: Stage): Promise<number> => {
  const screen = await stage.open(null, DESKTOP)
  const { page } = screen
  try {
    await slowDown(screen)
    await page.goto('/login')
    await page.getByLabel('Mobile number').fill('+15555550100')
    await page.getByRole('button', { name: 'Get code' }).click()
    const code = page.getByRole('button', { name: 'Use this code' })
    await code.waitFor()
    // Reading six figures and typing them gives the page time to look ahead.
    await page.waitForTimeout(READING_MS)
    await page.evaluate(() => performance.mark('bench-sent'))
    await code.click()
    const shown = Number(await (await untilDashboard(page)).jsonValue())
    const sentAt = await page.evaluate(
      () => performance.getEntriesByName('bench-sent')[0]?.startTime ?? 0,
    )
    return shown - sentAt
  } finally {
    await screen.close()
  }
}

const several = async <Result>(visit: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = []
  for (let run = 0; run < RUNS; run++) results.push(await visit())
  return results
}

/** The home page and the office's first page on a cheap phone's network and processor. */
export const benchPages = async (say: (line: string) => void): Promise<Figure[]> => {
  const stage = await openStage(say)
  try {
    say('Visiting the home page …')
    await visitHome(stage, say)
    const home = await several(() => visitHome(stage, say))
    const floor = median(await several(() => visitSmallest(stage)))
    const mid = (of: (told: (typeof home)[number]) => number) => median(home.map(of))
    say('Signing in to the office …')
    await signIn(stage)
    const signedIn = await several(() => signIn(stage))
    const opened = await several(() => openOffice(stage))
    return [
      { name: 'robots.txt, first paint: the network alone', unit: 's', here: floor / 1000 },
      atMost('home, first paint', 's', mid(({ paint }) => paint) / 1000, 0.8),
      atMost('home, largest paint', 's', mid(({ largest }) => largest) / 1000, 0.8),
      atMost('home, form usable', 's', mid(({ usable }) => usable) / 1000, 1.4),
      atMost('home, scripts before that', 'KB', mid(({ bytes }) => bytes) / 1024, 110),
      atMost(
        'home, worst interaction',
        'ms',
        mid(({ worst }) => worst),
        64,
      ),
      atMost('home, layout shift', '‰', 1000 * Math.max(...home.map(({ shift }) => shift)), 0),
      atMost('office, from the code to its first page usable', 's', median(signedIn) / 1000, 2.2),
      { name: 'office, opened anew', unit: 's', here: median(opened) / 1000 },
    ]
  } finally {
    await stage.close()
  }
}
