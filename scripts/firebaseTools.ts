import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSdkConfig } from './siteConfig'

/** A project of the account that `npx firebase login` signed in. */
export interface FirebaseProject {
  /** The response of `firebase apps:sdkconfig WEB --json`. */
  sdk: unknown
  databaseURL: string
  /**
   * Returns an access token for the project's database. Renews it before it expires, except that of
   * a service account, which lasts an hour.
   */
  readAccessToken: () => Promise<string>
  /** Reads a small value of the database, or with `shallow` only the keys of a large one. */
  readValue(path: string, options?: { shallow?: boolean }): Promise<unknown>
  /** Returns true when the project has a default site of Hosting. */
  hasSite: () => Promise<boolean>
}

/**
 * The parts of firebase-tools, which has no types, that are used in this process. Its README
 * documents the commands. `getAccessToken` is internal: no command prints an access token, and
 * test/deploy fails when a new version changes it.
 */
interface FirebaseTools {
  apps: { sdkconfig(platform: string, app: string, options: object): Promise<unknown> }
  database: { get(path: string, options: object): Promise<void> }
  hosting: { sites: { list(options: object): Promise<{ sites: { type: string }[] }> } }
  logger: { logger: { silent: boolean } }
}
interface FirebaseApi {
  getAccessToken(): Promise<string>
}

/** Reads the config of a project's web app with the account of firebase-tools. */
export const openFirebaseProject = async (projectId: string): Promise<FirebaseProject> => {
  const load = createRequire(import.meta.url)
  const tools = load('firebase-tools') as FirebaseTools
  tools.logger.logger.silent = true
  const sdk = { result: await tools.apps.sdkconfig('WEB', '', { project: projectId }) }
  const { getAccessToken } = load('firebase-tools/lib/apiv2') as FirebaseApi
  return {
    sdk,
    databaseURL: parseSdkConfig(sdk).databaseURL,
    readAccessToken: getAccessToken,
    async hasSite() {
      const { sites } = await tools.hosting.sites.list({ project: projectId })
      return sites.some(({ type }) => type === 'DEFAULT_SITE')
    },
    async readValue(path, options) {
      // Without a file, the command prints the value.
      const folder = mkdtempSync(join(tmpdir(), 'kerbside-value-'))
      try {
        const output = join(folder, 'value.json')
        await tools.database.get(path, { ...options, project: projectId, output })
        return JSON.parse(readFileSync(output, 'utf8')) as unknown
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  }
}
