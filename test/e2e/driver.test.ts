import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Booking, TrackingPoint, User } from '~/domain/entities'
import ar from '~/src/i18n/locales/ar/trip.json'
import en from '~/src/i18n/locales/en/trip.json'
import { openScene, type Scene } from '../functions/scene'
import { faultsOf } from '../support/axe'
import { openBrowser, type TestBrowser } from '../support/browser'
import type { Client } from '../support/clients'

/** A machine with other work takes its time. */
const PATIENCE = 1_200_000
const PHONE = { width: 390, height: 780 }
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
const keptItems = (page: Page) =>
  page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith('kerbside.outbox')).length,
  )

let browser: TestBrowser
let scene: Scene
let rider: Client
let office: Client
beforeAll(async () => {
  scene = openScene()
  ;[browser, rider, office] = await Promise.all([
    openBrowser(),
    scene.as('seed-rider'),
    scene.as('seed-admin'),
  ])
})
afterAll(async () => {
  await browser.close()
  await scene.close()
})

/** However busy the machine is. */
const eventually = <Value>(look: () => Value | Promise<Value>) =>
  expect.poll(look, { timeout: PATIENCE })
/** Until the service worker has all the files of the driver's screens. */
const screensKept = (page: Page) =>
  eventually(() =>
    page.evaluate(async () => (await caches.match('/kept/trip')) !== undefined),
  ).toBe(true)

/** A new driver, and a parcel to be paid in cash that the office has given him to do. */
const driverWithRequest = async () => {
  const { carType = '' } = (await scene.read<User>('users/seed-driver')) ?? {}
  const [driver = ''] = await scene.people(1, { usertype: 'driver', carType })
  const asked = await scene.request(rider, { bookLater: false })
  const { booking_id } = asked
  await rider.call('create_booking', asked)
  await rider.call('advance_booking', { booking_id, event: 'pay', payment_mode: 'cash' })
  await office.call('advance_booking', { booking_id, event: 'assign', driver })
  return { driver, booking_id, pickup: asked.pickup, drop: asked.drop }
}

describe('a trip without a network', () => {
  test(
    'survives a page opened again, and arrives once, in order and with its own times',
    async () => {
      const { driver, booking_id, pickup, drop } = await driverWithRequest()
      const code = String(await scene.read<number>(`booking_otps/${booking_id}`))
      const screen = await browser.openAs(driver, '/trips', PHONE)
      onTestFailed(() => browser.picture({ driver: screen }))
      const { context, page } = screen
      context.setDefaultTimeout(PATIENCE)
      const at = ({ lat, lng }: { lat: number; lng: number }) =>
        context.setGeolocation({ latitude: lat, longitude: lng })
      await at(pickup)
      await press(page, 'Accept')
      await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
      await eventually(
        async () => (await scene.read<Booking>(`bookings/${booking_id}`))?.status,
      ).toBe('ACCEPTED')
      await eventually(() => keptItems(page)).toBe(0)
      await screensKept(page)
      const calls: string[] = []
      page.on('request', (request) => {
        const { data } = request.url().endsWith('/advance_booking')
          ? ((request.postDataJSON() ?? {}) as { data?: { event: string } })
          : {}
        if (data) calls.push(data.event)
      })

      await context.setOffline(true)
      await page.getByText(/No connection/).waitFor()
      const cut = Date.now()
      // The page comes back out of what the device has kept: there is nobody to ask.
      await page.reload()
      await page.getByText(/No connection/).waitFor()
      await press(page, 'I’m at the pickup')
      await press(page, 'Start')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Trip code').fill(code)
      await dialog.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
      // The trip has a length of its own, so that it can be told from one sent in a moment.
      await page.getByText(/^(0:0[4-9]|0:[1-5]\d|[1-9]\d*:\d\d)$/).waitFor()
      // And once more with steps behind him that nobody knows of.
      await page.reload()
      await at(drop)
      await press(page, 'I’m at the drop-off')
      await press(page, 'Finish')
      await page.getByText('Collect in cash').waitFor()
      await press(page, 'I have the cash')
      await page.getByRole('region', { name: 'Done' }).waitFor()
      const collected = Date.now()
      expect((await scene.read<Booking>(`bookings/${booking_id}`))?.status).toBe('ACCEPTED')
      expect(await keptItems(page)).toBeGreaterThanOrEqual(5)
      calls.length = 0

      await context.setOffline(false)
      await eventually(() => keptItems(page)).toBe(0)
      const booking = await scene.read<Booking>(`bookings/${booking_id}`)
      expect(booking?.status).toBe('PAID')
      expect(calls).toEqual(['arrive', 'start', 'reach', 'finish', 'collect'])
      const log = Object.values(booking?.event_log ?? {}).sort((a, b) => a.revision - b.revision)
      expect(log.map(({ event }) => event).slice(-6)).toEqual([
        'accept',
        'arrive',
        'start',
        'reach',
        'finish',
        'collect',
      ])
      const own = log.slice(-5).map(({ at: time }) => time)
      for (const { at: happened, received_at = 0 } of log.slice(-5)) {
        expect(received_at).toBeGreaterThan(happened)
        expect(received_at).toBeGreaterThan(collected - 1000)
      }
      expect(own).toEqual([...own].sort((a, b) => a - b))
      // The two clocks are one machine's, but the page knows the server's only to some milliseconds.
      expect(own[0]).toBeGreaterThanOrEqual(cut - 1000)
      expect(own[4]).toBeLessThanOrEqual(collected + 1000)
      expect(booking?.total_trip_time).toBeGreaterThanOrEqual(4)
      expect(booking?.total_trip_time).toBe(
        Math.round(((booking?.endTime ?? 0) - (booking?.startTime ?? 0)) / 1000),
      )
      expect(booking?.paid_at).toBeGreaterThan(collected - 1000)
      const way = await scene.read<Record<string, TrackingPoint>>(`tracking/${booking_id}`)
      const points = Object.values(way ?? {}).sort((a, b) => a.at - b.at)
      const order = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']
      const stages = points.map(({ status }) => order.indexOf(status))
      expect(stages).toEqual([...stages].sort((a, b) => a - b))
      expect(new Set(stages)).toEqual(new Set([0, 1, 2, 3]))

      // What the page could not load meanwhile is said by the browser itself.
      expect(screen.errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error))).toEqual([])
      await context.close()
    },
    PATIENCE,
  )
})

