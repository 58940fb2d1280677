import { openLocalDatabase } from './localDatabase'
import { HOST, findRunningPorts } from '../ports'
import { readProjectDatabase } from './projectDatabase'
import { openRestDatabase, type RestDatabase } from './restDatabase'
import { createUrls } from '../suiteConfig'

/** Google's limit for sustained writes to one database is 64 MB a minute. */
const BYTES_PER_SECOND = 1_000_000

/**
 * Returns the database for a command: a project's (KERBSIDE_DATABASE_URL and KERBSIDE_ACCESS_TOKEN)
 * or that of the Kerbside running here. Throws a readable error when neither exists.
 */
export const openTargetDatabase = async (env: NodeJS.ProcessEnv): Promise<RestDatabase> => {
  const project = readProjectDatabase(env)
  if (project) {
    const isHere = new URL(project.url).hostname === HOST
    return openRestDatabase({ ...project, ...(!isHere && { bytesPerSecond: BYTES_PER_SECOND }) })
  }
  return openLocalDatabase(createUrls(await findRunningPorts(env)).database)
}
