import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ar from '~/src/i18n/locales/ar/trip.json'
import en from '~/src/i18n/locales/en/trip.json'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import {
  pollUntil,
  countQueuedItems,
  setDevicePosition,
  openDriverSetup,
  STEP_TIMEOUT_MS,
  TIMEOUT_MS,
  PHONE,
  pressButton,
  type DriverSetup,
  waitForCachedScreens,
  startTripWithCode,
} from '../support/driverSetup'
import { findLargeTextFaults } from '../support/largeTextCheck'
import { PLAIN_FILE, navigateWithin } from '../support/testBrowser'
import type { Booking, TrackingPoint } from '~/domain/booking/types'

let driverSetup: DriverSetup
beforeAll(async () => {
  driverSetup = await openDriverSetup({ serviceWorkers: 'allow' })
})
afterAll(() => driverSetup.close())

/**
 * Starts a booking with a driver on the way to the pickup, an empty queue and all screens cached
 * for offline use.
 */
const startOfflineTrip = async () => {
  const request = await driverSetup.request()
  const { driver, booking_id, pickup } = request
  const code = await driverSetup.readTripCode(booking_id)
  const screen = await driverSetup.openDriverPhone(driver, (context) =>
    setDevicePosition(context, pickup),
  )
  const { page } = screen
  await pressButton(page, 'Accept')
  await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
  await pollUntil(() => driverSetup.readStatus(booking_id)).toBe('ACCEPTED')
  await pollUntil(() => countQueuedItems(page)).toBe(0)
  await waitForCachedScreens(page)
  return { ...request, ...screen, code }
}

describe('a trip without a network', () => {
  test(
    'survives a reload and arrives once, in order and with its original times',
    async () => {
      const { platform } = driverSetup
      const { booking_id, drop, code, context, page, errors } = await startOfflineTrip()
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
      // The page restores itself from the device, because the server is unreachable.
      await page.reload()
      await page.getByText(/No connection/).waitFor()
      await pressButton(page, 'I’m at the pickup')
      await startTripWithCode(page, code)
      await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
      // The trip lasts two seconds, so that its real duration differs from that of a late upload.
      await page.getByText(/^(0:0[2-9]|0:[1-5]\d|[1-9]\d*:\d\d)$/).waitFor()
      // The page reloads again, now with queued steps that the server does not have.
      await page.reload()
      await setDevicePosition(context, drop)
      await pressButton(page, 'I’m at the drop-off')
      await pressButton(page, 'Finish')
      await page.getByText('Collect in cash').waitFor()
      await pressButton(page, 'I have the cash')
      await page.getByRole('region', { name: 'Done' }).waitFor()
      const collected = Date.now()
      expect(await driverSetup.readStatus(booking_id)).toBe('ACCEPTED')
      expect(await countQueuedItems(page)).toBeGreaterThanOrEqual(5)
      calls.length = 0

      await context.setOffline(false)
      await pollUntil(() => countQueuedItems(page)).toBe(0)
      const booking = await platform.read<Booking>(`bookings/${booking_id}`)
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
      // Both clocks run on one machine, but the page knows the server's only to within a few
      // milliseconds.
      expect(own[0]).toBeGreaterThanOrEqual(cut - 1000)
      expect(own[4]).toBeLessThanOrEqual(collected + 1000)
      expect(booking?.total_trip_time).toBeGreaterThanOrEqual(2)
      expect(booking?.total_trip_time).toBe(
        Math.round(((booking?.endTime ?? 0) - (booking?.startTime ?? 0)) / 1000),
      )
      expect(booking?.paid_at).toBeGreaterThan(collected - 1000)
      const way = await platform.read<Record<string, TrackingPoint>>(`tracking/${booking_id}`)
      const points = Object.values(way ?? {}).sort((a, b) => a.at - b.at)
      const order = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']
      const stages = points.map(({ status }) => order.indexOf(status))
      expect(stages).toEqual([...stages].sort((a, b) => a - b))
      expect(new Set(stages)).toEqual(new Set([0, 1, 2, 3]))

      // The browser itself logs the requests that failed offline.
      expect(errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error))).toEqual([])
      await context.close()
    },
    TIMEOUT_MS,
  )
})

test(
  'offline steps on a booking canceled in the meantime tell the driver why they do not count and what to do',
  async () => {
    const { platform, office } = driverSetup
    const { booking_id, code, context, page, errors } = await startOfflineTrip()

    await context.setOffline(true)
    // Chromium keeps an open socket working; only a reloaded page is really offline.
    await page.reload()
    await page.getByText(/No connection/).waitFor()
    await pressButton(page, 'I’m at the pickup')
    await startTripWithCode(page, code)
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    const reason = 'The sender called it off'
    await office.call('advance_booking', { booking_id, event: 'cancel', reason })
    // The queue survives a reload of the page.
    await page.reload()
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()

    await context.setOffline(false)
    const notice = page.getByRole('status').filter({ hasText: en.refused_arrive })
    await notice.getByText(`The booking was already canceled: ${reason}`).waitFor()
    await notice.getByText(en.refused_over).waitFor()
    await pollUntil(() => countQueuedItems(page)).toBe(0)
    const cancelled = page.getByRole('region', { name: 'Booking canceled' })
    await cancelled.getByText(`Reason: ${reason}`).waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    await pressButton(page, en.understood)
    await pressButton(page, en.finished_next)
    await page.getByRole('switch', { name: 'On duty', checked: true }).waitFor()
    expect(await page.getByText(en.refused_arrive).count()).toBe(0)
    const booking = await platform.read<Booking>(`bookings/${booking_id}`)
    expect(booking).toMatchObject({ status: 'CANCELLED', reason })
    expect(booking?.driver_arrive_time).toBeUndefined()
    const order = Object.values(booking?.event_log ?? {}).map(({ event }) => event)
    expect(order).not.toContain('arrive')
    // The refused call is the only error besides the outage itself.
    expect(
      errors.filter((error) => !/ERR_INTERNET_DISCONNECTED|event_not_possible/.test(error)),
    ).toEqual([])
    await context.close()
  },
  TIMEOUT_MS,
)

