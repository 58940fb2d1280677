import { openRestDatabase, type RestDatabase } from '../database/restDatabase'

export const PROJECT = 'demo-kerbside'
export const NAMESPACE = `${PROJECT}-default-rtdb`
export const BUCKET = `${PROJECT}.firebasestorage.app`

/** The database of a running suite, read and written as its owner, without rules and triggers. */
export type LocalDatabase = RestDatabase

/**
 * Opens the database at `url` (http://host:port). A refused request throws with the server's
 * message.
 */
export const openLocalDatabase = (url: string, namespace = NAMESPACE): LocalDatabase =>
  openRestDatabase({
    url,
    readAccessToken: () => Promise.resolve('owner'),
    query: { ns: namespace },
  })

/** Returns true until the database has been seeded or set up. */
export async function isDatabaseEmpty(database: Pick<LocalDatabase, 'get'>): Promise<boolean> {
  return (await database.get('', { shallow: 'true' })) === null
}
