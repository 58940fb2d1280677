import { ref, update } from 'firebase/database'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type {
  Booking,
  CancelReason,
  CarType,
  Language,
  Promo,
  PushNotification,
  Settings,
  StatsTotals,
  User,
  Withdraw,
} from '~/domain/entities'
import { advance, bookingId, openScene, type Scene } from '../functions/scene'
import { openBrowser, type Screen, type TestBrowser } from '../support/browser'
import { eventually, gone, partsOf } from '../support/office'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const stamp = Date.now().toString(36)
let phones = 0
const phone = () => `+1777${String(Date.now()).slice(-5)}${String((phones += 1)).padStart(2, '0')}`

let browser: TestBrowser
let scene: Scene
let office: Screen
let page: Page

beforeAll(async () => {
  scene = openScene()
  const [[admin = '']] = await Promise.all([
    scene.people(1, { usertype: 'admin', firstName: 'Alma', lastName: `Office ${stamp}` }),
    // Somebody whom a notification reaches.
    scene.people(1, { pushToken: `office-${stamp}`, userPlatform: 'IOS' }),
  ])
  browser = await openBrowser()
  office = await browser.openAs(admin, '/cartypes')
  page = office.page
})
afterEach(() => {
  expect(office.errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await browser.close()
  await scene.close()
})

/** A phone number or an e-mail. */
const CONTACT = /\+\d{7}|\S@\S/
const named = (text: string) => `${text} ${stamp}`
const onFailure = (name: string, screen = office) =>
  onTestFailed(() => browser.picture({ [`office-${name}`]: screen }))
const { button, panel, row } = partsOf(() => page)
const fill = async (within: Page | Locator, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values))
    await within.getByLabel(label, { exact: true }).fill(value)
}
/** What a field says about itself after it was refused. */
const messageAt = async (within: Page | Locator, label: string): Promise<string> => {
  const field = within.getByLabel(label, { exact: true })
  await eventually(() => field.getAttribute('aria-invalid')).toBe('true')
  return field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )
}
const found = async <T>(path: string, is: (one: T) => boolean): Promise<[string, T]> => {
  let one: [string, T] | undefined
  await eventually(async () => {
    one = Object.entries((await scene.read<Record<string, T>>(path)) ?? {}).find(([, value]) =>
      is(value),
    )
    return one
  }).toBeTruthy()
  return one as [string, T]
}
/** Deletes what a panel shows, after the question. */
const remove = async (open: Locator) => {
  await button('Delete', open).click()
  await panel(/^Delete/)
    .getByRole('button', { name: 'Delete' })
    .click()
  await gone(open)
}
/** Changes settings for one story, and puts them back. */
const under = async (changes: Partial<Settings>, story: () => Promise<void>) => {
  const before = await scene.read<Settings>('settings')
  const at = (values: Partial<Settings>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`settings/${name}`, value]))
  const was = Object.fromEntries(
    Object.keys(changes).map((name) => [name, before?.[name as keyof Settings] ?? null]),
  ) as Partial<Settings>
  await scene.write(at(changes))
  try {
    await story()
  } finally {
    await scene.write(at(was))
  }
}

