/** Who crowds the world in which processes fight. */
export const RIDERS = ['ana', 'bea', 'caio', 'dora'] as const
export const DRIVERS = ['davi', 'edu', 'fabi'] as const
/** So few bookings at a time that the processes meet on them. */
export const MOST_LIVE = 3
