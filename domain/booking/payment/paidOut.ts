import type { Booking } from '../types'

/** Returns true when a booking is paid, so that its driver has the share. */
export const isPaidOut = ({ status }: Pick<Booking, 'status'>): boolean =>
  status === 'PAID' || status === 'COMPLETE'
