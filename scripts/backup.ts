// Saves, restores and rehearses backups. `npm run backup -- save FOLDER` and `npm run backup --
// restore FOLDER` use the local Kerbside, or with `--project acme-taxis` a project
// (targetDatabase.ts). `npm run backup -- rehearse` runs both once on a separate city; with
// `--bookings 100000` on a separate database with at least that many bookings and little memory.
import { parseArgs } from 'node:util'
import { countEntries } from './database/backupFolder'
import { openTargetDatabase } from './database/targetDatabase'
import { readInterfaceTexts } from './database/interfaceTexts'
import { withProgressLine } from './progressLine'
import { restore } from './database/backupRestore'
import { runScript } from './scriptRunner'
import { saveBackup } from './database/backupSave'
import { formatTable } from './textTable'

const USAGE = `npm run backup -- save FOLDER [--project ID] [--live]
npm run backup -- restore FOLDER [--project ID] [--only COLLECTION_OR_FILE] [--replace] [--unsound]
npm run backup -- rehearse [--bookings MINIMUM]`

await runScript(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      bookings: { type: 'string' },
      live: { type: 'boolean', default: false },
      only: { type: 'string' },
      project: { type: 'string' },
      replace: { type: 'boolean', default: false },
      unsound: { type: 'boolean', default: false },
    },
  })
  const [what, path] = positionals
  if (what === 'rehearse' && values.bookings !== undefined) {
    const bookings = Number(values.bookings)
    if (!Number.isSafeInteger(bookings) || bookings < 1)
      throw new Error(`--bookings must be a whole number above zero, not "${values.bookings}".`)
    const { rehearseLargeBackup } = await import('~/tools/rehearse/largeRehearsal')
    const { bookingCount, folderSize, uses } = await rehearseLargeBackup(
      { minBookings: bookings },
      { say: (line) => console.log(line) },
    )
    const rows = uses.map(({ command, seconds, memory }) => [
      command,
      seconds.toFixed(1),
      memory.toFixed(0),
    ])
    console.log(`\n${bookingCount} bookings; the backup is ${folderSize.toFixed(0)} MB.`)
    console.log(formatTable([['command', 'seconds', 'peak MB'], ...rows]))
    return 0
  }
  if (what === 'rehearse') {
    const { rehearseRestore } = await import('~/tools/rehearse/restoreRehearsal')
    console.table(await rehearseRestore((line) => console.log(line)))
    console.log(
      'Rehearsal passed: everything was restored and is consistent, and the city keeps running.',
    )
    return 0
  }
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
