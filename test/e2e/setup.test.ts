import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Settings, User } from '~/domain/entities'
import { PROJECT } from '~/scripts/database/localDatabase'
import { startSuite, type Suite } from '~/scripts/suite'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'

const MOBILE = '+34612345678'

let folder: string
let suite: Suite
let browser: TestBrowser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerbside-fresh-'))
  suite = await startSuite({ dataDir: folder, portBase: 'free', isFresh: true, isQuiet: true })
  browser = await openTestBrowser()
  // An empty project, as on its first day.
  await suite.database.put('', null)
  const accounts = `${suite.urls.auth}/emulator/v1/projects/${PROJECT}/accounts`
  const cleared = await fetch(accounts, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer owner' },
  })
  expect(cleared.ok).toBe(true)
})
afterAll(async () => {
  await browser.close()
  await suite.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('sets up a new platform on its first page, only once, and signs its first admin in', async () => {
  const screen = await browser.openAs(null, `${suite.urls.web}/`)
  const { page, context, errors } = screen
  await page.waitForURL('**/setup')
  await page.getByLabel('Country').selectOption('ES')
  await page.getByLabel('Mobile number').fill('12')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Mobile number').fill('612 345 678')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL((url) => url.searchParams.get('mobile') === MOBILE)
  // The URL holds the step, so that the user can leave and return.
  await page.reload()
  await page.getByText(MOBILE).waitFor()
  await page.getByLabel('First name').fill('Marta')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByRole('radio', { name: 'People' }).check({ force: true })
  await page.getByLabel('Currency').selectOption('EUR')
  await page.getByLabel('Time zone').selectOption('Europe/Madrid')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.waitForURL('**/login')

  await page.getByLabel('Mobile number').fill(MOBILE)
  await page.getByRole('button', { name: 'Get code' }).click()
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()

  expect((await suite.database.get('settings')) as Settings).toMatchObject({
    appcat: 'taxi',
    code: 'EUR',
    symbol: '€',
    restrictCountry: 'ES',
    timezone: 'Europe/Madrid',
  })
  const users = Object.values((await suite.database.get('users')) as Record<string, User>)
  expect(users).toMatchObject([
    { usertype: 'admin', mobile: MOBILE, approved: true, firstName: 'Marta', lastName: 'Ruiz' },
  ])

  // After the setup, a second person cannot become the first admin.
  await page.goto(`${suite.urls.web}/setup`)
  await page.waitForURL((url) => url.pathname !== '/setup')
  const again = await fetch(`${suite.urls.functions}/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      data: {
        mobile: '+34600000000',
        country: 'Spain',
        restrictCountry: 'ES',
        symbol: '€',
        code: 'EUR',
        appcat: 'taxi',
        timezone: 'Europe/Madrid',
      },
    }),
  })
  expect(await again.text()).toContain('already_set_up')
  expect(errors.filter((error) => !error.includes('/v2/recaptchaConfig'))).toEqual([])
  await context.close()
})
