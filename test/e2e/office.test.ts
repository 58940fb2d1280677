import { ref, update } from 'firebase/database'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toShownTotals } from '~/domain/money/stats'
import {
  advanceBooking,
  createBookingId,
  openTestPlatform,
  type TestPlatform,
} from '../functions/testPlatform'
import {
  navigateWithin,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import { findCovered } from '../support/coveredControls'
import { pollUntil, waitUntilGone, createLocators } from '../support/officeLocators'
import type { Booking } from '~/domain/booking/types'
import type {
  CancellationReason,
  Language,
  Promo,
  Settings,
  VehicleType,
} from '~/domain/catalog/types'
import type { PushNotification } from '~/domain/messages/types'
import type { StatsRow, Withdrawal } from '~/domain/money/types'
import type { User } from '~/domain/accounts/types'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const stamp = Date.now().toString(36)
let phoneCount = 0
const createPhoneNumber = () =>
  `+1777${String(Date.now()).slice(-5)}${String((phoneCount += 1)).padStart(2, '0')}`

let browser: TestBrowser
let platform: TestPlatform
let office: Screen
let page: Page

beforeAll(async () => {
  platform = openTestPlatform()
  const [[admin = '']] = await Promise.all([
    platform.createUsers(1, { usertype: 'admin', firstName: 'Alma', lastName: `Office ${stamp}` }),
    // This user has a push token, so a notification can reach them.
    platform.createUsers(1, {
      device: { token: `office-${stamp}`, platform: 'IOS' },
    }),
  ])
  browser = await openTestBrowser()
  office = await browser.openAs(admin, '/cartypes')
  page = office.page
})
afterEach(() => {
  expect(office.errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

/** Matches a phone number or an email address. */
const CONTACT_PATTERN = /\+\d{7}|\S@\S/
const visit = (path: string) => navigateWithin(page, path)
const named = (text: string) => `${text} ${stamp}`
const { button, panel, row } = createLocators(() => page)
const fillFields = async (within: Page | Locator, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values))
    await within.getByLabel(label, { exact: true }).fill(value)
}
/** Returns a read-only value, which is shown after its name and has no form field. */
const getFixedValue = async (within: Locator, name: string): Promise<string> => {
  expect(await within.getByLabel(name, { exact: true }).count()).toBe(0)
  return within
    .locator('dl', { has: within.page().getByText(name, { exact: true }) })
    .locator('dd')
    .innerText()
}
/** Returns the error text of a field after its value was refused. */
const getFieldError = async (within: Page | Locator, label: string): Promise<string> => {
  const field = within.getByLabel(label, { exact: true })
  await pollUntil(() => field.getAttribute('aria-invalid')).toBe('true')
  return field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )
}
/** Returns true when the middle of an element is in the window and nothing covers it. */
const isInSight = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
const findRecord = async <T>(path: string, is: (one: T) => boolean): Promise<[string, T]> => {
  let one: [string, T] | undefined
  await pollUntil(async () => {
    one = Object.entries((await platform.read<Record<string, T>>(path)) ?? {}).find(([, value]) =>
      is(value),
    )
    return one
  }).toBeTruthy()
  return one as [string, T]
}
/**
 * Waits until the action of a panel has ended. The panel disappears with its record, before the
 * call ends and steps back in the history, and that step cancels a page load. `param` is the
 * panel's parameter in the URL.
 */
const waitUntilClosed = (param: 'edit' | 'do') =>
  page.waitForURL((url) => !url.searchParams.has(param))
/** Deletes the record shown in a panel and confirms the dialog. */
const deleteRecord = async (open: Locator) => {
  await button('Delete', open).click()
  await panel(/^Delete/)
    .getByRole('button', { name: 'Delete' })
    .click()
  await waitUntilClosed('edit')
}
/** Changes settings while `story` runs, and then restores them. */
const withSettings = async (changes: Partial<Settings>, story: () => Promise<void>) => {
  const before = await platform.read<Settings>('settings')
  const at = (values: Partial<Settings>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`settings/${name}`, value]))
  const previous = Object.fromEntries(
    Object.keys(changes).map((name) => [name, before?.[name as keyof Settings] ?? null]),
  ) as Partial<Settings>
  await platform.write(at(changes))
  try {
    await story()
  } finally {
    await platform.write(at(previous))
  }
}