describe('tables and forms', () => {
  test('a vehicle type gets its picture, parcel type, option and cancel slabs; wrong ones are told at the field', async () => {
    onFailure('cartype')
    const name = named('Rickshaw')
    await button('Add vehicle type').click()
    const adding = panel('Add vehicle type')
    await fill(adding, { 'Rate per km': '3,5', 'Rate per hour': '60' })
    await button('Save', adding).click()
    expect(await messageAt(adding, 'Name')).toContain('Please fill this in')
    await fill(adding, { Name: name, 'Convenience fee': '120' })
    await button('Save', adding).click()
    expect(await messageAt(adding, 'Convenience fee')).toContain('at most 100')
    await fill(adding, { 'Convenience fee': '12' })
    await adding
      .locator('input[type=file]')
      .setInputFiles({ name: 'rickshaw.png', mimeType: 'image/png', buffer: PIXEL })
    await eventually(() => adding.getByLabel('Picture', { exact: true }).inputValue()).toMatch(
      /^http/,
    )
    await button('Save', adding).click()
    await gone(adding)

    for (const part of ['Parcel types', 'Options']) {
      await row(name)
        .getByRole('button', { name: `${part} of ${name}` })
        .click()
      const choices = panel(`${name}: ${part}`)
      await button('Add', choices).click()
      await button('Save', choices).click()
      expect(await messageAt(choices, 'Description')).toContain('Please fill this in')
      await fill(choices, { Description: `${part} one`, Amount: '7' })
      await button('Save', choices).click()
      await gone(choices)
    }
    await row(name)
      .getByRole('button', { name: `Cancel slabs of ${name}` })
      .click()
    const slabs = panel(`${name}: Cancel slabs`)
    for (const [index, [minutes, amount]] of [
      ['10', '20'],
      ['2', '5'],
    ].entries()) {
      await button('Add', slabs).click()
      await slabs
        .getByLabel('Minutes from')
        .nth(index)
        .fill(minutes ?? '')
      await slabs
        .getByLabel('Amount')
        .nth(index)
        .fill(amount ?? '')
    }
    await button('Save', slabs).click()
    await gone(slabs)

    const [id, car] = await found<CarType>('cartypes', (one) => one.name === name)
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
    // Deleted without a question, as it can be had back.
    await button(name).click()
    await button('Delete', panel(name)).click()
    await eventually(() => scene.read(`cartypes/${id}`)).toBeNull()
    await button('Undo').click()
    await eventually(() => scene.read(`cartypes/${id}`)).toEqual(car)
    await row(name).waitFor()
    await scene.write({ [`cartypes/${id}`]: null })
    await gone(row(name))
  })

  test('a promo is refused without its limits, added, changed and deleted', async () => {
    onFailure('promo')
    const name = named('SPRING')
    await page.goto('/promos')
    await button('Add promo').click()
    const adding = panel('Add promo')
    await fill(adding, { Name: name, Discount: '10', 'Valid until': '2030-05-31' })
    await button('Save', adding).click()
    expect(await messageAt(adding, 'How often it can be used')).toContain('Please')
    await fill(adding, { 'How often it can be used': '3' })
    await button('Save', adding).click()
    await gone(adding)
    const [id, promo] = await found<Promo>('promos', (one) => one.promo_name === name)
    // The last instant of that day where the platform is.
    expect(new Date(promo.promo_validity).toISOString()).toBe('2030-06-01T02:59:59.999Z')
    await button(name).click()
    const open = panel(name)
    expect(await open.getByLabel('Used', { exact: true }).getAttribute('readonly')).not.toBeNull()
    await fill(open, { Discount: '15' })
    await button('Save', open).click()
    await gone(open)
    await eventually(() => scene.read(`promos/${id}/promo_discount_value`)).toBe(15)
    await button(name).click()
    await remove(panel(name))
    await eventually(() => scene.read(`promos/${id}`)).toBeNull()
  })

  test('people of each kind are added, approved, suspended and deleted; a known number is told', async () => {
    onFailure('people')
    for (const [path, add, usertype] of [
      ['/riders', 'Add rider', 'rider'],
      ['/drivers', 'Add driver', 'driver'],
      ['/fleetadmins', 'Add fleet admin', 'fleetadmin'],
      ['/alladmin', 'Add admin', 'admin'],
    ] as const) {
      const [first, email, mobile] = [`New${usertype}`, `${usertype}-${stamp}@example.com`, phone()]
      await page.goto(`${path}?q=${email}`)
      await button(add).click()
      const adding = panel(add)
      await fill(adding, { 'First name': first, 'Last name': stamp, Email: email })
      await button('Save', adding).click()
      expect(await messageAt(adding, 'Mobile number')).toContain('country code')
      await fill(adding, { 'Mobile number': '+1 555 555 0103' })
      await button('Save', adding).click()
      expect(await messageAt(adding, 'Mobile number')).toContain('already exists')
      await fill(adding, { 'Mobile number': mobile })
      await button('Save', adding).click()
      await gone(adding)
      // Wherever he is in the list's order, he is seen.
      await page.getByRole('row').nth(1).getByText('New', { exact: true }).waitFor()
      const [uid, user] = await found<User>('users', (one) => one.email === email)
      expect(user).toMatchObject({ usertype, mobile, approved: true })
      await row(first).getByRole('button', { name: 'Suspend' }).click()
      await eventually(() => scene.read(`users/${uid}/approved`)).toBe(false)
      await row(first).getByText('Not approved').waitFor()
      await row(first).getByRole('button', { name: 'Approve' }).click()
      await eventually(() => scene.read(`users/${uid}/approved`)).toBe(true)
      await page.goto(`${path}?edit=${uid}`)
      const open = panel(`${first} ${stamp}`)
      for (const fixed of ['Mobile number', 'Email'])
        expect(
          await open.getByLabel(fixed, { exact: true }).getAttribute('readonly'),
        ).not.toBeNull()
      await open.getByRole('group', { name: 'History' }).getByText('Created').waitFor()
      await remove(open)
      await eventually(() => scene.read(`users/${uid}/email`)).not.toBe(email)
    }
  })

  test('a driver’s wallet history and documents stand beside him', async () => {
    onFailure('documents')
    const [uid = ''] = await scene.people(1, {
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
    await page.goto(`/drivers?q=${uid}@example.com`)
    await row('Dora')
      .getByRole('button', { name: `Wallet of Dora ${stamp}` })
      .click()
    const wallet = panel(`Wallet of Dora ${stamp}`)
    const lines = wallet.getByRole('listitem')
    await lines.first().waitFor()
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringContaining('Referral'),
      expect.stringContaining('AdminCredit'),
    ])
    await page.goBack()
    await gone(wallet)
    await row('Dora')
      .getByRole('button', { name: `Documents of Dora ${stamp}` })
      .click()
    const documents = panel(`Documents of Dora ${stamp}`)
    await page.reload()
    const licence = documents.getByRole('link', { name: 'Licence' })
    expect(await licence.getAttribute('href')).toBe('/images/cars/economy.svg')
  })

  test('a notification needs a title, is sent and can be deleted', async () => {
    onFailure('notification')
    const title = named('Hello')
    await page.goto('/notifications')
    await button('Send a notification').click()
    const adding = panel('Send a notification')
    await fill(adding, { Message: 'From the office' })
    await button('Send', adding).click()
    expect(await messageAt(adding, 'Title')).toContain('Please fill this in')
    await fill(adding, { Title: title })
    await adding.getByLabel('Account type').selectOption('rider')
    await adding.getByLabel('Device').selectOption('IOS')
    await button('Send', adding).click()
    await gone(adding)
    await row(title).getByText('iOS').waitFor()
    const [id] = await found<PushNotification>('notifications', (one) => one.title === title)
    await row(title).getByRole('button', { name: 'Delete' }).click()
    await eventually(() => scene.read(`notifications/${id}`)).toBeNull()
  })

  test('cancel reasons are ten a page, and numbered by their place', async () => {
    onFailure('reasons')
    const before = await scene.read<CancelReason[]>('cancel_reason')
    const many = Array.from({ length: 12 }, (_, value) => ({ label: `Reason ${value + 1}`, value }))
    await scene.write({ cancel_reason: many })
    try {
      await page.goto('/cancelreasons')
      await button('Reason 10').waitFor()
      expect(await page.getByRole('row').count()).toBe(11)
      await page.getByText('1–10 of 12').waitFor()
      await button('Next page').click()
      await button('Reason 12').waitFor()
      await button('Add reason').click()
      const adding = panel('Add reason')
      await button('Save', adding).click()
      expect(await messageAt(adding, 'Reason')).toContain('Please fill this in')
      await fill(adding, { Reason: 'The thirteenth' })
      await button('Save', adding).click()
      await gone(adding)
      await button('Reason 11').click()
      await button('Delete', panel('Reason 11')).click()
      await eventually(() => scene.read<CancelReason[]>('cancel_reason')).toEqual(
        [...many.map(({ label }) => label), 'The thirteenth']
          .filter((label) => label !== 'Reason 11')
          .map((label, value) => ({ label, value })),
      )
    } finally {
      await scene.write({ cancel_reason: before })
    }
  })
})

