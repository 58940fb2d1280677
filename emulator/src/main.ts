import { parseArgs } from 'node:util'
import { log, errorMessage } from './log'
import { startDatabase } from './server'

const DEFAULT_PORT = 9000

/** Runs the Realtime Database stand-in with the suite's options until a signal stops it. */
export const runDatabase = async (args: string[]): Promise<void> => {
  // Ignores unknown options, which only the suite uses.
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      host: { type: 'string' },
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      functions_emulator_host: { type: 'string' },
      functions_emulator_port: { type: 'string' },
    },
  })
  const text = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const functionsHost = text('functions_emulator_host')
  const functionsPort = Number(text('functions_emulator_port'))
  const host = text('host') ?? '127.0.0.1'
  const database = await startDatabase({
    host,
    port: Number(text('port') ?? DEFAULT_PORT),
    functions:
      functionsHost !== undefined && functionsPort > 0
        ? { host: functionsHost, port: functionsPort }
        : undefined,
    dataFolder: text('data-dir') ?? (process.env['STAND_IN_DATA_DIR'] || undefined),
  })
  log(`listening on ${host}:${database.port}`)

  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    database.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(`could not stop cleanly: ${errorMessage(error)}`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
