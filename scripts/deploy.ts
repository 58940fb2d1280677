// Deploys Kerbside to a Firebase project: rules, functions, site, in the order of
// docs/deploying.md, and migrates its data. `npm run deploy -- PROJECT [--only
// rules,functions,data,hosting,storage] [--skip-build] [--backup FOLDER] [--force]`. Builds and
// checks everything before it changes the project: firebase-tools asks for missing parameters and
// secrets, and refuses what would not work.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildChanged, ROOT } from './local/build'
import {
  addCacheHeaders,
  allowSources,
  getProjectSources,
  type HostingConfig,
} from './deploy/hostingConfig'
import { findSettingProblems, getSettingsFile, readProjectSettings } from './deploy/projectSettings'
import { findDueMigration, isDataOlder } from './deploy/dataMigration'
import { printMigrationReport } from './database/migrationReport'
import { assertDeployable, checkHosting } from './deploy/predeploy'
import { readPlatformContent } from './deploy/platformContent'
import { openFirebaseProject, type FirebaseProject } from './firebaseTools'
import { runScript } from './local/scriptRunner'
import { createSiteConfig, findDatabaseRegion, writeSiteConfig } from './siteConfig'

const FIREBASE = join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js')
/**
 * Data is migrated when the new functions refuse to write to it, and before the new site reads it.
 * Storage rules come last, because they may need claims that new functions set and the new site
 * fetches.
 */
const PARTS = ['rules', 'functions', 'data', 'hosting', 'storage'] as const
type Part = (typeof PARTS)[number]
/** The names of the parts in firebase-tools. */
const TARGETS = {
  rules: 'database',
  functions: 'functions',
  hosting: 'hosting',
  storage: 'storage',
} as const
type TargetPart = keyof typeof TARGETS

/** Runs firebase-tools. Throws when it fails. */
const runFirebase = (args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [FIREBASE, ...args], { cwd: ROOT, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else
        reject(
          new Error(
            `\`firebase ${args.slice(0, 2).join(' ')}\` failed. Correct what it reports above, then run the command again.`,
          ),
        )
    })
  })

const parseParts = (only: string | undefined): readonly Part[] => {
  if (only === undefined) return PARTS
  const parts = only.split(',')
  const unknown = parts.filter((name) => !PARTS.some((part) => part === name))
  if (unknown.length > 0)
    throw new Error(`--only does not know ${unknown.join(', ')}. Choose from ${PARTS.join(', ')}.`)
  return PARTS.filter((part) => parts.includes(part))
}

/**
 * Builds the site with its public address, which the sitemap and the canonical links contain, and
 * with the settings and texts that the public pages show first.
 */
const buildSite = async (projectId: string, project: FirebaseProject): Promise<void> => {
  const { KERBSIDE_WEB_URL, KERBSIDE_ORIGINS = '' } = readProjectSettings(ROOT, projectId)
  process.env.KERBSIDE_SITE_URL ??= KERBSIDE_WEB_URL || KERBSIDE_ORIGINS.split(',')[0]?.trim() || ''
  process.env.KERBSIDE_PLATFORM = JSON.stringify(await readPlatformContent(project))
  await buildChanged((line) => console.log(line))
}

/**
 * Refuses a region that is not the database's, before anything is deployed there. Adds a missing
 * one to the settings, because only one is possible.
 */
const settleRegion = (projectId: string, sdk: unknown): void => {
  const settings = readProjectSettings(ROOT, projectId)
  if (settings.KERBSIDE_REGION !== undefined) {
    createSiteConfig(sdk, settings)
    return
  }
  const region = findDatabaseRegion(sdk)
  const file = getSettingsFile(projectId)
  appendFileSync(join(ROOT, file), `\nKERBSIDE_REGION=${region}\n`)
  console.log(`Added KERBSIDE_REGION=${region} to ${file}, the region of the database.`)
}

interface FirebaseJson {
  hosting: HostingConfig
  [part: string]: unknown
}

/**
 * Writes the project's firebase.json: the repository's, with the addresses that the page of this
 * project may contact, and the lifetime of each of its files.
 */
