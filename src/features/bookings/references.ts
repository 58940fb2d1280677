import { dbPaths } from '~/domain/data/databasePaths'
import { createServiceThunk } from '~/src/store/serviceThunk'

/**
 * Returns the references of bookings by ID. A booking whose reference cannot be read is absent, so
 * that an export also works without a connection.
 */
export const fetchReferences = createServiceThunk<{ ids: string[] }, Record<string, string>>(
  'bookingdata/references',
  async ({ ids }, { database }) => {
    const read = (id: string) =>
      database.read({ path: `${dbPaths.booking(id)}/reference` }).catch(() => null)
    const entries = await Promise.all(
      [...new Set(ids)].map(async (id): Promise<[string, string][]> => {
        const reference = await read(id)
        return typeof reference === 'string' ? [[id, reference]] : []
      }),
    )
    return Object.fromEntries(entries.flat())
  },
)
