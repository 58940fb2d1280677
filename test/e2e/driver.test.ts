import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Booking, TrackingPoint, User } from '~/domain/entities'
import { openScene, type Scene } from '../functions/scene'
import { openBrowser, type TestBrowser } from '../support/browser'
import type { Client } from '../support/clients'

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
  expect.poll(look, { timeout: 180_000 })
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
  test('survives a page opened again, and arrives once, in order and with its own times', async () => {
    const { driver, booking_id, pickup, drop } = await driverWithRequest()
    const code = String(await scene.read<number>(`booking_otps/${booking_id}`))
    const screen = await browser.openAs(driver, '/trips', PHONE)
    onTestFailed(() => browser.picture({ driver: screen }))
    const { context, page } = screen
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
  })
})

describe('the driver’s screens have no fault axe can find', () => {
  const found = async (page: Page) => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: typeof axe }).axe.run(),
    )
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  test.each(['light', 'dark'] as const)('in %s', async (colorScheme) => {
    const screen = await browser.openAs('seed-driver', '/trips', PHONE)
    onTestFailed(() => browser.picture({ [`driver-${colorScheme}`]: screen }))
    const { page } = screen
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const pages: [string, () => Promise<unknown>][] = [
      ['/trips', () => page.getByRole('switch').waitFor()],
      ['/bookings', () => page.locator('a[href^="/bookings/"]').first().waitFor()],
      ['/wallet', () => page.getByRole('tabpanel').or(page.getByRole('tab')).first().waitFor()],
      ['/profile', () => page.getByLabel('First name').waitFor()],
      ['/vehicle', () => page.getByLabel('Number plate').waitFor()],
    ]
    const faults: Record<string, string[]> = {}
    for (const [path, isThere] of pages) {
      await page.goto(path)
      await isThere()
      faults[path] = await found(page)
    }
    expect(faults).toEqual(Object.fromEntries(pages.map(([path]) => [path, []])))
    expect(screen.errors).toEqual([])
    await screen.context.close()
  })
})
