import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toSignedAmount } from '~/domain/money/wallet'
import inboxTexts from '~/src/i18n/locales/en/inbox.json'
import shared from '~/src/i18n/locales/en/shared.json'
import en from '~/src/i18n/locales/en/trip.json'
import wallet from '~/src/i18n/locales/en/wallet.json'
import { RESUMABLE_ABOVE } from '~/src/services/services'
import { createBookingId } from '../functions/testPlatform'
import {
  pollUntil,
  countQueuedItems,
  setDevicePosition,
  openDriverSetup,
  TIMEOUT_MS,
  pressButton,
  type DriverSetup,
  startTripWithCode,
} from '../support/driverSetup'
import { passTimeUntil } from '../support/pageClock'
import { navigateWithin } from '../support/testBrowser'
import { getSuite } from '../support/testSuite'
import type { AvailableDriver } from '~/domain/dispatch/types'
import type { Booking } from '~/domain/booking/types'
import type { ChatMessage, InboxEntry } from '~/domain/messages/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

let driverSetup: DriverSetup
beforeAll(async () => {
  driverSetup = await openDriverSetup()
})
afterAll(() => driverSetup.close())

/** Changes settings of the whole platform until the test ends. */
const withSettings = async (values: Partial<Settings>) => {
  const before = await driverSetup.platform.read<Settings>('settings')
  const at = (from: Partial<Settings> | null) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof Settings)[]).map((name) => [
        `settings/${name}`,
        from?.[name] ?? null,
      ]),
    )
  await driverSetup.platform.write(at(values))
  onTestFinished(() => driverSetup.platform.write(at(before)))
}
const getSeededDriverPosition = async () =>
  (await driverSetup.platform.read<User>('users/seed-driver'))?.location ?? {
    lat: -34.9,
    lng: -56.18,
  }
const isListed = async (driver: string) =>
  (await driverSetup.platform.read<AvailableDriver>(`available_drivers/${driver}`)) !== null

/** Returns an image of random black and white pixels, which JPEG cannot compress well. */
const createNoiseImage = (side: number) => {
  const head = Buffer.alloc(54)
  head.write('BM')
  for (const [value, at] of [
    [54 + side * side * 3, 2],
    [54, 10],
    [40, 14],
    [side, 18],
    [side, 22],
    [side * side * 3, 34],
  ] as const)
    head.writeUInt32LE(value, at)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  const pixels = Buffer.alloc(side * side * 3)
  randomBytes(side * side).forEach((chance, at) =>
    pixels.fill(chance & 1 ? 255 : 0, at * 3, at * 3 + 3),
  )
  return { name: 'photo.bmp', mimeType: 'image/bmp', buffer: Buffer.concat([head, pixels]) }
}
const decodeDataUrl = (dataUrl: string | null) =>
  Buffer.from(dataUrl?.split(',')[1] ?? '', 'base64')
