/** A Firebase project's database and the headers that authorize access. */
export interface ProjectDatabase {
  url: string
  headers: { Authorization: string }
}

/**
 * Returns the database named by the environment, or undefined for the local one. Throws a readable
 * error when one of the variables is missing.
 */
export const readProjectDatabase = ({
  KERBSIDE_DATABASE_URL: url,
  KERBSIDE_ACCESS_TOKEN: token,
}: NodeJS.ProcessEnv): ProjectDatabase | undefined => {
  if (url === undefined) return undefined
  if (token === undefined)
    throw new Error('KERBSIDE_DATABASE_URL needs a KERBSIDE_ACCESS_TOKEN. Set both, or neither.')
  return { url, headers: { Authorization: `Bearer ${token}` } }
}
