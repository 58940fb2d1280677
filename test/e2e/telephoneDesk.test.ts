import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCAL_CALLER_KEY } from '~/functions/src/config'
import { openTestPlatform, postEndpoint, type TestPlatform } from '../functions/testPlatform'
import { pollUntil, waitUntilGone } from '../support/officeLocators'
import { openTestBrowser, waitUntilLoaded, type TestBrowser } from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import type { Booking } from '~/domain/booking/types'
import type { OfficeCall } from '~/domain/office/types'

let browser: TestBrowser
let platform: TestPlatform
beforeAll(async () => {
  platform = openTestPlatform()
  browser = await openTestBrowser()
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

/** A number that one may type in the platform's country, and the same with its country code. */
const national = (last: string) => `099${last}`
const international = (last: string) => `+59899${last}`
const lastDigits = () => String(Date.now()).slice(-6)

/** Creates a rider with a booking; returns what the office will see of them. */
const createRepeatCaller = async (lastName: string) => {
  const last = lastDigits()
  const [uid = ''] = await platform.createUsers(1, {
    firstName: 'Renata',
    lastName,
    mobile: international(last),
  })
  const rider: TestClient = await platform.signInAs(uid)
  const { booking_id } = await platform.createBooking(rider)
  const reference = (await platform.read<string>(`bookings/${booking_id}/reference`)) ?? ''
  return { uid, last, booking_id, reference, name: `Renata ${lastName}` }
}

/** Types and counts the keys. */
const createCountedKeyboard = (page: Page) => {
  let count = 0
  return {
    getCount: () => count,
    press: async (key: string) => {
      count += 1
      await page.keyboard.press(key)
    },
    type: async (text: string) => {
      count += text.length
      await page.keyboard.type(text)
    },
    /** Presses Tab until the field has the focus. */
    async tabTo(field: Locator) {
      const hasFocus = () => field.evaluate((element) => element === document.activeElement)
      for (let tabs = 0; tabs < 8 && !(await hasFocus()); tabs++) {
        count += 1
        await page.keyboard.press('Tab')
      }
      expect(await hasFocus()).toBe(true)
    },
  }
}
const waitForFocus = (element: Locator) =>
  pollUntil(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
const waitForPrice = async (page: Page) => {
  await page.getByText('Total', { exact: true }).waitFor()
  const book = page.getByRole('button', { name: 'Book', exact: true })
  await pollUntil(() => book.getAttribute('aria-busy')).toBeNull()
}
const findBookings = async (uid: string): Promise<Booking[]> =>
  Promise.all(
    (await platform.listBookingIds(uid)).map(
      async (id) => (await platform.read<Booking>(`bookings/${id}`))!,
    ),
  )

test('a repeat caller is booked with at most six keys after the number', async () => {
  const { uid, last, reference, name, booking_id } = await createRepeatCaller('Repeats')
  const office = await browser.openAs('seed-admin', '/addbookings')
  const { page } = office
  const keyboard = createCountedKeyboard(page)
  await page.getByRole('combobox', { name: 'Rider' }).click()
  await keyboard.type(national(last))
  await page.getByRole('option', { name: new RegExp(name) }).waitFor()
  const before = keyboard.getCount()

  await keyboard.press('Enter')
  const card = page.getByRole('region', { name: `What we know about ${name}` })
  const trip = card.getByRole('button', { name: /From here.*To there/ })
  await trip.waitFor()
  await waitForFocus(trip)
  await card.getByRole('link', { name: reference }).waitFor()
  await keyboard.press('1')
  await waitForPrice(page)
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Booked' }).waitFor()
  expect(keyboard.getCount() - before).toBeLessThanOrEqual(6)

  const booked = (await findBookings(uid)).find(({ id }) => id !== booking_id)
  expect(booked).toMatchObject({
    customer_name: name,
    pickupAddress: 'From here',
    dropAddress: 'To there',
    deliveryPerson: 'Ana Paz',
    booking_type_admin: true,
  })
  expect(office.errors).toEqual([])
})

test('a note stays with the person, and another admin sees it', async () => {
  const { last, name } = await createRepeatCaller('Noted')
  const offices = await Promise.all(
    ['seed-admin', 'seed-admin'].map((uid) => browser.openAs(uid, '/addbookings')),
  )
  const openCard = async (page: Page) => {
    await page.getByRole('combobox', { name: 'Rider' }).fill(international(last))
    await page.getByRole('option', { name: new RegExp(name) }).click()
    return page.getByLabel('Note for the office')
  }
  const [first, second] = offices as [(typeof offices)[number], (typeof offices)[number]]
  await (await openCard(first.page)).fill('Rings the wrong bell')
  await first.page.getByRole('button', { name: 'Save note' }).click()
  await first.page.getByText('The note was saved.').waitFor()
  expect(await (await openCard(second.page)).inputValue()).toBe('Rings the wrong bell')
  for (const { errors } of offices) expect(errors).toEqual([])
})

// 25 seconds of typing at five keys a second.
test('an unknown caller is booked with at most 125 keys, and has the booking after signing in', async () => {
  const last = lastDigits()
  const office = await browser.openAs('seed-admin', '/addbookings')
  const { page } = office
  const keyboard = createCountedKeyboard(page)
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await page.getByRole('combobox', { name: 'Rider' }).click()
  await keyboard.type(national(last))
  await page.getByRole('option', { name: `New caller ${international(last)}` }).waitFor()
  await keyboard.press('Enter')
  await waitForFocus(field('Name'))
  await keyboard.type('Gil Paz')
  await keyboard.tabTo(field('Pickup'))
  await keyboard.type('plaza indep')
  await keyboard.press('Enter')
  await keyboard.tabTo(field('Drop-off'))
  await keyboard.type('montevideo sh')
  await keyboard.press('Enter')
  await keyboard.tabTo(field('Vehicle type'))
  await keyboard.type('c')
  await keyboard.tabTo(field('Recipient'))
  await keyboard.type('Ana Paz')
  await keyboard.tabTo(field('Recipient’s phone'))
  await keyboard.type('099123456')
  await waitForPrice(page)
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Booked' }).waitFor()
  expect(keyboard.getCount()).toBeLessThanOrEqual(125)

  const users = platform.admin.database.ref('users')
  const found = await users.orderByChild('mobile').equalTo(international(last)).get()
  const [guest = ''] = Object.keys((found.val() ?? {}) as object)
  const person = await platform.signInAs(guest)
  expect(person.phone).toBe(international(last))
  expect((await person.call('ensure_profile')).id).toBe(guest)
  const { rows } = await person.call('find_bookings', { words: 'shopping' })
  expect(rows).toMatchObject([{ customer: guest, customer_name: 'Gil Paz' }])
  expect(office.errors).toEqual([])
})

/** Returns the ringing calls. The office's alerts are in the same list. */
const readCalls = async () => {
  const rows = await platform.read<Record<string, OfficeCall>>('internal/admin')
  return Object.values(rows ?? {}).filter(({ number }) => number !== undefined)
}

test('a call that the telephone system announces opens the card of the caller with Enter', async () => {
  const { last, name } = await createRepeatCaller('Rings')
  const number = international(last)
  const office = await browser.openAs('seed-admin', '/riders')
  const { page } = office
  await waitUntilLoaded(page)
  const announce = (key: string, body: object) =>
    postEndpoint('caller', body, { 'X-Kerbside-Key': key })
  // A wrong key and a bad number show nothing.
  expect((await announce('another key of 20 letters', { number })).status).toBe(401)
  expect(await announce(LOCAL_CALLER_KEY, { number: '099' })).toMatchObject({
    status: 400,
    body: { key: 'bad_input', field: 'number' },
  })
  expect(await readCalls()).toEqual([])

  expect((await announce(LOCAL_CALLER_KEY, { number, extension: '12' })).status).toBe(200)
  const calls = page.getByRole('region', { name: 'Incoming calls' })
  await calls.getByText(name).waitFor()
  await calls.getByText('Extension 12').waitFor()
  await waitForFocus(calls.getByRole('button', { name: 'Book for this caller' }))
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: `What we know about ${name}` })
  await waitForFocus(card.getByRole('button', { name: /From here.*To there/ }))
  // The answered call leaves the screen, and its number the database.
  await waitUntilGone(calls.getByText(name))
  expect(await readCalls()).toEqual([])
  expect(office.errors).toEqual([])
})