test('the console installs as a separate app that starts on the console', async () => {
  const { context, page } = await driverSetup.browser.openAs(
    await driverSetup.createDriver(),
    '/trips',
    PHONE,
  )
  await page
    .locator('link[rel="manifest"][href="/driver.webmanifest"]')
    .waitFor({ state: 'attached' })
  const browser = await context.newCDPSession(page)
  const { data, errors } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '/trips', display: 'standalone' })
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Each test has a temporary browser profile, in which installation is impossible.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  await context.close()
})

test(
  'every screen and stage has no faults in light, dark, right-to-left and large-text mode',
  async () => {
    const { browser } = driverSetup
    const { driver, booking_id, pickup, drop } = await driverSetup.request()
    const code = await driverSetup.readTripCode(booking_id)
    const open = async (locale?: string) => {
      const screen = await browser.openAs(driver, PLAIN_FILE, PHONE)
      screen.context.setDefaultTimeout(STEP_TIMEOUT_MS)
      await setDevicePosition(screen.context, pickup)
      await screen.page.emulateMedia({ colorScheme: 'light' })
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
    const { page } = screen
    const found: Record<string, string[]> = {}
    const checkScreen = async (name: string, alsoLarge = true) => {
      found[name] = await findAccessibilityFaults(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      found[`${name} in dark`] = await findAccessibilityFaults(page, 'dark')
      await page.emulateMedia({ colorScheme: 'light' })
      if (alsoLarge) found[`${name} in large text`] = await findLargeTextFaults(page)
    }
    const lookFromRight = async (name: string, words: string) => {
      await arabic.page.locator('html[dir="rtl"]').waitFor()
      await arabic.page.getByText(words, { exact: true }).first().waitFor()
      found[`${name} from right to left`] = await findAccessibilityFaults(
        arabic.page,
        'rightToLeft',
      )
    }
    const close = () => page.keyboard.press('Escape')
    /** Expects the next button to be within the thumb's reach and at least 56 px high. */
    const reach = async (name: string) => {
      const box = await page.getByRole('button', { name, exact: true }).first().boundingBox()
      const { y = 0, height = 0 } = box ?? {}
      expect(y).toBeGreaterThan(PHONE.height / 2)
      expect(y + height).toBeLessThan(PHONE.height)
      expect(height).toBeGreaterThanOrEqual(56)
    }

    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await reach('Accept')
    await checkScreen('request')
    await lookFromRight('request', ar.accept)
    await pressButton(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    await reach('I’m at the pickup')
    await pressButton(page, 'Show as list')
    await checkScreen('to the pickup')
    await lookFromRight('to the pickup', ar.do_arrive)
    await pressButton(page, 'Navigate')
    await page.getByRole('dialog').waitFor()
    await checkScreen('choosing an app')
    await close()
    await pressButton(page, 'Release booking')
    await page.getByRole('dialog').getByRole('radio').first().waitFor()
    await checkScreen('giving up')
    await close()
    await pressButton(page, 'I’m at the pickup')
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
    await reach('Start')
    await checkScreen('at the pickup')
    await pressButton(page, 'Start')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Trip code').waitFor()
    await checkScreen('the code')
    await pressButton(arabic.page, ar.do_start)
    await lookFromRight('the code', ar.code_hint)
    await dialog.getByLabel('Trip code').fill(code)
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    await setDevicePosition(screen.context, drop)
    await reach('I’m at the drop-off')
    await checkScreen('on the way')
    await lookFromRight('on the way', ar.do_reach)
    await pressButton(page, 'I’m at the drop-off')
    await page.getByRole('button', { name: 'Finish', exact: true }).waitFor()
    await reach('Finish')
    await checkScreen('at the drop-off')
    await pressButton(page, 'Finish')
    await page.getByText('Collect in cash').waitFor()
    await reach('I have the cash')
    await checkScreen('the cash')
    await lookFromRight('the cash', ar.do_collect)
    await pressButton(page, 'I have the cash')
    await page.getByRole('region', { name: 'Done' }).waitFor()
    await checkScreen('done')
    await lookFromRight('done', ar.finished_title)
    await pressButton(page, en.finished_next)
    const duty = (checked: boolean) => page.getByRole('switch', { name: 'On duty', checked })
    await duty(true).waitFor()
    await checkScreen('on duty')
    await screen.context.setGeolocation(null)
    await page.getByRole('alert').filter({ hasText: en.gps_unknown }).waitFor()
    await checkScreen('nobody knows where')
    await setDevicePosition(screen.context, drop)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await duty(true).click()
    await duty(false).waitFor()
    await checkScreen('off duty')
    await page.getByRole('button', { name: /^Messages/ }).click()
    await page.getByRole('dialog').waitFor()
    const { width = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {}
    expect(width).toBeGreaterThan(300)
    await checkScreen('messages')
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
      await Promise.all([page, arabic.page].map((each) => navigateWithin(each, path)))
      await page.locator(there).first().waitFor()
      await arabic.page.locator(there).first().waitFor()
      // Riders share a booking's page and its chat.
      await checkScreen(path, !path.startsWith('/bookings/'))
      found[`${path} from right to left`] = await findAccessibilityFaults(
        arabic.page,
        'rightToLeft',
      )
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
    expect(screen.errors).toEqual([])
    expect(arabic.errors).toEqual([])
    await screen.context.close()
    await arabic.context.close()
  },
  TIMEOUT_MS,
)
