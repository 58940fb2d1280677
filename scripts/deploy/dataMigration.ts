import { hashTexts, SCHEMA_VERSION, schemaPaths } from '~/domain/schemaVersion'
import { saveBackup } from '../database/backupSave'
import { readInterfaceTexts } from '../database/interfaceTexts'
import type { Schema } from '../database/lease'
import { migrate, summarizeMigration, type MigrationReport } from '../database/migrationRunner'
import { openProjectDatabase } from '../database/targetDatabase'
import type { FirebaseProject } from '../firebaseTools'
import { withProgressLine } from '../progressLine'

interface DueMigration {
  /** The changes, by a dry run. */
  report: MigrationReport
  /** Saves a backup, unless only texts are added or it resumes a migration, and migrates. */
  apply(backupFolder: string, print: (line: string) => void): Promise<void>
}

/**
 * Returns the migration that brings a project's data to this release, or undefined when the data
 * needs none. Writes nothing. Throws a readable error when the data is newer than this release, or
 * when an interrupted restore has to be finished first.
 */
export const findDueMigration = async (
  project: FirebaseProject,
): Promise<DueMigration | undefined> => {
  const texts = readInterfaceTexts()
  const schema = (await project.readValue(`/${schemaPaths.root}`)) as Schema | null
  const interrupted = schema?.running?.what === 'save' ? undefined : schema?.running
  if (interrupted?.what === 'restore')
    throw new Error(
      'A restore of this project was interrupted. Run the same restore again to finish it, then deploy.',
    )
  const isCurrent = schema?.version === SCHEMA_VERSION && schema.texts === hashTexts(texts)
  if (isCurrent && !interrupted) return undefined
  const isSetUp = (await project.readValue('/settings', { shallow: true })) !== null
  if (!isSetUp && !interrupted) return undefined

  const db = openProjectDatabase(project)
  const run = (isDryRun: boolean) =>
    withProgressLine(({ show, print }) =>
      migrate(db, {
        texts,
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
      async apply(backupFolder, print) {
        if (report.from !== report.to && !interrupted) {
          await withProgressLine(({ show }) => saveBackup(db, backupFolder, { progress: show }))
          print(`Saved a backup in ${backupFolder}.`)
        }
        const done = await run(false)
        if (done) print(summarizeMigration(done))
      },
    }
  )
}
