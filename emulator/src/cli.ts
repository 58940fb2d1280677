import { log, reason } from './log'
import { runDatabase } from './main'
import { serveStorageRules } from './storage/runtime'

/**
 * Answers as the `java` of the Firebase Emulator Suite: its version, and the two parts the suite
 * would run with it. A `-jar` that is started with `serve` is the storage rules', the other the
 * database's.
 */
const run = async (args: string[]): Promise<void> => {
  if (args.includes('-version')) {
    process.stderr.write('openjdk version "21.0.0" (a stand-in on Node.js)\n')
    return
  }
  const jar = args.indexOf('-jar')
  if (jar < 0) throw new Error('Only `-version` and `-jar` are understood; this is no real Java')
  const rest = args.slice(jar + 2)
  if (rest[0] === 'serve') await serveStorageRules(process.stdin, process.stdout)
  else await runDatabase(rest)
}

run(process.argv.slice(2)).catch((error: unknown) => {
  log(reason(error))
  process.exit(1)
})