describe('money', () => {
  test('is put into a wallet, asked for, and paid out with its date; bank columns by the setting', async () => {
    onFailure('money')
    const [uid = ''] = await scene.people(1, {
      usertype: 'driver',
      firstName: 'Wim',
      lastName: stamp,
      bankName: 'Banco Uno',
    })
    await page.goto('/addtowallet')
    await button('Add to wallet').click()
    expect(await messageAt(page, 'User')).toContain('Choose a user and an amount')
    await page.getByRole('combobox', { name: 'User' }).fill(`${uid}@example.com`)
    await page.getByRole('option', { name: `Wim ${stamp}` }).click()
    await fill(page, { Amount: '80' })
    await button('Add to wallet').click()
    await eventually(() => scene.read(`users/${uid}/walletBalance`)).toBe(80)

    const driver = await scene.as(uid)
    const withdraw_id = bookingId()
    await driver.call('request_withdraw', { withdraw_id, amount: 30 })
    await page.goto('/withdraws')
    await row(withdraw_id).getByText('Banco Uno').waitFor()
    await under({ bank_fields: false }, async () => {
      await gone(page.getByRole('columnheader', { name: 'Bank name' }))
    })
    await page.getByRole('columnheader', { name: 'Bank name' }).waitFor()
    const process = row(withdraw_id).getByRole('button', {
      name: `Process the request of Wim ${stamp}`,
    })
    await process.click()
    await button('Process', panel(/^Mark .* as paid/)).click()
    // The row says so before the answer comes; the question stays until then.
    await gone(panel(/^Mark .* as paid/))
    expect(await process.isDisabled()).toBe(true)
    const { processed, procesDate } = (await scene.read<Withdraw>(`withdraws/${withdraw_id}`)) ?? {}
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
    const date = row(withdraw_id).locator('time').last()
    expect(`${await date.innerText()} ${(await date.getAttribute('title')) ?? ''}`).toContain(shown)
  })

  test('earning reports say what the totals hold, month by month', async () => {
    onFailure('reports')
    const months = (await scene.read<Record<string, StatsTotals>>('stats/earnings')) ?? {}
    const money = (amount = 0) => {
      const digits = Math.abs(amount).toLocaleString('en-GB', { minimumFractionDigits: 2 })
      return `${amount < 0 ? '−' : ''}$U ${digits}`
    }
    // Specification 9: what each of its sums is made of.
    const told = ([month, totals]: [string, StatsTotals]): string[] => {
      const { tripCost = 0, cancellationFee = 0, convenienceFee = 0, discountAmount = 0 } = totals
      const cents = (amount: number) => money(Math.round(amount * 100) / 100)
      return [
        month.slice(0, 4),
        new Date(`${month}-15`).toLocaleString('en-GB', { month: 'long' }),
        (totals.total_rides ?? 0).toLocaleString('en-GB'),
        ...[tripCost, totals.rideCost ?? 0, cancellationFee, tripCost + cancellationFee].map(cents),
        ...[convenienceFee, discountAmount].map(cents),
        cents((totals.customerPaid ?? 0) + cancellationFee - (totals.driverShare ?? 0)),
        cents(convenienceFee + cancellationFee - discountAmount),
      ]
    }
    await page.goto('/earningreports')
    const table = page.getByRole('region', { name: 'Earning reports' })
    await table.getByRole('row').nth(1).waitFor()
    const rows = await table.getByRole('row').all()
    const shown = await Promise.all(
      rows.slice(1).map((one) => one.getByRole('cell').allInnerTexts()),
    )
    expect(shown).toEqual(Object.entries(months).sort().reverse().map(told))
    await page
      .getByRole('img', { name: /Profit by month/ })
      .or(page.getByText('Profit by month'))
      .first()
      .waitFor()
    await page.goto('/driverearning?group=driver')
    await page.getByRole('columnheader', { name: /Driver share/ }).waitFor()
    expect(await page.getByRole('columnheader', { name: /Month/ }).count()).toBe(0)
  })
})

