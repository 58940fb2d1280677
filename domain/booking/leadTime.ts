/** A later booking must be at least so many minutes ahead. Apart, because the booking form needs nothing else of booking. */
export const LATER_LEAD_MINUTES = 15
