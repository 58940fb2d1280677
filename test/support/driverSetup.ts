import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { openTestPlatform, type TestPlatform } from '../functions/testPlatform'
import { PLAIN_FILE, openTestBrowser, type Screen, type TestBrowser } from './testBrowser'
import type { TestClient } from './testClients'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** Milliseconds for a test; a busy machine is slow. */
export const TIMEOUT_MS = 600_000
/** Milliseconds for one step: less than for the test, so that a failure names its step. */
export const STEP_TIMEOUT_MS = 150_000
/** The screen size in pixels for tests of the driver's pages. */
export const PHONE = { width: 390, height: 780 }

/** Polls with a timeout that suits a busy machine. */
export const pollUntil = <Value>(readValue: () => Value | Promise<Value>) =>
  expect.poll(readValue, { timeout: STEP_TIMEOUT_MS })

/** Clicks the first button with exactly this name. */
export const pressButton = (page: Page, name: string) =>
  // A pointer holds the main action of a stage.
  page.getByRole('button', { name, exact: true }).first().click({ delay: 600 })

/** Starts the trip with the rider's code. */
export const startTripWithCode = async (page: Page, code: string) => {
  await pressButton(page, 'Start')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Trip code').fill(code)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
}

/** Returns the number of queued items that the server does not have yet. */
export const countQueuedItems = (page: Page) =>
  page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith('kerbside.outbox')).length,
  )

/** Waits until the service worker has cached all files of the driver's screens. */
export const waitForCachedScreens = (page: Page) =>
  pollUntil(() => page.evaluate(async () => (await caches.match('/kept/trip')) !== undefined)).toBe(
    true,
  )

/** Sets the position of the device. */
export const setDevicePosition = (
  context: BrowserContext,
  { lat, lng }: { lat: number; lng: number },
) => context.setGeolocation({ latitude: lat, longitude: lng })

export interface DriverSetup {
  browser: TestBrowser
  platform: TestPlatform
  office: TestClient
  /** Creates a driver with the seeded driver's vehicle type; returns the uid. */
  createDriver(like?: Partial<User>): Promise<string>
  /**
   * Books a parcel for now, paid in cash, between the given places. Each booking has a new rider,
   * because a rider's open bookings are limited.
   */
  createBooking(like?: Partial<CreateBookingInput>): Promise<CreateBookingInput>
  /** Creates a driver and a booking that the office offers to them. */
  request(like?: Partial<CreateBookingInput>): Promise<CreateBookingInput & { driver: string }>
  /**
   * Opens the driver console on a phone. `prepare` runs before the console opens; a failed test
   * leaves a screenshot.
   */
  openDriverPhone(
    driver: string,
    prepare?: (context: BrowserContext) => Promise<unknown>,
  ): Promise<Screen>
  /** Returns the code that the rider tells the driver at the pickup. */
  readTripCode(booking_id: string): Promise<string>
  readStatus(booking_id: string): Promise<Booking['status'] | undefined>
  close(): Promise<void>
}

/** Opens a browser for drivers, and the clients that give them work, for the running suite. */
export const openDriverSetup = async (
  browserOptions: Parameters<typeof openTestBrowser>[0] = {},
): Promise<DriverSetup> => {
  const scene = openTestPlatform()
  const [browser, office] = await Promise.all([
    openTestBrowser(browserOptions),
    scene.signInAs('seed-admin'),
  ])
  const driver = async (like: Partial<User> = {}) => {
    const { carType = '' } = (await scene.read<User>('users/seed-driver')) ?? {}
    const [uid = ''] = await scene.createUsers(1, { usertype: 'driver', carType, ...like })
    return uid
  }
  const booking = async (like: Partial<CreateBookingInput> = {}) => {
    const [uid = ''] = await scene.createUsers(1, {})
    const rider = await scene.signInAs(uid)
    const input = await scene.request(rider, { bookLater: false, ...like })
    const { booking_id } = input
    await rider.call('create_booking', input)
    await rider.call('advance_booking', { booking_id, event: 'pay', payment_mode: 'cash' })
    return input
  }
  return {
    browser,
    platform: scene,
    office,
    createDriver: driver,
    createBooking: booking,
    async request(like) {
      const [uid, input] = await Promise.all([driver(), booking(like)])
      const { booking_id } = input
      await office.call('advance_booking', { booking_id, event: 'assign', driver: uid })
      return { ...input, driver: uid }
    },
    async openDriverPhone(driver, prepare) {
      const screen = await browser.openAs(driver, PLAIN_FILE, PHONE)
      screen.context.setDefaultTimeout(STEP_TIMEOUT_MS)
      await prepare?.(screen.context)
      await screen.page.goto('/trips')
      return screen
    },
    readTripCode: async (booking_id) =>
      String(await scene.read<number>(`booking_otps/${booking_id}`)),
    readStatus: async (booking_id) => (await scene.read<Booking>(`bookings/${booking_id}`))?.status,
    async close() {
      await browser.close()
      await scene.close()
    },
  }
}
