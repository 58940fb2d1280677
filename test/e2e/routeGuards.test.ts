import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'

// src/app/routeDecision.test.ts decides every route for every role. These tests show that the app
// follows the decisions: one page load per role and kind of refusal.

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

test.each([
  ['a rider', '/wallet', '/dashboard', '/', 'seed-rider'],
  ['a driver', '/trips', '/settings', '/bookings', 'seed-driver'],
  ['a fleet admin', '/drivers', '/riders', '/dashboard', 'seed-fleetadmin'],
  ['an admin', '/riders', '/trips', '/dashboard', 'seed-admin'],
])('%s opens %s and is sent from %s to %s', async (_, own, refused, home, uid) => {
  const { page, context, errors } = await browser.openAs(uid, own)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe(own)
  await page.goto(refused)
  await page.waitForURL((url) => url.pathname === home)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(errors).toEqual([])
  await context.close()
})

test('a visitor is sent to the login page, and from an unknown address home', async () => {
  const { page, context, errors } = await browser.openAs(null, '/settings')
  await page.waitForURL('**/login')
  await page.goto('/nowhere')
  await page.waitForURL((url) => url.pathname === '/')
  expect(errors).toEqual([])
  await context.close()
})
