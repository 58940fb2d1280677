import { inflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { Booking, User } from '~/domain/entities'
import { menuFor } from '~/domain/permissions'
import { advance, openScene, refusalOf, type Scene } from '../functions/scene'
import { faultsOf } from '../support/axe'
import { loaded, openBrowser, type Screen, type TestBrowser } from '../support/browser'
import type { Client } from '../support/clients'
import { eventually, gone, partsOf } from '../support/office'

/** A vehicle type of this file's own: its drivers meet nobody else's bookings. */
const TYPE = 'office-test-van'
const stamp = Date.now().toString(36)

let browser: TestBrowser
let scene: Scene
let office: Screen
let page: Page
let alma: string
let rider: Client

beforeAll(async () => {
  scene = openScene()
  await scene.carType(TYPE)
  const [admins, riders] = await Promise.all([
    scene.people(1, { usertype: 'admin', firstName: 'Alma', lastName: `Office ${stamp}` }),
    scene.people(1, { firstName: 'Rita', lastName: `Rider ${stamp}` }),
  ])
  alma = admins[0] ?? ''
  ;[browser, rider] = await Promise.all([openBrowser(), scene.as(riders[0] ?? '')])
  office = await browser.openAs(alma, '/dashboard')
  page = office.page
})
afterEach(() => {
  expect(office.errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await scene.write({ [`cartypes/${TYPE}`]: null })
  await browser.close()
  await scene.close()
})

const onFailure = (name: string, screen = office) =>
  onTestFailed(() => browser.picture({ [`office-${name}`]: screen }))
const { button, panel, row } = partsOf(() => page)

/** A driver of this file's vehicle type, on duty so many degrees north of the pickups. */
const driverOnDuty = async (more: Partial<User> = {}, north = 0.002): Promise<string> => {
  const location = await scene.pickup(north)
  const like = { lastName: stamp, carType: TYPE, location, ...more }
  const [uid = ''] = await scene.people(1, { usertype: 'driver', ...like })
  await scene.onDuty(uid, like)
  return uid
}
/** A booking of Rita's, paid in cash unless it waits for its payment. */
const aBooking = async (paid = true): Promise<string> => {
  const { booking_id } = await scene.book(rider, { carType: TYPE })
  if (paid) await advance(rider, booking_id, 'pay', { payment_mode: 'cash' })
  return booking_id
}
const statusOf = (id: string) => scene.read<Booking['status']>(`bookings/${id}/status`)

/** The files of a ZIP archive, such as a workbook, by name. */
const unzipped = (zip: Buffer): Record<string, string> => {
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
  test('are filtered by the address, opened, assigned on a map, done in bulk and exported', async () => {
    onFailure('bookings')
    // A degree is 111 km.
    const farther = await driverOnDuty({ firstName: 'Fabio' }, 0.018)
    const driver = await driverOnDuty({ firstName: 'Dario' }, 0.0018)
    const ids = [await aBooking(), await aBooking(), await aBooking(), await aBooking(false)]
    const [one = '', two = '', three = '', unpaid = ''] = ids
    await page.goto(`/bookings?customer=${rider.uid}`)
    for (const id of ids) await row(id).waitFor()
    await button(`Customer: Rita Rider ${stamp} Remove`).waitFor()
    const counts = await scene.read<Record<string, number>>('stats/status')
    const tab = page.getByRole('tab', { name: /^Looking for a driver/ })
    await eventually(() => tab.innerText()).toMatch(new RegExp(`${counts?.NEW}$`))
    await tab.click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'NEW')
    await gone(row(unpaid))
    await eventually(() => page.getByRole('row').count()).toBe(4)

    await row(one).getByRole('button', { name: 'Assign driver' }).click()
    const assigning = panel('Assign a driver')
    await assigning.waitFor()
    expect(new URL(page.url()).searchParams.get('do')).toBe(`assign~${one}`)
    await page.reload()
    await assigning.waitFor()
    await page.goBack()
    await gone(assigning)
    await row(one).getByRole('button', { name: 'Assign driver' }).click()
    await assigning.getByLabel('The pickup and the nearest free drivers').first().waitFor()
    const offered = assigning.getByRole('list', { name: 'Assign a driver', exact: true })
    await eventually(() => offered.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Dario[^]*\b0\.2 km/),
      expect.stringMatching(/^Fabio[^]*\b2 km/),
    ])
    await button(`Assign to Dario ${stamp}`, assigning).click()
    await gone(assigning)
    // No row moves under the pointer.
    await row(one).hover()
    const before = await tab.innerText()
    await advance(await scene.as(driver), one, 'accept')
    await eventually(() => tab.innerText()).not.toBe(before)
    await row(one).hover()
    await page.getByRole('heading', { level: 1 }).hover()
    await gone(row(one))
    await scene.write({
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
    await page.goto(`/bookings?customer=${rider.uid}`)
    await button(one).click()
    await page.waitForURL((url) => url.searchParams.get('open') === one)
    const drawer = panel(one)
    for (const heading of ['Customer', 'Payment', 'Timeline', 'Fare history', 'Chat', 'History'])
      await drawer.getByRole('heading', { name: heading, exact: true }).waitFor()
    await drawer.getByLabel('Map of this booking').first().waitFor()
    await drawer.getByText('Driver accepted').waitFor()
    await drawer.getByText('I am at the blue door').waitFor()
    // Who asked the driver is on record.
    await drawer.getByText(`Alma Office ${stamp}`).first().waitFor()
    await page.keyboard.press('Escape')
    await gone(drawer)

    for (const id of [one, two, three])
      await page.getByRole('checkbox', { name: `Select ${id}` }).check()
    await page.getByText('Selected: 3').waitFor()
    const bulk = async (name: string, reason?: string) => {
      await button(name).click()
      const dialog = panel(name)
      if (reason !== undefined) await dialog.getByRole('combobox').selectOption({ index: 1 })
      await button(name, dialog).click()
      await button('Done', dialog).waitFor()
      const results = await dialog.getByRole('listitem').allInnerTexts()
      await button('Done', dialog).click()
      await gone(dialog)
      return (id: string) => results.find((text) => text.includes(id))
    }
    const asked = await bulk('Assign the nearest')
    expect(asked(one)).toContain('This is no longer possible')
    // Each driver is asked once, and there is one left; which booking is first is the table's.
    expect([asked(two), asked(three)]).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Driver asked'),
        expect.stringContaining('This driver is not available'),
      ]),
    )
    const requested = await Promise.all(
      [two, three].map((id) => scene.read(`bookings/${id}/requestedDrivers`)),
    )
    expect(requested).toContainEqual({ [farther]: true })
    for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
    const cancelled = await bulk('Cancel the selected', 'any')
    for (const id of ids) {
      expect(cancelled(id)).toContain('Cancelled')
      expect(await statusOf(id)).toBe('CANCELLED')
      await row(id).getByText('Cancelled').first().waitFor()
    }
    await scene.offDuty(driver, farther)

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
    expect(titles).toContain('Booking ID')
    for (const title of ['Driver share', 'Convenience fee', 'Recipient'])
      expect(titles).toContain(title)
    const mine = lines.filter((line) => ids.some((id) => line.includes(id)))
    expect(mine).toHaveLength(4)
    expect(lines.every((line) => line.includes(`Rita Rider ${stamp}`))).toBe(true)
    // It says how far it is while the bookings come.
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
    const workbook = Object.values(unzipped(await writing)).join()
    await gone(progress)
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
    await eventually(() => page.evaluate(() => document.body.dataset.printed)).toContain(three)
  })

  test('are found by vehicle, driver, dates and words, and the address says which', async () => {
    onFailure('filters')
    const driver = await driverOnDuty({ firstName: 'Elio' })
    const [driven, other] = [await aBooking(), await aBooking()]
    await advance(await scene.as(alma), driven, 'assign', { driver })
    await advance(await scene.as(driver), driven, 'accept')
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Montevideo' }).format()
    const inAddress = (filter: Record<string, string>) =>
      page.waitForURL(({ searchParams }) =>
        Object.entries(filter).every(([name, value]) => searchParams.get(name) === value),
      )
    await page.goto('/bookings')
    await button('Filters').click()
    const filters = page.getByRole('group', { name: 'Filters' })
    await filters.getByLabel('Vehicle').selectOption({ label: TYPE })
    await inAddress({ car: TYPE })
    for (const id of [driven, other]) await row(id).waitFor()
    const bookings = page
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: /^Select -/ }) })
    await eventually(() => bookings.filter({ hasNotText: TYPE }).count()).toBe(0)
    await filters.getByRole('combobox', { name: 'Driver' }).fill('Elio')
    await page.getByRole('option', { name: `Elio ${stamp}` }).click()
    await inAddress({ car: TYPE, driver })
    await gone(row(other))
    await row(driven).waitFor()
    await filters.getByLabel('From', { exact: true }).fill(today)
    await filters.getByLabel('Until', { exact: true }).fill(today)
    await inAddress({ car: TYPE, driver, from: today, until: today })
    await row(driven).waitFor()
    await filters.getByLabel('Until', { exact: true }).fill('2020-01-01')
    await page.getByText('no bookings').waitFor()
    await button('Clear filters').first().click()
    await row(other).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill(driven)
    await inAddress({ q: driven })
    await gone(row(other))
    await row(driven).waitFor()
    for (const id of [driven, other]) await advance(rider, id, 'cancel', { reason: 'Tested' })
    await scene.offDuty(driver)
  })

  test('a view is saved and found again; keys reach everything', async () => {
    onFailure('keys')
    await page.goto('/bookings?status=PAID')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Distance' }).uncheck()
    await gone(page.getByRole('columnheader', { name: 'Distance' }))
    await page.getByText('Views', { exact: true }).click()
    await page.getByLabel('Save this view as', { exact: true }).fill('Paid ones')
    await page.keyboard.press('Enter')
    await page.goto('/bookings')
    await page.getByText('Columns', { exact: true }).click()
    await button('Show all columns').click()
    await page.getByRole('columnheader', { name: 'Distance' }).waitFor()
    await page.getByText('Views', { exact: true }).click()
    await button('Paid ones').click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'PAID')
    await gone(page.getByRole('columnheader', { name: 'Distance' }))
    await button('Delete the view “Paid ones”').click()
    await gone(button('Paid ones'))

    await page.goto('/promos')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await panel('Keyboard shortcuts').getByText('Ctrl/⌘ K').waitFor()
    await page.keyboard.press('Escape')
    await gone(panel('Keyboard shortcuts'))
    await page.keyboard.press('Control+k')
    const palette = panel('Go to or do')
    await palette.waitFor()
    // The keys go into its field without a click.
    await page.keyboard.type('audi')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/audit')
    // What was done in these tests is on record, by name.
    await page
      .getByRole('row')
      .filter({ hasText: `Alma Office ${stamp}` })
      .first()
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.waitForURL('**/dashboard')
    for (const card of [
      'Gross earning today',
      'Gross earning this month',
      'Gross earning in total',
    ])
      await page.getByRole('heading', { name: card }).waitFor()
    await page.getByRole('region', { name: 'Drivers on duty' }).first().waitFor()
    await page.getByRole('button', { name: /^Show (all \d+|the) drivers?$/ }).waitFor()
  })
})

