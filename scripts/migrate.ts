// Migrates data to the schema of this release. `npm run migrate` prints the changes to the local
// Kerbside's data, or with `-- --project acme-taxis` to a project's (targetDatabase.ts); `--
// --apply` makes them. `-- --rebuild people,roles,texts,totals` rebuilds data derived from other
// data. `npm run deploy` migrates too.
import { parseArgs } from 'node:util'
import { DERIVED_DATA_NAMES, type DerivedDataName } from '~/domain/migrations/migration'
import { openTargetDatabase } from './database/targetDatabase'
import { readInterfaceTexts } from './database/interfaceTexts'
import { printMigrationReport } from './database/migrationReport'
import { migrate } from './database/migrationRunner'
import { withProgressLine } from './local/progressLine'
import { runScript } from './local/scriptRunner'

const parseDerivedNames = (text: string): DerivedDataName[] => {
  const names = text.split(',')
  const unknown = names.find((name) => !(DERIVED_DATA_NAMES as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Error(
      `--rebuild must name one of ${DERIVED_DATA_NAMES.join(', ')}, not "${unknown}".`,
    )
  return names as DerivedDataName[]
}

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      apply: { type: 'boolean', default: false },
      project: { type: 'string' },
      rebuild: { type: 'string' },
    },
  })
  const isDryRun = !values.apply
  const rebuild = values.rebuild === undefined ? [] : parseDerivedNames(values.rebuild)
  const db = await openTargetDatabase(process.env, values.project)
  const report = await withProgressLine(({ show, print }) =>
    migrate(db, { texts: readInterfaceTexts(), isDryRun, rebuild, progress: show, print }),
  )
  if (!report) {
    console.log('The data has the schema of this release. There is nothing to do.')
    return 0
  }
  const { from, to } = report
  console.log(
    isDryRun
      ? `From schema ${from} to ${to} (nothing is written without --apply):`
      : `Schema ${to}:`,
  )
  printMigrationReport(report, { isDryRun })
  if (isDryRun)
    console.log('Save a backup, then run the command again with --apply to make these changes.')
  return 0
})
