import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabasePort } from '../../ports/database'
import { fail } from '../../domainException'
import type { Settings } from '~/domain/catalog/types'

/**
 * Returns true once setup has written the settings. Before that, the scheduled job has nothing to
 * do.
 */
export const isSetUp = async (db: DatabasePort): Promise<boolean> =>
  (await db.read<string>(`${dbPaths.settings}/code`)) !== null

/** Returns the settings, or refuses when the project is not set up. */
export const readSettings = async (db: DatabasePort): Promise<Settings> =>
  (await db.read<Settings>(dbPaths.settings)) ?? fail('not_found', 'settings')
