import type { Settings } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { DatabasePort } from './ports/database'
import { refuse } from './refused'

/** The settings; refused when the project is not set up. */
export const readSettings = async (db: DatabasePort): Promise<Settings> =>
  (await db.read<Settings>(at.settings)) ?? refuse('not_found', 'settings')
