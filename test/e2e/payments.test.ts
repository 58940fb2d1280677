import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { findAccessibilityFaults, type PageLook } from '../support/accessibilityCheck'
import { waitForStep } from '../support/bookingPage'
import {
  PLAIN_FILE,
  navigateWithin,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import { deliverMessage, createPaidMessage } from '../support/testBank'
import type { Booking } from '~/domain/booking/types'

let browser: TestBrowser
let platform: TestPlatform
let office: Screen
beforeAll(async () => {
  platform = openTestPlatform()
  browser = await openTestBrowser()
  office = await browser.openAs('seed-admin', '/payments')
})
afterAll(async () => {
  expect(office.errors).toEqual([])
  await browser.close()
  await platform.close()
})

interface Payer extends TestClient {
  screen: Screen
  /** Creates a booking for tomorrow that waits for its payment; returns its id. */
  books(): Promise<string>
}
/** Creates a rider for one test, with a browser page and an API client. */
const createPayer = async (path = '/bookings'): Promise<Payer> => {
  const [uid = ''] = await platform.createUsers(1, {})
  const client = await platform.signInAs(uid)
  const screen = await browser.openAs(uid, path)
  return {
    ...client,
    screen,
    books: async () => (await platform.createBooking(client)).booking_id,
  }
}
const readAttempts = async (uid: string): Promise<PaymentAttempt[]> => {
  const all = await platform.admin.database.ref('payments').orderByChild('uid').equalTo(uid).get()
  return Object.values((all.val() ?? {}) as Record<string, PaymentAttempt>)
}
const readLastAttempt = async ({ uid }: TestClient): Promise<PaymentAttempt> => {
  const all = await readAttempts(uid)
  const last = all.sort((a, b) => a.createdAt - b.createdAt).at(-1)
  if (!last) throw new Error('There is no payment.')
  return last
}
const readBalance = ({ uid }: TestClient) => platform.read<number>(`users/${uid}/walletBalance`)
const readBooking = (id: string) => platform.read<Booking>(`bookings/${id}`)
/** Cancels the booking, which moves any prepaid amount to the wallet. */
const waitForBookingEnd = (payer: TestClient, booking_id: string) =>
  advanceBooking(payer, booking_id, 'cancel', { reason: 'No more' })

const findHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
/** Waits for the page of the booking, which opens once it is paid. */
const waitUntilBooked = async (page: Page) => {
  await page.getByText(/Reference: \w{3}-\w{3}/).waitFor()
  await findHeading(page, 'Looking for a driver').waitFor()
}
/** Goes from a booking's page to the bank's page. */
const goToBank = async (page: Page) => {
  await page.getByRole('button', { name: 'Pay now' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'How would you like to pay?' })
  await dialog.getByRole('radio', { name: /Card/ }).check({ force: true })
  await dialog.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: /^Pay \$/ }).click()
  await findHeading(page, 'Test payment').waitFor()
}
const startTopUp = async (page: Page, amount: string) => {
  await navigateWithin(page, '/wallet?tab=topup')
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^Top up \$/ }).click()
  await findHeading(page, 'Test payment').waitFor()
}
const payWith = async (page: Page, card: RegExp) => {
  await page.getByRole('radio', { name: card }).check()
  await page.getByRole('button', { name: /^Pay UYU/ }).click()
}
/** Returns the office's table row of one payment. */
const findOfficeRow = async (id: string) => {
  await office.page
    .getByRole('searchbox')
    .or(office.page.getByLabel(/Search/))
    .first()
    .fill(id)
  return office.page.getByRole('row').filter({ hasText: id })
}