describe('tables and forms', () => {
  test('a vehicle type gets its picture, parcel type, option and cancellation slabs, with errors shown at the field', async () => {
    const name = named('Rickshaw')
    await button('Add vehicle type').click()
    const adding = panel('Add vehicle type')
    await fillFields(adding, { 'Rate per km': '3,5', 'Rate per hour': '60' })
    await button('Save', adding).click()
    expect(await getFieldError(adding, 'Name')).toContain('Please fill this in')
    await fillFields(adding, { Name: name, 'Convenience fee': '120' })
    await button('Save', adding).click()
    expect(await getFieldError(adding, 'Convenience fee')).toContain('at most 100')
    await fillFields(adding, { 'Convenience fee': '12' })
    await adding
      .locator('input[type=file]')
      .setInputFiles({ name: 'rickshaw.png', mimeType: 'image/png', buffer: PIXEL })
    await pollUntil(() => adding.getByLabel('Picture', { exact: true }).inputValue()).toMatch(
      /^http/,
    )
    await button('Save', adding).click()
    await waitUntilGone(adding)

    for (const part of ['Parcel types', 'Options']) {
      await row(name)
        .getByRole('button', { name: `${part} of ${name}` })
        .click()
      const choices = panel(`${name}: ${part}`)
      await button('Add', choices).click()
      await button('Save', choices).click()
      expect(await getFieldError(choices, 'Description')).toContain('Please fill this in')
      await fillFields(choices, { Description: `${part} one`, Amount: '7' })
      await button('Save', choices).click()
      await waitUntilGone(choices)
    }
    await row(name)
      .getByRole('button', { name: `Cancellation fees of ${name}` })
      .click()
    const slabs = panel(`${name}: Cancellation fees`)
    for (const [index, [minutes, amount]] of [
      ['10', '20'],
      ['2', '5'],
    ].entries()) {
      await button('Add', slabs).click()
      await slabs
        .getByLabel('From minute')
        .nth(index)
        .fill(minutes ?? '')
      await slabs
        .getByLabel('Amount')
        .nth(index)
        .fill(amount ?? '')
    }
    await button('Save', slabs).click()
    await waitUntilGone(slabs)

    const [id, car] = await findRecord<VehicleType>('cartypes', (one) => one.name === name)
    expect(car).toMatchObject({
      rate_per_unit_distance: 3.5,
      rate_per_hour: 60,
      convenience_fees: 12,
      parcelTypes: [{ description: 'Parcel types one', amount: 7 }],
      options: [{ description: 'Options one', amount: 7 }],
      cancelSlab: [
        { minsDelayed: 2, amount: 5 },
        { minsDelayed: 10, amount: 20 },
      ],
    })
    expect((await fetch(car.image ?? '')).status).toBe(200)
    // Deletion needs no confirmation, because the user can undo it.
    await page.getByRole('link', { name, exact: true }).click()
    await button('Delete', panel(name)).click()
    await waitUntilClosed('edit')
    await pollUntil(() => platform.read(`cartypes/${id}`)).toBeNull()
    await button('Undo').click()
    await pollUntil(() => platform.read(`cartypes/${id}`)).toEqual(car)
    await row(name).waitFor()
    await platform.write({ [`cartypes/${id}`]: null })
    await waitUntilGone(row(name))
  })

  test('a long table keeps its header and first column in sight, and a long form its Save button', async () => {
    const size = page.viewportSize()
    await page.setViewportSize({ width: 900, height: 640 })
    await visit('/bookings')
    const table = page.getByRole('region', { name: 'Bookings' })
    await table.getByRole('row').nth(20).waitFor()
    const reference = table.getByRole('columnheader', { name: 'Reference' })
    await pollUntil(() =>
      table.evaluate((frame) => {
        frame.scrollTo(120, 300)
        return [frame.scrollLeft, frame.scrollTop]
      }),
    ).toEqual([120, 300])
    expect(await isInSight(reference)).toBe(true)
    // The height of a row depends on the names in it.
    const firstInSight = await table.evaluate((frame) => {
      const { bottom } = frame.querySelector('th')!.getBoundingClientRect()
      const rows = [...frame.querySelectorAll('tbody tr')]
      return 1 + rows.findIndex((row) => row.getBoundingClientRect().top > bottom)
    })
    expect(firstInSight).toBeGreaterThan(1)
    const middle = table.getByRole('row').nth(firstInSight)
    expect(await isInSight(middle.getByRole('cell').nth(1))).toBe(true)

    await visit('/cartypes')
    await button('Add vehicle type').click()
    const adding = panel('Add vehicle type')
    expect(await adding.evaluate((frame) => frame.scrollHeight > frame.clientHeight)).toBe(true)
    expect(await isInSight(button('Save', adding))).toBe(true)
    if (size) await page.setViewportSize(size)
  })

  test('a promo is refused without its limits, and then added, changed and deleted', async () => {
    const name = named('SPRING')
    await visit('/promos')
    await button('Add promo').click()
    const adding = panel('Add promo')
    await fillFields(adding, { Name: name, Discount: '10', 'Valid until': '2030-05-31' })
    await button('Save', adding).click()
    expect(await getFieldError(adding, 'Usage limit')).toContain('Please')
    await fillFields(adding, { 'Usage limit': '3' })
    await button('Save', adding).click()
    await waitUntilGone(adding)
    const [id, promo] = await findRecord<Promo>('promos', (one) => one.promo_name === name)
    // The promo ends with the last millisecond of that day in the platform's time zone.
    expect(new Date(promo.promo_validity).toISOString()).toBe('2030-06-01T02:59:59.999Z')
    await page.getByRole('link', { name, exact: true }).click()
    const open = panel(name)
    expect(await getFixedValue(open, 'Times used')).toBe('0')
    await fillFields(open, { Discount: '15' })
    await button('Save', open).click()
    await waitUntilGone(open)
    await pollUntil(() => platform.read(`promos/${id}/promo_discount_value`)).toBe(15)
    await page.getByRole('link', { name, exact: true }).click()
    await deleteRecord(panel(name))
    await pollUntil(() => platform.read(`promos/${id}`)).toBeNull()
  })

  test('users of each kind are added, approved, suspended and deleted, and a known number is reported', async () => {
    for (const [path, add, usertype] of [
      ['/riders', 'Add rider', 'rider'],
      ['/drivers', 'Add driver', 'driver'],
      ['/fleetadmins', 'Add fleet admin', 'fleetadmin'],
      ['/alladmin', 'Add admin', 'admin'],
    ] as const) {
      const [first, email, mobile] = [
        `New${usertype}`,
        `${usertype}-${stamp}@example.com`,
        createPhoneNumber(),
      ]
      await visit(`${path}?q=${email}`)
      await button(add).click()
      const adding = panel(add)
      await fillFields(adding, { 'First name': first, 'Last name': stamp, Email: email })
      await button('Save', adding).click()
      expect(await getFieldError(adding, 'Mobile number')).toContain('country code')
      await fillFields(adding, { 'Mobile number': '+1 555 555 0103' })
      await button('Save', adding).click()
      expect(await getFieldError(adding, 'Mobile number')).toContain('already exists')
      await fillFields(adding, { 'Mobile number': mobile })
      await button('Save', adding).click()
      await waitUntilGone(adding)
      // The list marks the new user wherever they are sorted.
      await page.getByRole('row').nth(1).getByText('New', { exact: true }).waitFor()
      const [uid, user] = await findRecord<User>('users', (one) => one.email === email)
      expect(user).toMatchObject({ usertype, mobile, approved: true })
      await row(first)
        .getByRole('button', { name: /^Actions for/ })
        .click()
      await row(first).getByRole('button', { name: 'Suspend' }).click()
      await pollUntil(() => platform.read(`users/${uid}/approved`)).toBe(false)
      await row(first).getByText('Not approved').waitFor()
      await row(first).getByRole('button', { name: 'Approve' }).click()
      await pollUntil(() => platform.read(`users/${uid}/approved`)).toBe(true)
      await visit(`${path}?edit=${uid}`)
      const open = panel(`${first} ${stamp}`)
      expect(await getFixedValue(open, 'Mobile number')).toBe(mobile)
      expect(await getFixedValue(open, 'Email')).toBe(email)
      await open.getByRole('group', { name: 'History' }).getByText('Created').waitFor()
      await deleteRecord(open)
      await pollUntil(() => platform.read(`users/${uid}/email`)).not.toBe(email)
    }
  })

  test('a deleted fleet admin leaves the drivers to another one', async () => {
    const createFleetAdmin = (firstName: string) =>
      platform.createUsers(1, { usertype: 'fleetadmin', firstName, lastName: stamp })
    const [[leaver = ''], [heir = '']] = [
      await createFleetAdmin('Leaver'),
      await createFleetAdmin('Heir'),
    ]
    const drivers = await platform.createUsers(2, { usertype: 'driver', fleetadmin: leaver })
    await visit(`/fleetadmins?edit=${leaver}`)
    const open = panel(`Leaver ${stamp}`)
    await button('Delete', open).click()
    const asking = panel(/^Delete/)
    await asking.getByText(/^Drivers of this fleet admin: 2/).waitFor()
    await asking.getByLabel('The drivers go to').selectOption({ label: `Heir ${stamp}` })
    await button('Delete', asking).click()
    await waitUntilClosed('edit')
    await pollUntil(() => platform.read(`users/${leaver}/approved`)).not.toBe(true)
    const fleets = await Promise.all(drivers.map((uid) => platform.read(`users/${uid}/fleetadmin`)))
    expect(fleets).toEqual([heir, heir])
    expect(office.errors.splice(0)).toEqual([])
  })

  test('a driver’s panel shows their wallet history and documents', async () => {
    const [uid = ''] = await platform.createUsers(1, {
      usertype: 'driver',
      firstName: 'Dora',
      lastName: stamp,
      licenseImage: '/images/cars/economy.svg',
      walletBalance: 70,
      walletHistory: {
        a: { type: 'Credit', amount: 50, date: Date.now() - 1000, txRef: 'AdminCredit' },
        b: { type: 'Credit', amount: 20, date: Date.now(), txRef: 'Referral' },
      },
    })
    await visit(`/drivers?q=${uid}@example.com`)
    await button(`Actions for Dora ${stamp}`).click()
    await row('Dora').getByRole('button', { name: 'Wallet' }).click()
    const wallet = panel(`Wallet of Dora ${stamp}`)
    const lines = wallet.getByRole('listitem')
    await lines.first().waitFor()
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringContaining('Referral'),
      expect.stringContaining('AdminCredit'),
    ])
    await page.goBack()
    await waitUntilGone(wallet)
    await button(`Actions for Dora ${stamp}`).click()
    await row('Dora').getByRole('button', { name: 'Documents' }).click()
    const documents = panel(`Documents of Dora ${stamp}`)
    await page.reload()
    const license = documents.getByRole('link', { name: 'Driver’s license' })
    expect(await license.getAttribute('href')).toBe('/images/cars/economy.svg')
  })

  test('a notification needs a title, is sent and can be deleted', async () => {
    const title = named('Hello')
    await visit('/notifications')
    await button('Send notification').click()
    const adding = panel('Send notification')
    await fillFields(adding, { Message: 'From the office' })
    await button('Send', adding).click()
    expect(await getFieldError(adding, 'Title')).toContain('Please fill this in')
    await fillFields(adding, { Title: title })
    await adding.getByLabel('Account type').selectOption('rider')
    await adding.getByLabel('Device').selectOption('IOS')
    await button('Send', adding).click()
    await waitUntilGone(adding)
    await row(title).getByText('iOS').waitFor()
    const [id] = await findRecord<PushNotification>('notifications', (one) => one.title === title)
    await row(title).getByRole('button', { name: 'Delete' }).click()
    await pollUntil(() => platform.read(`notifications/${id}`)).toBeNull()
  })

  test('cancellation reasons are listed ten per page and numbered by position', async () => {
    const before = await platform.read<CancellationReason[]>('cancel_reason')
    const many = Array.from({ length: 12 }, (_, value) => ({ label: `Reason ${value + 1}`, value }))
    await platform.write({ cancel_reason: many })
    try {
      await visit('/cancelreasons')
      await page.getByRole('link', { name: 'Reason 10' }).waitFor()
      expect(await page.getByRole('row').count()).toBe(11)
      await page.getByText('1–10 of 12').waitFor()
      await button('Next page').click()
      await page.getByRole('link', { name: 'Reason 12' }).waitFor()
      await button('Add reason').click()
      const adding = panel('Add reason')
      await button('Save', adding).click()
      expect(await getFieldError(adding, 'Reason')).toContain('Please fill this in')
      await fillFields(adding, { Reason: 'The thirteenth' })
      await button('Save', adding).click()
      await waitUntilGone(adding)
      await page.getByRole('link', { name: 'Reason 11' }).click()
      await button('Delete', panel('Reason 11')).click()
      await waitUntilClosed('edit')
      await pollUntil(() => platform.read<CancellationReason[]>('cancel_reason')).toEqual(
        [...many.map(({ label }) => label), 'The thirteenth']
          .filter((label) => label !== 'Reason 11')
          .map((label, value) => ({ label, value })),
      )
    } finally {
      await platform.write({ cancel_reason: before })
    }
  })
})

