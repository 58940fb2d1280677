// Migrates data to the schema of this release. `npm run migrate` prints the changes to the local
// Kerbside's data, or to a project's with KERBSIDE_DATABASE_URL and KERBSIDE_ACCESS_TOKEN
// (docs/deploying.md); `-- --apply` makes them. `-- --rebuild people,roles,texts,totals` rebuilds
// data derived from other data.
import { parseArgs } from 'node:util'
import { DERIVED_DATA_NAMES, type DerivedDataName } from '~/domain/migrations/migration'
import { openTargetDatabase } from './database/targetDatabase'
import { readInterfaceTexts } from './database/demoDatabase'
import { migrate, type MigrationReport } from './database/migrationRunner'
import { createProgressLine } from './progressLine'
import { runScript } from './scriptRunner'

const MAX_SHOWN_CHARACTERS = 60
const shorten = (value: unknown): string => {
  const text = JSON.stringify(value ?? null)
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

const printReport = ({ from, to, changes, passes }: MigrationReport, isDry: boolean) => {
  console.log(
    isDry ? `From schema ${from} to ${to} (nothing is written without --apply):` : `Schema ${to}:`,
  )
  for (const [description, changed] of Object.entries(changes))
    console.log(`  ${description}: ${changed} ${changed === 1 ? 'change' : 'changes'}.`)
  console.table(
    Object.fromEntries(
      passes.map(({ name, seen, changed, paths }) => [name, { seen, changed, values: paths }]),
    ),
  )
  if (!isDry) return
  for (const [path, before, after] of passes.flatMap(({ sample }) => sample))
    console.log(`  ${path}: ${shorten(before)} → ${shorten(after)}`)
  console.log('Save a backup, then run the command again with --apply to make these changes.')
}

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
      rebuild: { type: 'string' },
    },
  })
  const isDryRun = !values.apply
  const rebuild = values.rebuild === undefined ? [] : parseDerivedNames(values.rebuild)
  const progress = createProgressLine()
  const report = await migrate(await openTargetDatabase(process.env), {
    texts: readInterfaceTexts(),
    isDryRun,
    rebuild,
    progress: (pass, seen) => progress.show(`${pass}: ${seen}`),
  }).finally(() => progress.end())
  if (!report) console.log('The data has the schema of this release. There is nothing to do.')
  else printReport(report, isDryRun)
  return 0
})
