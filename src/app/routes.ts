import { type ComponentType, type LazyExoticComponent, type ReactNode, lazy } from 'react'
import type { UserType } from '~/domain/entities'
import { MORE_ROUTES, ROUTES as SPECIFIED_ROUTES } from '~/domain/permissions'
import { officePages, officeShell } from '~/src/office/pages'
import { sitePages } from '~/src/site/pages'
import type { Pages } from '~/src/store/pages'
import { screens } from '~/src/store/screens'
import { tripPages, tripShell } from '~/src/trip/pages'

type Side = 'site' | 'office' | 'trip'
type Page = LazyExoticComponent<ComponentType>

const loads = new Map<unknown, () => Promise<unknown>>()
const lazily = <Props>(load: () => Promise<ComponentType<Props>>) => {
  const part = lazy(async () => ({ default: await load() }))
  loads.set(part, load)
  return part
}
/** Begins to fetch a frame or a page before it is drawn; what fails is tried again then. */
export const fetchAhead = (part: unknown): void => {
  loads
    .get(part)?.()
    .catch(() => undefined)
}
const pagesOf = (pages: Pages): Record<string, Page> =>
  Object.fromEntries(Object.entries(pages).map(([route, load]) => [route, lazily(load)]))

const PAGES: Record<Side, Record<string, Page>> = {
  site: pagesOf(sitePages),
  office: pagesOf(officePages),
  trip: pagesOf(tripPages),
}
/** The frames that are not in the first load. */
export const SHELLS = {
  office: lazily<{ children: ReactNode }>(officeShell),
  trip: lazily<{ children: ReactNode }>(tripShell),
}

/** Whose frame and whose version of a page somebody gets. */
export const sideOf = (usertype: UserType | undefined): Side =>
  usertype === 'admin' || usertype === 'fleetadmin'
    ? 'office'
    : usertype === 'driver'
      ? 'trip'
      : 'site'

/** Every route beyond the public pages. */
export const ROUTES: readonly string[] = [
  ...new Set([
    ...Object.values(PAGES).flatMap((pages) => Object.keys(pages)),
    ...Object.keys(SPECIFIED_ROUTES),
    ...Object.keys(MORE_ROUTES),
  ]),
]

/** The page of a route for each side: its own where it has one, else the first side's that has. */
export const PAGE_OF: Record<Side, Record<string, Page>> = {
  site: { ...PAGES.trip, ...PAGES.office, ...PAGES.site },
  office: { ...PAGES.trip, ...PAGES.site, ...PAGES.office },
  trip: { ...PAGES.office, ...PAGES.site, ...PAGES.trip },
}

/** As wide as the office's own frame needs: who signs in at a desk is mostly one who works there. */
const AT_A_DESK = '(min-width: 1024px)'

/** Fetches what follows a sign-in at a desk, for the time in which the code is waited for and typed. */
export const fetchDeskAhead = (): void => {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData || !window.matchMedia?.(AT_A_DESK).matches) return
  fetchAhead(SHELLS.office)
  fetchAhead(PAGE_OF.office[screens.dashboard])
}