test('the side menu is 240 wide or as narrow as its pictures, the colours light or dark, for good', async () => {
  onFailure('menu')
  await page.goto('/promos')
  const menu = page.locator('#office-menu')
  const width = async () => (await menu.boundingBox())?.width ?? 0
  const scheme = () => page.evaluate(() => document.documentElement.dataset.scheme)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await menu.getByRole('link', { name: 'Promos' }).waitFor()
  await eventually(width).toBe(240)
  const light = await background()
  await button('Narrow the menu').click()
  await button('Dark').click()
  await page.reload()
  await button('Widen the menu').waitFor()
  await eventually(width).toBeLessThan(100)
  // Groups have no headings there: every page has its picture.
  await menu.getByRole('link', { name: 'Withdraws' }).waitFor()
  expect(await scheme()).toBe('dark')
  expect(await background()).not.toBe(light)
  await button('Light').click()
  await button('Widen the menu').click()
  await eventually(width).toBe(240)
  await eventually(background).toBe(light)
})

describe('a fleet admin', () => {
  test('finds his own drivers, bookings, marker and earnings, and nobody else’s', async () => {
    const [fleet = '', other = ''] = await scene.people(2, { usertype: 'fleetadmin' })
    const [own, foreign] = [
      await driverOnDuty({ firstName: 'Olga', fleetadmin: fleet }),
      await driverOnDuty({ firstName: 'Frida', fleetadmin: other }),
    ]
    const admin = await scene.as(alma)
    const rides: Record<string, string> = {}
    for (const uid of [own, foreign]) {
      const id = await aBooking()
      rides[uid] = id
      const driver = await scene.as(uid)
      await advance(admin, id, 'assign', { driver: uid })
      await advance(driver, id, 'accept')
      const { pickup, drop } = (await scene.read<Booking>(`bookings/${id}`)) as Booking
      await advance(driver, id, 'arrive', { lat: pickup.lat, lng: pickup.lng })
      await advance(driver, id, 'start', { otp: await scene.read<number>(`booking_otps/${id}`) })
      await advance(driver, id, 'reach', { lat: drop.lat, lng: drop.lng })
      await advance(driver, id, 'finish')
      await advance(driver, id, 'collect')
    }
    const [mine = '', theirs = ''] = [rides[own], rides[foreign]]
    const { driver_share = 0, convenience_fees = 0 } =
      (await scene.read<Booking>(`bookings/${mine}`)) ?? {}

    const screen = await browser.openAs(fleet, '/drivers')
    onFailure('fleet', screen)
    const { page: at, errors } = screen
    const line = (text: string) => at.getByRole('row').filter({ hasText: text })
    await line('Olga').waitFor()
    expect(await line('Frida').count()).toBe(0)
    await at.goto(`/bookings`)
    await line(mine).waitFor()
    expect(await line(theirs).count()).toBe(0)
    await at.goto(`/bookings?driver=${foreign}`)
    await at.getByText('no bookings').waitFor()
    await at.goto('/driverearning')
    await line('Olga')
      .getByText(new RegExp(String(Math.floor(driver_share))))
      .waitFor()
    expect(await at.getByRole('row').count()).toBe(2)
    const location = await scene.pickup()
    await scene.onDuty(own, { carType: TYPE, location, fleetadmin: fleet })
    await scene.onDuty(foreign, { carType: TYPE, location, fleetadmin: other })
    await at.goto('/dashboard')
    const total = at.getByRole('heading', { name: 'Gross earning in total' }).locator('xpath=..')
    await eventually(() => total.innerText()).toContain(convenience_fees.toFixed(2))
    await at.getByRole('button', { name: 'Show the driver' }).waitFor()
    expect(errors.splice(0)).toEqual([])

    // By another's id.
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
    const client = await scene.as(fleet)
    const refused = await refusalOf(
      client.call('save_user', { id: foreign, usertype: 'driver', firstName: 'Mine' }),
    )
    expect(refused.code).toBe('functions/permission-denied')
    const exported = async (filter: object) => {
      const asked = { limit: 500, ...filter }
      const { rows } = await client.call<{ rows: Booking[] }>('export_bookings', asked)
      return rows.map(({ id }) => id)
    }
    expect(await exported({ driver: foreign })).toEqual([])
    expect(await exported({ customer: rider.uid })).toEqual([mine])
    expect(await exported({})).toEqual([mine])
    await screen.context.close()
    await scene.offDuty(own, foreign)
  })
})