describe('a booking at the test bank', () => {
  test('is paid after an aborted and a declined attempt and a code challenge', async () => {
    const payer = await createPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    await navigateWithin(page, `/bookings/${id}`)
    await goToBank(page)

    await page.getByRole('button', { name: 'Cancel and go back' }).click()
    await findHeading(page, 'You left the payment page').waitFor()
    await page.getByText('did not charge you').waitFor()
    expect((await readBooking(id))?.status).toBe('PAYMENT_PENDING')
    await page.getByRole('link', { name: 'Pay again' }).click()

    await goToBank(page)
    await payWith(page, /Is declined/)
    await page.getByRole('alert').filter({ hasText: 'Choose another one.' }).waitFor()
    expect((await readBooking(id))?.status).toBe('PAYMENT_PENDING')
    await payWith(page, /The bank asks for a code first/)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').filter({ hasText: 'The code is incorrect.' }).waitFor()
    await page.getByLabel('Code').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()

    await waitUntilBooked(page)
    const { amount } = await readLastAttempt(payer)
    expect(await readBooking(id)).toMatchObject({
      status: 'NEW',
      prepaid: true,
      payment_mode: 'card',
      gateway: 'test',
      customer_paid: amount,
    })
    await waitForStep(page, 'Looking for a driver')
    expect(errors).toEqual([])
    await waitForBookingEnd(payer, id)
    expect(await readBalance(payer)).toBe(amount)
  })

  test('waits for the bank’s webhook on the return page, and then shows the result', async () => {
    const payer = await createPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    await navigateWithin(page, `/bookings/${id}`)
    await goToBank(page)
    const attempt = await readLastAttempt(payer)
    // The rider leaves the bank's page and opens the return page before the webhook arrives.
    await page.goto(`/payment-return?payment=${attempt.id}`)
    await findHeading(page, 'Waiting for Test payment').waitFor()
    const message = createPaidMessage(
      { payment_id: attempt.id, amount: attempt.amount },
      `late-${attempt.id}`,
    )
    expect((await deliverMessage(message)).status).toBe(200)
    await waitUntilBooked(page)
    // The card with a late webhook leads to the same result for the next booking.
    const next = await payer.books()
    await navigateWithin(page, `/bookings/${next}`)
    await goToBank(page)
    await payWith(page, /five seconds later/)
    await waitUntilBooked(page)
    expect((await readBooking(next))?.status).toBe('NEW')
    expect(errors).toEqual([])
    await waitForBookingEnd(payer, id)
    await waitForBookingEnd(payer, next)
  })

  test('opened in two windows is paid once, and the second window shows it as paid', async () => {
    const payer = await createPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    const other = await payer.screen.context.newPage()
    for (const each of [page, other]) {
      await each.goto(`/bookings/${id}`)
      await goToBank(each)
    }
    for (const each of [page, other]) {
      await payWith(each, /Pays at once/)
      await waitUntilBooked(each)
    }
    const made = await readAttempts(payer.uid)
    expect(made.map(({ applied_to, problem }) => [applied_to, problem])).toEqual([
      ['booking', undefined],
    ])
    expect(errors).toEqual([])
    await waitForBookingEnd(payer, id)
    expect(await readBalance(payer)).toBe(made[0]?.amount)
  })
})

describe('a wallet', () => {
  test('is topped up once although the webhook arrives twice, and the office refunds it to the card', async () => {
    const payer = await createPayer()
    const { page, errors } = payer.screen
    await startTopUp(page, '25,50')
    await payWith(page, /the webhook arrives twice/)
    await findHeading(page, 'Your wallet is topped up').waitFor()
    expect(await readBalance(payer)).toBe(25.5)
    await page.getByRole('link', { name: 'View wallet' }).click()
    await page
      .getByText(/25\.50/)
      .first()
      .waitFor()

    const { id } = await readLastAttempt(payer)
    await navigateWithin(page, `/payment-return?payment=${id}`)
    await findHeading(page, 'Your wallet is topped up').waitFor()
    await navigateWithin(office.page, '/payments?show=all')
    const row = await findOfficeRow(id)
    await row.getByRole('button', { name: `Refund: ${id}` }).click()
    const question = office.page.getByRole('dialog', { name: /^Send .*25\.50 back to the card/ })
    await question.getByRole('button', { name: 'Refund' }).click()
    await row.getByText('Fully refunded').waitFor()
    await findHeading(page, 'Refunded').waitFor()
    expect(await readBalance(payer)).toBe(0)
    expect(errors).toEqual([])
  })

  test('holds an underpayment until the office credits the received amount', async () => {
    const payer = await createPayer()
    const { page, errors } = payer.screen
    await startTopUp(page, '30')
    await payWith(page, /one unit less/)
    await findHeading(page, 'We are reviewing your payment').waitFor()
    expect(await readBalance(payer)).toBe(0)

    const { id } = await readLastAttempt(payer)
    await navigateWithin(office.page, '/payments')
    const row = await findOfficeRow(id)
    await row.getByText('Wrong amount received').waitFor()
    await row.getByText(/29\.99/).waitFor()
    await row.getByRole('button', { name: `Credit to the wallet: ${id}` }).click()
    const question = office.page.getByRole('dialog', {
      name: /^Credit .*29\.99 to the payer’s wallet/,
    })
    await question.getByRole('button', { name: 'Credit to the wallet' }).click()
    await question.waitFor({ state: 'hidden' })
    await row.waitFor({ state: 'hidden' })
    expect(await readBalance(payer)).toBe(29.99)
    await findHeading(page, 'Your payment is settled').waitFor()
    expect(errors).toEqual([])
  })
})

