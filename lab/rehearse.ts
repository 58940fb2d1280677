// Rehearses a backup and its restore on a separate city: `npm run --prefix lab rehearse`. With
// `-- --bookings 100000` it uses a separate database with at least that many bookings and little
// memory.
import { parseArgs } from 'node:util'
import { runScript } from '~/scripts/local/scriptRunner'
import { formatTable } from '~/scripts/local/textTable'
import { rehearseLargeBackup } from './rehearse/largeRehearsal'
import { rehearseRestore } from './rehearse/restoreRehearsal'

const rehearseLarge = async (text: string): Promise<void> => {
  const minBookings = Number(text)
  if (!Number.isSafeInteger(minBookings) || minBookings < 1)
    throw new Error(`--bookings must be a whole number above zero, not "${text}".`)
  const { bookingCount, folderSize, uses } = await rehearseLargeBackup(
    { minBookings },
    { say: (line) => console.log(line) },
  )
  const rows = uses.map(({ command, seconds, memory }) => [
    command,
    seconds.toFixed(1),
    memory.toFixed(0),
  ])
  console.log(`\n${bookingCount} bookings; the backup is ${folderSize.toFixed(0)} MB.`)
  console.log(formatTable([['command', 'seconds', 'peak MB'], ...rows]))
}

await runScript(async () => {
  const { bookings } = parseArgs({ options: { bookings: { type: 'string' } } }).values
  if (bookings !== undefined) await rehearseLarge(bookings)
  else {
    console.table(await rehearseRestore((line) => console.log(line)))
    console.log(
      'Rehearsal passed: everything was restored and is consistent, and the city keeps running.',
    )
  }
  return 0
})
