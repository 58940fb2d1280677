import { dbPaths } from '../databasePaths'
import type { DatabaseValue } from '../databaseValue'
import type { Booking } from '../entities'

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
