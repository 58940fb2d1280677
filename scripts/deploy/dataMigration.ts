import { hashTexts, SCHEMA_VERSION, schemaPaths } from '~/domain/data/schemaVersion'
import { saveBackup } from '../database/backupSave'
import { readInterfaceTexts } from '../database/interfaceTexts'
import type { Schema } from '../database/lease'
import { migrate, summarizeMigration, type MigrationReport } from '../database/migrationRunner'
import { openProjectDatabase } from '../database/targetDatabase'
import type { FirebaseProject } from '../firebaseTools'
import { withProgressLine } from '../local/progressLine'

interface DueMigration {
  /** A sentence for the operator: why the data is migrated, and when. */
  announcement: string
  /** The changes, by a dry run. */
  report: MigrationReport
  /** Saves a backup, unless only texts are added or it resumes a migration, and migrates. */
  apply(backupFolder: string, print: (line: string) => void): Promise<void>
}

interface DueState {
  schema: Schema | null
  /** A migration or restore that did not finish. */
  interrupted?: Schema['running']
}

/** Returns the state of data that differs from this release; undefined for any other data. */
const readDueState = async (project: FirebaseProject): Promise<DueState | undefined> => {
  const schema = (await project.readValue(`/${schemaPaths.root}`)) as Schema | null
  if (schema?.running && schema.running.what !== 'save')
    return { schema, interrupted: schema.running }
  if (schema?.version === SCHEMA_VERSION && schema.texts === hashTexts(readInterfaceTexts()))
    return undefined
  const isSetUp = (await project.readValue('/settings', { shallow: true })) !== null
  return isSetUp ? { schema } : undefined
}

/**
 * Returns true when the functions of this release refuse bookings until a project's data is
 * migrated.
 */
export const isDataOlder = async (project: FirebaseProject): Promise<boolean> => {
  const state = await readDueState(project)
  return state !== undefined && (state.schema?.version ?? 0) < SCHEMA_VERSION
}

const describeDueMigration = ({ from, to }: MigrationReport, isInterrupted: boolean): string => {
  if (isInterrupted)
    return 'A migration of the data was interrupted. It is finished after the functions are deployed:'
  return from === to
    ? 'This release has new texts. The data’s own copies of them are removed:'
    : `The data has schema ${from}, this release needs ${to}. The data is migrated after the functions are deployed, and until then they refuse bookings:`
}

/**
 * Returns the migration that brings a project's data to this release, or undefined when the data
 * needs none. Writes nothing. Throws a readable error when the data is newer than this release, or
 * when an interrupted restore has to be finished first.
 */
export const findDueMigration = async (
  project: FirebaseProject,
): Promise<DueMigration | undefined> => {
  const state = await readDueState(project)
  if (!state) return undefined
  const { interrupted } = state
  if (interrupted?.what === 'restore')
    throw new Error(
      'A restore of this project was interrupted. Run the same restore again to finish it, then deploy.',
    )
  const db = openProjectDatabase(project)
  const run = (isDryRun: boolean) =>
    withProgressLine(({ show, print }) =>
      migrate(db, {
        texts: readInterfaceTexts(),
        isDryRun,
        progress: show,
        // The dry run has printed the same lines.
        ...(isDryRun && { print }),
      }),
    )
  const report = await run(true)
  return (
    report && {
      report,
      announcement: describeDueMigration(report, interrupted !== undefined),
      async apply(backupFolder, print) {
        if (report.from !== report.to && !interrupted) {
          await withProgressLine(({ show }) => saveBackup(db, backupFolder, { progress: show }))
          print(`Saved a backup in ${backupFolder}.`)
        }
        const finalReport = await run(false)
        if (finalReport) print(summarizeMigration(finalReport))
      },
    }
  )
}