const findUploadedFile = async (link: string | undefined) => {
  const response = await fetch(link ?? '')
  return {
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test(
  'large photos arrive complete, and their uploads resume after the network was cut',
  async () => {
    await withSettings({
      AllowDeliveryPickupImageCapture: true,
      AllowFinalDeliveryImageCapture: true,
    })
    const { driver, booking_id, pickup, drop } = await driverSetup.request()
    const code = await driverSetup.readTripCode(booking_id)
    const { context, page } = await driverSetup.openDriverPhone(driver, (context) =>
      setDevicePosition(context, pickup),
    )
    await pressButton(page, 'Accept')
    await pressButton(page, 'I’m at the pickup')
    await pressButton(page, 'Start')
    const dialog = page.getByRole('dialog')
    const take = async (label: string, taken: string) => {
      await dialog.getByLabel(label).setInputFiles(createNoiseImage(800))
      const photo = dialog.getByRole('img', { name: taken })
      await photo.waitFor()
      const bytes = decodeDataUrl(await photo.getAttribute('src'))
      expect(bytes.length).toBeGreaterThan(RESUMABLE_ABOVE)
      return bytes
    }
    const given = await take(en.pickup_image_take, en.pickup_image_taken)
    await dialog.getByLabel('Trip code').fill(code)

    const sent: string[] = []
    let isCut = false
    await page.route(
      ({ port }) => port === String(getSuite().ports.storage),
      async (route) => {
        const headers = route.request().headers()
        const command = headers['x-goog-upload-command']
        if (command) sent.push(`${command} ${headers['x-goog-upload-offset'] ?? ''}`.trim())
        if (!isCut && Number(headers['x-goog-upload-offset']) > 0) {
          isCut = true
          await context.setOffline(true)
        }
        await route.continue()
      },
    )
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText(/No connection/).waitFor()
    // The driver's screen shows the step as done; the rest of the photo is still queued.
    await page.getByRole('button', { name: 'I’m at the drop-off' }).waitFor()
    expect(await driverSetup.readStatus(booking_id)).toBe('ARRIVED')
    await context.setOffline(false)
    await pollUntil(() => countQueuedItems(page)).toBe(0)
    expect(await driverSetup.readStatus(booking_id)).toBe('STARTED')
    expect(sent.filter((command) => command === 'start')).toHaveLength(1)
    // The resumed upload did not send the first chunk again.
    expect(sent.filter((command) => /^upload.* 0$/.test(command))).toHaveLength(1)
    const booking = await driverSetup.platform.read<Booking>(`bookings/${booking_id}`)
    const pickedUp = await findUploadedFile(booking?.pickup_image)
    expect(pickedUp.type).toBe('image/jpeg')
    expect(pickedUp.bytes.equals(given)).toBe(true)

    sent.length = 0
    await setDevicePosition(context, drop)
    await pressButton(page, 'I’m at the drop-off')
    const delivered = await take(en.deliver_image_take, en.deliver_image_taken)
    await dialog.getByRole('button', { name: 'I’m at the drop-off' }).click()
    await page.getByRole('button', { name: 'Finish' }).waitFor()
    const { deliver_image } =
      (await driverSetup.platform.read<Booking>(`bookings/${booking_id}`)) ?? {}
    expect((await findUploadedFile(deliver_image)).bytes.equals(delivered)).toBe(true)
    expect(sent[0]).toBe('start')
    expect(sent.length).toBeGreaterThan(2)
    await context.close()
  },
  TIMEOUT_MS,
)

test(
  'the screen stays on only during a trip or on duty, also after the page was hidden',
  async () => {
    const { driver, booking_id, pickup, drop } = await driverSetup.request()
    const code = await driverSetup.readTripCode(booking_id)
    const { context, page } = await driverSetup.openDriverPhone(driver, async (context) => {
      await context.grantPermissions(['geolocation', 'screen-wake-lock'])
      await setDevicePosition(context, pickup)
      await context.addInitScript(() => {
        const { wakeLock } = navigator
        const request = wakeLock.request.bind(wakeLock)
        const locks: WakeLockSentinel[] = []
        wakeLock.request = async (kind) => {
          const lock = await request(kind)
          locks.push(lock)
          return lock
        }
        Object.assign(window, { locks })
      })
    })
    /** Returns, for each wake lock the page ever got, whether it is still held. */
    const locks = () =>
      page.evaluate(() =>
        (window as unknown as { locks: WakeLockSentinel[] }).locks.map(({ released }) => !released),
      )
    await pollUntil(locks).toEqual([true])
    await pressButton(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    // The driver is taken off duty, so only the trip keeps the lock.
    await driverSetup.platform.write({ [`users/${driver}/driverActiveStatus`]: false })
    await driverSetup.platform.goOffDuty(driver)
    await pressButton(page, 'I’m at the pickup')
    await page.getByRole('heading', { name: 'At the pickup' }).waitFor()
    expect((await locks()).filter(Boolean)).toEqual([true])

    // A headless browser never hides a page, so the test overrides the visibility state and
    // releases the lock.
    const show = (state: DocumentVisibilityState) =>
      page.evaluate(async (visibility) => {
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => visibility,
        })
        if (visibility === 'hidden')
          for (const lock of (window as unknown as { locks: WakeLockSentinel[] }).locks)
            await lock.release()
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    expect((await locks()).filter(Boolean)).toEqual([])
    await show('visible')
    await pollUntil(async () => (await locks()).filter(Boolean)).toEqual([true])

    await startTripWithCode(page, code)
    await setDevicePosition(context, drop)
    await pressButton(page, 'I’m at the drop-off')
    await pressButton(page, 'Finish')
    await pressButton(page, 'I have the cash')
    await page.getByRole('region', { name: 'Done' }).waitFor()
    await pollUntil(async () => (await locks()).filter(Boolean)).toEqual([])
    await pressButton(page, en.finished_next)
    const offDuty = page.getByRole('switch', { name: 'On duty', checked: false })
    const [toasts, duty] = [
      await page.locator('[class*=toasts]').boundingBox(),
      await offDuty.boundingBox(),
    ]
    expect(toasts?.y).toBeGreaterThan((duty?.y ?? Infinity) + (duty?.height ?? 0))
    await offDuty.click()
    await pollUntil(async () => (await locks()).filter(Boolean)).toEqual([true])
    await page.getByRole('switch', { name: 'On duty', checked: true }).click()
    await pollUntil(async () => (await locks()).filter(Boolean)).toEqual([])
    await context.close()
  },
  TIMEOUT_MS,
)

test(
  'a device without permission or a position fix says what to do and continues once it has one',
  async () => {
    const { driver, booking_id, pickup } = await driverSetup.request()
    await driverSetup.platform.write({ [`users/${driver}/driverActiveStatus`]: false })
    const { context, page } = await driverSetup.openDriverPhone(driver, async (context) => {
      await context.clearPermissions()
      await context.clock.install()
    })
    const denied = page.getByRole('alert').filter({ hasText: en.gps_denied })
    const unknown = page.getByRole('alert').filter({ hasText: en.gps_unknown })
    const gone = (alert: typeof denied) => alert.waitFor({ state: 'detached' })
    const duty = (checked: boolean) => page.getByRole('switch', { name: 'On duty', checked })

    // Going off duty has withdrawn the offer.
    await page.getByRole('button', { name: 'Decline' }).waitFor({ state: 'detached' })
    await duty(false).click()
    await denied.waitFor()
    expect(await isListed(driver)).toBe(false)
    await context.grantPermissions(['geolocation'])
    await setDevicePosition(context, pickup)
    await denied.getByRole('button', { name: 'Try again' }).click()
    await gone(denied)
    await duty(false).click()
    await duty(true).waitFor()
    await pollUntil(() => isListed(driver)).toBe(true)

    // The device loses its position, as under a roof, and gets it back.
    await context.setGeolocation(null)
    await unknown.waitFor()
    const there = { lat: pickup.lat + 0.01, lng: pickup.lng }
    await setDevicePosition(context, there)
    await gone(unknown)
    const reportedTo = () => driverSetup.platform.read<LatLng>(`users/${driver}/location`)
    await passTimeUntil(page, async () => (await reportedTo())?.lat === there.lat)
    expect(await reportedTo()).toEqual(there)

    const next = await driverSetup.createBooking()
    await driverSetup.office.call('advance_booking', {
      booking_id: next.booking_id,
      event: 'assign',
      driver,
    })
    await pressButton(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    await context.clearPermissions()
    await denied.waitFor()
    await context.grantPermissions(['geolocation'])
    await gone(denied)
    await pressButton(page, 'I’m at the pickup')
    await page.getByRole('heading', { name: 'At the pickup' }).waitFor()
    await pollUntil(() => driverSetup.readStatus(next.booking_id)).toBe('ARRIVED')
    expect(await driverSetup.readStatus(booking_id)).toBe('NEW')
    await context.close()
  },
  TIMEOUT_MS,
)

const findOfferCard = (page: Page, place: string) =>
  page.getByRole('article', { name: `Request from ${place}` })

test(
  'several offers arrive at once, each with its own timer; one is accepted, the other goes to a faster driver',
  async () => {
    const seconds = 900
    await withSettings({
      autoDispatch: true,
      dispatchMode: 'broadcast',
      dispatchSeconds: seconds,
      CarHornRepeat: true,
    })
    const here = await getSeededDriverPosition()
    const [driver, rivalsUid] = await Promise.all([
      driverSetup.createDriver(),
      driverSetup.createDriver({ location: here }),
    ])
    const rival = await driverSetup.platform.signInAs(rivalsUid)
    const { carType = '' } = (await driverSetup.platform.read<User>(`users/${rivalsUid}`)) ?? {}
    await driverSetup.platform.goOnDuty(rivalsUid, { carType, location: here })
    const { context, page } = await driverSetup.openDriverPhone(driver, async (context) => {
      await setDevicePosition(context, here)
      await context.clock.install()
      await context.addInitScript(() => {
        const noise = { blows: 0, shakes: 0 }
        const { prototype } = AudioContext
        const sound = prototype.createOscillator
        prototype.createOscillator = function () {
          noise.blows += 1
          return sound.call(this)
        }
        const shake = navigator.vibrate.bind(navigator)
        navigator.vibrate = (pattern: VibratePattern | Iterable<number>) => {
          if (pattern !== 0) noise.shakes += 1
          return shake(pattern as VibratePattern)
        }
        Object.assign(window, { noise })
      })
    })
    const noiseMade = () =>
      page.evaluate(() => (window as unknown as { noise: Record<string, number> }).noise)
    // A browser plays no sound before the user's first tap.
    await page.getByText(en.waiting_for_requests).click()
    await pollUntil(() => isListed(driver)).toBe(true)

    const [first, second] = [
      await driverSetup.createBooking({ pickup: { ...here, add: 'First corner' } }),
      await driverSetup.createBooking({ pickup: { ...here, add: 'Second corner' } }),
    ]
    await page.getByRole('heading', { name: '2 requests for you' }).waitFor()
    for (const [place, { booking_id }] of [
      ['First corner', first],
      ['Second corner', second],
    ] as const) {
      const card = findOfferCard(page, place)
      const asked = await driverSetup.platform.read<number>(
        `bookings/${booking_id}/askedDrivers/${driver}`,
      )
      const [shown, now] = [await card.getByRole('timer').textContent(), Date.now()]
      // The countdown follows the platform's time, however long the machine takes between two
      // checks.
      expect(Number(shown)).toBeLessThanOrEqual(seconds)
      expect(Number(shown)).toBeGreaterThanOrEqual(((asked ?? 0) - now) / 1000 + seconds - 2)
      await card.getByText(/to the pickup/).waitFor()
      await card.getByText(en.task_share).waitFor()
    }
    const { blows = 0, shakes = 0 } = await noiseMade()
    expect(blows).toBeGreaterThan(0)
    expect(shakes).toBeGreaterThan(0)
    // With CarHornRepeat, the horn repeats until the driver responds.
    await passTimeUntil(page, async () => {
      const now = await noiseMade()
      return (now.blows ?? 0) > blows + 4 && (now.shakes ?? 0) > shakes + 1
    })

    await page.route('**/advance_booking', async (route) => {
      const { data } = (route.request().postDataJSON() ?? {}) as { data?: { event: string } }
      // The rival accepts first, while this driver's request is still on its way to the server.
      if (data?.event === 'accept' && (await driverSetup.readStatus(second.booking_id)) === 'NEW')
        await rival.call('advance_booking', { booking_id: second.booking_id, event: 'accept' })
      await route.continue()
    })
    await findOfferCard(page, 'Second corner').getByRole('button', { name: 'Accept' }).click()
    await page.getByText(en.task_lost).waitFor()
    await findOfferCard(page, 'Second corner').waitFor({ state: 'detached' })
    await findOfferCard(page, 'First corner').getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: 'Drive to the pickup' }).waitFor()
    const taken = await Promise.all(
      [first, second].map(({ booking_id }) =>
        driverSetup.platform.read<Booking>(`bookings/${booking_id}`),
      ),
    )
    expect(taken.map((booking) => booking?.driver)).toEqual([driver, rivalsUid])
    expect(await page.getByText(en.task_gone).count()).toBe(0)

    // The driver releases the booking: the rider reads so, and another driver gets the offer.
    const other = await driverSetup.createDriver({ location: here })
    await driverSetup.platform.goOnDuty(other, { carType, location: here })
    await pressButton(page, en.give_up)
    const dialog = page.getByRole('dialog')
    await dialog.getByText(en.give_up_text).waitFor()
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: en.give_up }).click()
    const isOffered = async (uid: string) =>
      (await driverSetup.platform.read<true>(`driver_tasks/${uid}/${first.booking_id}`)) === true
    await pollUntil(() => isOffered(other)).toBe(true)
    const riderUid = taken[0]?.customer ?? ''
    const riderScreen = await driverSetup.browser.openAs(riderUid, `/bookings/${first.booking_id}`)
    await riderScreen.page.getByText(inboxTexts.push_released_msg).first().waitFor()
    await pollUntil(() => isListed(driver)).toBe(true)
    expect(await isOffered(driver)).toBe(false)
    await riderScreen.context.close()
    await context.close()
  },
  TIMEOUT_MS,
)