describe('axe finds no fault on the payment pages', () => {
  /** Checks the page in the light and in the dark color scheme. */
  const bothWays = async (page: Page, look: PageLook) => {
    const faults: string[] = []
    await page.emulateMedia({ colorScheme: 'dark' })
    faults.push(...(await findAccessibilityFaults(page, 'dark')))
    await page.emulateMedia({ colorScheme: 'light' })
    faults.push(...(await findAccessibilityFaults(page, look)))
    return faults
  }

  test.each([
    ['en', 'ltr', 'Card', 'Test payment', 'light'],
    ['he', 'rtl', 'כרטיס', 'תשלום ניסיון', 'rightToLeft'],
  ] as const)('of payers in %s, light and dark', async (locale, dir, card, bank, look) => {
    const payer = await createPayer(PLAIN_FILE)
    const { page, context, errors } = payer.screen
    const waitForLanguage = (each: Page) =>
      each.locator(`html[lang="${locale}"][dir="${dir}"]`).waitFor()
    await context.addInitScript((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    const id = await payer.books()
    const faults: Record<string, string[]> = {}

    await page.goto(`/bookings/${id}`)
    await waitForLanguage(page)
    await page.getByRole('main').getByRole('button').first().waitFor()
    await page.locator('button[class*="accent"]').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: card }).check({ force: true })
    await dialog.getByRole('radio', { name: bank }).waitFor({ state: 'attached' })
    faults.dialog = await bothWays(page, look)
    await dialog.locator('button[class*="accent"]').click()

    await findHeading(page, bank).waitFor()
    await waitForLanguage(page)
    faults.bank = await bothWays(page, look)
    await page.locator('input[value="challenge"]').check()
    await page.locator('button[value="pay"]').click()
    await page.locator('input[name="code"]').waitFor()
    faults.code = await bothWays(page, look)
    await page.locator('input[name="code"]').fill('123456')
    await page.locator('button[value="pay"]').click()

    await page.waitForURL(`**/bookings/${id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitForLanguage(page)
    faults.back = await bothWays(page, look)
    expect(faults).toEqual({ dialog: [], bank: [], code: [], back: [] })
    expect(errors).toEqual([])
    await waitForBookingEnd(payer, id)
  })

  test.each([
    ['en', 'light'],
    ['he', 'rightToLeft'],
  ] as const)('of the back office in %s, light and dark', async (locale, look) => {
    const admin = await browser.openAs('seed-admin', PLAIN_FILE)
    const { page, context, errors } = admin
    await context.addInitScript((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    const faults: Record<string, string[]> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      // Scripts set the office's colors on load, so the test emulates the scheme before it opens
      // the page.
      await page.emulateMedia({ colorScheme })
      await page.goto('/payments?show=all')
      await page.locator(`html[lang="${locale}"]`).waitFor()
      await page.getByRole('row').nth(1).waitFor()
      faults[colorScheme] = await findAccessibilityFaults(
        page,
        colorScheme === 'dark' ? 'dark' : look,
      )
    }
    expect(faults).toEqual({ light: [], dark: [] })
    expect(errors).toEqual([])
    await context.close()
  })
})
