import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { MORE_ROUTES, ROUTES } from '~/domain/permissions'
import { openBrowser, type TestBrowser } from '../support/browser'

const PEOPLE = {
  rider: 'seed-rider',
  driver: 'seed-driver',
  fleetadmin: 'seed-fleetadmin',
  admin: 'seed-admin',
} as const
/** Where a login ends by role (specification 2). */
const HOME = { rider: '/', driver: '/bookings', fleetadmin: '/dashboard', admin: '/dashboard' }

/** Those of a booking ask the booking who its parties are. */
const GUARDED = Object.entries({ ...ROUTES, ...MORE_ROUTES }).filter(
  ([route]) => !route.includes(':'),
)

describe('the routes of specification 2, and ours', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('a visitor is sent to the login from every guarded route', async () => {
    const visitor = await browser.openAs(null)
    onTestFailed(() => browser.picture({ visitor }))
    for (const [route] of GUARDED) {
      await visitor.page.goto(route)
      await visitor.page.waitForURL('**/login')
    }
    expect(visitor.errors).toEqual([])
  })

  test.each(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[])(
    'a %s opens his routes and is sent away from the others',
    async (role) => {
      const screen = await browser.openAs(PEOPLE[role])
      onTestFailed(() => browser.picture({ [role]: screen }))
      const { page, errors } = screen
      for (const [route, permitted] of GUARDED) {
        await page.goto(route)
        const isMine = (permitted as readonly string[]).includes(role)
        if (!isMine) await page.waitForURL((url) => url.pathname === HOME[role])
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        expect([route, new URL(page.url()).pathname]).toEqual([route, isMine ? route : HOME[role]])
      }
      expect(errors).toEqual([])
    },
  )
})
