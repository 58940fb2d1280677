/**
 * The entities of the database, field by field. `…At` and dates are ms since 1970 unless noted
 * otherwise.
 */

export const USER_TYPES = ['rider', 'driver', 'fleetadmin', 'admin'] as const

export type UserType = (typeof USER_TYPES)[number]
