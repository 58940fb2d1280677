import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Booking } from '~/domain/entities'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { advance, openScene, type Scene } from '../functions/scene'
import { faultsOf } from '../support/axe'
import { openBrowser, type Screen, type TestBrowser } from '../support/browser'
import type { Client } from '../support/clients'
import { deliver, paidMessage } from '../support/testBank'

let browser: TestBrowser
let scene: Scene
let office: Screen
beforeAll(async () => {
  scene = openScene()
  browser = await openBrowser()
  office = await browser.openAs('seed-admin', '/payments')
})
afterAll(async () => {
  expect(office.errors).toEqual([])
  await browser.close()
  await scene.close()
})

interface Payer extends Client {
  screen: Screen
  /** A booking for tomorrow that waits for its payment. */
  books(): Promise<string>
}
/** A rider of this test's own, in the browser and beside it. */
const aPayer = async (path = '/bookings'): Promise<Payer> => {
  const [uid = ''] = await scene.people(1, {})
  const client = await scene.as(uid)
  const screen = await browser.openAs(uid, path)
  onTestFailed(() => browser.picture({ rider: screen, office }))
  return {
    ...client,
    screen,
    books: async () => (await scene.book(client)).booking_id,
  }
}
const attempts = async (uid: string): Promise<PaymentAttempt[]> => {
  const all = await scene.admin.database.ref('payments').orderByChild('uid').equalTo(uid).get()
  return Object.values((all.val() ?? {}) as Record<string, PaymentAttempt>)
}
const lastAttempt = async ({ uid }: Client): Promise<PaymentAttempt> => {
  const all = await attempts(uid)
  const last = all.sort((a, b) => a.createdAt - b.createdAt).at(-1)
  if (!last) throw new Error('There is no payment.')
  return last
}
const balance = ({ uid }: Client) => scene.read<number>(`users/${uid}/walletBalance`)
const booking = (id: string) => scene.read<Booking>(`bookings/${id}`)
/** The booking's end: whatever was prepaid is in the wallet then. */
const ends = (payer: Client, booking_id: string) =>
  advance(payer, booking_id, 'cancel', { reason: 'No more' })

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
/** From a booking's page to the bank's. */
const toTheBank = async (page: Page) => {
  await page.getByRole('button', { name: 'Pay now' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'How would you like to pay?' })
  await dialog.getByRole('radio', { name: /Card/ }).check({ force: true })
  await dialog.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: /^Pay \$/ }).click()
  await heading(page, 'Test payment').waitFor()
}
const topUp = async (page: Page, amount: string) => {
  await page.goto('/wallet?tab=topup')
  await page.getByLabel('How much?').fill(amount)
  await page.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^Top up \$/ }).click()
  await heading(page, 'Test payment').waitFor()
}
const payWith = async (page: Page, card: RegExp) => {
  await page.getByRole('radio', { name: card }).check()
  await page.getByRole('button', { name: /^Pay UYU/ }).click()
}
/** The office's row of one payment, whatever else is on the page. */
const officeRow = async (id: string) => {
  await office.page
    .getByRole('searchbox')
    .or(office.page.getByLabel(/Search/))
    .first()
    .fill(id)
  return office.page.getByRole('row').filter({ hasText: id })
}

describe('a booking is paid at the test bank', () => {
  test('left, declined, then paid after the bank asked for its code', async () => {
    const payer = await aPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    await page.goto(`/bookings/${id}`)
    await toTheBank(page)

    await page.getByRole('button', { name: 'Cancel and go back' }).click()
    await heading(page, 'You left the payment page').waitFor()
    await page.getByText('charged nothing').waitFor()
    expect((await booking(id))?.status).toBe('PAYMENT_PENDING')
    await page.getByRole('link', { name: 'Pay again' }).click()

    await toTheBank(page)
    await payWith(page, /Is declined/)
    await page.getByRole('alert').filter({ hasText: 'Choose another one.' }).waitFor()
    expect((await booking(id))?.status).toBe('PAYMENT_PENDING')
    await payWith(page, /The bank asks for a code first/)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').filter({ hasText: 'That is not the code.' }).waitFor()
    await page.getByLabel('Code').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()

    await heading(page, 'Paid').waitFor()
    const { amount } = await lastAttempt(payer)
    expect(await booking(id)).toMatchObject({
      status: 'NEW',
      prepaid: true,
      payment_mode: 'card',
      gateway: 'test',
      customer_paid: amount,
    })
    await page.getByRole('link', { name: 'To the booking' }).click()
    await page.getByText('Looking for a driver').first().waitFor()
    expect(errors).toEqual([])
    await ends(payer, id)
    expect(await balance(payer)).toBe(amount)
  })

  test('the way back waits for the bank’s word, and shows it when it comes', async () => {
    const payer = await aPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    await page.goto(`/bookings/${id}`)
    await toTheBank(page)
    const attempt = await lastAttempt(payer)
    // He closes the bank's page and finds his own way back before the bank has said a word.
    await page.goto(`/payment-return?payment=${attempt.id}`)
    await heading(page, 'Waiting for Test payment').waitFor()
    const message = paidMessage(
      { payment_id: attempt.id, amount: attempt.amount },
      `late-${attempt.id}`,
    )
    expect((await deliver(message)).status).toBe(200)
    await heading(page, 'Paid').waitFor()
    // The card whose message comes late leads to the same end: his next booking.
    const next = await payer.books()
    await page.goto(`/bookings/${next}`)
    await toTheBank(page)
    await payWith(page, /five seconds later/)
    await heading(page, 'Paid').waitFor()
    expect((await booking(next))?.status).toBe('NEW')
    expect(errors).toEqual([])
    await ends(payer, id)
    await ends(payer, next)
  })

  test('paid in two windows at once, the second payment is in the wallet', async () => {
    const payer = await aPayer()
    const { page, errors } = payer.screen
    const id = await payer.books()
    const other = await payer.screen.context.newPage()
    for (const each of [page, other]) {
      await each.goto(`/bookings/${id}`)
      await toTheBank(each)
    }
    await Promise.all([page, other].map((each) => payWith(each, /Pays at once/)))
    const ways = heading(page, 'Paid').or(heading(page, 'The money is in your wallet'))
    await ways.waitFor()
    await heading(other, 'Paid').or(heading(other, 'The money is in your wallet')).waitFor()
    const made = await attempts(payer.uid)
    expect(made.map(({ applied_to }) => applied_to).sort()).toEqual(['booking', 'wallet'])
    expect(await balance(payer)).toBe(made[0]?.amount)
    expect(errors).toEqual([])
    await ends(payer, id)
  })
})

