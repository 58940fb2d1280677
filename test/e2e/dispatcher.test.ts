import { inflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getMenu } from '~/src/office/layout/menu'
import {
  advanceBooking,
  openTestPlatform,
  expectRefusal,
  type TestPlatform,
} from '../functions/testPlatform'
import { findAccessibilityFaults, measureOverflow } from '../support/accessibilityCheck'
import {
  navigateWithin,
  openPanel,
  waitUntilLoaded,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import type { TestClient } from '../support/testClients'
import { pollUntil, waitUntilGone, createLocators } from '../support/officeLocators'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** This file's own vehicle type, so that its drivers get no bookings of other tests. */
const VEHICLE_TYPE = 'office-test-van'
const stamp = Date.now().toString(36)

let browser: TestBrowser
let platform: TestPlatform
let office: Screen
let page: Page
let alma: string
let rider: TestClient

beforeAll(async () => {
  platform = openTestPlatform()
  await platform.createVehicleType(VEHICLE_TYPE)
  const [admins, riders] = await Promise.all([
    platform.createUsers(1, { usertype: 'admin', firstName: 'Alma', lastName: `Office ${stamp}` }),
    platform.createUsers(1, { firstName: 'Rita', lastName: `Rider ${stamp}` }),
  ])
  alma = admins[0] ?? ''
  ;[browser, rider] = await Promise.all([openTestBrowser(), platform.signInAs(riders[0] ?? '')])
  office = await browser.openAs(alma, '/dashboard')
  page = office.page
})
afterEach(() => {
  expect(office.errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await platform.write({ [`cartypes/${VEHICLE_TYPE}`]: null })
  await browser.close()
  await platform.close()
})

const { button, panel } = createLocators(() => page)
/** The row of a booking, which links to its page. */
const row = (id: string) =>
  page.getByRole('row').filter({ has: page.locator(`a[href="/bookings/${id}"]`) })
const readReference = async (id: string) =>
  (await platform.read<string>(`bookings/${id}/reference`)) ?? ''

/**
 * Creates a driver of this file's vehicle type, on duty `north` degrees north of the pickups;
 * returns the uid.
 */
const createDriverOnDuty = async (more: Partial<User> = {}, north = 0.002): Promise<string> => {
  const location = await platform.getPickup(north)
  const like = { lastName: stamp, carType: VEHICLE_TYPE, location, ...more }
  const [uid = ''] = await platform.createUsers(1, { usertype: 'driver', ...like })
  await platform.goOnDuty(uid, like)
  return uid
}
/** Creates a booking for Rita and returns its id; it is paid in cash unless `paid` is false. */
const createBooking = async (paid = true): Promise<string> => {
  const { booking_id } = await platform.createBooking(rider, { carType: VEHICLE_TYPE })
  if (paid) await advanceBooking(rider, booking_id, 'pay', { payment_mode: 'cash' })
  return booking_id
}
const getStatus = (id: string) => platform.read<Booking['status']>(`bookings/${id}/status`)

/** Returns the files of a ZIP archive, such as a workbook, by name. */
const unzipFiles = (zip: Buffer): Record<string, string> => {
  const files: Record<string, string> = {}
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006') + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    const [method, size, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42),
    ]
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + size)
    files[name] = (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8')
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

describe('the bookings table', () => {
  test('filters by URL, opens bookings, assigns on a map, runs bulk actions and exports', async () => {
    // One degree of latitude is 111 km.
    const farther = await createDriverOnDuty({ firstName: 'Fabio' }, 0.018)
    const driver = await createDriverOnDuty({ firstName: 'Dario' }, 0.0018)
    const ids = [
      await createBooking(),
      await createBooking(),
      await createBooking(),
      await createBooking(false),
    ]
    const [one = '', two = '', three = '', unpaid = ''] = ids
    await navigateWithin(page, `/bookings?customer=${rider.uid}`)
    for (const id of ids) await row(id).waitFor()
    await button(`Customer: Rita Rider ${stamp} Remove`).waitFor()
    const counts = await platform.read<Record<string, number>>('stats/status')
    const tab = page.getByRole('tab', { name: /^Looking for a driver/ })
    await pollUntil(() => tab.innerText()).toMatch(new RegExp(`${counts?.NEW}$`))
    await tab.click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'NEW')
    await waitUntilGone(row(unpaid))
    await pollUntil(() => page.getByRole('row').count()).toBe(4)

    await row(one)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await row(one).getByRole('button', { name: 'Assign driver' }).click()
    const assigning = panel('Assign a driver')
    await assigning.waitFor()
    expect(new URL(page.url()).searchParams.get('do')).toBe(`assign~${one}`)
    await page.reload()
    await assigning.waitFor()
    await page.goBack()
    await waitUntilGone(assigning)
    await row(one)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await row(one).getByRole('button', { name: 'Assign driver' }).click()
    await assigning.getByLabel('The pickup and the nearest available drivers').first().waitFor()
    const offered = assigning.getByRole('list', { name: 'Assign a driver', exact: true })
    await pollUntil(() => offered.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Dario[^]*\b0\.2 km/),
      expect.stringMatching(/^Fabio[^]*\b2 km/),
    ])
    await button(`Assign to Dario ${stamp}`, assigning).click()
    await waitUntilGone(assigning)
    // Hovering a row keeps the rows from moving.
    await row(one).hover()
    const before = await tab.innerText()
    await advanceBooking(await platform.signInAs(driver), one, 'accept')
    await pollUntil(() => tab.innerText()).not.toBe(before)
    await row(one).hover()
    await page.getByRole('heading', { level: 1 }).hover()
    await waitUntilGone(row(one))
    await platform.write({
      [`chats/${one}/-O0000000000000000001`]: {
        message: 'I am at the blue door',
        from: rider.uid,
        type: 'msg',
        msgDate: '1 Nov 2026',
        msgTime: '12:00',
        source: 'rider',
        at: Date.now(),
      },
    })
    await navigateWithin(page, `/bookings?customer=${rider.uid}`)
    const reference = await readReference(one)
    await page.getByRole('link', { name: reference }).click()
    await page.waitForURL((url) => url.searchParams.get('open') === one)
    const drawer = panel(reference)
    for (const heading of ['Customer', 'Payment', 'Timeline', 'Fare history', 'Chat', 'History'])
      await drawer.getByRole('heading', { name: heading, exact: true }).waitFor()
    await drawer.getByLabel('Map of this booking').first().waitFor()
    await drawer.getByText('Driver accepted').waitFor()
    await drawer.getByText('I am at the blue door').waitFor()
    // The timeline records who sent the offer.
    await drawer.getByText(`Alma Office ${stamp}`).first().waitFor()
    await page.keyboard.press('Escape')
    await waitUntilGone(drawer)

    for (const id of [one, two, three]) await row(id).getByRole('checkbox').check()
    await page.getByText('Selected: 3').waitFor()
    const references = new Map(
      await Promise.all(ids.map(async (id) => [id, await readReference(id)] as const)),
    )
    const bulk = async (name: string, reason?: string) => {
      await button(name).click()
      const dialog = panel(name)
      if (reason !== undefined) await dialog.getByRole('combobox').selectOption({ index: 1 })
      await button(name, dialog).click()
      await button('Done', dialog).waitFor()
      const results = await dialog.getByRole('listitem').allInnerTexts()
      await button('Done', dialog).click()
      await waitUntilGone(dialog)
      return (id: string) => results.find((text) => text.includes(references.get(id) ?? id))
    }
    const asked = await bulk('Assign nearest drivers')
    expect(asked(one)).toContain('This is no longer possible')
    // Each driver gets one offer, and only one driver is left; the table's order decides which
    // booking is first.
    expect([asked(two), asked(three)]).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Offered to a driver'),
        expect.stringContaining('This driver is not available'),
      ]),
    )
    const requested = await Promise.all(
      [two, three].map((id) => platform.read(`bookings/${id}/requestedDrivers`)),
    )
    expect(requested).toContainEqual({ [farther]: true })
    for (const id of ids) await row(id).getByRole('checkbox').check()
    const cancelled = await bulk('Cancel selected', 'any')
    for (const id of ids) {
      expect(cancelled(id)).toContain('Canceled')
      expect(await getStatus(id)).toBe('CANCELLED')
      await row(id).getByText('Canceled').first().waitFor()
    }
    await platform.goOffDuty(driver, farther)

    const exported = async (name: string) => {
      if (!(await button(name).isVisible())) await page.getByText('Export', { exact: true }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()])
      const parts: Buffer[] = []
      for await (const part of await download.createReadStream()) parts.push(part as Buffer)
      return Buffer.concat(parts)
    }
    const [titles = '', ...lines] = (await exported('Export CSV'))
      .toString('utf8')
      .trim()
      .split('\r\n')
    expect(titles).toMatch(/Reference,Booking ID/)
    for (const title of ['Driver share', 'Convenience fee', 'Recipient'])
      expect(titles).toContain(title)
    const mine = lines.filter((line) => ids.some((id) => line.includes(id)))
    expect(mine).toHaveLength(4)
    expect(lines.every((line) => line.includes(`Rita Rider ${stamp}`))).toBe(true)
    // The export shows its progress while the bookings load.
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/export_bookings', async (route) => {
      await held
      await route.continue()
    })
    const writing = exported('Export Excel')
    const progress = page.getByRole('status').filter({ hasText: 'Found so far: 0' })
    await progress.waitFor()
    answer()
    const workbook = Object.values(unzipFiles(await writing)).join()
    await waitUntilGone(progress)
    await page.unroute('**/export_bookings')
    for (const id of [three, unpaid]) expect(workbook).toContain(id)
    await page.evaluate(() => {
      window.print = () => {
        document.body.dataset.printed = [...document.querySelectorAll('body > section td')]
          .map((cell) => cell.textContent)
          .join('|')
      }
    })
    if (!(await button('Print or PDF').isVisible()))
      await page.getByText('Export', { exact: true }).click()
    await button('Print or PDF').click()
    await pollUntil(() => page.evaluate(() => document.body.dataset.printed)).toContain(three)
  })

  test('filters by vehicle, driver, dates and words, and shows the filter in the URL', async () => {
    const driver = await createDriverOnDuty({ firstName: 'Elio' })
    const [driven, other] = [await createBooking(), await createBooking()]
    await advanceBooking(await platform.signInAs(alma), driven, 'assign', { driver })
    await advanceBooking(await platform.signInAs(driver), driven, 'accept')
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Montevideo' }).format()
    const inAddress = (filter: Record<string, string>) =>
      page.waitForURL(({ searchParams }) =>
        Object.entries(filter).every(([name, value]) => searchParams.get(name) === value),
      )
    await navigateWithin(page, '/bookings')
    await button('Filters').click()
    const filters = page.getByRole('group', { name: 'Filters' })
    await filters.getByLabel('Vehicle type').selectOption({ label: VEHICLE_TYPE })
    await inAddress({ car: VEHICLE_TYPE })
    for (const id of [driven, other]) await row(id).waitFor()
    const bookings = page
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: /^Select -/ }) })
    await pollUntil(() => bookings.filter({ hasNotText: VEHICLE_TYPE }).count()).toBe(0)
    await filters.getByRole('combobox', { name: 'Driver' }).fill('Elio')
    await page.getByRole('option', { name: `Elio ${stamp}` }).click()
    await inAddress({ car: VEHICLE_TYPE, driver })
    await waitUntilGone(row(other))
    await row(driven).waitFor()
    await filters.getByLabel('From', { exact: true }).fill(today)
    await filters.getByLabel('Until', { exact: true }).fill(today)
    await inAddress({ car: VEHICLE_TYPE, driver, from: today, until: today })
    await row(driven).waitFor()
    await filters.getByLabel('Until', { exact: true }).fill('2020-01-01')
    await page.getByText('No bookings').waitFor()
    await button('Clear filters').first().click()
    await row(other).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill(driven)
    await inAddress({ q: driven })
    await waitUntilGone(row(other))
    await row(driven).waitFor()
    for (const id of [driven, other])
      await advanceBooking(rider, id, 'cancel', { reason: 'Tested' })
    await platform.goOffDuty(driver)
  })

  test('saves and restores a view, and every action has a keyboard shortcut', async () => {
    await navigateWithin(page, '/bookings?status=PAID')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Customer', exact: true }).uncheck()
    await waitUntilGone(page.getByRole('columnheader', { name: 'Customer', exact: true }))
    await page.getByText('Views', { exact: true }).click()
    await page.getByLabel('Save this view as', { exact: true }).fill('Paid ones')
    await page.keyboard.press('Enter')
    await page.goto('/bookings')
    await page.getByText('Columns', { exact: true }).click()
    await button('Show all columns').click()
    await page.getByRole('columnheader', { name: 'Customer', exact: true }).waitFor()
    await page.getByText('Views', { exact: true }).click()
    await button('Paid ones').click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'PAID')
    await waitUntilGone(page.getByRole('columnheader', { name: 'Customer', exact: true }))
    await button('Delete the view “Paid ones”').click()
    await waitUntilGone(button('Paid ones'))

    await navigateWithin(page, '/promos')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await panel('Keyboard shortcuts').getByText('Ctrl/⌘ K').waitFor()
    await page.keyboard.press('Escape')
    await waitUntilGone(panel('Keyboard shortcuts'))
    await page.keyboard.press('Control+k')
    const palette = panel('Search pages and actions')
    await palette.waitFor()
    // The palette's field has the focus without a click.
    await page.keyboard.type('audi')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/audit')
    // The audit lists these tests' changes under the admin's name.
    await page
      .getByRole('row')
      .filter({ hasText: `Alma Office ${stamp}` })
      .first()
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.waitForURL('**/dashboard')
    for (const card of [
      'Gross earnings today',
      'Gross earnings this month',
      'Total gross earnings',
    ])
      await page.getByRole('heading', { name: card }).waitFor()
    await page.getByRole('region', { name: 'Drivers on duty' }).first().waitFor()
    await page.getByRole('button', { name: /^Show (all \d+|the) drivers?$/ }).waitFor()
  })
})

