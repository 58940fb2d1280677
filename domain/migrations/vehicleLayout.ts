import type { RowChange } from './migration'

/**
 * Switches `horizontal_view` on. The setting had no effect and all platforms showed their vehicle
 * types side by side, so switching it on changes no page.
 */
export const keepVehiclesSideBySide: RowChange = {
  collections: ['settings'],
  apply: (row, field) => (field === 'horizontal_view' ? { settings: true } : row),
}