/** The words that lie beyond the page's side, where nothing scrolls to them. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (at: Element | null): boolean =>
      at !== null &&
      (at.matches('.leaflet-container, .visually-hidden, a[href="#content"]') ||
        ['auto', 'scroll'].includes(getComputedStyle(at).overflowX) ||
        scrolls(at.parentElement))
    const range = document.createRange()
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (words.nextNode()) {
      const word = words.currentNode
      if (!word.textContent?.trim() || scrolls(word.parentElement)) continue
      range.selectNodeContents(word)
      const { left, right, width } = range.getBoundingClientRect()
      if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push(word.textContent)
    }
    const { scrollWidth } = document.documentElement
    return scrollWidth > innerWidth ? [...found, `the page is ${scrollWidth} wide`] : found
  })
const inLargeText = async (page: Page) => {
  const grow = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize
    }, size)
  await page.setViewportSize({ width: 360, height: 740 })
  await grow('200%')
  const found = await beyond(page)
  await grow('')
  await page.setViewportSize(PHONE)
  return found
}

test(
  'every screen and every stage is sound in light, dark, from right to left and in large text',
  async () => {
    const { driver, booking_id, pickup, drop } = await driverWithRequest()
    const code = String(await scene.read<number>(`booking_otps/${booking_id}`))
    const open = async (locale?: string) => {
      const screen = await browser.openAs(driver, '/about-us', PHONE)
      screen.context.setDefaultTimeout(PATIENCE)
      await screen.context.setGeolocation({ latitude: pickup.lat, longitude: pickup.lng })
      await screen.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      if (locale)
        await screen.page.evaluate(
          (chosen) => localStorage.setItem('kerbside.locale', chosen),
          locale,
        )
      await screen.page.goto('/trips')
      return screen
    }
    const screen = await open()
    const arabic = await open('ar')
    onTestFailed(() => browser.picture({ driver: screen, arabic }))
    const { page } = screen
    const found: Record<string, string[]> = {}
    const look = async (name: string, alsoLarge = true) => {
      found[name] = await faultsOf(page)
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      found[`${name} in dark`] = await faultsOf(page, ['color-contrast'])
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      if (alsoLarge) found[`${name} in large text`] = await inLargeText(page)
    }
    const lookFromRight = async (name: string, words: string) => {
      await arabic.page.locator('html[dir="rtl"]').waitFor()
      await arabic.page.getByText(words, { exact: true }).first().waitFor()
      found[`${name} from right to left`] = await faultsOf(arabic.page)
    }
    const close = () => page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await look('request')
    await lookFromRight('request', ar.accept)
    await press(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    await press(page, 'Show as list')
    await look('to the pickup')
    await lookFromRight('to the pickup', ar.do_arrive)
    await press(page, 'Navigate')
    await page.getByRole('dialog').waitFor()
    await look('choosing an app')
    await close()
    await press(page, 'Cancel the booking')
    await page.getByRole('dialog').getByRole('radio').first().waitFor()
    await look('giving up')
    await close()
    await press(page, 'I’m at the pickup')
    await press(page, 'Start')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Trip code').waitFor()
    await look('the code')
    await arabic.page.getByRole('button', { name: ar.do_start, exact: true }).click()
    await lookFromRight('the code', ar.code_hint)
    await dialog.getByLabel('Trip code').fill(code)
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    await screen.context.setGeolocation({ latitude: drop.lat, longitude: drop.lng })
    await look('on the way')
    await lookFromRight('on the way', ar.do_reach)
    await press(page, 'I’m at the drop-off')
    await press(page, 'Finish')
    await page.getByText('Collect in cash').waitFor()
    await look('the cash')
    await lookFromRight('the cash', ar.do_collect)
    await press(page, 'I have the cash')
    await page.getByRole('region', { name: 'Done' }).waitFor()
    await look('done')
    await lookFromRight('done', ar.finished_title)
    await press(page, en.finished_next)
    await page.getByRole('switch').waitFor()
    await look('off duty')

    const routes: [string, string][] = [
      ['/bookings', `main a[href$="${booking_id}"]`],
      [`/bookings/${booking_id}`, 'main h1'],
      [`/bookings/${booking_id}/chat`, 'main form'],
      ['/wallet', 'main figure'],
      ['/wallet?tab=statement', 'main ol li'],
      ['/wallet?tab=topup', 'main form'],
      ['/wallet?tab=withdraw', 'main form'],
      ['/profile', 'main form'],
      ['/vehicle', 'main form'],
    ]
    for (const [path, there] of routes) {
      await Promise.all([page.goto(path), arabic.page.goto(path)])
      await page.locator(there).first().waitFor()
      await arabic.page.locator(there).first().waitFor()
      // A booking's page, its chat and paying in are shared with riders.
      await look(path, !path.startsWith('/bookings/') && !path.endsWith('topup'))
      found[`${path} from right to left`] = await faultsOf(arabic.page)
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
    expect(screen.errors).toEqual([])
    expect(arabic.errors).toEqual([])
    await screen.context.close()
    await arabic.context.close()
  },
  PATIENCE,
)
