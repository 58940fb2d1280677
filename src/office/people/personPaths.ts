import { screenPaths } from '~/src/store/screenPaths'
import type { UserType } from '~/domain/access/types'

interface Person {
  id: string
  usertype: UserType
}

const LIST_PATHS: Record<UserType, string> = {
  rider: screenPaths.riders,
  driver: screenPaths.drivers,
  fleetadmin: screenPaths.fleetAdmins,
  admin: screenPaths.admins,
}
const BOOKING_FILTERS: Partial<Record<UserType, string>> = { rider: 'customer', driver: 'driver' }

/** Returns the path of a person's form, or of their wallet next to the list. */
export const getPersonPath = ({ id, usertype }: Person, part?: 'wallet'): string =>
  `${LIST_PATHS[usertype]}?edit=${part ? `${id}~${part}` : id}`

/** Returns the path of a person's bookings; null for a user type that has none. */
export const getBookingsPath = ({ id, usertype }: Person): string | null => {
  const filter = BOOKING_FILTERS[usertype]
  return filter ? `${screenPaths.bookings}?${filter}=${id}` : null
}
