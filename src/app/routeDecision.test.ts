import { describe, expect, test } from 'vitest'
import { EXTRA_PAGE_ROLES, PAGE_ROLES } from '~/domain/access/permissions'
import { decideRoute } from './routeDecision'
import { PAGES_BY_AREA, ROUTES, type AppArea } from './routes'
import { USER_TYPES, type UserType } from '~/domain/access/types'

const GUARDED: Record<string, readonly UserType[]> = { ...PAGE_ROLES, ...EXTRA_PAGE_ROLES }
const AREAS = { rider: 'site', driver: 'trip', fleetadmin: 'office', admin: 'office' } as const
const showing = (area: AppArea, route: string) => {
  const Page = PAGES_BY_AREA[area][route]
  expect(Page).toBeDefined()
  return { kind: 'page', area, isGuarded: route in GUARDED, Page }
}
const OPEN = ROUTES.filter((route) => !(route in GUARDED))

describe.each(Object.entries(GUARDED))('the route %s', (route, permitted) => {
  test.each(permitted)('shows its page to a %s', (usertype) => {
    expect(decideRoute(route, usertype, true)).toEqual(showing(AREAS[usertype], route))
  })

  test('sends all other user types to the login page', () => {
    for (const usertype of USER_TYPES.filter((one) => !permitted.includes(one)))
      expect(decideRoute(route, usertype, true), usertype).toEqual({
        kind: 'redirect',
        to: '/login',
      })
  })

  test('sends a visitor to the login page as soon as the session is known', () => {
    expect(decideRoute(route, undefined, false)).toEqual({ kind: 'waiting' })
    expect(decideRoute(route, undefined, true)).toEqual({ kind: 'redirect', to: '/login' })
  })
})

test.each(OPEN)('the open route %s shows its page to everyone at once', (route) => {
  for (const usertype of [undefined, ...USER_TYPES])
    for (const isSessionKnown of [false, true])
      expect(decideRoute(route, usertype, isSessionKnown)).toEqual(showing('site', route))
})

test('the app has open and guarded routes', () => {
  expect(OPEN).toEqual(expect.arrayContaining(['/setup', '/signup', '/track/:token']))
  expect(Object.keys(GUARDED).length).toBeGreaterThan(25)
})

test('a route without a page leads home', () => {
  expect(decideRoute('/nowhere', 'rider', true)).toEqual({ kind: 'redirect', to: '/' })
})
