import type { ReactNode } from 'react'
import {
  EXTRA_PAGE_ROLES,
  isOfficeRole,
  PAGE_ROLES as SPECIFIED_ROUTES,
} from '~/domain/access/permissions'
import { officePages, officeShell } from '~/src/office/pages'
import { sitePages } from '~/src/site/pages'
import type { PageLoaders } from '~/src/store/pageLoaders'
import { screenPaths } from '~/src/store/screenPaths'
import { driverPages, driverShell } from '~/src/driver/pages'
import { type LazyComponent, lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { DESKTOP_QUERY } from '~/src/ui/screenWidths'
import type { UserType } from '~/domain/access/types'

export type AppArea = 'site' | 'office' | 'trip'

const makePages = (pages: PageLoaders): Record<string, LazyComponent> =>
  Object.fromEntries(Object.entries(pages).map(([route, load]) => [route, lazyWithRetry(load)]))

const PAGES: Record<AppArea, Record<string, LazyComponent>> = {
  site: makePages(sitePages),
  office: makePages(officePages),
  trip: makePages(driverPages),
}
/** Shells outside the initial bundle. */
export const SHELLS = {
  office: lazyWithRetry<{ children: ReactNode }>(officeShell),
  trip: lazyWithRetry<{ children: ReactNode }>(driverShell),
}

/** Returns the area whose shell and pages a user type gets. */
export const getAppArea = (usertype: UserType | undefined): AppArea =>
  isOfficeRole(usertype) ? 'office' : usertype === 'driver' ? 'trip' : 'site'

/** All routes except the public pages. */
export const ROUTES: readonly string[] = [
  ...new Set([
    ...Object.values(PAGES).flatMap((pages) => Object.keys(pages)),
    ...Object.keys(SPECIFIED_ROUTES),
    ...Object.keys(EXTRA_PAGE_ROLES),
  ]),
]

/** The page of each route by area: the area's own page, or else that of another area. */
export const PAGES_BY_AREA: Record<AppArea, Record<string, LazyComponent>> = {
  site: { ...PAGES.trip, ...PAGES.office, ...PAGES.site },
  office: { ...PAGES.trip, ...PAGES.site, ...PAGES.office },
  trip: { ...PAGES.office, ...PAGES.site, ...PAGES.trip },
}

/**
 * Preloads the back office on wide screens, where most people who sign in work for it, while the
 * user waits for and types the sign-in code.
 */
export const prefetchOffice = (): void => {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData || !window.matchMedia?.(DESKTOP_QUERY).matches) return
  SHELLS.office.preload()
  PAGES_BY_AREA.office[screenPaths.dashboard]?.preload()
}
