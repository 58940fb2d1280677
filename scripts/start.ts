// Starts the whole platform with one command. `--fresh` deletes the local data, `--dev` reloads on
// change, `--live` fills the streets with simulated drivers and riders.
import { DEMO_ACCOUNTS } from '~/seed/demoAccounts'
import { startMaintenanceTimer } from './local/maintenanceTimer'
import type { LiveCity } from './city/liveCity'
import { parsePortBase } from './local/ports'
import { startSuite, type Suite } from './local/suite'

const dev = process.argv.includes('--dev')
const fresh = process.argv.includes('--fresh')
const live = process.argv.includes('--live')
const stopController = new AbortController()
let hasSignal: NodeJS.Signals | undefined
const endBySignal = (signal: NodeJS.Signals) => {
  if (!hasSignal) console.log('\nStopping …')
  hasSignal ??= signal
  stopController.abort()
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => endBySignal(name))
// An npm that is killed with SIGKILL passes no signal on.
const npmPid = process.ppid
if (process.env.npm_lifecycle_event !== undefined)
  setInterval(() => process.ppid !== npmPid && endBySignal('SIGHUP'), 1000).unref()
const isStopped = new Promise<void>((resolve) =>
  stopController.signal.addEventListener('abort', () => resolve()),
)

function printAddresses(suite: Suite): void {
  const { urls } = suite
  const width = Math.max(...DEMO_ACCOUNTS.map(({ who }) => who.length))
  console.log(`
Kerbside is ready

  Web app    ${urls.web}
  Auth       ${urls.auth}
  Database   ${urls.database}
  Functions  ${urls.functions}
  Storage    ${urls.storage}
  Messages   ${urls.functions}/local_messages

  Sign in with a phone number; the page shows the code.
${DEMO_ACCOUNTS.map(({ who, mobile, uid }) => `  ${who.padEnd(width)}  ${mobile}  ${uid}`).join('\n')}

  ${suite.accounts} accounts in all. Log: ${suite.log}
  Ctrl-C stops everything; the data stays. \`npm start -- --fresh\` begins again.`)
}

/** Starts the live city. Kerbside keeps running without it when that fails. */
async function startLive(suite: Suite): Promise<LiveCity | undefined> {
  const { startLiveCity } = await import('./city/liveCity')
  try {
    return await startLiveCity(suite, { onMessage: (line) => console.log(`  ${line}`) })
  } catch (error) {
    console.error(
      `  The city stays quiet: ${error instanceof Error ? error.message : String(error)}`,
    )
    return undefined
  }
}

async function main(): Promise<number> {
  const portBase = parsePortBase(process.env.KERBSIDE_PORT_BASE)
  const suite = await startSuite({
    isFresh: fresh,
    hasHosting: !dev,
    hasTour: true,
    signal: stopController.signal,
    ...(portBase !== undefined && { portBase }),
  })
  const closeDev = dev ? await (await import('./devServer')).startDevServer(suite) : undefined
  printAddresses(suite)
  const stopClock = startMaintenanceTimer(suite.database, suite.urls.functions)
  const liveCity = live ? startLive(suite) : undefined
  const end = await Promise.race([isStopped, suite.whenExited])
  stopClock()
  // An ended suite cannot finish any trip.
  if (typeof end !== 'string') await (await liveCity)?.stop()
  await closeDev?.()
  await suite.stop()
  if (typeof end === 'string') {
    console.error(
      `\nThe emulator suite ended unexpectedly. The end of its log (${suite.log}):\n${end}`,
    )
    return 1
  }
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!hasSignal) console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  // Stopping a running Kerbside is not a failure; stopping one during its start is.
  process.exitCode = hasSignal === 'SIGINT' ? 130 : 1
}
// Exits explicitly, because an open watcher or socket would keep the process alive.
process.exit()
