import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { buildAvailabilityUpdates } from '~/domain/dispatch/dispatch'
import { createPushKey } from '~/domain/data/pushKeys'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { startDatabase } from '~/emulator/src/server'
import { ROOT } from '~/scripts/local/build'
import { createDatabaseSource, verifyData } from '~/scripts/database/dataVerification'
import { openLocalDatabase, PROJECT } from '~/scripts/local/localDatabase'
import { startSuite, type Suite } from '~/scripts/local/suite'
import { bookParcel } from '../support/bookingForm'
import { findCoveredAfterScrolling } from '../support/coveredControls'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'
import type { Booking } from '~/domain/booking/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const MOBILE = '+34612345678'

/** The data of the first release, which has neither a schema version nor references. */
const FIRST_RELEASE = JSON.parse(
  gunzipSync(
    readFileSync(join(ROOT, 'test/migrations/data/schema-0-november-20.json.gz')),
  ).toString(),
) as { users: Record<string, User>; bookings: Record<string, Booking> }

/** A position near the pickup of the new booking. */
const OLD_TOWN = { lat: -34.9064, lng: -56.1987 }

/** Stores a database in a folder, as a Kerbside that has stopped leaves it. */
const storeData = async (dataFolder: string, data: object) => {
  mkdirSync(dataFolder)
  const database = await startDatabase({ host: '127.0.0.1', port: 0, dataFolder })
  await openLocalDatabase(`http://127.0.0.1:${database.port}`).put('', data as DatabaseValue)
  await database.close()
}

/** Deletes all data and accounts, as in a project on its first day. */
const clearPlatform = async () => {
  await suite.database.put('', null)
  const accounts = `${suite.urls.auth}/emulator/v1/projects/${PROJECT}/accounts`
  const cleared = await fetch(accounts, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer owner' },
  })
  expect(cleared.ok).toBe(true)
}

let folder: string
let suite: Suite
let browser: TestBrowser
const start = async () => {
  suite = await startSuite({ dataDir: folder, portBase: 'free', isQuiet: true })
}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerbside-start-'))
  await storeData(join(folder, 'data'), FIRST_RELEASE)
  ;[browser] = await Promise.all([openTestBrowser(), start()])
})
afterAll(async () => {
  await browser.close()
  await suite.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('starts with the data of the first release, in which a rider finds an old booking and makes a new one', async () => {
  expect(await suite.database.get('schema/version')).toBe(SCHEMA_VERSION)
  const screen = await browser.openAs(null, `${suite.urls.web}/login`)
  const { page, context, errors } = screen
  await page.getByLabel('Mobile number').fill(FIRST_RELEASE.users['seed-rider']?.mobile ?? '')
  await page.getByRole('button', { name: 'Get code' }).click()
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.waitForURL(`${suite.urls.web}/`)

  const [driver, { carType = '' } = {}] =
    Object.entries(FIRST_RELEASE.users).find(
      ([, user]) => user.driverActiveStatus === true && user.carType === 'courier' && !user.queue,
    ) ?? []
  const shift = await suite.database.get(`users/${driver}/shift`)
  const onDuty = { id: driver ?? '', carType, ...(typeof shift === 'string' && { shift }) }
  await suite.database.update(
    buildAvailabilityUpdates(onDuty, OLD_TOWN, createPushKey(Date.now(), 1)),
  )
  const reference = await bookParcel(page)
  const [id, old] = Object.entries(FIRST_RELEASE.bookings).find(
    ([, { customer, status }]) => customer === 'seed-rider' && status === 'COMPLETE',
  ) ?? ['']
  const { reference: oldReference } = (await suite.database.get(`bookings/${id}`)) as Booking
  await page.goto(`${suite.urls.web}/bookings/${id}`)
  await page.getByText(oldReference).first().waitFor()
  await page
    .getByText(old?.drop.add ?? '')
    .first()
    .waitFor()

  const newId = await suite.database.get(`booking_refs/${reference}`)
  expect(await suite.database.get(`bookings/${String(newId)}`)).toMatchObject({
    customer: 'seed-rider',
    status: 'NEW',
  })
  expect((await verifyData(createDatabaseSource(suite.database))).sentences).toEqual([])
  expect(errors.filter((error) => !error.includes('/v2/recaptchaConfig'))).toEqual([])
  await context.close()
})

test('sets up a new platform on its first page, only once, and signs its first admin in', async () => {
  await clearPlatform()
  const screen = await browser.openAs(null, `${suite.urls.web}/`)
  const { page, context, errors } = screen
  await page.waitForURL('**/setup')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByLabel('Country').waitFor()
  expect(await findCoveredAfterScrolling(page)).toEqual([])
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
  expect(await findCoveredAfterScrolling(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('First name').fill('Marta')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByLabel('Company name').fill('Taxi Sol')
  await page.getByLabel('What do you transport?').selectOption('rides')
  // The country of the number decides the rest.
  expect(await page.getByLabel('Currency').inputValue()).toBe('EUR')
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Madrid')
  expect(await page.getByLabel('Main language').inputValue()).toBe('es')
  await page.getByLabel('Main language').selectOption('en')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.waitForURL('**/login')

  await page.getByLabel('Mobile number').fill(MOBILE)
  await page.getByRole('button', { name: 'Get code' }).click()
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('heading', { name: 'Next steps' }).waitFor()

  expect((await suite.database.get('settings')) as Settings).toMatchObject({
    appcat: 'taxi',
    code: 'EUR',
    symbol: '€',
    restrictCountry: 'ES',
    timezone: 'Europe/Madrid',
    appName: 'Taxi Sol',
    CompanyName: 'Taxi Sol',
    CompanyTerms: '',
  })
  const types = (await suite.database.get('cartypes')) as Record<string, VehicleType>
  expect(Object.keys(types).sort()).toEqual(['economy', 'premium', 'xl'])
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
        business: 'rides',
        timezone: 'Europe/Madrid',
      },
    }),
  })
  expect(await again.text()).toContain('already_set_up')
  expect(errors.filter((error) => !error.includes('/v2/recaptchaConfig'))).toEqual([])
  await context.close()
})
