import { screenPaths } from '~/src/store/screenPaths'
import { TOUR_PARAMETER, TOUR_ROLE_KEY } from './isTourWindow'

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

const toTourRole = (text: string | null): TourRole | null =>
  TOUR_ROLES.find((role) => role === text) ?? null

/** Returns the address that opens a window for a role, already signed in. */
export const getTourAddress = (role: TourRole): string =>
  `${TOUR_ACCOUNTS[role].path}?${TOUR_PARAMETER}=${role}`

/** Returns the role that the address of a new window asks for, or null. */
export const readRequestedRole = (): TourRole | null =>
  toTourRole(new URLSearchParams(window.location.search).get(TOUR_PARAMETER))

/** Returns the role of this window, or null outside the tour. */
export const readTourRole = (): TourRole | null => {
  try {
    return toTourRole(sessionStorage.getItem(TOUR_ROLE_KEY))
  } catch {
    return null
  }
}

export const saveTourRole = (role: TourRole): void => sessionStorage.setItem(TOUR_ROLE_KEY, role)