test(
  'a booking with a stop opens the route in a maps app, passes the stop, and calls and messages the rider',
  async () => {
    const here = await getSeededDriverPosition()
    const stop = { lat: here.lat + 0.008, lng: here.lng + 0.004, add: 'By the bakery' }
    const { driver, booking_id, pickup, drop } = await driverSetup.request({
      waypoints: [stop],
      pickUpInstructions: 'Side door',
      deliveryInstructions: 'Second floor',
    })
    const code = await driverSetup.readTripCode(booking_id)
    const { context, page } = await driverSetup.openDriverPhone(driver, (context) =>
      setDevicePosition(context, pickup),
    )
    const mapsLink = async () => {
      await pressButton(page, 'Navigate')
      const link = page.getByRole('link', { name: 'Google Maps' })
      const href = await link.getAttribute('href')
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'detached' })
      return href
    }
    await pressButton(page, 'Accept')
    await page.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
    const details = page.getByRole('region', { name: en.trip_details })
    for (const text of ['Side door', 'Second floor', 'Ana Paz', '099 123 456'])
      await details.getByText(text).waitFor()
    const phone = await driverSetup.platform.read<string>(
      `booking_contacts/${booking_id}/customer_contact`,
    )
    expect(await page.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe(`tel:${phone}`)
    expect(await mapsLink()).toContain(`destination=${pickup.lat},${pickup.lng}`)

    await page.getByRole('link', { name: 'Chat' }).click()
    await page.getByRole('textbox', { name: en.chat_write }).fill('Which door?')
    await pressButton(page, en.chat_send)
    const messages = async () =>
      Object.values(
        (await driverSetup.platform.read<Record<string, ChatMessage>>(`chats/${booking_id}`)) ?? {},
      )
    await pollUntil(messages).toEqual([
      expect.objectContaining({ message: 'Which door?', from: driver, source: 'driver' }),
    ])
    const readRiderPushes = async () => {
      const { customer = '' } =
        (await driverSetup.platform.read<Booking>(`bookings/${booking_id}`)) ?? {}
      const inbox =
        (await driverSetup.platform.read<Record<string, InboxEntry>>(`inbox/${customer}`)) ?? {}
      return Object.values(inbox).filter((entry) => entry.booking_id === booking_id)
    }
    await pollUntil(readRiderPushes).toContainEqual(
      expect.objectContaining({ title: 'push_message_title', screen: 'onlineChat' }),
    )
    await page.getByRole('link', { name: shared.back }).click()

    await pressButton(page, 'I’m at the pickup')
    await startTripWithCode(page, code)
    await page.getByRole('timer', { name: en.meter_trip }).waitFor()
    expect(await mapsLink()).toContain(`destination=${stop.lat},${stop.lng}`)
    await page.getByRole('heading', { name: 'Stop 1 of 1', exact: true }).waitFor()
    await pressButton(page, 'I’m at stop 1')
    await page.getByRole('heading', { name: 'At stop 1 of 1' }).waitFor()
    await page.reload()
    await pressButton(page, 'Continue')
    await page.getByRole('heading', { name: en.stage_reach }).waitFor()
    expect(await mapsLink()).toContain(`destination=${drop.lat},${drop.lng}`)
    await setDevicePosition(context, drop)
    await pressButton(page, 'I’m at the drop-off')
    await pressButton(page, 'Finish')
    const { trip_cost = 0 } =
      (await driverSetup.platform.read<Booking>(`bookings/${booking_id}`)) ?? {}
    const cash = page.locator('p', { hasText: en.cash_to_collect }).locator('strong')
    expect((await cash.textContent())?.replace(/[^\d.]/g, '')).toBe(trip_cost.toFixed(2))
    await pressButton(page, 'I have the cash')
    await page.getByRole('region', { name: 'Done' }).waitFor()
    expect(await driverSetup.readStatus(booking_id)).toBe('PAID')
    await context.close()
  },
  TIMEOUT_MS,
)

