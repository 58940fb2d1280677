/** A Firebase project's database, and the headers that open it. */
export interface ProjectDatabase {
  url: string
  headers: { Authorization: string }
}

/** The one the environment names, or undefined: then the local one is meant. Throws a sentence when half of it is missing. */
export const projectDatabase = ({
  KERBSIDE_DATABASE_URL: url,
  KERBSIDE_ACCESS_TOKEN: token,
}: NodeJS.ProcessEnv): ProjectDatabase | undefined => {
  if (url === undefined) return undefined
  if (token === undefined) throw new Error('KERBSIDE_DATABASE_URL needs a KERBSIDE_ACCESS_TOKEN.')
  return { url, headers: { Authorization: `Bearer ${token}` } }
}
