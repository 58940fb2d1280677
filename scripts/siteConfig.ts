// Writes dist/config.json, which tells the deployed page at run time which Firebase project it
// belongs to. It uses Firebase's own output: `npx firebase apps:sdkconfig WEB --json > app.json`,
// then `npm run --prefix lab site-config -- app.json`. `npm run deploy` does both.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { DEFAULT_REGION } from '~/functions/src/deploymentValues'
import { ROOT } from './local/build'
import {
  findSettingProblems,
  isPlaceholder,
  readProjectSettings,
  type ProjectSettings,
} from './deploy/projectSettings'
import { runScript } from './local/scriptRunner'
import type { WebConfig } from './local/suiteConfig'

const nonEmptyText = v.pipe(v.string(), v.minLength(1))
const firebaseSchema = v.object({
  apiKey: nonEmptyText,
  projectId: nonEmptyText,
  databaseURL: nonEmptyText,
  storageBucket: nonEmptyText,
  authDomain: nonEmptyText,
  appId: nonEmptyText,
  messagingSenderId: v.optional(nonEmptyText),
})
const sdkConfigSchema = v.object({ result: v.object({ sdkConfig: firebaseSchema }) })
const siteConfigSchema = v.object({
  firebase: firebaseSchema,
  emulators: v.null(),
  local: v.literal(false),
  functionsUrl: v.pipe(v.string(), v.startsWith('https://')),
})

type SiteConfig = WebConfig & {
  appCheckSiteKey?: string
  vapidKey?: string
  mapsBasicAuth?: string
  maps?: { kind: 'google'; apiKey: string }
}

/**
 * Returns the region of a database, which its address contains for every region except the first.
 */
const getDatabaseRegion = (databaseURL: string): string =>
  /\.([a-z0-9-]+)\.firebasedatabase\.app$/.exec(new URL(databaseURL).hostname)?.[1] ??
  DEFAULT_REGION

/** Returns the app's values in Firebase's output; throws an error that names a missing one. */
export const parseSdkConfig = (sdkAnswer: unknown): v.InferOutput<typeof firebaseSchema> => {
  const parsed = v.safeParse(sdkConfigSchema, sdkAnswer)
  if (parsed.success) return parsed.output.result.sdkConfig
  const field = v.getDotPath(parsed.issues[0])?.split('.').at(-1) ?? 'result'
  throw new Error(
    `Firebase's response has no ${field}. ` +
      (field === 'databaseURL'
        ? 'Create the Realtime Database first, then request the config again.'
        : 'Request it with `npx firebase apps:sdkconfig WEB --json`.'),
  )
}

/** Returns the region of the project's database, from Firebase's output. */
export const findDatabaseRegion = (sdkAnswer: unknown): string =>
  getDatabaseRegion(parseSdkConfig(sdkAnswer).databaseURL)

/**
 * Returns the config.json of a production site; throws a readable error when a value is missing or
 * the region is not the database's.
 */
export const createSiteConfig = (
  sdkAnswer: unknown,
  settings: ProjectSettings = {},
): SiteConfig => {
  const { apiKey, projectId, databaseURL, storageBucket, authDomain, appId, messagingSenderId } =
    parseSdkConfig(sdkAnswer)
  const region = settings.KERBSIDE_REGION || DEFAULT_REGION
  const databaseRegion = getDatabaseRegion(databaseURL)
  if (region !== databaseRegion)
    throw new Error(
      `The database is in ${databaseRegion}, but KERBSIDE_REGION is ${region}. ` +
        `Set KERBSIDE_REGION to ${databaseRegion}: triggers run only in the region of their database.`,
    )
  const {
    KERBSIDE_FUNCTIONS_URL: functionsUrl,
    KERBSIDE_AUTH_DOMAIN: ownAuthDomain,
    KERBSIDE_APP_CHECK_SITE_KEY: appCheckSiteKey,
    KERBSIDE_MAPS_BASIC_AUTH: mapsBasicAuth,
    KERBSIDE_GOOGLE_MAPS_BROWSER_KEY: googleMapsKey,
    KERBSIDE_VAPID_KEY: vapidKey,
  } = settings
  return {
    firebase: {
      apiKey,
      projectId,
      databaseURL,
      storageBucket,
      authDomain: ownAuthDomain || authDomain,
      appId,
      ...(messagingSenderId && { messagingSenderId }),
    },
    emulators: null,
    local: false,
    functionsUrl: functionsUrl || `https://${region}-${projectId}.cloudfunctions.net`,
    ...(appCheckSiteKey && { appCheckSiteKey }),
    ...(mapsBasicAuth && { mapsBasicAuth }),
    ...(vapidKey && { vapidKey }),
    ...(googleMapsKey && { maps: { kind: 'google' as const, apiKey: googleMapsKey } }),
  }
}

/** Returns a sentence for each value of a config.json that would not work on the project's site. */
export const checkSiteConfig = (config: unknown, projectId: string): string[] => {
  const parsed = v.safeParse(siteConfigSchema, config)
  if (!parsed.success)
    return parsed.issues.map(
      (issue) =>
        `${v.getDotPath(issue) ?? 'The content'} in dist/config.json is missing or not valid. Run \`npm run deploy -- ${projectId}\`, which writes it.`,
    )
  const { firebase, functionsUrl } = parsed.output
  if (firebase.projectId !== projectId)
    return [
      `dist/config.json belongs to the project ${firebase.projectId}, not to ${projectId}. Run \`npm run deploy -- ${projectId}\`, which writes it.`,
    ]
  return Object.entries({ ...firebase, functionsUrl })
    .filter(([, value]) => isPlaceholder(value, projectId))
    .map(([name]) => `${name} in dist/config.json is still a placeholder. Enter its real value.`)
}

/**
 * Writes dist/config.json from Firebase's output and the project's settings, and the name of the
 * installed app into its manifest. Returns the config.
 */
export const writeSiteConfig = (root: string, sdkAnswer: unknown): SiteConfig => {
  const dist = join(root, 'dist')
  if (!existsSync(dist)) throw new Error('There is no dist/. Run `npm run build` first.')
  const { projectId } = parseSdkConfig(sdkAnswer)
  const settings = readProjectSettings(root, projectId)
  const problems = findSettingProblems(settings, projectId, { isComplete: true })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const config = createSiteConfig(sdkAnswer, settings)
  writeFileSync(join(dist, 'config.json'), JSON.stringify(config, null, 2))
  if (settings.KERBSIDE_APP_NAME) nameInstalledApp(dist, settings.KERBSIDE_APP_NAME)
  return config
}

/**
 * Names the app that visitors install on their phone. The phone reads the name from this file, so
 * the name of the settings cannot reach it.
 */
const nameInstalledApp = (dist: string, name: string): void => {
  const file = join(dist, 'manifest.webmanifest')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...manifest, name, short_name: name }, null, 2))
}

const main = (): number => {
  const [file] = parseArgs({ allowPositionals: true }).positionals
  if (file === undefined)
    throw new Error('The command needs a file: npm run --prefix lab site-config -- app.json')
  const config = writeSiteConfig(ROOT, JSON.parse(readFileSync(file, 'utf8')))
  console.log(`dist/config.json now uses the project ${config.firebase.projectId}.`)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runScript(main)
