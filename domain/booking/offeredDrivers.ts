import type { Booking } from '../entities'
import type { TransitionArgs } from './eventArgs'

export const getOfferedDrivers = ({ requestedDrivers = {} }: Booking): string[] =>
  Object.keys(requestedDrivers)

export const isOutdated = (
  { booking }: TransitionArgs,
  { revision }: { revision?: number },
): boolean => revision !== undefined && revision !== booking.revision
