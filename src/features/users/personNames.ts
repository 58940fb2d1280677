import { formatFullName } from '~/domain/accounts/userAccounts'
import { dbPaths } from '~/domain/data/databasePaths'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** People whose names are read at the same time. */
const READ_AT_ONCE = 50

/** Returns the names of people by ID, for an export; without those who no longer exist. */
export const fetchPersonNames = createServiceThunk<readonly string[], ReadonlyMap<string, string>>(
  'usersdata/names',
  async (ids, { database }) => {
    const readField = async (id: string, field: 'firstName' | 'lastName') => {
      const value = await database.read({ path: `${dbPaths.user(id)}/${field}` })
      return typeof value === 'string' ? value : ''
    }
    const names = new Map<string, string>()
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      await Promise.all(
        ids.slice(from, from + READ_AT_ONCE).map(async (id) => {
          const [firstName, lastName] = await Promise.all([
            readField(id, 'firstName'),
            readField(id, 'lastName'),
          ])
          const name = formatFullName({ firstName, lastName })
          if (name) names.set(id, name)
        }),
      )
    return names
  },
)