describe('no fault that axe can find', () => {
  test.each(['admin', 'fleetadmin'] as const)(
    'in light, dark and right to left, on every page of the %s',
    async (usertype) => {
      const [uid = ''] = await scene.people(1, { usertype, firstName: 'Axel' })
      const screen = await browser.openAs(uid, '/dashboard')
      onFailure(`axe-${usertype}`, screen)
      const { page: at, context } = screen
      await at.emulateMedia({ reducedMotion: 'reduce' })
      await at.getByRole('heading', { level: 1 }).waitFor()
      const faults: string[] = []
      const routes = menuFor(usertype)
        .map(({ route }): string => route)
        .filter((route) => route !== '/')
      if (usertype === 'admin') routes.push(`/bookings/${await aBooking()}`)
      const visit = async (route: string) => {
        // As the router goes, without loading the whole anew.
        await at.evaluate((to) => {
          window.history.pushState(null, '', to)
          window.dispatchEvent(new PopStateEvent('popstate'))
        }, route)
        await at.getByRole('heading', { level: 1 }).waitFor()
        await loaded(at)
      }
      for (const route of routes) {
        await visit(route)
        for (const scheme of ['light', 'dark'] as const) {
          await at.emulateMedia({ colorScheme: scheme })
          const rules = scheme === 'dark' ? ['color-contrast'] : undefined
          for (const fault of await faultsOf(at, rules)) faults.push(`${route} ${scheme} ${fault}`)
        }
        await at.emulateMedia({ colorScheme: 'light' })
      }
      for (const locale of ['he', 'ar']) {
        await at.evaluate((chosen) => localStorage.setItem('kerbside.locale', chosen), locale)
        await at.reload()
        await at.locator(`html[lang="${locale}"][dir="rtl"]`).waitFor()
        for (const route of routes) {
          await visit(route)
          for (const fault of await faultsOf(at)) faults.push(`${route} ${locale} ${fault}`)
          const wide = await at.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          if (wide > 0) faults.push(`${route} ${locale}: ${wide} px too wide`)
        }
      }
      expect(faults).toEqual([])
      expect(screen.errors).toEqual([])
      await context.close()
    },
  )

  test('in light, dark and right to left, in every dialog', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'admin', firstName: 'Axel' })
    const [driver, id] = [await driverOnDuty({ firstName: 'Dana' }), await aBooking()]
    const screen = await browser.openAs(uid, '/bookings')
    onFailure('axe-dialogs', screen)
    const { page: at, context } = screen
    await at.emulateMedia({ reducedMotion: 'reduce' })
    const promos = Object.keys((await scene.read<object>('promos')) ?? {})
    const languages = Object.keys((await scene.read<object>('languages')) ?? {})
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
      `/cartypes?edit=${TYPE}~cancelSlab`,
      `/promos?edit=${promos[0] ?? 'new'}`,
      '/cancelreasons?edit=0',
      '/notifications?edit=new',
      `/languagesetting?edit=${languages[0] ?? ''}~json`,
    ]
    const faults: string[] = []
    const look = async (what: string, schemes: readonly ('light' | 'dark')[]) => {
      await at.locator('dialog[open]').first().waitFor()
      await at.waitForFunction(() => !document.querySelector('dialog[open] [role=status]'))
      for (const colorScheme of schemes) {
        await at.emulateMedia({ colorScheme })
        for (const fault of await faultsOf(at)) faults.push(`${what} ${colorScheme} ${fault}`)
      }
      await at.emulateMedia({ colorScheme: 'light' })
    }
    const press = async (schemes: readonly ('light' | 'dark')[]) => {
      for (const keys of ['Control+k', '?']) {
        await at.goto('/promos')
        await at.getByRole('heading', { level: 1 }).waitFor()
        await at.keyboard.press(keys)
        await look(keys, schemes)
      }
    }
    for (const address of addresses) {
      await at.goto(address)
      await look(address, ['light', 'dark'])
    }
    await press(['light', 'dark'])
    await at.goto('/promos')
    await at.getByRole('button', { name: 'Language' }).click()
    await at.getByRole('button', { name: 'עברית' }).click()
    await at.waitForFunction(() => document.documentElement.dir === 'rtl')
    for (const address of addresses) {
      await at.goto(address)
      await at.waitForFunction(() => document.documentElement.dir === 'rtl')
      await look(`rtl ${address}`, ['light'])
    }
    await press(['light'])
    expect(faults).toEqual([])
    expect(screen.errors).toEqual([])
    await context.close()
    await scene.offDuty(driver)
  })
})
