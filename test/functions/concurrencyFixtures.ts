/** The riders and drivers of the database that the concurrent processes share. */
export const RIDER_IDS = ['ana', 'bea', 'caio', 'dora'] as const
export const DRIVER_IDS = ['davi', 'edu', 'fabi'] as const
/** A low limit of open bookings, so that the processes compete for the same ones. */
export const MAX_ACTIVE_BOOKINGS = 3
