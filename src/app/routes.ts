import { type ComponentType, type LazyExoticComponent, type ReactNode, lazy } from 'react'
import type { UserType } from '~/domain/entities'
import { officePages, officeShell } from '~/src/office/pages'
import { sitePages } from '~/src/site/pages'
import type { Pages } from '~/src/store/pages'
import { screens } from '~/src/store/screens'
import { tripPages, tripShell } from '~/src/trip/pages'

/** Who may open a route (specification 2). Everybody else is sent to /login. */
const ADMIN: readonly UserType[] = ['admin']
const OFFICE: readonly UserType[] = ['admin', 'fleetadmin']
const EVERYBODY: readonly UserType[] = ['rider', 'admin', 'driver', 'fleetadmin']
export const GUARDS: Readonly<Record<string, readonly UserType[]>> = {
  [screens.bookings]: EVERYBODY,
  [screens.booking(':id')]: EVERYBODY,
  [screens.chat(':id')]: ['rider', 'driver', 'admin'],
  [screens.profile]: EVERYBODY,
  [screens.wallet]: ['rider', 'driver'],
  [screens.trips]: ['driver'],
  [screens.dashboard]: OFFICE,
  [screens.carTypes]: ADMIN,
  [screens.cancelReasons]: ADMIN,
  [screens.addBooking]: ADMIN,
  [screens.promos]: ADMIN,
  [screens.riders]: ADMIN,
  [screens.drivers]: OFFICE,
  [screens.admins]: ADMIN,
  [screens.fleetAdmins]: ADMIN,
  [screens.driverEarning]: OFFICE,
  [screens.notifications]: ADMIN,
  [screens.earningReports]: ADMIN,
  [screens.addToWallet]: ADMIN,
  [screens.withdraws]: ADMIN,
  [screens.settings]: ADMIN,
  [screens.appInfo]: ADMIN,
  [screens.languages]: ADMIN,
}

type Side = 'site' | 'office' | 'trip'
type Page = LazyExoticComponent<ComponentType>

const lazily = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }))
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
    ...Object.keys(GUARDS),
  ]),
]

/** The page of a route for each side: its own where it has one, else the first side's that has. */
export const PAGE_OF: Record<Side, Record<string, Page>> = {
  site: { ...PAGES.trip, ...PAGES.office, ...PAGES.site },
  office: { ...PAGES.trip, ...PAGES.site, ...PAGES.office },
  trip: { ...PAGES.office, ...PAGES.site, ...PAGES.trip },
}