describe('money', () => {
  test('is credited to a wallet, withdrawn and paid out with its date, and a setting shows bank columns', async () => {
    const [uid = ''] = await platform.createUsers(1, {
      usertype: 'driver',
      firstName: 'Wim',
      lastName: stamp,
      bankName: 'Banco Uno',
    })
    await visit('/addtowallet')
    await button('Add to wallet').click()
    expect(await getFieldError(page, 'User')).toContain('Choose a user and an amount')
    await page.getByRole('combobox', { name: 'User' }).fill(`${uid}@example.com`)
    await page.getByRole('option', { name: `Wim ${stamp}` }).click()
    await fillFields(page, { Amount: '80' })
    await button('Add to wallet').click()
    await button(/^Credit/, panel(`Credit $U 80.00 to Wim ${stamp}?`)).click()
    await pollUntil(() => platform.read(`users/${uid}/walletBalance`)).toBe(80)

    const driver = await platform.signInAs(uid)
    const withdraw_id = createBookingId()
    await driver.call('request_withdraw', { withdraw_id, amount: 30 })
    await visit('/withdraws')
    const request = row(`Wim ${stamp}`)
    await request.getByText('Banco Uno').waitFor()
    await withSettings({ bank_fields: false }, async () => {
      await waitUntilGone(page.getByRole('columnheader', { name: 'Bank', exact: true }))
    })
    await page.getByRole('columnheader', { name: 'Bank', exact: true }).waitFor()
    const process = request.getByRole('button', {
      name: `Process the request from Wim ${stamp}`,
    })
    await process.click()
    await button('Process', panel(/^Mark .* as paid/)).click()
    // The row changes before the server responds.
    await waitUntilClosed('do')
    expect(await process.isDisabled()).toBe(true)
    const { processed, procesDate } =
      (await platform.read<Withdrawal>(`withdraws/${withdraw_id}`)) ?? {}
    expect(processed).toBe(true)
    const shown = await page.evaluate(
      (at) =>
        new Intl.DateTimeFormat('en-GB', {
          day: 'numeric',
          month: 'short',
          timeZone: 'America/Montevideo',
        }).format(at),
      procesDate ?? 0,
    )
    const date = request.locator('time').last()
    expect(`${await date.innerText()} ${(await date.getAttribute('title')) ?? ''}`).toContain(shown)
  })

  test('earnings reports match the monthly totals', async () => {
    const months = (await platform.read<Record<string, StatsRow>>('stats/earnings')) ?? {}
    const settings = await platform.read<Settings>('settings')
    const money = (amount = 0) => {
      const digits = Math.abs(amount).toLocaleString('en-GB', { minimumFractionDigits: 2 })
      return `${amount < 0 ? '−' : ''}$U ${digits}`
    }
    // Returns the row that the report must show for a month, computed from the stored totals.
    const describeMonth = ([month, row]: [string, StatsRow]): string[] => {
      const totals = toShownTotals(row, settings ?? { code: '', decimal: 2 })
      const { tripCost = 0, cancellationFee = 0, convenienceFee = 0, discountAmount = 0 } = totals
      const { compensation = 0, driverCompensation = 0, tips = 0 } = totals
      const { customerPaid = 0, driverShare = 0 } = totals
      const refunds = tripCost - discountAmount - customerPaid
      const cents = (amount: number) => money(Math.round(amount * 100) / 100)
      return [
        month.slice(0, 4),
        new Date(`${month}-15`).toLocaleString('en-GB', { month: 'long' }),
        (totals.total_rides ?? 0).toLocaleString('en-GB'),
        ...[tripCost, totals.rideCost ?? 0, cancellationFee, tripCost + cancellationFee].map(cents),
        ...[convenienceFee, discountAmount, compensation + refunds].map(cents),
        ...[compensation - driverCompensation, driverCompensation, refunds, tips].map(cents),
        cents(customerPaid + cancellationFee - driverShare - compensation),
        cents(convenienceFee + cancellationFee - discountAmount - compensation - refunds),
      ]
    }
    await visit('/earningreports')
    const table = page.getByRole('region', { name: 'Earnings reports' })
    await table.getByRole('row').nth(1).waitFor()
    // The table shows those that fit at first.
    await page.getByText('Columns', { exact: true }).click()
    await button('Show all columns').click()
    await table.getByRole('columnheader', { name: 'Tips' }).waitFor()
    const rows = await table.getByRole('row').all()
    const shown = await Promise.all(
      rows.slice(1).map((one) => one.getByRole('cell').allInnerTexts()),
    )
    const totals = shown.pop() ?? []
    expect(shown).toEqual(Object.entries(months).sort().reverse().map(describeMonth))
    const stored = Object.values(months).map((row) =>
      toShownTotals(row, settings ?? { code: '', decimal: 2 }),
    )
    const count = stored.reduce((sum, { total_rides = 0 }) => sum + total_rides, 0)
    const cents = stored.reduce((sum, { tripCost = 0 }) => sum + Math.round(tripCost * 100), 0)
    expect([totals[0], totals[2], totals[3]]).toEqual([
      'Total',
      count.toLocaleString('en-GB'),
      money(cents / 100),
    ])
    await page
      .getByRole('img', { name: /Profit by month/ })
      .or(page.getByText('Profit by month'))
      .first()
      .waitFor()
    await visit('/driverearning?group=driver')
    await page.getByRole('columnheader', { name: /Driver share/ }).waitFor()
    expect(await page.getByRole('columnheader', { name: /Month/ }).count()).toBe(0)
  })
})

