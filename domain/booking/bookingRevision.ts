import { dbPaths } from '../data/databasePaths'
import type { DatabaseValue } from '../data/databaseValue'
import type { Booking } from './types'

/**
 * Returns the update that raises the revision of a booking. Of two writes that contain it and are
 * based on the same booking, the whole second one is refused.
 */
export const raiseRevision = ({
  id,
  revision,
}: Pick<Booking, 'id' | 'revision'>): Record<string, DatabaseValue> => ({
  [`${dbPaths.booking(id)}/revision`]: revision + 1,
})