const writeProjectConfig = (projectId: string, site?: Parameters<typeof getProjectSources>[0]) => {
  const config = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseJson
  if (site) {
    const allowed = allowSources(config.hosting, getProjectSources(site))
    config.hosting = addCacheHeaders(allowed, join(ROOT, 'dist'))
  }
  const name = `firebase.${projectId}.json`
  writeFileSync(join(ROOT, name), `${JSON.stringify(config, null, 2)}\n`)
  return name
}

interface Deployment {
  projectId: string
  parts: readonly Part[]
  /** Deletes functions that the release no longer has, and asks nothing. */
  force: boolean
}

/** Deploys those of the named parts that are wanted, or only checks them. */
const deployParts = async (
  { projectId, parts, force }: Deployment,
  config: string,
  among: readonly TargetPart[],
  { isDryRun = false } = {},
): Promise<void> => {
  const targets = among.filter((part) => parts.includes(part)).map((part) => TARGETS[part])
  if (targets.length === 0) return
  await runFirebase([
    'deploy',
    ...(isDryRun ? ['--dry-run'] : []),
    ...['--config', config, '--project', projectId, '--only', targets.join(',')],
    ...(force ? ['--force'] : []),
  ])
}

/**
 * Builds and checks everything that will be deployed, and changes nothing that people use. Throws
 * a readable error when a part would be refused. Returns the name of the project's firebase.json.
 */
const prepareParts = async (
  deployment: Deployment,
  project: FirebaseProject,
  shouldSkipBuild: boolean,
): Promise<string> => {
  const { projectId, parts } = deployment
  const { sdk, hasSite } = project
  const settings = readProjectSettings(ROOT, projectId)
  if (parts.includes('functions') || parts.includes('hosting'))
    assertDeployable(
      // firebase-tools asks for missing settings of the functions.
      findSettingProblems(settings, projectId, { isComplete: !parts.includes('functions') }),
    )
  if (parts.includes('hosting') && !process.stdin.isTTY && !(await hasSite()))
    throw new Error(
      `Nothing was deployed. The project has no Hosting site. Create one with \`npx firebase hosting:sites:create --project ${projectId}\`.`,
    )
  if (!shouldSkipBuild) await buildChanged((line) => console.log(line), { web: false })
  const config = writeProjectConfig(projectId)
  // Not the site: a dry run of it makes a version, which stays in the project.
  const checkable = ['rules', 'functions', 'storage'] as const
  await deployParts(deployment, config, checkable, { isDryRun: true })
  if (!parts.includes('hosting')) return config
  // The questions of firebase-tools above may have added the site's address to the settings.
  if (!shouldSkipBuild) await buildSite(projectId, project)
  const site = writeSiteConfig(ROOT, sdk)
  assertDeployable(checkHosting(ROOT, projectId))
  return writeProjectConfig(projectId, site)
}

/** Returns a new folder for the backup before a migration. git ignores `backups`. */
const getBackupFolder = (projectId: string): string => {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return join(ROOT, 'backups', `${projectId}-${time}`)
}

const main = async (): Promise<number> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      backup: { type: 'string' },
      'skip-build': { type: 'boolean' },
      force: { type: 'boolean' },
    },
  })
  const [projectId] = positionals
  if (projectId === undefined)
    throw new Error('The command needs a project: npm run deploy -- acme-taxis')
  const parts = parseParts(values.only)
  const opened = await openFirebaseProject(projectId)
  settleRegion(projectId, opened.sdk)
  const migration = parts.includes('data') ? await findDueMigration(opened) : undefined
  if (migration) {
    console.log(migration.announcement)
    printMigrationReport(migration.report, { isDryRun: true })
  }
  const steps = { projectId, parts, force: values.force === true }
  const config = await prepareParts(steps, opened, values['skip-build'] === true)
  // One command: firebase-tools uploads the functions before it releases the rules.
  await deployParts(steps, config, ['rules', 'functions'])
  await migration?.apply(values.backup ?? getBackupFolder(projectId), (line) => console.log(line))
  await deployParts(steps, config, ['hosting'])
  await deployParts(steps, config, ['storage'])
  console.log(`\nDeployed ${parts.join(', ')} to ${projectId}.`)
  if (parts.includes('functions') && !parts.includes('data') && (await isDataOlder(opened)))
    console.log(
      `The data still has the schema of an older release, so the functions refuse bookings. Migrate it: npm run deploy -- ${projectId} --only data`,
    )
  return 0
}

await runScript(main)
