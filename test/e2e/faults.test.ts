import { afterAll, beforeAll, expect, inject, onTestFailed, test } from 'vitest'
import type { Booking, User } from '~/domain/entities'
import { killDatabase } from '~/scripts/simulate/databaseProcess'
import { killFunctions } from '~/scripts/simulate/faults'
import { advance, openScene, type Scene } from '../functions/scene'
import { openBrowser, type TestBrowser } from '../support/browser'
import { PHONE, press } from '../support/driving'

let browser: TestBrowser
let scene: Scene
beforeAll(async () => {
  scene = openScene()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await scene.close()
})

/** What a browser says by itself of a server that is gone; the emulator's own answer for a dead process names no origins. */
const OF_THE_OUTAGE = /WebSocket connection to|net::ERR_|blocked by CORS policy| 5\d\d: /

test('the screens of rider, driver and office say that the connection is lost, and then the truth, by themselves', async () => {
  const ports = inject('ports')
  const { carType = '', location } = (await scene.read<User>('users/seed-driver')) ?? {}
  const [[driver = ''], [rider = '']] = await Promise.all([
    scene.people(1, { usertype: 'driver', carType }),
    scene.people(1, {}),
  ])
  const [client, office] = await Promise.all([scene.as(rider), scene.as('seed-admin')])
  const { booking_id: id } = await scene.book(client, { bookLater: false })
  await advance(client, id, 'pay', { payment_mode: 'cash' })
  await advance(office, id, 'assign', { driver })
  const code = String(await scene.read<number>(`booking_otps/${id}`))

  const screens = {
    rider: await browser.openAs(rider, `/bookings/${id}`, PHONE),
    driver: await browser.openAs(driver, '/trips', PHONE),
    office: await browser.openAs('seed-admin', '/bookings'),
  }
  onTestFailed(() => browser.picture(screens))
  const [site, cab, desk] = [screens.rider.page, screens.driver.page, screens.office.page]
  if (location)
    await screens.driver.context.setGeolocation({ latitude: location.lat, longitude: location.lng })
  const everybodySees = (status: string) =>
    Promise.all([
      site.getByText(status, { exact: true }).first().waitFor(),
      desk.getByRole('row').filter({ hasText: id }).getByText(status, { exact: true }).waitFor(),
    ])
  await press(cab, 'Accept')
  await everybodySees('Driver on the way')
  await cab.getByRole('button', { name: 'I’m at the pickup' }).waitFor()
  for (const page of [site, cab, desk])
    await page.evaluate(() => Reflect.set(window, 'neverReloaded', true))

  // The database is gone: everybody is told.
  const startAgain = await killDatabase(ports)
  const lost = [
    site.getByText(/may be out of date/),
    desk.getByText(/may be out of date/),
    cab.getByText(/No connection/),
  ]
  try {
    await Promise.all(lost.map((banner) => banner.waitFor()))
    // He goes on meanwhile; nobody can know yet.
    await press(cab, 'I’m at the pickup')
    await killFunctions(ports)
  } finally {
    await startAgain()
  }
  // It is back: so is the truth, and what was done meanwhile.
  await everybodySees('Driver is here')
  await Promise.all(lost.map((banner) => banner.waitFor({ state: 'detached' })))

  // Functions die under a driver who goes on.
  await press(cab, 'Start')
  const dialog = cab.getByRole('dialog')
  await dialog.getByLabel('Trip code').fill(code)
  await killFunctions(ports)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await everybodySees('On the way')
  await press(cab, 'I’m at the drop-off')
  await press(cab, 'Finish')
  await press(cab, 'I have the cash')
  await everybodySees('Paid')

  for (const page of [site, cab, desk])
    expect(await page.evaluate(() => Reflect.get(window, 'neverReloaded') as unknown)).toBe(true)
  const log = Object.values((await scene.read<Booking>(`bookings/${id}`))?.event_log ?? {})
  const count = (event: string) => log.filter((entry) => entry.event === event).length
  expect(['accept', 'arrive', 'start', 'reach', 'finish', 'collect'].map(count)).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
  const errors = Object.values(screens).flatMap((screen) => screen.errors)
  expect(errors.filter((error) => !OF_THE_OUTAGE.test(error))).toEqual([])
}, 1_800_000)