test('the side menu stays 240 px wide or collapsed, and the colors stay light or dark', async () => {
  await page.goto('/promos')
  const menu = page.locator('#office-menu')
  const width = async () => (await menu.boundingBox())?.width ?? 0
  const scheme = () => page.evaluate(() => document.documentElement.dataset.scheme)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await menu.getByRole('link', { name: 'Promos' }).waitFor()
  await pollUntil(width).toBe(240)
  const light = await background()
  await button('Collapse menu').click()
  await button('Dark').click()
  await page.reload()
  await button('Expand menu').waitFor()
  await pollUntil(width).toBeLessThan(100)
  // The collapsed menu has no group headings; every page has its icon.
  await menu.getByRole('link', { name: 'Withdrawals' }).waitFor()
  expect(await scheme()).toBe('dark')
  expect(await background()).not.toBe(light)
  await button('Light').click()
  await button('Expand menu').click()
  await pollUntil(width).toBe(240)
  await pollUntil(background).toBe(light)
})

describe('a fleet admin', () => {
  test('finds only their own drivers, bookings, marker and earnings', async () => {
    const [fleet = '', other = ''] = await platform.createUsers(2, { usertype: 'fleetadmin' })
    const [own, foreign] = [
      await createDriverOnDuty({ firstName: 'Olga', fleetadmin: fleet }),
      await createDriverOnDuty({ firstName: 'Frida', fleetadmin: other }),
    ]
    const admin = await platform.signInAs(alma)
    const rides: Record<string, string> = {}
    for (const uid of [own, foreign]) {
      const id = await createBooking()
      rides[uid] = id
      const driver = await platform.signInAs(uid)
      await advanceBooking(admin, id, 'assign', { driver: uid })
      await advanceBooking(driver, id, 'accept')
      const { pickup, drop } = (await platform.read<Booking>(`bookings/${id}`)) as Booking
      await advanceBooking(driver, id, 'arrive', { lat: pickup.lat, lng: pickup.lng })
      await advanceBooking(driver, id, 'start', {
        otp: await platform.read<number>(`booking_otps/${id}`),
      })
      await advanceBooking(driver, id, 'reach', { lat: drop.lat, lng: drop.lng })
      await advanceBooking(driver, id, 'finish')
      await advanceBooking(driver, id, 'collect')
    }
    const [mine = '', theirs = ''] = [rides[own], rides[foreign]]
    const { driver_share = 0, convenience_fees = 0 } =
      (await platform.read<Booking>(`bookings/${mine}`)) ?? {}
    const readReference = async (id: string) =>
      (await platform.read<string>(`bookings/${id}/reference`)) ?? ''

    const screen = await browser.openAs(fleet, '/drivers')
    const { page: at, errors } = screen
    const line = (text: string) => at.getByRole('row').filter({ hasText: text })
    await line('Olga').waitFor()
    expect(await line('Frida').count()).toBe(0)
    await navigateWithin(at, `/bookings`)
    await line(await readReference(mine)).waitFor()
    expect(await line(await readReference(theirs)).count()).toBe(0)
    await navigateWithin(at, `/bookings?driver=${foreign}`)
    await at.getByText('No bookings').waitFor()
    await navigateWithin(at, '/driverearning')
    await line('Olga')
      .getByText(new RegExp(String(Math.floor(driver_share))))
      .waitFor()
    // The head, the driver and the totals.
    expect(await at.getByRole('row').count()).toBe(3)
    const location = await platform.getPickup()
    await platform.goOnDuty(own, { carType: VEHICLE_TYPE, location, fleetadmin: fleet })
    await platform.goOnDuty(foreign, { carType: VEHICLE_TYPE, location, fleetadmin: other })
    await navigateWithin(at, '/dashboard')
    const total = at.getByRole('heading', { name: 'Total gross earnings' }).locator('xpath=..')
    await pollUntil(() => total.innerText()).toContain(convenience_fees.toFixed(2))
    await at.getByRole('button', { name: 'Show the driver' }).waitFor()
    expect(errors.splice(0)).toEqual([])

    // The page refuses another fleet's id in the URL.
    for (const path of [`/bookings?open=${theirs}`, `/bookings/${theirs}`]) {
      await at.goto(path)
      await at.getByText('You are not allowed to do this.').first().waitFor()
      expect(await at.getByText('Timeline').count()).toBe(0)
    }
    await at.goto(`/drivers?edit=${foreign}`)
    await at
      .getByRole('dialog', { name: 'Person' })
      .getByText('You are not allowed to do this.')
      .waitFor()
    const client = await platform.signInAs(fleet)
    const refused = await expectRefusal(
      client.call('save_user', { id: foreign, usertype: 'driver', firstName: 'Mine' }),
    )
    expect(refused.code).toBe('functions/permission-denied')
    const exported = async (filter: object) => {
      const asked = { limit: 500, ...filter }
      const { rows } = await client.call('export_bookings', asked)
      return rows.map(({ id }) => id)
    }
    expect(await exported({ driver: foreign })).toEqual([])
    expect(await exported({ customer: rider.uid })).toEqual([mine])
    expect(await exported({})).toEqual([mine])
    await screen.context.close()
    await platform.goOffDuty(own, foreign)
  })
})

