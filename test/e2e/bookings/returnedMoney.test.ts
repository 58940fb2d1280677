import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumAmounts } from '~/domain/money/money'
import { advanceBooking, openTestPlatform, type TestPlatform } from '../../functions/testPlatform'
import { choosePlace } from '../../support/bookingForm'
import { PHONE } from '../../support/driverSetup'
import { pollUntil } from '../../support/officeLocators'
import { navigateWithin, openTestBrowser, type TestBrowser } from '../../support/testBrowser'
import type { Booking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { User } from '~/domain/accounts/types'

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

const BALANCE = 5000

/** Returns the payments that the page of a booking lists, such as `Paid: Wallet` and its amount. */
const readPayments = async (page: Page) => {
  const rows = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await rows.first().waitFor()
  return Promise.all(
    (await rows.all()).map(async (row) => {
      const amount = (await row.locator('strong').innerText()).replace('−', '-')
      return {
        text: (await row.locator('span').first().innerText()).replace(/\s+/g, ' '),
        amount: Number(amount.replace(/[^\d.-]/g, '')),
      }
    }),
  )
}

test('a rider sees what they paid, what a cheaper change returned, and what the cancellation returned', async () => {
  const [uid = ''] = await platform.createUsers(1, { walletBalance: BALANCE })
  const rider = await platform.signInAs(uid)
  const { lat, lng } = await platform.getPickup()
  const far = { lat: lat + 0.06, lng: lng + 0.05, add: 'Far away' }
  const { booking_id } = await platform.createBooking(rider, { drop: far })
  const screen = await browser.openAs(uid, `/bookings/${booking_id}`, PHONE)
  const { page } = screen
  const readBooking = async () => (await platform.read<Booking>(`bookings/${booking_id}`))!
  const { trip_cost } = await readBooking()

  await pollUntil(() => readPayments(page)).toEqual([{ text: 'Still due', amount: trip_cost }])
  await advanceBooking(rider, booking_id, 'pay', { payment_mode: 'wallet' })
  const paid = { text: expect.stringMatching(/^Paid: Wallet/) as string, amount: trip_cost }
  await pollUntil(() => readPayments(page)).toEqual([paid])

  await page.getByRole('button', { name: 'Change booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change booking' })
  await choosePlace(dialog, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByRole('button', { name: /^Accept .+ and save$/ }).click()
  await dialog.waitFor({ state: 'detached' })
  const changed = (await readBooking()).trip_cost
  expect(changed).toBeLessThan(trip_cost)
  const returned = {
    text: expect.stringMatching(/^Returned: Wallet after a change to the booking/) as string,
    amount: sumAmounts([changed, -trip_cost], 2),
  }
  await pollUntil(() => readPayments(page)).toEqual([paid, returned])

  await page.getByRole('button', { name: 'Cancel booking' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel this booking?' })
  await cancel.getByRole('radio').first().check()
  await cancel.getByRole('button', { name: /^Cancel/ }).click()
  await pollUntil(() => readPayments(page)).toEqual([
    paid,
    returned,
    {
      text: expect.stringMatching(/^Returned: Wallet the booking was canceled/) as string,
      amount: -changed,
    },
  ])
  expect((await platform.read<User>(`users/${uid}`))?.walletBalance).toBe(BALANCE)

  // The printed receipt states the same; a message and the wallet name the return.
  const receipt = page.locator('[data-print]')
  expect(await receipt.textContent()).toMatch(/Paid: Wallet.*Returned: Wallet.*Returned: Wallet/)
  const inbox = (await platform.read<Record<string, InboxEntry>>(`inbox/${uid}`)) ?? {}
  expect(Object.values(inbox)).toContainEqual(
    expect.objectContaining({ title: 'push_returned_title', booking_id }),
  )
  await navigateWithin(page, '/wallet')
  await page.getByText('Returned after a change').first().waitFor()
  expect(screen.errors.filter((error) => !error.includes('"estimate_changed"'))).toEqual([])
})
