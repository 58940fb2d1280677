/**
 * The lists that the office exports whole, with the collection in which their records are. Bookings
 * have an endpoint of their own (`export_bookings`).
 */
export const EXPORTED_COLLECTIONS = {
  rider: 'users',
  driver: 'users',
  fleetadmin: 'users',
  admin: 'users',
  withdraws: 'withdraws',
  payments: 'payments',
  notifications: 'notifications',
  audit: 'audit',
} as const
export type ExportedList = keyof typeof EXPORTED_COLLECTIONS
export const EXPORTED_LISTS = Object.keys(EXPORTED_COLLECTIONS) as [ExportedList, ...ExportedList[]]
