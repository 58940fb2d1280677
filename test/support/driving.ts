import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFailed } from 'vitest'
import type { CreateBooking } from '~/domain/api'
import type { Booking, User } from '~/domain/entities'
import { openScene, type Scene } from '../functions/scene'
import { openBrowser, type Screen, type TestBrowser } from './browser'
import type { Client } from './clients'

/** A machine with other work takes its time. */
export const PATIENCE = 1_200_000
/** The phone that the driver's screens are looked at on. */
export const PHONE = { width: 390, height: 780 }

/** However busy the machine is. */
export const eventually = <Value>(look: () => Value | Promise<Value>) =>
  expect.poll(look, { timeout: PATIENCE })

/** Presses the first button of that very name. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** Starts the trip with the code that the rider tells. */
export const startWith = async (page: Page, code: string) => {
  await press(page, 'Start')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Trip code').fill(code)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
}

/** How much the page keeps that the server does not have yet. */
export const keptItems = (page: Page) =>
  page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith('kerbside.outbox')).length,
  )

/** Until the service worker has all the files of the driver's screens. */
export const screensKept = (page: Page) =>
  eventually(() =>
    page.evaluate(async () => (await caches.match('/kept/trip')) !== undefined),
  ).toBe(true)

/** The device is there from now on. */
export const moveTo = (context: BrowserContext, { lat, lng }: { lat: number; lng: number }) =>
  context.setGeolocation({ latitude: lat, longitude: lng })

export interface Road {
  browser: TestBrowser
  scene: Scene
  rider: Client
  office: Client
  /** A new driver of the seeded one's car type. */
  driver(like?: Partial<User>): Promise<string>
  /** A parcel for now, to be paid in cash; its places are what was asked for. */
  booking(like?: Partial<CreateBooking>): Promise<CreateBooking>
  /** A new driver, and a booking that the office has asked him to take. */
  request(like?: Partial<CreateBooking>): Promise<CreateBooking & { driver: string }>
  /**
   * His phone, at the console. `prepare` runs before the console is opened; a picture is left when the test fails.
   */
  phone(driver: string, prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Screen>
  /** What the rider tells the driver at the pickup. */
  code(booking_id: string): Promise<string>
  status(booking_id: string): Promise<Booking['status'] | undefined>
  close(): Promise<void>
}

/** A browser for drivers, and everybody who gives them work, beside the running suite. */
export const openRoad = async (): Promise<Road> => {
  const scene = openScene()
  const [browser, rider, office] = await Promise.all([
    openBrowser(),
    scene.as('seed-rider'),
    scene.as('seed-admin'),
  ])
  const driver = async (like: Partial<User> = {}) => {
    const { carType = '' } = (await scene.read<User>('users/seed-driver')) ?? {}
    const [uid = ''] = await scene.people(1, { usertype: 'driver', carType, ...like })
    return uid
  }
  const booking = async (like: Partial<CreateBooking> = {}) => {
    const asked = await scene.request(rider, { bookLater: false, ...like })
    const { booking_id } = asked
    await rider.call('create_booking', asked)
    await rider.call('advance_booking', { booking_id, event: 'pay', payment_mode: 'cash' })
    return asked
  }
  return {
    browser,
    scene,
    rider,
    office,
    driver,
    booking,
    async request(like) {
      const [uid, asked] = await Promise.all([driver(), booking(like)])
      const { booking_id } = asked
      await office.call('advance_booking', { booking_id, event: 'assign', driver: uid })
      return { ...asked, driver: uid }
    },
    async phone(driver, prepare) {
      const screen = await browser.openAs(driver, '/about-us', PHONE)
      onTestFailed(() => browser.picture({ driver: screen }))
      screen.context.setDefaultTimeout(PATIENCE)
      await prepare?.(screen.context)
      await screen.page.goto('/trips')
      return screen
    },
    code: async (booking_id) => String(await scene.read<number>(`booking_otps/${booking_id}`)),
    status: async (booking_id) => (await scene.read<Booking>(`bookings/${booking_id}`))?.status,
    async close() {
      await browser.close()
      await scene.close()
    },
  }
}
