import { log, errorMessage } from './log'
import { runDatabase } from './main'
import { serveStorageRules } from './storage/runtime'

/**
 * Runs the database after the argument `database`. Otherwise acts as the `java` of the Firebase
 * Emulator Suite: prints its version and runs either of the two parts the suite would start. A
 * `-jar` with `serve` is the storage rules part; any other is the database.
 */
const runCli = async (args: string[]): Promise<void> => {
  if (args[0] === 'database') {
    await runDatabase(args.slice(1))
    return
  }
  if (args.includes('-version')) {
    process.stderr.write('openjdk version "21.0.0" (a stand-in on Node.js)\n')
    return
  }
  const jar = args.indexOf('-jar')
  if (jar < 0)
    throw new Error(
      'This stand-in for Java understands only `-version` and `-jar`. Install Java to run anything else.',
    )
  const rest = args.slice(jar + 2)
  if (rest[0] === 'serve') await serveStorageRules(process.stdin, process.stdout)
  else await runDatabase(rest)
}

runCli(process.argv.slice(2)).catch((error: unknown) => {
  log(errorMessage(error))
  process.exit(1)
})
