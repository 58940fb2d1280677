import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dbPaths } from '~/domain/data/databasePaths'
import { createPushKey } from '~/domain/data/pushKeys'
import panic from '~/src/i18n/locales/en/panic.json'
import en from '~/src/i18n/locales/en/trip.json'
import { findCovered, findCoveredAfterScrolling } from '../../support/coveredControls'
import {
  openDriverSetup,
  pressButton,
  setDevicePosition,
  startTripWithCode,
  TIMEOUT_MS,
  type DriverSetup,
} from '../../support/driverSetup'
import type { InboxEntry } from '~/domain/messages/types'

let driverSetup: DriverSetup
beforeAll(async () => {
  driverSetup = await openDriverSetup()
})
afterAll(() => driverSetup.close())

const PHONES = [
  { width: 360, height: 740 },
  { width: 390, height: 780 },
  { width: 412, height: 823 },
]

test('a driver reads the whole title of a long message in the list of messages on a phone', async () => {
  const driver = await driverSetup.createDriver()
  const title = 'Your license is valid for two more weeks, please send a new one soon'
  const path = dbPaths.inbox(driver, createPushKey(Date.now(), 1))
  const entry: InboxEntry = { title, msg: 'Until Friday.', at: Date.now(), screen: 'Profile' }
  await driverSetup.platform.write({ [path]: entry })
  const { context, page } = await driverSetup.openDriverPhone(driver)
  await page.setViewportSize({ width: 412, height: 823 })
  await page.getByRole('button', { name: /^Messages/ }).click()
  const words = page.getByRole('dialog', { name: 'Messages' }).getByText(title, { exact: true })
  await words.waitFor()
  expect(await findCovered(words)).toEqual([])
  const isCut = await words.evaluate(
    (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight,
  )
  expect(isCut).toBe(false)
  await driverSetup.platform.write({ [path]: null })
  await context.close()
})

/** Returns the covered controls of one stage of a booking on each phone. */
const findStageFaults = async (page: Page, step: string): Promise<string[]> => {
  const booking = page.getByRole('article', { name: en.current_booking })
  const main = booking.getByRole('button', { name: step, exact: true })
  const actions = [
    booking.getByRole('button', { name: en.navigate }),
    booking.getByRole('link', { name: en.call }),
    booking.getByRole('link', { name: en.chat }),
    booking.getByRole('button', { name: panic.panic_call }),
  ]
  await main.waitFor()
  for (const action of actions) await action.waitFor()
  const faults: string[] = []
  for (const phone of PHONES) {
    await page.setViewportSize(phone)
    await page.evaluate(() => scrollTo(0, 0))
    const covered = [
      ...(await Promise.all([main, ...actions].map(findCovered))).flat(),
      ...(await findCoveredAfterScrolling(page)),
    ]
    faults.push(...covered.map((fault) => `${phone.width} px, ${step}: ${fault}`))
  }
  return faults
}

test(
  'a driver sees every action of a booking in each of its stages on a narrow phone, and what the timer counts',
  async () => {
    const { driver, booking_id, pickup, drop } = await driverSetup.request()
    const code = await driverSetup.readTripCode(booking_id)
    const { context, page } = await driverSetup.openDriverPhone(driver, (context) =>
      setDevicePosition(context, pickup),
    )
    const timer = page.getByRole('timer')
    await pressButton(page, 'Accept')
    expect(await findStageFaults(page, en.do_arrive)).toEqual([])
    expect(await timer.textContent()).toContain(en.meter_approach)
    await pressButton(page, en.do_arrive)
    expect(await findStageFaults(page, en.do_start)).toEqual([])
    expect(await timer.textContent()).toContain(en.meter_waiting)
    await startTripWithCode(page, code)
    expect(await findStageFaults(page, en.do_reach)).toEqual([])
    expect(await timer.textContent()).toContain(en.meter_trip)
    await setDevicePosition(context, drop)
    await pressButton(page, en.do_reach)
    expect(await findStageFaults(page, en.do_finish)).toEqual([])
    await pressButton(page, en.do_finish)
    expect(await findStageFaults(page, en.do_collect)).toEqual([])
  },
  TIMEOUT_MS,
)
