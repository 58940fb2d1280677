import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Booking, TrackingPoint } from '~/domain/entities'
import ar from '~/src/i18n/locales/ar/trip.json'
import en from '~/src/i18n/locales/en/trip.json'
import { faultsOf } from '../support/axe'
import {
  eventually,
  keptItems,
  moveTo,
  openRoad,
  PATIENCE,
  PHONE,
  press,
  type Road,
  screensKept,
  startWith,
} from '../support/driving'
import { inLargeText } from '../support/largeText'

let road: Road
beforeAll(async () => {
  road = await openRoad()
})
afterAll(() => road.close())

/** A driver on his way to a pickup, with nothing left to send and all he needs without a network. */
const onTheWay = async () => {
  const request = await road.request()
  const { driver, booking_id, pickup } = request
  const code = await road.code(booking_id)
  const screen = await road.phone(driver, (context) => moveTo(context, pickup))
  const { page } = screen
  await press(page, 'Accept')
  await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
  await eventually(() => road.status(booking_id)).toBe('ACCEPTED')
  await eventually(() => keptItems(page)).toBe(0)
  await screensKept(page)
  return { ...request, ...screen, code }
}

describe('a trip without a network', () => {
  test(
    'survives a page opened again, and arrives once, in order and with its own times',
    async () => {
      const { scene } = road
      const { booking_id, drop, code, context, page, errors } = await onTheWay()
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
      await startWith(page, code)
      await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
      // The trip has a length of its own, so that it can be told from one sent in a moment.
      await page.getByText(/^(0:0[4-9]|0:[1-5]\d|[1-9]\d*:\d\d)$/).waitFor()
      // And once more with steps behind him that nobody knows of.
      await page.reload()
      await moveTo(context, drop)
      await press(page, 'I’m at the drop-off')
      await press(page, 'Finish')
      await page.getByText('Collect in cash').waitFor()
      await press(page, 'I have the cash')
      await page.getByRole('region', { name: 'Done' }).waitFor()
      const collected = Date.now()
      expect(await road.status(booking_id)).toBe('ACCEPTED')
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
      expect(errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error))).toEqual([])
      await context.close()
    },
    PATIENCE,
  )
})

test(
  'steps on a booking that was cancelled meanwhile: the driver is told why they do not count and what to do',
  async () => {
    const { scene, office } = road
    const { booking_id, code, context, page, errors } = await onTheWay()

    await context.setOffline(true)
    // A socket that was open before stays open in Chromium: only the next page is really cut off.
    await page.reload()
    await page.getByText(/No connection/).waitFor()
    await press(page, 'I’m at the pickup')
    await startWith(page, code)
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    const reason = 'The sender called it off'
    await office.call('advance_booking', { booking_id, event: 'cancel', reason })
    // What waits outlives the page that made it.
    await page.reload()
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()

    await context.setOffline(false)
    const told = page.getByRole('status').filter({ hasText: en.refused_arrive })
    await told.getByText(`The booking had been cancelled: ${reason}`).waitFor()
    await told.getByText(en.refused_over).waitFor()
    await eventually(() => keptItems(page)).toBe(0)
    const cancelled = page.getByRole('region', { name: 'Booking cancelled' })
    await cancelled.getByText(`Reason: ${reason}`).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, en.understood)
    await press(page, en.finished_next)
    await page.getByRole('switch', { name: 'On duty', checked: true }).waitFor()
    expect(await page.getByText(en.refused_arrive).count()).toBe(0)
    const booking = await scene.read<Booking>(`bookings/${booking_id}`)
    expect(booking).toMatchObject({ status: 'CANCELLED', reason })
    expect(booking?.driver_arrive_time).toBeUndefined()
    const order = Object.values(booking?.event_log ?? {}).map(({ event }) => event)
    expect(order).not.toContain('arrive')
    // The refused call is the only thing that went wrong beside the cut itself.
    expect(
      errors.filter((error) => !/ERR_INTERNET_DISCONNECTED|event_not_possible/.test(error)),
    ).toEqual([])
    await context.close()
  },
  PATIENCE,
)

test('installed from the console it is an app of its own that begins there', async () => {
  const { context, page } = await road.browser.openAs(await road.driver(), '/trips', PHONE)
  await page
    .locator('link[rel="manifest"][href="/driver.webmanifest"]')
    .waitFor({ state: 'attached' })
  const browser = await context.newCDPSession(page)
  const { data, errors } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '/trips', display: 'standalone' })
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Each test has a browser profile that leaves nothing behind, where nothing can be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  await context.close()
})

test(
  'every screen and every stage is sound in light, dark, from right to left and in large text',
  async () => {
    const { browser } = road
    const { driver, booking_id, pickup, drop } = await road.request()
    const code = await road.code(booking_id)
    const open = async (locale?: string) => {
      const screen = await browser.openAs(driver, '/about-us', PHONE)
      screen.context.setDefaultTimeout(PATIENCE)
      await moveTo(screen.context, pickup)
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
    /** What comes next lies under the thumb of the hand that holds the phone, and is large enough for it. */
    const reach = async (name: string) => {
      const box = await page.getByRole('button', { name, exact: true }).first().boundingBox()
      const { y = 0, height = 0 } = box ?? {}
      expect(y).toBeGreaterThan(PHONE.height / 2)
      expect(y + height).toBeLessThan(PHONE.height)
      expect(height).toBeGreaterThanOrEqual(56)
    }

    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await reach('Accept')
    await look('request')
    await lookFromRight('request', ar.accept)
    await press(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    await reach('I’m at the pickup')
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
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
    await reach('Start')
    await look('at the pickup')
    await press(page, 'Start')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Trip code').waitFor()
    await look('the code')
    await arabic.page.getByRole('button', { name: ar.do_start, exact: true }).click()
    await lookFromRight('the code', ar.code_hint)
    await dialog.getByLabel('Trip code').fill(code)
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    await moveTo(screen.context, drop)
    await reach('I’m at the drop-off')
    await look('on the way')
    await lookFromRight('on the way', ar.do_reach)
    await press(page, 'I’m at the drop-off')
    await page.getByRole('button', { name: 'Finish', exact: true }).waitFor()
    await reach('Finish')
    await look('at the drop-off')
    await press(page, 'Finish')
    await page.getByText('Collect in cash').waitFor()
    await reach('I have the cash')
    await look('the cash')
    await lookFromRight('the cash', ar.do_collect)
    await press(page, 'I have the cash')
    await page.getByRole('region', { name: 'Done' }).waitFor()
    await look('done')
    await lookFromRight('done', ar.finished_title)
    await press(page, en.finished_next)
    const duty = (checked: boolean) => page.getByRole('switch', { name: 'On duty', checked })
    await duty(true).waitFor()
    await look('on duty')
    await screen.context.setGeolocation(null)
    await page.getByRole('alert').filter({ hasText: en.gps_unknown }).waitFor()
    await look('nobody knows where')
    await moveTo(screen.context, drop)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await duty(true).click()
    await duty(false).waitFor()
    await look('off duty')
    await page.getByRole('button', { name: /^Messages/ }).click()
    await page.getByRole('dialog').waitFor()
    const { width = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {}
    expect(width).toBeGreaterThan(300)
    await look('messages')
    await close()

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
      // A booking's page and its chat are shared with riders.
      await look(path, !path.startsWith('/bookings/'))
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
