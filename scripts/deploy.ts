// Deploys Kerbside to a Firebase project: rules, functions, site, in the order of
// docs/deploying.md, and migrates its data. `npm run deploy -- PROJECT [--only
// rules,functions,data,hosting,storage] [--skip-build] [--backup FOLDER] [--force]`. firebase-tools
// asks for missing parameters and secrets; the checks before each upload refuse what would not
// work.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildChanged, ROOT } from './build'
import {
  addCacheHeaders,
  allowSources,
  getProjectSources,
  type HostingConfig,
} from './deploy/hostingConfig'
import { getSettingsFile, readProjectSettings } from './deploy/projectSettings'
import { findDueMigration, isDataOlder } from './deploy/dataMigration'
import { printMigrationReport } from './database/migrationReport'
import { openFirebaseProject } from './firebaseTools'
import { runScript } from './scriptRunner'
import { createSiteConfig, findDatabaseRegion, writeSiteConfig } from './siteConfig'

const FIREBASE = join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js')
/**
 * Data is migrated when the new functions refuse to write to it, and before the new site reads it.
 * Storage rules come last, because they may need claims that new functions set and the new site
 * fetches.
 */
const PARTS = ['rules', 'functions', 'data', 'hosting', 'storage'] as const
type Part = (typeof PARTS)[number]

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

/** Builds the site with its public address, which the sitemap and the canonical links contain. */
const buildSite = async (projectId: string): Promise<void> => {
  const { KERBSIDE_WEB_URL, KERBSIDE_ORIGINS = '' } = readProjectSettings(ROOT, projectId)
  process.env.KERBSIDE_SITE_URL ??= KERBSIDE_WEB_URL || KERBSIDE_ORIGINS.split(',')[0]?.trim() || ''
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
  const project = ['--project', projectId]
  const force = values.force ? ['--force'] : []
  const deploy = (target: string, config: string) =>
    runFirebase(['deploy', '--config', config, ...project, '--only', target, ...force])

  const opened = await openFirebaseProject(projectId)
  const { sdk } = opened
  settleRegion(projectId, sdk)
  const migration = parts.includes('data') ? await findDueMigration(opened) : undefined
  if (migration) {
    console.log(migration.announcement)
    printMigrationReport(migration.report, { isDryRun: true })
  }
  if (!values['skip-build']) await buildChanged((line) => console.log(line), { web: false })
  const config = writeProjectConfig(projectId)
  if (parts.includes('rules')) await deploy('database', config)
  if (parts.includes('functions')) await deploy('functions', config)
  await migration?.apply(values.backup ?? getBackupFolder(projectId), (line) => console.log(line))
  if (parts.includes('hosting')) {
    if (!values['skip-build']) await buildSite(projectId)
    const site = writeSiteConfig(ROOT, sdk)
    await deploy('hosting', writeProjectConfig(projectId, site))
  }
  if (parts.includes('storage')) await deploy('storage', config)
  console.log(`\nDeployed ${parts.join(', ')} to ${projectId}.`)
  if (parts.includes('functions') && !parts.includes('data') && (await isDataOlder(opened)))
    console.log(
      `The data still has the schema of an older release, so the functions refuse bookings. Migrate it: npm run deploy -- ${projectId} --only data`,
    )
  return 0
}

await runScript(main)
