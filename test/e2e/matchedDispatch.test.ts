import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import trip from '~/src/i18n/locales/en/trip.json'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import {
  openDriverSetup,
  PHONE,
  pressButton,
  setDevicePosition,
  type DriverSetup,
} from '../support/driverSetup'
import { pollUntil } from '../support/officeLocators'
import { navigateWithin } from '../support/testBrowser'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'

/** This file's own vehicle type, so that its drivers get no bookings of other tests. */
const VEHICLE_TYPE = 'competing-test-van'
const stamp = Date.now().toString(36)
/** Drivers of two phones and two rounds of offers take long on a busy machine. */
const TIMEOUT_MS = 600_000

let setup: DriverSetup
beforeAll(async () => {
  setup = await openDriverSetup()
  await setup.platform.createVehicleType(VEHICLE_TYPE)
})
afterAll(async () => {
  await setup.platform.write({ [`cartypes/${VEHICLE_TYPE}`]: null })
  await setup.close()
})

/** Switches matching on until the test ends, with enough time to answer on a busy machine. */
const matchBookings = async () => {
  const { platform } = setup
  const names = ['autoDispatch', 'dispatchMode', 'dispatchSeconds'] as const
  const before = (await platform.read<Settings>('settings')) ?? {}
  const values: Partial<Settings> = {
    autoDispatch: true,
    dispatchMode: 'matched',
    dispatchSeconds: 900,
  }
  const at = (from: Partial<Settings>) =>
    platform.write(
      Object.fromEntries(names.map((name) => [`settings/${name}`, from[name] ?? null])),
    )
  await at(values)
  onTestFinished(() => at(before))
}

const openDriver = async (firstName: string, north: number) => {
  const location = await setup.platform.getPickup(north)
  const like = { firstName, lastName: stamp, carType: VEHICLE_TYPE, location }
  const uid = await setup.createDriver(like)
  const screen = await setup.openDriverPhone(uid, (context) => setDevicePosition(context, location))
  screen.context.setDefaultTimeout(60_000)
  await pollUntil(() => setup.platform.read(`available_drivers/${uid}`)).not.toBeNull()
  return { uid, name: `${firstName} ${stamp}`, page: screen.page, context: screen.context }
}

test(
  'two riders who book at once get two drivers, and the office can say why each driver got which trip',
  { timeout: TIMEOUT_MS },
  async () => {
    const { platform, browser } = setup
    await matchBookings()
    const [near, far] = [await openDriver('Nadia', 0.002), await openDriver('Fabio', 0.012)]
    const booked = await Promise.all(
      [0, 0.001].map(async (north) => {
        const place = await platform.getPickup(north)
        return setup.createBooking({ carType: VEHICLE_TYPE, pickup: { ...place, add: 'Here' } })
      }),
    )
    const readOffers = async (id: string) =>
      Object.values((await platform.read<Record<string, Offer>>(`offers/${id}`)) ?? {})

    // No scheduler runs beside the tests. Bookings that compete for a driver wait for its round.
    await setup.office.call('run_sweep')
    // Each driver sees one request, while the other booking has the other driver.
    for (const { page } of [near, far]) {
      const cards = page.getByRole('article', { name: 'Request from Here' })
      await cards.first().waitFor()
      expect(await cards.count()).toBe(1)
      await page.getByText(/away\. Number [12] of [12] by time to the pickup/).waitFor()
    }
    const offers = (
      await Promise.all(booked.map(({ booking_id }) => readOffers(booking_id)))
    ).flat()
    expect(offers.map(({ driver }) => driver).sort()).toEqual([near.uid, far.uid].sort())
    expect(offers.every(({ answer }) => answer === undefined)).toBe(true)

    for (const { page } of [near, far]) await pressButton(page, trip.accept)
    const accepted = await Promise.all(
      booked.map(async ({ booking_id }) => {
        await pollUntil(() => setup.readStatus(booking_id)).toBe('ACCEPTED')
        const booking = await platform.read<Booking>(`bookings/${booking_id}`)
        return { id: booking_id, customer: booking?.customer ?? '', driver: booking?.driver ?? '' }
      }),
    )
    expect(accepted.map(({ driver }) => driver).sort()).toEqual([near.uid, far.uid].sort())

    const drivers = new Map([near, far].map((driver) => [driver.uid, driver]))
    for (const { id, customer, driver } of accepted) {
      const rider = await browser.openAs(customer, `/bookings/${id}`, PHONE)
      await rider.page
        .getByText(drivers.get(driver)?.name ?? '')
        .first()
        .waitFor()
      await rider.context.close()
    }

    // The near driver complains about the trip that the far driver got.
    const missed = accepted.find(({ driver }) => driver === far.uid)
    const office = await browser.openAs('seed-admin', `/bookings/${missed?.id ?? ''}`)
    await office.page.getByRole('button', { name: 'Why not another driver?' }).click()
    const reasons = office.page.getByRole('region', { name: 'Why not another driver?' })
    await reasons.getByRole('combobox', { name: 'Driver who asks' }).fill(near.name)
    await office.page.getByRole('option').filter({ hasText: near.name }).click()
    const row = reasons.getByRole('listitem')
    await row
      .getByText(
        /Had another booking’s offer to answer|Was asked about another booking instead|Was on another trip/,
      )
      .waitFor()
    await row.getByText('Asked instead:').getByText(far.name).waitFor()

    await navigateWithin(office.page, `/drivers?edit=${far.uid}`)
    await office.page.getByRole('button', { name: 'Show why offers came or not' }).click()
    await office.page.getByText('Got the offer').first().waitFor()
    expect(office.errors).toEqual([])
    await Promise.all([office, near, far].map(({ context }) => context.close()))
  },
)

test(
  'the settings compare two dispatch modes in the browser before one is switched on',
  { timeout: TIMEOUT_MS },
  async () => {
    const { context, page, errors } = await setup.browser.openAs('seed-admin', '/settings')
    const form = page.locator('form').filter({
      has: page.getByRole('heading', { name: 'Try a dispatch mode' }),
    })
    await form.getByLabel('Bookings in a busy hour').fill('8')
    await form.getByLabel('Drivers on duty').fill('4')
    await form.getByRole('button', { name: 'Compare' }).click()
    await form.getByRole('rowheader', { name: 'Mean wait' }).waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  },
)