describe('how the platform works', () => {
  test('settings show the currency as it will be, need a bonus, and are kept', async () => {
    onFailure('settings')
    const before = await scene.read<Settings>('settings')
    await page.goto('/settings')
    const preview = page.getByText('Amounts look like this:')
    await preview.waitFor()
    await fill(page, { Symbol: 'Ŧ', 'Decimal places': '3' })
    await eventually(() => preview.innerText()).toMatch(/^Amounts look like this: Ŧ.*1,234\.568$/)
    await page.getByRole('switch', { name: 'Symbol after the amount' }).check({ force: true })
    await eventually(() => preview.innerText()).toMatch(/1,234\.568\s*Ŧ$/)
    await fill(page, { 'Referral bonus': '' })
    await button('Save').click()
    expect(await messageAt(page, 'Referral bonus')).toContain('Please enter a bonus, or 0.')
    // Nothing of it is kept by leaving; leaving asks.
    await page.getByRole('link', { name: 'Promos' }).click()
    const question = panel('Leave without saving your changes?')
    await button('Keep as it is', question).click()
    await gone(question)
    await page.getByRole('link', { name: 'Promos' }).click()
    await button('Leave', question).click()
    await page.getByRole('heading', { level: 1, name: 'Promos' }).waitFor()
    expect(await scene.read('settings')).toEqual(before)

    await page.goto('/settings')
    await fill(page, { 'Search radius in km': '11' })
    await button('Save').click()
    await eventually(() => scene.read('settings/driverRadius')).toBe(11)
    await fill(page, { 'Search radius in km': String(before?.driverRadius) })
    await button('Save').click()
    await eventually(() => scene.read('settings')).toEqual(before)
  })

  test('app info needs a name and keeps its links', async () => {
    onFailure('appinfo')
    const before = await scene.read<Settings>('settings')
    await page.goto('/appinfo')
    await fill(page, { 'App name': '' })
    await button('Save').click()
    expect(await messageAt(page, 'App name')).toContain('Please fill this in')
    await fill(page, { 'App name': before?.appName ?? '', Twitter: 'kerbside_test' })
    await button('Save').click()
    await eventually(() => scene.read('settings/TwitterHandle')).toBe('kerbside_test')
    await scene.write({ 'settings/TwitterHandle': before?.TwitterHandle ?? null })
  })

  test('a language is added, its texts are checked and compared, and the default one stays', async () => {
    onFailure('language')
    const name = named('Esperanto')
    const defaults = async () =>
      Object.values((await scene.read<Record<string, Language>>('languages')) ?? {})
        .filter((one) => one.default)
        .map(({ langName }) => langName)
    const was = await defaults()
    await page.goto('/languagesetting')
    await button('Add language').click()
    const adding = panel('Add language')
    await button('Save', adding).click()
    expect(await messageAt(adding, 'Name')).toContain('Please fill this in')
    await fill(adding, { Name: name, Locale: 'eo', 'Locale of dates': 'eo' })
    await button('Save', adding).click()
    await gone(adding)
    const [id] = await found<Language>('languages', (one) => one.langName === name)

    await row(name).getByRole('button', { name: 'Edit JSON' }).click()
    const open = panel(`Texts of ${name}`)
    const text = open.getByLabel('Edit JSON')
    const box = await text.boundingBox()
    expect([box?.width, box?.height].map((size) => Math.round(size ?? 0))).toEqual([800, 500])
    await text.fill('{ "save": ')
    await button('Submit', open).click()
    await open.getByRole('alert').filter({ hasText: 'JSON Error' }).waitFor()
    await text.fill('{ "save": "Konservi", "cancel": "Cancel" }')
    await open.getByText(/texts have no translation here yet/).waitFor()
    await open.getByRole('tab', { name: /^Different 1$/ }).click()
    const difference = open.getByRole('row').filter({ hasText: 'Konservi' })
    await difference.getByText('Save', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await button('Keep as it is', panel('Leave without saving your changes?')).click()
    await button('Submit', open).click()
    await gone(open)
    await eventually(() => scene.read(`languages/${id}/keyValuePairs`)).toEqual({
      save: 'Konservi',
      cancel: 'Cancel',
    })

    await row(name).getByRole('button', { name: 'Make default' }).click()
    await eventually(defaults).toEqual([name])
    await row(name).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Cannot delete default language').waitFor()
    await row(was[0] ?? '')
      .getByRole('button', { name: 'Make default' })
      .click()
    await eventually(defaults).toEqual(was)
    await row(name).getByRole('button', { name: 'Delete' }).click()
    await eventually(() => scene.read(`languages/${id}`)).toBeNull()
  })

  test('the audit says who changed what, from what to what, of one record and of all', async () => {
    onFailure('audit')
    const [id, name] = [`audited-${stamp}`, named('AUDITED')]
    const admin = await scene.as('seed-admin')
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
    const { firstName = '', lastName = '' } = (await scene.read<User>('users/seed-admin')) ?? {}
    await page.goto('/audit')
    // Newest first: what was changed stands above what was added.
    const rows = row(id)
    await eventually(() => rows.count()).toBe(2)
    await rows
      .first()
      .filter({ hasText: `${firstName} ${lastName}` })
      .waitFor()
    expect(await rows.first().innerText()).toMatch(/Changed[^]*promo_discount_value:\s*10[^]*15/)
    expect(await rows.last().innerText()).toContain('Created')
    await rows.first().getByRole('button', { name: 'All changes of it' }).click()
    await page.waitForURL((url) => url.searchParams.get('path') === `promos/${id}`)
    await eventually(() => page.getByRole('row').count()).toBe(3)
    await rows.first().getByRole('link', { name: id }).click()
    await panel(name).waitFor()
    await page.goBack()
    // Under the pointer no row would move.
    await page.getByRole('heading', { level: 1 }).hover()
    await change({ [`promos/${id}`]: null })
    await eventually(() => page.getByRole('row').count()).toBe(4)
  })

  test('demo mode refuses what it should, hides contacts and exports nothing', async () => {
    onFailure('demo')
    await under({ AllowCriticalEditsAdmin: false }, async () => {
      await page.goto('/cartypes')
      await page.getByText('Demo', { exact: true }).waitFor()
      await button('Add vehicle type').click()
      await page.getByText('This is a demo: that change is switched off.').waitFor()
      expect(await page.getByText('Export', { exact: true }).count()).toBe(0)
      await page.goto('/riders')
      await page.getByRole('cell', { name: 'Hidden for Demo' }).first().waitFor()
      expect(await page.getByRole('cell', { name: /^\+1/ }).count()).toBe(0)
      await page.goto('/riders?edit=seed-rider')
      for (const contact of ['Mobile number', 'Email']) {
        const field = page.getByRole('dialog').getByLabel(contact, { exact: true })
        await eventually(() => field.inputValue()).toBe('Hidden for Demo')
      }
      await page.goto('/addtowallet')
      await page.getByRole('combobox', { name: 'User' }).fill('example')
      const offered = page.getByRole('option')
      await offered.first().getByText('Hidden for Demo').waitFor()
      expect((await offered.allInnerTexts()).join()).not.toMatch(CONTACT)
      const [booking = ''] = Object.keys((await scene.read<object>('bookings')) ?? {})
      await page.goto(`/bookings?open=${booking}`)
      const drawer = panel(booking)
      await drawer.getByText('Hidden for Demo').first().waitFor()
      expect(await drawer.innerText()).not.toMatch(CONTACT)
      await page.goto('/cancelreasons')
      await page.getByRole('row').nth(1).waitFor()
      expect(await button('Add reason').count()).toBe(0)
      await page.goto('/settings')
      await fill(page, { 'Search radius in km': '12' })
      await button('Save').click()
      await page.getByRole('alert').filter({ hasText: 'This is a demo' }).waitFor()
    })
    expect(await scene.read('settings/driverRadius')).not.toBe(12)
  })
})

describe('bookings', () => {
  test('an admin books by way of a stop; what is missing is told at its field', async () => {
    onFailure('addbooking')
    const [rider = ''] = await scene.people(1, { firstName: 'Rita', lastName: stamp })
    await page.goto('/promos')
    await page.getByRole('link', { name: 'Add booking' }).click()
    await button('Book').click()
    expect(await messageAt(page, 'Rider')).toContain('no mobile number')
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
    expect(await messageAt(page, 'Stop 1')).toContain('choose this first')
    await choose('Stop 1', 'terminal tres cruces', /Tres Cruces/i)
    await page.getByLabel('Vehicle', { exact: true }).selectOption({ index: 1 })
    await fill(page, { Recipient: 'Ana Paz', 'Recipient’s phone': '099 123 456' })
    await page.getByText('Convenience fee').waitFor()
    // Half a booking is not left without a question.
    await page.goBack()
    const question = panel('Leave without saving your changes?')
    await button('Keep as it is', question).click()
    await gone(question)
    await button('Book').click()
    const text = await panel('Booked')
      .getByText(/Your booking was successful/)
      .innerText()
    const id = /(-[A-Za-z0-9_-]{19})/.exec(text)?.[1] ?? ''
    const booking = await scene.read<Booking>(`bookings/${id}`)
    expect(booking).toMatchObject({ customer: rider, booking_type_admin: true, status: 'NEW' })
    expect(booking?.waypoints).toMatchObject([{ add: expect.stringMatching(/Tres Cruces/i) }])
    await advance(await scene.as('seed-admin'), id, 'cancel', { reason: 'Tested' })
  })
})
