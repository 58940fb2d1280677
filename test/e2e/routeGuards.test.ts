import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { EXTRA_PAGE_ROLES, PAGE_ROLES } from '~/domain/permissions'
import { openTestBrowser, type TestBrowser } from '../support/testBrowser'

const UID_BY_ROLE = {
  rider: 'seed-rider',
  driver: 'seed-driver',
  fleetadmin: 'seed-fleetadmin',
  admin: 'seed-admin',
} as const
/** The page on which a login ends, by role. */
const HOME_BY_ROLE = {
  rider: '/',
  driver: '/bookings',
  fleetadmin: '/dashboard',
  admin: '/dashboard',
}

/** The pages of one booking are left out, because their guard depends on the booking's parties. */
const GUARDED_ROUTES = Object.entries({ ...PAGE_ROLES, ...EXTRA_PAGE_ROLES }).filter(
  ([route]) => !route.includes(':'),
)

describe('guarded routes', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await openTestBrowser()
  })
  afterAll(() => browser.close())

  test('send a visitor to the login page', async () => {
    const visitor = await browser.openAs(null)
    onTestFailed(() => browser.takeScreenshots({ visitor }))
    for (const [route] of GUARDED_ROUTES) {
      await visitor.page.goto(route)
      await visitor.page.waitForURL('**/login')
    }
    expect(visitor.errors).toEqual([])
  })

  test.each(Object.keys(UID_BY_ROLE) as (keyof typeof UID_BY_ROLE)[])(
    'let a %s open their own routes and redirect them from all others',
    async (role) => {
      const screen = await browser.openAs(UID_BY_ROLE[role])
      onTestFailed(() => browser.takeScreenshots({ [role]: screen }))
      const { page, errors } = screen
      for (const [route, permitted] of GUARDED_ROUTES) {
        await page.goto(route)
        const isMine = (permitted as readonly string[]).includes(role)
        if (!isMine) await page.waitForURL((url) => url.pathname === HOME_BY_ROLE[role])
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        expect([route, new URL(page.url()).pathname]).toEqual([
          route,
          isMine ? route : HOME_BY_ROLE[role],
        ])
      }
      expect(errors).toEqual([])
    },
  )
})
