import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Booking, User, UserType } from '~/domain/entities'
import { getMenu } from '~/src/office/layout/menu'
import { screenPaths } from '~/src/store/screenPaths'
import { openTestPlatform, type TestPlatform } from '../../functions/testPlatform'
import { findCoveredAfterScrolling, findStrayHiddenTexts } from '../../support/coveredControls'
import {
  navigateWithin,
  openTestBrowser,
  type TestBrowser,
  waitUntilLoaded,
} from '../../support/testBrowser'

let platform: TestPlatform
let browser: TestBrowser
let booking: string
/** The uid of a driver without offers, which would cover every page. */
let driver: string
beforeAll(async () => {
  platform = openTestPlatform()
  browser = await openTestBrowser()
  const own = platform.admin.database.ref('bookings').orderByChild('customer').equalTo('seed-rider')
  const bookings = ((await own.get()).val() ?? {}) as Record<string, Booking>
  const { carType = '' } = (await platform.read<User>('users/seed-driver')) ?? {}
  ;[driver = ''] = await platform.createUsers(1, { usertype: 'driver', carType })
  booking = Object.values(bookings).find(({ status }) => status === 'COMPLETE')?.id ?? ''
})
afterAll(async () => {
  await browser.close()
  await platform.close()
})

/** Stands for the id of a completed booking, which is known later. */
const DONE = 'DONE'
/** Stands for the uid of the driver. */
const DRIVER = 'DRIVER'
const SIZES = [
  { width: 360, height: 740 },
  { width: 412, height: 823 },
  { width: 1280, height: 800 },
]
const listMenu = (usertype: UserType) => getMenu(usertype).filter((path) => path !== '/')
const PATHS: { role: string; uid: string | null; paths: string[] }[] = [
  {
    role: 'visitor',
    uid: null,
    paths: [
      ...[screenPaths.home, screenPaths.about, screenPaths.privacy],
      ...[screenPaths.login, screenPaths.driverSignUp],
    ],
  },
  {
    role: 'rider',
    uid: 'seed-rider',
    paths: [screenPaths.home, ...listMenu('rider'), screenPaths.booking(DONE), screenPaths.wallet],
  },
  {
    role: 'driver',
    uid: DRIVER,
    paths: [screenPaths.trips, ...listMenu('driver'), screenPaths.wallet, screenPaths.vehicle],
  },
  { role: 'fleet admin', uid: 'seed-fleetadmin', paths: listMenu('fleetadmin') },
  { role: 'admin', uid: 'seed-admin', paths: [...listMenu('admin'), screenPaths.booking(DONE)] },
]

test.each(PATHS)('nothing covers a control of the $role at any width', async ({ uid, paths }) => {
  const person = uid === DRIVER ? driver : uid
  const { page, context } = await browser.openAs(person, '/', SIZES[0])
  const faults: Record<string, string[]> = {}
  for (const path of paths.map((one) => one.replace(DONE, booking))) {
    await navigateWithin(page, path)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await waitUntilLoaded(page)
      const covered = [
        ...(await findCoveredAfterScrolling(page)),
        ...(await findStrayHiddenTexts(page)),
      ]
      if (covered.length > 0) faults[`${path}, ${size.width} px`] = covered
    }
  }
  expect(faults).toEqual({})
  await context.close()
})