describe('a wallet', () => {
  test('is topped up once, though the message comes twice; the office sends it back to the card', async () => {
    const payer = await aPayer()
    const { page, errors } = payer.screen
    await topUp(page, '25,50')
    await payWith(page, /the message comes twice/)
    await heading(page, 'Your wallet is topped up').waitFor()
    expect(await balance(payer)).toBe(25.5)
    await page.getByRole('link', { name: 'To the wallet' }).click()
    await page
      .getByText(/25\.50/)
      .first()
      .waitFor()

    const { id } = await lastAttempt(payer)
    await page.goto(`/payment-return?payment=${id}`)
    await heading(page, 'Your wallet is topped up').waitFor()
    await office.page.goto('/payments?show=all')
    const row = await officeRow(id)
    await row.getByRole('button', { name: `Refund: ${id}` }).click()
    const question = office.page.getByRole('dialog', { name: /^Send .*25\.50 back to the card/ })
    await question.getByRole('button', { name: 'Refund' }).click()
    await row.getByText('Refunded in full').waitFor()
    await heading(page, 'Refunded').waitFor()
    expect(await balance(payer)).toBe(0)
    expect(errors).toEqual([])
  })

  test('less than was asked is parked; the office sees it and credits what came', async () => {
    const payer = await aPayer()
    const { page, errors } = payer.screen
    await topUp(page, '30')
    await payWith(page, /one unit less/)
    await heading(page, 'We are looking at your payment').waitFor()
    expect(await balance(payer)).toBe(0)

    const { id } = await lastAttempt(payer)
    await office.page.goto('/payments')
    const row = await officeRow(id)
    await row.getByText('Another amount arrived').waitFor()
    await row.getByText(/29\.99/).waitFor()
    await row.getByRole('button', { name: `Credit to the wallet: ${id}` }).click()
    const question = office.page.getByRole('dialog', {
      name: /^Credit .*29\.99 to the payer’s wallet/,
    })
    await question.getByRole('button', { name: 'Credit to the wallet' }).click()
    await question.waitFor({ state: 'hidden' })
    await row.waitFor({ state: 'hidden' })
    expect(await balance(payer)).toBe(29.99)
    await heading(page, 'Your payment is settled').waitFor()
    expect(errors).toEqual([])
  })
})

describe('what payers and the office look at has no fault axe can find', () => {
  /** The page as it is, and again in the dark. */
  const bothWays = async (page: Page) => {
    const faults: string[] = []
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      faults.push(...(await faultsOf(page)))
    }
    return faults
  }

  test.each([
    ['en', 'ltr', 'Card', 'Test payment'],
    ['he', 'rtl', 'כרטיס', 'תשלום ניסיון'],
  ])('in %s, light and dark', async (locale, dir, card, bank) => {
    const payer = await aPayer()
    const { page, context, errors } = payer.screen
    const spoken = (each: Page) => each.locator(`html[lang="${locale}"][dir="${dir}"]`).waitFor()
    await context.addInitScript((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    const id = await payer.books()
    const faults: Record<string, string[]> = {}

    await page.goto(`/bookings/${id}`)
    await spoken(page)
    await page.getByRole('main').getByRole('button').first().waitFor()
    await page.locator('button[class*="accent"]').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: card }).check({ force: true })
    await dialog.getByRole('radio', { name: bank }).waitFor({ state: 'attached' })
    faults.dialog = await bothWays(page)
    await dialog.locator('button[class*="accent"]').click()

    await heading(page, bank).waitFor()
    await spoken(page)
    faults.bank = await bothWays(page)
    await page.locator('input[value="challenge"]').check()
    await page.locator('button[value="pay"]').click()
    await page.locator('input[name="code"]').waitFor()
    faults.code = await bothWays(page)
    await page.locator('input[name="code"]').fill('123456')
    await page.locator('button[value="pay"]').click()

    await page.waitForURL('**/payment-return?**')
    await page.locator(`a[href="/bookings/${id}"]`).waitFor()
    await spoken(page)
    faults.back = await bothWays(page)
    expect(faults).toEqual({ dialog: [], bank: [], code: [], back: [] })
    expect(errors).toEqual([])
    await ends(payer, id)
  })

  test.each(['en', 'he'])('the office’s page in %s, light and dark', async (locale) => {
    const admin = await browser.openAs('seed-admin', '/login')
    onTestFailed(() => browser.picture({ admin }))
    const { page, context, errors } = admin
    await context.addInitScript((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
    const faults: Record<string, string[]> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      // The office's colours are set by its scripts: it is looked at as it opens.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto('/payments?show=all')
      await page.locator(`html[lang="${locale}"]`).waitFor()
      await page.getByRole('row').nth(1).waitFor()
      faults[colorScheme] = await faultsOf(page)
    }
    expect(faults).toEqual({ light: [], dark: [] })
    expect(errors).toEqual([])
    await context.close()
  })
})