test(
  'a wrong code is reported at once, and five of them show how long the lock lasts',
  async () => {
    const { driver, booking_id, pickup } = await driverSetup.request()
    const code = Number(await driverSetup.readTripCode(booking_id))
    const { context, page } = await driverSetup.openDriverPhone(driver, (context) =>
      setDevicePosition(context, pickup),
    )
    await pressButton(page, 'Accept')
    await pressButton(page, 'I’m at the pickup')
    await pressButton(page, 'Start')
    const dialog = page.getByRole('dialog')
    const start = dialog.getByRole('button', { name: 'Start', exact: true })
    for (let tries = 1; tries <= 5; tries++) {
      await dialog.getByLabel('Trip code').fill(String(code === 99_999 ? 10_000 : code + 1))
      await start.click()
      await dialog.getByText(shared.code_wrong).waitFor()
      await pollUntil(() => start.getAttribute('aria-busy')).toBe(null)
    }
    await start.click()
    await dialog.getByText(/Try again in \d+ seconds?\./).waitFor()
    expect(await start.isDisabled()).toBe(true)
    expect(await driverSetup.readStatus(booking_id)).toBe('ARRIVED')
    await context.close()
  },
  TIMEOUT_MS,
)

/**
 * Returns the rows of a CSV. No cell of a statement needs quotes; ids that begin like a formula are
 * marked as text.
 */
