import { getPermittedRoles } from '~/domain/access/permissions'
import { screenPaths } from '~/src/store/screenPaths'
import type { LazyComponent } from '~/src/ui/loading/lazyWithRetry'
import { getAppArea, PAGES_BY_AREA, type AppArea } from './routes'
import type { UserType } from '~/domain/access/types'

/** A skeleton until the session is known, a redirect, or the page itself. */
export type RouteDecision =
  | { kind: 'waiting' }
  | { kind: 'redirect'; to: string }
  | { kind: 'page'; area: AppArea; isGuarded: boolean; Page: LazyComponent }

/** Decides what a route shows to a user type; undefined is a visitor. */
export const decideRoute = (
  route: string,
  usertype: UserType | undefined,
  isSessionKnown: boolean,
): RouteDecision => {
  const permitted = getPermittedRoles(route)
  if (permitted && !isSessionKnown) return { kind: 'waiting' }
  if (permitted && !(usertype && permitted.includes(usertype)))
    return { kind: 'redirect', to: screenPaths.login }
  // An open page uses the site shell for everyone.
  const area = permitted ? getAppArea(usertype) : 'site'
  const Page = PAGES_BY_AREA[area][route]
  return Page
    ? { kind: 'page', area, isGuarded: permitted !== undefined, Page }
    : { kind: 'redirect', to: screenPaths.home }
}
