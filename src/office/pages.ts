import type { Pages, Shell } from '~/src/store/pages'

/** The back office, page by route: `[screens.dashboard]: () => import('./…').then((m) => m.DashboardPage)`. */
export const officePages: Pages = {}

/** Replaced by the office's own frame with its side menu. */
export const officeShell: Shell = () => import('./OfficeShell').then((m) => m.OfficeShell)
