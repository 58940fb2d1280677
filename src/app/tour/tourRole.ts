import { screenPaths } from '~/src/store/screenPaths'

export const TOUR_ROLES = ['book', 'drive', 'dispatch'] as const
export type TourRole = (typeof TOUR_ROLES)[number]

/** The demo account of each role and the page it starts on. */
export const TOUR_ACCOUNTS: Readonly<Record<TourRole, { mobile: string; path: string }>> = {
  book: { mobile: '+15555550103', path: screenPaths.home },
  drive: { mobile: '+15555550102', path: screenPaths.trips },
  dispatch: { mobile: '+15555550100', path: screenPaths.board },
}
/** The name of the driver that the role `drive` plays. */
export const TOUR_DRIVER_NAME = 'Darío Conductor'

const PARAM = 'tour'
const ROLE_KEY = 'demo-tour.role'

const toTourRole = (text: string | null): TourRole | null =>
  TOUR_ROLES.find((role) => role === text) ?? null

/** Returns the address that opens a window for a role, already signed in. */
export const getTourAddress = (role: TourRole): string =>
  `${TOUR_ACCOUNTS[role].path}?${PARAM}=${role}`

/** Returns the role that the address of a new window asks for, or null. */
export const readRequestedRole = (): TourRole | null =>
  toTourRole(new URLSearchParams(window.location.search).get(PARAM))

/** Returns the role of this window, or null outside the tour. */
export const readTourRole = (): TourRole | null => {
  try {
    return toTourRole(sessionStorage.getItem(ROLE_KEY))
  } catch {
    return null
  }
}

export const saveTourRole = (role: TourRole): void => sessionStorage.setItem(ROLE_KEY, role)

/** Returns whether this window has a role in the tour, or its address asks for one. */
export const isTourWindow = (): boolean => (readRequestedRole() ?? readTourRole()) !== null
