import { openFirebaseProject, type FirebaseProject } from '../firebaseTools'
import { HOST, findRunningPorts } from '../local/ports'
import { createUrls } from '../local/suiteConfig'
import { openLocalDatabase } from '../local/localDatabase'
import { openRestDatabase, type DatabaseAccess, type RestDatabase } from './restDatabase'

/** Google's limit for sustained writes to one database is 64 MB a minute. */
const BYTES_PER_SECOND = 1_000_000

const openLimited = (access: Pick<DatabaseAccess, 'url' | 'readAccessToken'>): RestDatabase => {
  const isHere = new URL(access.url).hostname === HOST
  return openRestDatabase({ ...access, ...(!isHere && { bytesPerSecond: BYTES_PER_SECOND }) })
}

/** Opens the database of a project with the account of firebase-tools. */
export const openProjectDatabase = ({
  databaseURL: url,
  readAccessToken,
}: FirebaseProject): RestDatabase => openLimited({ url, readAccessToken })

/**
 * Returns the database for a command: that of the project in `--project`, with the account of
 * firebase-tools; otherwise the one at KERBSIDE_DATABASE_URL, with KERBSIDE_ACCESS_TOKEN; otherwise
 * that of the Kerbside running here. Throws a readable error when there is none, or two.
 */
export const openTargetDatabase = async (
  env: NodeJS.ProcessEnv,
  projectId?: string,
): Promise<RestDatabase> => {
  const { KERBSIDE_DATABASE_URL: url, KERBSIDE_ACCESS_TOKEN: token } = env
  if (projectId !== undefined) {
    if (url !== undefined)
      throw new Error(
        'Both --project and KERBSIDE_DATABASE_URL name a database. Leave one of them out.',
      )
    return openProjectDatabase(await openFirebaseProject(projectId))
  }
  if (url === undefined) return openLocalDatabase(createUrls(await findRunningPorts(env)).database)
  if (token === undefined)
    throw new Error('KERBSIDE_DATABASE_URL needs a KERBSIDE_ACCESS_TOKEN. Set both, or neither.')
  return openLimited({ url, readAccessToken: () => Promise.resolve(token) })
}
