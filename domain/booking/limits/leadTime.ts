/**
 * Minimum minutes between now and the time of a later booking. In its own file so that the booking
 * form imports nothing else.
 */
export const LATER_LEAD_MINUTES = 15