describe('platform settings', () => {
  test('settings preview the currency, require a bonus and are saved', async () => {
    const before = await platform.read<Settings>('settings')
    await visit('/settings')
    const preview = page.getByText('Amounts look like this:')
    await preview.waitFor()
    await fillFields(page, { Symbol: 'Ŧ', 'Decimal places': '3' })
    await pollUntil(() => preview.innerText()).toMatch(/^Amounts look like this: Ŧ.*1,234\.568$/)
    await page.getByRole('switch', { name: 'Symbol after the amount' }).check({ force: true })
    await pollUntil(() => preview.innerText()).toMatch(/1,234\.568\s*Ŧ$/)
    await fillFields(page, { 'Referral bonus': '' })
    await button('Save').click()
    expect(await getFieldError(page, 'Referral bonus')).toContain('Please enter a bonus, or 0.')
    // Leaving the page asks for confirmation and discards the changes.
    await page.getByRole('link', { name: 'Vehicle types' }).click()
    const question = panel('Leave without saving your changes?')
    await button('Keep as it is', question).click()
    await waitUntilGone(question)
    await page.getByRole('link', { name: 'Vehicle types' }).click()
    await button('Leave', question).click()
    await page.getByRole('heading', { level: 1, name: 'Vehicle types' }).waitFor()
    expect(await platform.read('settings')).toEqual(before)

    await visit('/settings')
    await fillFields(page, { 'Search radius in km': '11' })
    await button('Save').click()
    await pollUntil(() => platform.read('settings/driverRadius')).toBe(11)
    await fillFields(page, { 'Search radius in km': String(before?.driverRadius) })
    await button('Save').click()
    await pollUntil(() => platform.read('settings')).toEqual(before)
  })

  test('app info requires a name and keeps its links', async () => {
    const before = await platform.read<Settings>('settings')
    await visit('/appinfo')
    await fillFields(page, { 'App name': '' })
    await button('Save').click()
    expect(await getFieldError(page, 'App name')).toContain('Please fill this in')
    await fillFields(page, { 'App name': before?.appName ?? '', Twitter: 'kerbside_test' })
    await button('Save').click()
    await pollUntil(() => platform.read('settings/TwitterHandle')).toBe('kerbside_test')
    await platform.write({ 'settings/TwitterHandle': before?.TwitterHandle ?? null })
  })

  test('a language is added, its texts are checked and compared, and the default language cannot be deleted', async () => {
    const name = named('Esperanto')
    const defaults = async () =>
      Object.values((await platform.read<Record<string, Language>>('languages')) ?? {})
        .filter((one) => one.default)
        .map(({ langName }) => langName)
    const before = await defaults()
    await visit('/languagesetting')
    await button('Add language').click()
    const adding = panel('Add language')
    await button('Save', adding).click()
    expect(await getFieldError(adding, 'Name')).toContain('Please fill this in')
    await fillFields(adding, { Name: name, Locale: 'eo', 'Date locale': 'eo' })
    await button('Save', adding).click()
    await waitUntilGone(adding)
    const [id] = await findRecord<Language>('languages', (one) => one.langName === name)

    await row(name).getByRole('button', { name: 'Edit JSON' }).click()
    const open = panel(`Texts of ${name}`)
    const text = open.getByLabel('Edit JSON')
    const box = await text.boundingBox()
    expect([box?.width, box?.height].map((size) => Math.round(size ?? 0))).toEqual([800, 500])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await findCovered(open.getByRole('button', { name: 'Submit' }))).toEqual([])
      expect(await open.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    }
    await text.fill('{ "save": ')
    await button('Submit', open).click()
    await open.getByRole('alert').filter({ hasText: 'JSON Error' }).waitFor()
    await text.fill('{ "save": "Konservi", "cancel": "Cancel" }')
    await open.getByText(/texts are not translated yet/).waitFor()
    await open.getByRole('tab', { name: /^Different 1$/ }).click()
    const difference = open.getByRole('row').filter({ hasText: 'Konservi' })
    await difference.getByText('Save', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await button('Keep as it is', panel('Leave without saving your changes?')).click()
    await button('Submit', open).click()
    await waitUntilGone(open)
    await pollUntil(() => platform.read(`languages/${id}/keyValuePairs`)).toEqual({
      save: 'Konservi',
      cancel: 'Cancel',
    })

    await row(name).getByRole('button', { name: 'Make default' }).click()
    await pollUntil(defaults).toEqual([name])
    await row(name).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Cannot delete default language').waitFor()
    await row(before[0] ?? '')
      .getByRole('button', { name: 'Make default' })
      .click()
    await pollUntil(defaults).toEqual(before)
    await row(name).getByRole('button', { name: 'Delete' }).click()
    await pollUntil(() => platform.read(`languages/${id}`)).toBeNull()
  })

  test('the audit shows who changed what, with old and new values, for one record and for all', async () => {
    const [id, name] = [`audited-${stamp}`, named('AUDITED')]
    const admin = await platform.signInAs('seed-admin')
    const change = (changes: Record<string, unknown>) => update(ref(admin.database), changes)
    await change({
      [`promos/${id}`]: {
        promo_name: name,
        promo_description: '',
        promo_discount_type: 'flat',
        promo_discount_value: 10,
        max_promo_discount_value: 0,
        min_order: 0,
        promo_validity: 4_000_000_000_000,
        promo_usage_limit: 1,
      },
    })
    await change({ [`promos/${id}/promo_discount_value`]: 15 })
    const { firstName = '', lastName = '' } = (await platform.read<User>('users/seed-admin')) ?? {}
    await visit('/audit')
    // The list is newest first, so the change is above the addition.
    const rows = row(name)
    await pollUntil(() => rows.count()).toBe(2)
    await rows
      .first()
      .filter({ hasText: `${firstName} ${lastName}` })
      .waitFor()
    expect(await rows.first().innerText()).toMatch(/Changed[^]*Discount:\s*10[^]*15/)
    expect(await rows.last().innerText()).toContain('Created')
    await rows.first().getByRole('button', { name: 'View full history' }).click()
    await page.waitForURL((url) => url.searchParams.get('path') === `promos/${id}`)
    await pollUntil(() => page.getByRole('row').count()).toBe(3)
    await rows.first().getByRole('link', { name }).click()
    await panel(name).waitFor()
    await page.goBack()
    // The pointer leaves the table, because rows under it do not move.
    await page.getByRole('heading', { level: 1 }).hover()
    await change({ [`promos/${id}`]: null })
    await pollUntil(() => page.getByRole('row').count()).toBe(4)
  })

  test('demo mode refuses protected changes, hides contacts and exports nothing', async () => {
    await withSettings({ AllowCriticalEditsAdmin: false }, async () => {
      await visit('/cartypes')
      await page.getByText('Demo', { exact: true }).waitFor()
      await button('Add vehicle type').click()
      await page.getByText('This change is turned off in the demo.').waitFor()
      expect(await page.getByText('Export', { exact: true }).count()).toBe(0)
      await visit('/riders')
      await page.getByRole('cell', { name: 'Hidden for Demo' }).first().waitFor()
      expect(await page.getByRole('cell', { name: /^\+1/ }).count()).toBe(0)
      await visit('/riders?edit=seed-rider')
      for (const contact of ['Mobile number', 'Email'])
        await pollUntil(() => getFixedValue(page.getByRole('dialog'), contact)).toBe(
          'Hidden for Demo',
        )
      await visit('/addtowallet')
      // By name, because an address that finds its owner would be known.
      const name = (await platform.read<string>('users/seed-rider/lastName')) ?? ''
      await page.getByRole('combobox', { name: 'User' }).fill(name)
      const offered = page.getByRole('option')
      await offered.first().getByText('Hidden for Demo').waitFor()
      expect((await offered.allInnerTexts()).join()).not.toMatch(CONTACT_PATTERN)
      const [booking = ''] = Object.keys((await platform.read<object>('bookings')) ?? {})
      await visit(`/bookings?open=${booking}`)
      const drawer = panel((await platform.read<string>(`bookings/${booking}/reference`)) ?? '')
      await drawer.getByText('Hidden for Demo').first().waitFor()
      expect(await drawer.innerText()).not.toMatch(CONTACT_PATTERN)
      await visit('/cancelreasons')
      await page.getByRole('row').nth(1).waitFor()
      expect(await button('Add reason').count()).toBe(0)
      await visit('/settings')
      await fillFields(page, { 'Search radius in km': '12' })
      await button('Save').click()
      await page.getByRole('alert').filter({ hasText: 'turned off in the demo' }).waitFor()
    })
    expect(await platform.read('settings/driverRadius')).not.toBe(12)
  })
})

