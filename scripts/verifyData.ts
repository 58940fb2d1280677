// Verifies that money, statuses and totals agree, in data of any size. `npm run verify-data` checks
// the local Kerbside; `npm run verify-data -- FOLDER` checks a backup; `npm run verify-data --
// --project acme-taxis` checks a project (targetDatabase.ts). Exits with 1 when it finds a
// violation.
import { parseArgs } from 'node:util'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { openBackup } from './database/backupFolder'
import { openTargetDatabase } from './database/targetDatabase'
import { readSchema } from './database/lease'
import { withProgressLine } from './local/progressLine'
import { createBackupSource } from './database/restorePlan'
import { runScript } from './local/scriptRunner'
import { createDatabaseSource, verifyData, type DataSource } from './database/dataVerification'

/** Returns the data to verify and its schema version. */
const openSource = async (
  { path, project }: { path: string | undefined; project: string | undefined },
  progress: (text: string) => void,
): Promise<{ source: DataSource; version: number; close: () => void }> => {
  if (path !== undefined) {
    const backup = await openBackup(path, progress)
    for (const file of backup.manifest.files) await backup.assertIntact(file)
    const { close, manifest } = backup
    return { source: createBackupSource(backup), version: manifest.schema, close }
  }
  const db = await openTargetDatabase(process.env, project)
  return {
    source: createDatabaseSource(db),
    version: (await readSchema(db)).schema.version ?? 0,
    close: () => undefined,
  }
}

await runScript(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { project: { type: 'string' } },
  })
  const [path] = positionals
  const { violationCount, sentences } = await withProgressLine(async ({ show }) => {
    const { source, version, close } = await openSource({ path, project: values.project }, show)
    try {
      if (version !== SCHEMA_VERSION)
        throw new Error(
          version < SCHEMA_VERSION
            ? `The data has schema ${version}, this release verifies ${SCHEMA_VERSION}. Migrate it first (\`npm run migrate -- --apply\`); a backup is migrated when it is restored.`
            : `The data has schema ${version}, this release knows ${SCHEMA_VERSION}. Verify it with the release that wrote it, or a later one.`,
        )
      return await verifyData(source, { progress: show })
    } finally {
      close()
    }
  })
  for (const sentence of sentences) console.error(sentence)
  console.log(violationCount === 0 ? 'The data is sound.' : `${violationCount} violations.`)
  return violationCount === 0 ? 0 : 1
})
