import type { TransitionArgs } from '../eventArgs'
import type { Booking } from '../types'

export const getOfferedDrivers = ({ requestedDrivers = {} }: Booking): string[] =>
  Object.keys(requestedDrivers)

export const isOutdated = (
  { booking }: TransitionArgs,
  { revision }: { revision?: number },
): boolean => revision !== undefined && revision !== booking.revision
