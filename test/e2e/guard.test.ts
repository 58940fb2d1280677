import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { ROUTES } from '~/domain/permissions'
import { openBrowser, type TestBrowser } from '../support/browser'

const PEOPLE = {
  rider: 'seed-rider',
  driver: 'seed-driver',
  fleetadmin: 'seed-fleetadmin',
  admin: 'seed-admin',
} as const
/** Where a login ends by role (specification 2). */
const HOME = { rider: '/', driver: '/bookings', fleetadmin: '/dashboard', admin: '/dashboard' }

describe('the routes of specification 2', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('a visitor is sent to the login from every guarded route', async () => {
    const visitor = await browser.openAs(null)
    onTestFailed(() => browser.picture({ visitor }))
    for (const route of Object.keys(ROUTES)) {
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
      for (const [route, permitted] of Object.entries(ROUTES)) {
        await page.goto(route)
        const isMine = (permitted as readonly string[]).includes(role)
        await page.waitForURL((url) => url.pathname === (isMine ? route : HOME[role]))
        if (isMine) await page.getByRole('heading', { level: 1 }).first().waitFor()
      }
      expect(errors).toEqual([])
    },
  )
})
