import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dbPaths } from '~/domain/data/databasePaths'
import { createPushKey } from '~/domain/data/pushKeys'
import { getMenu } from '~/src/office/layout/menu'
import { screenPaths } from '~/src/store/screenPaths'
import { advanceBooking } from '../../functions/testPlatform'
import { findCoveredAfterScrolling, findStrayHiddenTexts } from '../../support/coveredControls'
import { type DriverSetup, openDriverSetup, pollUntil } from '../../support/driverSetup'
import { navigateWithin, waitUntilLoaded } from '../../support/testBrowser'
import { getSuite } from '../../support/testSuite'
import type { AuditEntry } from '~/domain/office/types'
import type { Booking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { UserType } from '~/domain/access/types'

const listMenu = (usertype: UserType) => getMenu(usertype).filter((path) => path !== '/')
const SIZES = [
  { width: 360, height: 740 },
  { width: 412, height: 823 },
  { width: 1280, height: 800 },
]

interface Records {
  /** The id of a completed booking. */
  completed: string
  /** A booking that a driver has accepted. */
  accepted: Pick<Booking, 'id' | 'customer' | 'driver'>
  /** The token of its shared link. */
  share: string
  /** The uid of a driver without offers, which would cover every page. */
  freeDriver: string
}
let setup: DriverSetup
let records: Records
const auditPaths: string[] = []

/** Names of its first letters end before the place where a narrow card cuts them, and behind it. */
const LONG_NAME = 'Maximiliana Alejandrina Officewalker'

/** Adds changes by people with names of each length, of records with long names. */
const addAuditEntries = async () => {
  const records = ['payments/-P7XmmkVw083oYT46IRk', 'cartypes/a-van-with-a-long-name']
  for (let length = 12; length <= LONG_NAME.length; length += 1) {
    const firstName = LONG_NAME.slice(0, length - 5).trim()
    const [by = ''] = await setup.platform.createUsers(1, {
      usertype: 'admin',
      firstName,
      lastName: LONG_NAME.slice(-4),
    })
    const at = Date.now()
    const path = records[length - 12] ?? `users/${by}`
    const entry: AuditEntry = { by, at, action: 'settings_update', path, from: 'old', to: 'new' }
    const key = dbPaths.audit(createPushKey(at, length))
    auditPaths.push(key)
    await setup.platform.write({ [key]: entry })
  }
}

beforeAll(async () => {
  setup = await openDriverSetup()
  const { platform } = setup
  const request = await setup.request()
  await advanceBooking(await platform.signInAs(request.driver), request.booking_id, 'accept')
  const accepted = (await platform.read<Booking>(`bookings/${request.booking_id}`))!
  const rider = await platform.signInAs(accepted.customer)
  const { token } = await rider.call('share_booking', { booking_id: accepted.id })
  const own = platform.admin.database.ref('bookings').orderByChild('customer').equalTo('seed-rider')
  const bookings = Object.values(((await own.get()).val() ?? {}) as Record<string, Booking>)
  const completed = bookings.find(({ status }) => status === 'COMPLETE')?.id ?? ''
  records = { completed, accepted, share: String(token), freeDriver: await setup.createDriver() }
  await addAuditEntries()
})
afterAll(async () => {
  await setup.platform.write(Object.fromEntries(auditPaths.map((path) => [path, null])))
  await setup.close()
})

interface Walk {
  role: string
  /** Returns the uid of the person; without it, a visitor. */
  getUid?: (records: Records) => string | undefined
  getPaths: (records: Records) => string[]
}
const WALKS: Walk[] = [
  {
    role: 'visitor',
    getPaths: ({ share }) => [
      ...[screenPaths.home, screenPaths.about, screenPaths.privacy, screenPaths.login],
      ...[screenPaths.driverSignUp, screenPaths.sharedBooking(share), screenPaths.paymentReturn],
    ],
  },
  {
    role: 'rider',
    getUid: () => 'seed-rider',
    getPaths: ({ completed }) => [
      ...[screenPaths.home, ...listMenu('rider'), screenPaths.wallet, screenPaths.paymentReturn],
      screenPaths.booking(completed),
    ],
  },
  {
    role: 'rider of a booking under way',
    getUid: ({ accepted }) => accepted.customer,
    getPaths: ({ accepted: { id } }) => [screenPaths.booking(id), screenPaths.chat(id)],
  },
  {
    role: 'driver',
    getUid: ({ freeDriver }) => freeDriver,
    getPaths: () => [
      ...[screenPaths.trips, ...listMenu('driver'), screenPaths.wallet, screenPaths.vehicle],
    ],
  },
  {
    role: 'driver of a booking under way',
    getUid: ({ accepted }) => accepted.driver,
    getPaths: ({ accepted: { id } }) => [
      ...[screenPaths.trips, screenPaths.booking(id), screenPaths.chat(id)],
    ],
  },
  {
    role: 'fleet admin',
    getUid: () => 'seed-fleetadmin',
    getPaths: () => listMenu('fleetadmin'),
  },
  {
    role: 'admin',
    getUid: () => 'seed-admin',
    getPaths: ({ completed }) => [...listMenu('admin'), screenPaths.booking(completed)],
  },
]

/** Opens the demo with its tour, whose panel covers a part of each page. */
const openWithTour = async (uid: string | null) => {
  const screen = await setup.browser.openAs(uid, '/robots.txt', SIZES[0])
  await screen.context.route('**/config.json', (route) =>
    route.fulfill({ json: { ...getSuite().webConfig, tour: 'covered' } }),
  )
  await screen.page.goto('/')
  return screen
}

/**
 * Shows a toast by a message to the person. A page that has just opened takes the message for one
 * of those that it already had, and gets another.
 */
const showToast = async (page: Page, uid: string, entries: string[]) => {
  const isShown = async () => {
    const at = Date.now()
    const path = dbPaths.inbox(uid, createPushKey(at, entries.length))
    entries.push(path)
    const msg = `Message ${entries.length} of this walk`
    const entry: InboxEntry = { title: 'A message to you', msg, at, screen: 'Wallet' }
    await setup.platform.write({ [path]: entry })
    const toast = page.getByRole('status').getByText(msg)
    return toast.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await pollUntil(isShown).toBe(true)
}

test.each(WALKS)('nothing covers a control of the $role at any width', async (walk) => {
  const uid = walk.getUid?.(records) ?? null
  const { page, context } = await openWithTour(uid)
  const faults: Record<string, string[]> = {}
  const toasts: string[] = []
  for (const path of walk.getPaths(records)) {
    await navigateWithin(page, path)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await waitUntilLoaded(page)
      if (uid !== null) await showToast(page, uid, toasts)
      const covered = [
        ...(await findCoveredAfterScrolling(page)),
        ...(await findStrayHiddenTexts(page)),
      ]
      if (covered.length > 0) faults[`${path}, ${size.width} px`] = covered
    }
  }
  expect(faults).toEqual({})
  await setup.platform.write(Object.fromEntries(toasts.map((path) => [path, null])))
  await context.close()
})