const parseCsv = (csv: string) =>
  csv
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').map((cell) => cell.replace(/^'/, '')))

test(
  'earnings, statement, export and withdrawal match the wallet',
  async () => {
    const { driver, booking_id, pickup, drop } = await driverSetup.request()
    const code = await driverSetup.readTripCode(booking_id)
    const client = await driverSetup.platform.signInAs(driver)
    for (const event of [
      { event: 'accept' },
      { event: 'arrive', lat: pickup.lat, lng: pickup.lng },
      { event: 'start', otp: Number(code) },
      { event: 'reach', lat: drop.lat, lng: drop.lng },
      { event: 'finish' },
      { event: 'collect' },
    ])
      await client.call('advance_booking', { booking_id, ...event })
    await driverSetup.office.call('add_to_wallet', {
      credit_id: createBookingId(),
      uid: driver,
      amount: 2500,
    })

    const profile = async () => (await driverSetup.platform.read<User>(`users/${driver}`))!
    const { symbol } = (await driverSetup.platform.read<Settings>('settings'))!
    const money = (amount: number) =>
      `${amount < 0 ? '-' : ''}${symbol}${Math.abs(amount).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
    const bare = (text: string | null) =>
      (text ?? '').replace(/[\s\u2066-\u2069\u200e\u200f]/g, '').replace('−', '-')
    const { driver_share = 0, reference } =
      (await driverSetup.platform.read<Booking>(`bookings/${booking_id}`)) ?? {}
    const { context, page } = await driverSetup.openDriverPhone(driver)
    await navigateWithin(page, '/wallet')
    const days = page.getByRole('figure', { name: en.earnings_title }).getByRole('row')
    for (const span of ['Days', 'Weeks', 'Months']) {
      await page.getByRole('radio', { name: span }).check({ force: true })
      await pollUntil(async () => bare(await days.last().textContent())).toContain(
        `${bare(money(driver_share))},1booking`,
      )
    }

    const balanceNow = async () => {
      const { walletBalance } = await profile()
      await pollUntil(async () =>
        bare(
          await page.getByRole('heading', { name: 'Wallet balance' }).locator('..').textContent(),
        ),
      ).toContain(bare(money(walletBalance)))
      return walletBalance
    }
    const exported = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        pressButton(page, en.statement_export),
      ])
      const [titles, opening, ...rest] = parseCsv(await readFile(await download.path(), 'utf8'))
      return { titles, opening, lines: rest.slice(0, -1), closing: rest.at(-1) }
    }
    /** Returns what the export must hold: every entry of the wallet, oldest first. */
    const entries = async () =>
      Object.values((await profile()).walletHistory ?? {}).sort((a, b) => a.date - b.date)

    await page.getByRole('tab', { name: 'Statement' }).click()
    const closing = await balanceNow()
    const totals = page.locator('dl').filter({ hasText: en.statement_opening })
    expect(bare(await totals.textContent())).toContain(bare(`${en.statement_opening}${money(0)}`))
    expect(bare(await totals.textContent())).toContain(
      bare(`${en.statement_closing}${money(closing)}`),
    )
    const links = page.getByRole('list', { name: en.statement_lines }).getByRole('link')
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      `/bookings/${booking_id}`,
      `/bookings/${booking_id}`,
    ])
    const before = await exported()
    expect(before.titles?.[2]).toBe(en.statement_booking_id)
    expect([before.opening?.[5], before.closing?.[5]].map(Number)).toEqual([0, closing])
    const written = await entries()
    expect(before.lines).toHaveLength(written.length)
    expect(before.lines.map(([date]) => Date.parse(date ?? ''))).toEqual(
      written.map(({ date }) => date - (date % 1000)),
    )
    expect(before.lines.map((cells) => Number(cells[4])).sort()).toEqual(
      written.map((entry) => toSignedAmount(entry)).sort(),
    )
    expect(before.lines.map((cells) => cells[2]).filter(Boolean)).toEqual([reference, reference])

    await page.getByRole('tab', { name: 'Withdraw' }).click()
    await page.getByLabel('Amount').fill('120.5')
    await page.getByLabel('Bank', { exact: true }).fill('Banco Sur')
    await pressButton(page, en.withdraw_ask)
    await page.getByRole('dialog').getByRole('button', { name: en.withdraw_ask }).click()
    const requests = page.getByRole('list', { name: en.withdraw_requests })
    await requests.getByText(en.withdraw_waits).waitFor()
    const left = await balanceNow()
    expect(left).toBeCloseTo(closing - 120.5)
    const all = await driverSetup.platform.read<Record<string, { uid: string }>>('withdraws')
    const [withdraw_id] = Object.entries(all ?? {}).find(([, { uid }]) => uid === driver) ?? []
    // The bank was entered just now, so the payout has to wait.
    await expect(
      driverSetup.office.call('complete_withdraw', { withdraw_id }),
    ).rejects.toMatchObject({ details: { key: 'payout_waits' } })
    await driverSetup.platform.write({ [`withdraws/${withdraw_id}/payable_at`]: Date.now() - 1 })
    await driverSetup.office.call('complete_withdraw', { withdraw_id })
    await requests.getByText(shared.withdraw_done).waitFor()

    await page.getByRole('tab', { name: 'Statement' }).click()
    const after = await exported()
    expect([after.opening?.[5], after.closing?.[5]].map(Number)).toEqual([0, left])
    expect(after.lines.at(-1)?.slice(1, 2)).toEqual([wallet.entry_withdraw])
    await context.close()
  },
  TIMEOUT_MS,
)
