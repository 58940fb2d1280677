import type { Pages, Shell } from '~/src/store/pages'

/** The driver's working screens, page by route. */
export const tripPages: Pages = {}

export const tripShell: Shell = () => import('./TripShell').then((m) => m.TripShell)