const OPEN_DIALOG = 'dialog[open]'

describe('axe finds no faults', () => {
  test.each(['admin', 'fleetadmin'] as const)(
    'in light, dark and right-to-left mode on every page of the %s',
    async (usertype) => {
      const [uid = ''] = await platform.createUsers(1, { usertype, firstName: 'Axel' })
      const screen = await browser.openAs(uid, '/dashboard')
      const { page: at, context } = screen
      await at.getByRole('heading', { level: 1 }).waitFor()
      const faults: string[] = []
      const routes: string[] = getMenu(usertype).filter((route) => route !== '/')
      if (usertype === 'admin') routes.push(`/bookings/${await createBooking()}`)
      const visit = async (route: string) => {
        await navigateWithin(at, route)
        await waitUntilLoaded(at)
      }
      for (const route of routes) {
        await visit(route)
        for (const scheme of ['light', 'dark'] as const) {
          await at.emulateMedia({ colorScheme: scheme })
          for (const fault of await findAccessibilityFaults(at, scheme))
            faults.push(`${route} ${scheme} ${fault}`)
        }
        await at.emulateMedia({ colorScheme: 'light' })
      }
      await at.evaluate(() => localStorage.setItem('kerbside.locale', 'ar'))
      await at.reload()
      await at.locator('html[lang="ar"][dir="rtl"]').waitFor()
      for (const route of routes) {
        await visit(route)
        for (const fault of await findAccessibilityFaults(at, 'rightToLeft'))
          faults.push(`${route} ar ${fault}`)
        const overflow = await measureOverflow(at)
        if (overflow > 0) faults.push(`${route} ar: ${overflow} px too wide`)
      }
      expect(faults).toEqual([])
      expect(screen.errors).toEqual([])
      await context.close()
    },
  )

  test('in light and dark mode in every dialog', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'admin', firstName: 'Axel' })
    const [driver, id] = [await createDriverOnDuty({ firstName: 'Dana' }), await createBooking()]
    const screen = await browser.openAs(uid, '/bookings')
    const { page: at, context } = screen
    const promos = Object.keys((await platform.read<object>('promos')) ?? {})
    const languages = Object.keys((await platform.read<object>('languages')) ?? {})
    const addresses = [
      `/bookings?open=${id}`,
      `/bookings?do=assign~${id}`,
      `/bookings?do=cancel~${id}`,
      `/bookings?bulk=cancel~${id}`,
      '/riders?edit=new',
      `/drivers?edit=${driver}`,
      `/drivers?edit=${driver}~wallet`,
      `/drivers?edit=${driver}~documents`,
      '/cartypes?edit=new',
      `/cartypes?edit=${VEHICLE_TYPE}~cancelSlab`,
      `/promos?edit=${promos[0] ?? 'new'}`,
      '/cancelreasons?edit=0',
      '/notifications?edit=new',
      `/languagesetting?edit=${languages[0] ?? ''}~json`,
    ]
    const faults: string[] = []
    const checkDialog = async (what: string) => {
      await at.locator(OPEN_DIALOG).first().waitFor()
      await at.waitForFunction(
        (dialog) => !document.querySelector(`${dialog} [role=status] .visually-hidden`),
        OPEN_DIALOG,
      )
      for (const look of ['light', 'dark'] as const) {
        await at.emulateMedia({ colorScheme: look })
        for (const fault of await findAccessibilityFaults(at, look, OPEN_DIALOG))
          faults.push(`${what} ${look} ${fault}`)
      }
    }
    for (const address of addresses) {
      await openPanel(at, address)
      await checkDialog(address)
    }
    for (const keys of ['Control+k', '?']) {
      await navigateWithin(at, '/promos')
      await pollUntil(() => at.locator(OPEN_DIALOG).count()).toBe(0)
      await at.keyboard.press(keys)
      await checkDialog(keys)
      await at.keyboard.press('Escape')
    }
    expect(faults).toEqual([])
    expect(screen.errors).toEqual([])
    await context.close()
    await platform.goOffDuty(driver)
  })
})
