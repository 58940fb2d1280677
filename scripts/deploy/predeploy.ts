// Prepares and checks what `firebase deploy` uploads, and refuses what would not work. It runs
// before firebase-tools deploys functions or hosting, with the project in GCLOUD_PROJECT:
// `tsx scripts/deploy/predeploy.ts functions|hosting`.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../local/build'
import { runScript } from '../local/scriptRunner'
import { checkSiteConfig } from '../siteConfig'
import { createWorkspaceLock } from './functionsLock'
import { findSettingProblems, readProjectSettings } from './projectSettings'

/** vite.config.ts writes it into a build that contains the demo tour. */
const TOUR_MARKER = 'demo-tour.txt'
const MAP_FILES = ['gaz.bin', 'graph.bin', 'land.bin', 'world.bin', 'meta.json']

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** Returns the problems of the functions' files, and writes the lock file that is uploaded. */
const prepareFunctions = (root: string, projectId: string): string[] => {
  const maps = join(root, 'functions/data/maps')
  const missing = MAP_FILES.filter(
    (name) => !existsSync(join(maps, name)) || statSync(join(maps, name)).size === 0,
  )
  const lock = createWorkspaceLock(
    readJson(join(root, 'package-lock.json')) as Parameters<typeof createWorkspaceLock>[0],
    'functions',
    readJson(join(root, 'functions/package.json')) as Parameters<typeof createWorkspaceLock>[2],
  )
  writeFileSync(join(root, 'functions/package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  return [
    ...findSettingProblems(readProjectSettings(root, projectId), projectId, { isComplete: false }),
    ...(missing.length > 0
      ? [`functions/data/maps has no ${missing.join(', ')}. Run \`npm run build\`.`]
      : []),
  ]
}

/** Returns the problems of the site's files. */
export const checkHosting = (root: string, projectId: string): string[] => {
  const site = join(root, 'dist')
  const missing = ['index.html', 'app.html', 'sw.js'].filter(
    (name) => !existsSync(join(site, name)),
  )
  if (missing.length > 0) return [`dist has no ${missing.join(', ')}. Run \`npm run build\`.`]
  // A site built by `npm start` signs its visitors in as the demo's people.
  if (existsSync(join(site, TOUR_MARKER)))
    return [
      `dist is built for this machine, with the demo tour. Run \`npm run deploy -- ${projectId}\` without --skip-build.`,
    ]
  const file = join(site, 'config.json')
  if (!existsSync(file))
    return [
      `dist/config.json is missing, so the site would find no project. Run \`npm run deploy -- ${projectId}\`, which writes it.`,
    ]
  return [
    ...findSettingProblems(readProjectSettings(root, projectId), projectId, { isComplete: true }),
    ...checkSiteConfig(readJson(file), projectId),
  ]
}

/** Throws an error with all problems, unless there are none. */
export const assertDeployable = (problems: readonly string[]): void => {
  if (problems.length > 0)
    throw new Error(`Nothing was deployed.\n${problems.map((line) => `- ${line}`).join('\n')}`)
}

const main = (): number => {
  const part = process.argv[2]
  const projectId = process.env.GCLOUD_PROJECT ?? ''
  if (projectId === '') throw new Error('GCLOUD_PROJECT is not set. Run `firebase deploy` instead.')
  if (part !== 'functions' && part !== 'hosting')
    throw new Error('The command needs a part: functions or hosting.')
  assertDeployable(
    part === 'functions' ? prepareFunctions(ROOT, projectId) : checkHosting(ROOT, projectId),
  )
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runScript(main)
