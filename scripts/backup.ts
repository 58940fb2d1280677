// Saves and restores backups. `npm run backup -- save FOLDER` and `npm run backup -- restore
// FOLDER` use the local Kerbside, or with `--project acme-taxis` a project (targetDatabase.ts).
import { parseArgs } from 'node:util'
import { countEntries } from './database/backupFolder'
import { openTargetDatabase } from './database/targetDatabase'
import { readInterfaceTexts } from './database/interfaceTexts'
import { withProgressLine } from './local/progressLine'
import { restore } from './database/backupRestore'
import { runScript } from './local/scriptRunner'
import { saveBackup } from './database/backupSave'

const USAGE = `npm run backup -- save FOLDER [--project ID] [--live]
npm run backup -- restore FOLDER [--project ID] [--only COLLECTION_OR_FILE] [--replace] [--unsound]`

await runScript(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      live: { type: 'boolean', default: false },
      only: { type: 'string' },
      project: { type: 'string' },
      replace: { type: 'boolean', default: false },
      unsound: { type: 'boolean', default: false },
    },
  })
  const [what, path] = positionals
  if ((what !== 'save' && what !== 'restore') || path === undefined) throw new Error(USAGE)
  const db = await openTargetDatabase(process.env, values.project)
  if (what === 'save') {
    const manifest = await withProgressLine(({ show }) =>
      saveBackup(db, path, { isLive: values.live, progress: show }),
    )
    console.table(countEntries(manifest.files))
    console.log(`Saved in ${path}.`)
    return 0
  }
  const { only, replace, unsound } = values
  const { counts, from, to, verdict } = await withProgressLine(({ show, print }) =>
    restore(db, path, {
      texts: readInterfaceTexts(),
      ...(only !== undefined && { only }),
      shouldReplace: replace,
      canBeUnsound: unsound,
      progress: show,
      print,
    }),
  )
  console.table(counts)
  console.log('Restored, and verified against the backup.')
  if (from !== to) console.log(`Migrated from schema ${from} to ${to}.`)
  if (!verdict) return 0
  for (const sentence of verdict.sentences) console.error(sentence)
  console.log(`${verdict.violationCount} violations: the records named above are not consistent.`)
  return 1
})
