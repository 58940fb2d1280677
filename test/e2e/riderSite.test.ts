import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildAvailabilityUpdates, buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { sumAmounts } from '~/domain/money/money'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { choosePlace } from '../support/bookingForm'
import { waitForStep } from '../support/bookingPage'
import {
  navigateWithin,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import { getSuite } from '../support/testSuite'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type { Language, Promo, Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

let platform: TestPlatform
let browser: TestBrowser
let office: TestClient
beforeAll(async () => {
  platform = openTestPlatform()
  ;[browser, office] = await Promise.all([
    openTestBrowser({ serviceWorkers: 'allow' }),
    platform.signInAs('seed-admin'),
  ])
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

const readPath = async <T>(path: string): Promise<T> => (await platform.read<T>(path)) as T
// These numbers are unused: the demo has those below 3000, and the random start avoids those of
// earlier test runs.
let phoneNumbers = 3000 + Math.floor(Math.random() * 6000)
const createPhoneNumber = () => `+1555555${phoneNumbers++}`
const findUid = async (mobile: string): Promise<string> => {
  const found = await platform.admin.database
    .ref('users')
    .orderByChild('mobile')
    .equalTo(mobile)
    .get()
  return Object.keys((found.val() ?? {}) as object)[0] ?? ''
}
/**
 * Errors that are expected: the Auth emulator has no Enterprise reCAPTCHA, which the SDK requests
 * first and can do without;
 * and Auth reports an expired session where a test has ended it.
 */
const EXPECTED_ERRORS = ['/v2/recaptchaConfig', 'TOKEN_EXPIRED']
/**
 * The request that Auth refuses for a deleted account, or for a session whose page closed before
 * the response.
 */
const EXPECTED_AFTER_DELETION = 'accounts:lookup'
/** A search that was under way when the session ended. */
const EXPECTED_AFTER_SESSION_END = 'googleapis-autocomplete 401'
const findUnexpectedErrors = ({ errors }: Screen, ...more: string[]) =>
  errors
    .splice(0)
    .filter((error) => ![...EXPECTED_ERRORS, ...more].some((part) => error.includes(part)))

/** Clicks the label, as a user would, because the radio input itself is too small to be visible. */
const chooseRadio = async (radio: Locator) => {
  await radio.locator('xpath=ancestor::label').click()
  await expect.poll(() => radio.isChecked()).toBe(true)
}
const fillPlaces = async (page: Page, vehicle = /Courier/) => {
  await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(page, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await chooseRadio(page.getByRole('radio', { name: vehicle }))
}
/** Clicks the button and continues to the estimate dialog, which it returns. */
const openEstimate = async (page: Page, button = /^Book now/) => {
  await page.getByRole('button', { name: button }).click()
  const extras = page.getByRole('dialog', { name: 'What are you sending?' })
  const estimate = page.getByRole('dialog', { name: 'Your estimate' })
  await extras.or(estimate).waitFor()
  if (await extras.isVisible()) await extras.getByRole('button', { name: 'Continue' }).click()
  await estimate.waitFor()
  return estimate
}
/** Continues from the button to the payment step. */
const openPayment = async (page: Page, button = /^Book now/) => {
  const estimate = await openEstimate(page, button)
  await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
  await estimate.getByRole('button', { name: /^Book for/ }).click()
  const payment = page.getByRole('dialog', { name: 'How would you like to pay?' })
  await payment.waitFor()
  return payment
}
/** Pays with the chosen method; returns the new booking's id. */
const payBooking = async (page: Page): Promise<string> => {
  const payment = page.getByRole('dialog', { name: 'How would you like to pay?' })
  await payment.getByRole('button', { name: /^Pay (?!later)/ }).click()
  const text = await page.getByText(/Your booking was successful. Reference:/).textContent()
  const reference = /Reference: (\S+)/.exec(text ?? '')?.[1] ?? ''
  const id = (await readPath<string | null>(`booking_refs/${reference}`)) ?? ''
  await page.waitForURL(`**/bookings/${id}`)
  return id
}
const signInByPhone = async (page: Page | Locator, mobile: string) => {
  await page.getByLabel('Mobile number').fill(mobile)
  await page.getByRole('button', { name: 'Get code' }).click()
  await page.getByRole('button', { name: 'Use this code' }).click()
}

describe('a rider on the site', () => {
  let uid: string
  let screen: Screen
  let page: Page
  let driver: TestClient
  const accepted = async (id: string) => {
    await advanceBooking(office, id, 'assign', { driver: driver.uid })
    await advanceBooking(driver, id, 'accept')
  }
  /** Opens the home page without any stored state. */
  const home = async (size = DESKTOP) => {
    await page.setViewportSize(size)
    await page.evaluate(() => {
      sessionStorage.clear()
      // The field would suggest a recent place before it searches.
      localStorage.removeItem('kerbside.recent')
    })
    await page.goto('/')
    await page.getByRole('link', { name: 'My account' }).first().waitFor({ state: 'attached' })
  }

  beforeAll(async () => {
    const { carType = '', location } = await readPath<User>('users/seed-driver')
    const [[rider = ''], [other = '']] = await Promise.all([
      platform.createUsers(1, { firstName: 'Rita', lastName: 'Paz' }),
      platform.createUsers(1, {
        usertype: 'driver',
        firstName: 'Beto',
        lastName: 'Silva',
        carType,
        ...(location && { location }),
      }),
    ])
    uid = rider
    driver = await platform.signInAs(other)
    screen = await browser.openAs(uid)
    page = screen.page
  })
  afterEach(() => expect(findUnexpectedErrors(screen)).toEqual([]))
  afterAll(async () => {
    await screen.context.close()
  })

  test('books for later in the city’s time zone, and finds an empty form for the next booking', async () => {
    await home()
    await fillPlaces(page, /Economy/)
    await chooseRadio(page.getByRole('radio', { name: 'Later' }))
    const { timezone } = await readPath<Settings>('settings')
    const wanted = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 26 * 60 * MINUTE_MS
    const wall = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(wanted)
    await page.getByLabel('Pickup date and time').fill(wall.replace(' ', 'T'))
    await openPayment(page, /^Book for later/)
    const id = await payBooking(page)
    expect(await readPath<Booking>(`bookings/${id}`)).toMatchObject({
      bookLater: true,
      tripdate: wanted,
      status: 'NEW',
    })
    await navigateWithin(page, '/')
    await expect.poll(() => page.getByRole('combobox', { name: 'Pickup' }).inputValue()).toBe('')
  })

  test('clicks the button while a place is loading, and the form waits for the place', async () => {
    await home()
    await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
    await chooseRadio(page.getByRole('radio', { name: /Courier/ }))
    let answer = () => {}
    const held = new Promise<void>((done) => (answer = done))
    onTestFinished(async () => {
      answer()
      await page.unroute('**/googleapis-getcoords')
    })
    await page.route('**/googleapis-getcoords', async (route) => {
      await held
      await route.continue()
    })
    await choosePlace(page, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
    await page.getByRole('button', { name: /^Book now/ }).click()
    await page.locator('button[type=submit][aria-busy=true]').waitFor()
    expect(await page.getByText(/^Please choose/).count()).toBe(0)
    answer()
    await page.getByRole('dialog', { name: 'What are you sending?' }).waitFor()
  })

  test.each([
    ['a phone', PHONE],
    ['a desk', DESKTOP],
  ])(
    'sees the price, route and free vehicles appear on %s without a layout shift',
    async (_, size) => {
      const { carType = '' } = await readPath<User>('users/seed-driver')
      const free = { lat: -34.9055, lng: -56.199 }
      const shift = `shift-${driver.uid}`
      const listed = { id: driver.uid, carType }
      await platform.write(buildAvailabilityUpdates(listed, free, shift, Date.now()))
      onTestFinished(() => platform.write(buildUnavailabilityUpdates({ ...listed, shift })))
      await home(size)
      let answer = () => {}
      const held = new Promise<void>((done) => (answer = done))
      const HELD = /googleapis-getdirections/
      onTestFinished(async () => {
        answer()
        await page.unroute(HELD)
      })
      await page.route(HELD, async (route) => {
        await held
        await route.continue()
      })
      const picker = page.getByRole('group', { name: 'Select car' })
      const button = page.getByRole('button', { name: /^Book now/ })
      const prices = picker.locator('label').filter({ hasText: /\d[.,]\d\d$/ })
      await fillPlaces(page)
      await expect
        .poll(() => page.getByRole('combobox', { name: 'Drop-off' }).inputValue())
        .toMatch(/Montevideo Shopping, /i)
      expect(await prices.count()).toBe(0)
      const getBoxes = async () => [await picker.boundingBox(), await button.boundingBox()]
      const before = await getBoxes()
      answer()
      await page.getByText(/km · about/).waitFor()
      const cards = await picker.getByRole('radio').count()
      await expect.poll(() => prices.count()).toBe(cards)
      const map = page.getByRole('application', { name: 'Route map' })
      await map.waitFor()
      const shownText = page.getByText(/^\d+ drivers? nearby$/)
      await shownText.waitFor()
      await expect
        .poll(() => map.locator('.map-car').count())
        .toBe(Number.parseInt((await shownText.textContent()) ?? ''))
      expect(await getBoxes()).toEqual(before)
    },
  )

  test('adds stops to the route in driving order, on a phone', async () => {
    await home(PHONE)
    await fillPlaces(page)
    await page.getByRole('button', { name: 'Add a stop' }).click()
    await choosePlace(page, 'Stop 1', 'tres cruces', /Tres Cruces/i)
    await page.getByRole('button', { name: 'Add a stop' }).click()
    await choosePlace(page, 'Stop 2', 'parque rodo', /Parque Rod/i)
    await page.getByRole('button', { name: 'Move stop up' }).click()
    await openPayment(page)
    const id = await payBooking(page)
    const { waypoints, coords } = await readPath<Booking>(`bookings/${id}`)
    expect(waypoints?.[0]?.add).toMatch(/Parque Rod/i)
    expect(waypoints?.[1]?.add).toMatch(/Tres Cruces/i)
    expect(coords).toHaveLength(4)
  })

  test('applies a promo, whose discount shows before the payment and counts once', async () => {
    const before = await readPath<Promo>('promos/welcome20')
    await home()
    await fillPlaces(page)
    const payment = await openPayment(page)
    await payment.getByLabel('Promo code').fill('no such code')
    await payment.getByRole('button', { name: 'Apply' }).click()
    await payment.getByText('This promo code is not valid.').waitFor()
    await payment.getByLabel('Promo code').fill('welcome20')
    await payment.getByRole('button', { name: 'Apply' }).click()
    await payment.getByText('WELCOME20 applied').waitFor()
    const id = await payBooking(page)
    const booking = await readPath<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({ promo_applied: true, promo_details: { id: 'welcome20' } })
    expect(booking.discount_amount).toBeGreaterThan(0)
    expect(booking.customer_paid).toBeCloseTo(booking.trip_cost - (booking.discount_amount ?? 0), 2)
    const after = await readPath<Promo>('promos/welcome20')
    expect((after.user_avail ?? 0) - (before.user_avail ?? 0)).toBe(1)
  })

  test('pays from the wallet and cancels after acceptance, with the fee shown first and then charged', async () => {
    const credit_id = `-wallet${Date.now()}`
    await office.call('add_to_wallet', { credit_id, uid, amount: 2000 })
    await home()
    await fillPlaces(page)
    const payment = await openPayment(page)
    await chooseRadio(payment.getByRole('radio', { name: /Wallet/ }))
    const id = await payBooking(page)
    const { trip_cost } = await readPath<Booking>(`bookings/${id}`)
    const paid = await readPath<User>(`users/${uid}`)
    expect(paid.walletHistory?.[`${id}-wallet`]).toMatchObject({ type: 'Debit', amount: trip_cost })
    await accepted(id)
    // The acceptance moves 30 minutes into the past, later than every cancellation slab.
    await platform.rewriteTimes(id, { accepted_at: Date.now() - 30 * MINUTE_MS })
    await platform.write({
      [`bookings/${id}/revision`]: (await readPath<Booking>(`bookings/${id}`)).revision + 1,
    })
    await navigateWithin(page, `/bookings/${id}`)
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' })
    const shownText = await dialog.getByText(/^Canceling now costs/).textContent()
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: /^Cancel for/ }).click()
    await page.getByText('Canceled', { exact: true }).first().waitFor()
    const { cancellationFee = 0 } = await readPath<Booking>(`bookings/${id}`)
    expect(cancellationFee).toBeGreaterThan(0)
    expect(shownText).toContain(cancellationFee.toFixed(2))
    const { walletBalance } = await readPath<User>(`users/${uid}`)
    expect(walletBalance).toBe(sumAmounts([paid.walletBalance, trip_cost, -cancellationFee], 2))
  })

  test('shares a booking, so that a guest sees the vehicle but no name, and nothing after the link is revoked', async () => {
    await home()
    await fillPlaces(page)
    await openPayment(page)
    const id = await payBooking(page)
    await accepted(id)
    await navigateWithin(page, `/bookings/${id}`)
    await waitForStep(page, 'Driver on the way')

    // The vehicle keeps moving without a reload.
    const car = page.getByRole('application').locator('.map-pin-vehicle')
    await car.waitFor()
    const place = () => car.evaluate((marker) => marker.style.transform)
    const before = await place()
    const { pickup } = await readPath<Booking>(`bookings/${id}`)
    const moved = { lat: pickup.lat + 0.004, lng: pickup.lng + 0.004 }
    await platform.write({
      [`tracking/${id}/-moved`]: { at: Date.now(), status: 'ACCEPTED', ...moved },
    })
    await expect.poll(place).not.toBe(before)

    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = page.getByRole('link', { name: 'Location on the map' })
    const path = (await link.getAttribute('href')) ?? ''
    const stranger = await browser.openAs(null, path, PHONE)
    await stranger.page.getByText('Driver on the way').waitFor()
    const { driver_contact = 'missing' } = await readPath<BookingContacts>(`booking_contacts/${id}`)
    const shown = (await stranger.page.locator('main').textContent()) ?? ''
    expect(shown).toContain('Beto')
    expect(shown).not.toContain('Silva')
    expect(shown).not.toContain(driver_contact)
    expect(findUnexpectedErrors(stranger)).toEqual([])
    await page.getByRole('button', { name: 'Revoke link' }).click()
    await page.getByText('The link no longer works.').waitFor()
    await stranger.page.goto(path)
    await stranger.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()

    await chooseRadio(page.getByRole('radio', { name: 'Status only' }))
    await page.getByRole('button', { name: 'Create link' }).click()
    const words = await page.getByRole('link', { name: 'Status only' }).getAttribute('href')
    await stranger.page.goto(words ?? '')
    await stranger.page.getByText('Driver on the way').waitFor()
    expect(await stranger.page.getByRole('application').count()).toBe(0)
    await stranger.context.close()
    await advanceBooking(office, id, 'cancel', { reason: 'Test' })
  })

  test('sees the booking, its code and its chat offline, until the logout', async () => {
    await home()
    await fillPlaces(page)
    await openPayment(page)
    const id = await payBooking(page)
    await accepted(id)
    const code = String(await readPath<number>(`booking_otps/${id}`))
    /** Returns each entry that the device keeps, as JSON: `[name, value]`. */
    const kept = () =>
      page.evaluate(
        () =>
          new Promise<string[]>((resolve, reject) => {
            const opening = indexedDB.open('kerbside')
            opening.onerror = () => reject(new Error('no database'))
            opening.onsuccess = () => {
              const { result } = opening
              const store = result.transaction('kept').objectStore('kept')
              const [names, values] = [store.getAllKeys(), store.getAll()]
              values.onsuccess = () => {
                result.close()
                const found: unknown[] = values.result
                resolve(found.map((one, n) => JSON.stringify([names.result[n], one])))
              }
            }
          }),
      )
    const isKept = async (...parts: string[]) =>
      (await kept()).some((entry) => parts.every((part) => entry.includes(part)))
    const offline = page.getByText('You are offline.')
    await navigateWithin(page, `/bookings/${id}`)
    await page.getByText(code).first().waitFor()
    await navigateWithin(page, `/bookings/${id}/chat`)
    await page.getByRole('textbox').fill('I am at the side entrance.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('I am at the side entrance.').waitFor()
    for (const what of ['bookingdata', 'bookingcode'])
      await expect.poll(() => isKept(` ${what} `, id)).toBe(true)
    await expect.poll(() => isKept(' chatdata ', id, 'I am at the side entrance.')).toBe(true)
    await expect
      .poll(() => page.evaluate(async () => (await caches.match('/kept/booking')) !== undefined))
      .toBe(true)

    await screen.context.setOffline(true)
    onTestFinished(() => screen.context.setOffline(false))
    await page.reload()
    await offline.waitFor()
    await page.getByText('I am at the side entrance.').waitFor()
    await page.getByRole('textbox').fill('I wear a red coat.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('I wear a red coat.').waitFor()
    await page.goto(`/bookings/${id}`)
    await offline.waitFor()
    await page.getByText(code).first().waitFor()
    await page.getByText('Beto Silva').first().waitFor()
    await screen.context.setOffline(false)
    await offline.waitFor({ state: 'detached' })
    const sent = async () => Object.values((await readPath<object>(`chats/${id}`)) ?? {})
    await expect
      .poll(sent)
      .toMatchObject([{ message: 'I am at the side entrance.' }, { message: 'I wear a red coat.' }])

    // A new booking replaces this one in the cache.
    const client = await platform.signInAs(uid)
    const asked = await platform.request(client, { bookLater: false })
    await client.call('create_booking', asked)
    await navigateWithin(page, `/bookings/${asked.booking_id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(async () => (await kept()).filter((name) => name.includes(id))).toEqual([])
    await page.getByRole('button', { name: 'Log out' }).first().click()
    await page.getByRole('link', { name: 'Log in or sign up' }).first().waitFor()
    await expect.poll(kept).toEqual([])
    const traces = () =>
      page.evaluate(async () => [
        ...Object.keys({ ...localStorage, ...sessionStorage }).filter(
          (name) =>
            name.startsWith('kerbside.') && !/^kerbside\.(scheme|locale|language)$/.test(name),
        ),
        ...((await caches.match('/kept/booking')) ? ['/kept/booking'] : []),
      ])
    await expect.poll(traces).toEqual([])
    screen.errors.splice(0)
    await screen.context.close()
    screen = await browser.openAs(uid)
    page = screen.page
    await advanceBooking(office, id, 'cancel', { reason: 'Test' })
  })

  test('chooses an available language, which sets the page direction, is saved and follows the rider', async () => {
    const added = 'languages/test-eo'
    const arabic = Object.values(await readPath<Record<string, Language>>('languages')).find(
      ({ langLocale }) => langLocale === 'ar',
    )
    const texts = readInterfaceTexts()['ar'] ?? {}
    await platform.write({
      [added]: {
        langName: 'Esperanto',
        langLocale: 'eo',
        dateLocale: 'eo',
        default: false,
        createdAt: Date.now(),
        keyValuePairs: { menu_home: 'Hejmo' },
      },
    })
    onTestFinished(() => platform.write({ [added]: null, [`users/${uid}/lang`]: null }))
    await home()
    const names = Object.values(await readPath<Record<string, Language>>('languages')).map(
      ({ langName }) => langName,
    )
    const open = async (label: string) => {
      await page.getByRole('button', { name: label }).click()
      const dialog = page.getByRole('dialog', { name: label })
      await dialog.getByRole('button', { name: 'Esperanto' }).waitFor()
      return dialog
    }
    let dialog = await open('Choose a language')
    const offered = await dialog.getByRole('listitem').allTextContents()
    expect(offered.toSorted()).toEqual(names.toSorted())
    await dialog.getByRole('button', { name: 'Esperanto' }).click()
    await page.getByRole('link', { name: 'Hejmo' }).first().waitFor()
    // Texts that a language lacks appear in English.
    dialog = await open('Choose a language')
    await dialog.getByRole('button', { name: arabic?.langName ?? '' }).click()
    await page.locator('html[lang="ar"][dir="rtl"]').waitFor()
    await expect
      .poll(() => readPath(`users/${uid}/lang`))
      .toEqual({ langLocale: 'ar', dateLocale: arabic?.dateLocale })
    await page.reload()
    await page.locator('html[lang="ar"][dir="rtl"]').waitFor()
    await page.getByRole('heading', { name: texts['hero_title'] ?? '' }).waitFor()

    // On a device without a saved language, the profile's language applies.
    const elsewhere = await browser.openAs(uid, '/bookings', PHONE)
    await elsewhere.page.locator('html[lang="ar"][dir="rtl"]').waitFor()
    await elsewhere.context.close()
    dialog = await open(texts['choose_language'] ?? '')
    await dialog.getByRole('button', { name: 'English' }).click()
    await page.locator('html[lang="en"][dir="ltr"]').waitFor()
  })

  test('confirms a new number with a code', async () => {
    const mobile = createPhoneNumber()
    await navigateWithin(page, '/profile')
    await page.getByRole('button', { name: 'Change number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change number' })
    await signInByPhone(dialog, mobile)
    await page.getByText('Your number was changed.').waitFor()
    expect(await readPath(`users/${uid}/mobile`)).toBe(mobile)
  })

  test('has two tabs open that show each other’s changes, and logging out ends both', async () => {
    await home()
    await fillPlaces(page)
    await openPayment(page)
    const id = await payBooking(page)
    await navigateWithin(page, `/bookings/${id}`)
    await waitForStep(page, 'Looking for a driver')
    const second = await screen.context.newPage()
    // Each tab has its own form.
    await second.goto('/')
    await choosePlace(second, 'Pickup', 'tres cruces', /Tres Cruces/i)
    await navigateWithin(second, `/bookings/${id}`)
    await second.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = second.getByRole('dialog', { name: 'Cancel this booking?' })
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: 'Cancel the booking' }).click()
    await page.getByText('Canceled', { exact: true }).first().waitFor()
    await second.getByRole('button', { name: 'Log out' }).first().click()
    await second.getByRole('link', { name: 'Log in or sign up' }).first().waitFor()
    await page.waitForURL('**/login')
    await second.close()
  })
})

describe('a first-time visitor', () => {
  test('books, signs up at the end and loses nothing, survives an expired session, exports the data and deletes the account', async () => {
    const mobile = createPhoneNumber()
    const screen = await browser.openAs(null, '/', PHONE)
    const { page, context } = screen
    await fillPlaces(page)
    await page.getByRole('button', { name: 'Add a stop' }).click()
    await choosePlace(page, 'Stop 1', 'tres cruces', /Tres Cruces/i)
    await page.getByRole('button', { name: /^Book now/ }).click()
    const extras = page.getByRole('dialog', { name: 'What are you sending?' })
    const options = extras.getByRole('group', { name: 'Extra service' }).getByRole('radio')
    await chooseRadio(options.last())
    await extras.getByRole('button', { name: 'Continue' }).click()
    const estimate = page.getByRole('dialog', { name: 'Your estimate' })
    await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
    await estimate.getByLabel('Delivery instructions').fill('Ring twice')
    const price = await estimate.getByRole('button', { name: /Log in to book/ }).textContent()
    await estimate.getByRole('button', { name: /Log in to book/ }).click()
    await signInByPhone(page, mobile)

    // The dialog is back where the visitor left it, and asks for the missing data of the new
    // account.
    const amount = /[\d.,]+/.exec(price ?? '')?.[0] ?? 'no price'
    await estimate.getByRole('button', { name: new RegExp(`^Book for.*${amount}`) }).click()
    await estimate.getByLabel('First name').fill('Nora')
    await estimate.getByLabel('Last name').fill('Nueva')
    await estimate.getByLabel('Email').fill(`nora${mobile.slice(-4)}@example.com`)
    await estimate.getByRole('button', { name: /^Book for/ }).click()
    await page.getByRole('dialog', { name: 'How would you like to pay?' }).waitFor()
    const id = await payBooking(page)
    const uid = await findUid(mobile)
    const booking = await readPath<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({ customer: uid, customer_name: 'Nora Nueva' })
    expect(await readPath<BookingContacts>(`booking_contacts/${id}`)).toMatchObject({
      customer_contact: mobile,
      deliveryPersonPhone: '099 123 456',
      deliveryInstructions: 'Ring twice',
    })
    expect(booking.waypoints?.[0]?.add).toMatch(/Tres Cruces/i)
    const { options: choices = [] } = await readPath<VehicleType>(`cartypes/${booking.carTypeId}`)
    const { description, amount: surcharge } = choices.at(-1) ?? {}
    expect(booking.optionSelected).toMatchObject({ description, amount: surcharge })
    await advanceBooking(office, id, 'cancel', { reason: 'Test' })
    expect(findUnexpectedErrors(screen)).toEqual([])

    // The session ends elsewhere while the rider fills in the next booking.
    await page.goto('/')
    await choosePlace(page, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
    const pickup = page.getByRole('combobox', { name: 'Pickup' })
    await expect.poll(() => pickup.inputValue()).toMatch(/Plaza Independencia, /i)
    const accounts = `${getSuite().urls.auth}/identitytoolkit.googleapis.com/v1/projects/demo-kerbside/accounts`
    const revoked = await fetch(`${accounts}:update`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify({
        localId: uid,
        validSince: String(Math.floor(Date.now() / 1000) + 1),
      }),
    })
    expect(revoked.ok).toBe(true)
    await page.goto('/profile')
    await page.waitForURL('**/login')
    // The next user of this device may be another person, so the form is empty.
    await page.goto('/')
    await page.getByRole('link', { name: 'Log in or sign up' }).first().waitFor({
      state: 'attached',
    })
    expect(await pickup.inputValue()).toBe('')
    await choosePlace(page, 'Pickup', 'tres cruces', /Tres Cruces/i)
    // The field shows the place before its position is known; the draft is saved only after that.
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('kerbside.draft')))
      .toMatch(/Tres Cruces/)
    await page.goto('/profile')
    await page.waitForURL('**/login')
    await signInByPhone(page, mobile)
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(() => pickup.inputValue()).toMatch(/Tres Cruces/i)

    await navigateWithin(page, '/profile')
    const arriving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const file = await (await arriving).path()
    const mine = JSON.parse(readFileSync(file, 'utf8')) as { profile: User }
    expect(mine.profile).toMatchObject({ firstName: 'Nora', usertype: 'rider' })
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('textbox').fill('delete')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Your account was deleted.').waitFor()
    await page
      .getByRole('link', { name: 'Log in or sign up' })
      .first()
      .waitFor({ state: 'attached' })
    expect(await readPath(`users/${uid}`)).toBeNull()
    expect(
      findUnexpectedErrors(screen, EXPECTED_AFTER_DELETION, EXPECTED_AFTER_SESSION_END),
    ).toEqual([])
    await context.close()
  })

  test('signs up as a driver with vehicle and license, and waits for approval when the settings require it', async () => {
    const mobile = createPhoneNumber()
    const screen = await browser.openAs(null, '/signup', PHONE)
    const { page, context } = screen
    await signInByPhone(page, mobile)
    await page.getByLabel('First name').fill('Dora')
    await page.getByLabel('Last name').fill('Conductora')
    await page.getByLabel('Email').fill(`dora${mobile.slice(-4)}@example.com`)
    await page.getByLabel('Vehicle type', { exact: true }).selectOption({ label: 'Economy' })
    await page.getByLabel('Vehicle make').fill('Fiat')
    await page.getByLabel('Vehicle model').fill('Uno')
    await page.getByLabel('License plate').fill('SBX 1111')
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByText('Take a photo first.').waitFor()
    await page
      .getByLabel('Driver’s license')
      .setInputFiles(resolve(import.meta.dirname, '../../public/icons/192.png'))
    await page.getByRole('img', { name: 'Driver’s license' }).waitFor()
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    const { driver_approval } = await readPath<Settings>('settings')
    const ending = driver_approval ? /waiting for approval/ : /you can start/
    await page.getByRole('heading', { level: 1, name: ending }).waitFor()
    const dora = await readPath<User>(`users/${await findUid(mobile)}`)
    expect(dora).toMatchObject({
      usertype: 'driver',
      approved: !driver_approval,
      carType: 'economy',
      vehicleNumber: 'SBX 1111',
    })
    expect(dora.licenseImage).toMatch(/^https?:/)
    expect(findUnexpectedErrors(screen)).toEqual([])
    await context.close()
  })
})