describe('bookings', () => {
  test('an admin books a route with a stop, and each empty field shows an error', async () => {
    const [rider = ''] = await platform.createUsers(1, { firstName: 'Rita', lastName: stamp })
    // Loads the page again, because the form of the settings is still unsaved.
    await page.goto('/promos')
    await page.getByRole('link', { name: 'Add booking' }).click()
    await button('Book').click()
    for (const label of ['Rider', 'Pickup', 'Drop-off', 'Vehicle type'])
      expect(await getFieldError(page, label)).toMatch(
        new RegExp(`Please choose (the|a) ${label}\\.`, 'i'),
      )
    await page.getByRole('combobox', { name: 'Rider' }).fill(`${rider}@example.com`)
    await page.getByRole('option', { name: `Rita ${stamp}` }).click()
    const choose = async (field: string, words: string, full: RegExp) => {
      await page.getByRole('combobox', { name: field, exact: true }).fill(words)
      await page.getByRole('option', { name: full }).first().click()
    }
    await choose('Pickup', 'plaza independencia', /Plaza Independencia/i)
    await button('Add a stop').click()
    await choose('Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
    await button('Book').click()
    expect(await getFieldError(page, 'Stop 1')).toContain('choose the stop')
    await choose('Stop 1', 'terminal tres cruces', /Tres Cruces/i)
    await page.getByLabel('Vehicle type', { exact: true }).selectOption({ index: 1 })
    await fillFields(page, { Recipient: 'Ana Paz', 'Recipient’s phone': '099 123 456' })
    await page.getByText('Convenience fee').waitFor()
    // Leaving a half-filled booking asks for confirmation.
    await page.goBack()
    const question = panel('Leave without saving your changes?')
    await button('Keep as it is', question).click()
    await waitUntilGone(question)
    await button('Book').click()
    const text = await panel('Booked')
      .getByText(/Your booking was successful/)
      .innerText()
    const reference = /Reference: (\S+)/.exec(text)?.[1] ?? ''
    const id = (await platform.read<string>(`booking_refs/${reference}`)) ?? ''
    const booking = await platform.read<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({ customer: rider, booking_type_admin: true, status: 'NEW' })
    expect(booking?.waypoints).toMatchObject([{ add: expect.stringMatching(/Tres Cruces/i) }])
    await advanceBooking(await platform.signInAs('seed-admin'), id, 'cancel', { reason: 'Tested' })
  })
})
