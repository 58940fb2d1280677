// Why: one command gives a person the whole platform. `--fresh` forgets the local data, `--dev` reloads on change.
import { ACCOUNTS } from '~/seed/accounts'
import { startClock } from './clock'
import { portBaseFrom } from './ports'
import { startSuite, type Suite } from './suite'

const dev = process.argv.includes('--dev')
const fresh = process.argv.includes('--fresh')
const stop = new AbortController()
let signalled: NodeJS.Signals | undefined
const end = (signal: NodeJS.Signals) => {
  if (!signalled) console.log('\nStopping …')
  signalled ??= signal
  stop.abort()
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end(name))
// An npm that is killed outright passes no signal on.
const npm = process.ppid
if (process.env.npm_lifecycle_event !== undefined)
  setInterval(() => process.ppid !== npm && end('SIGHUP'), 1000).unref()
const stopped = new Promise<void>((resolve) =>
  stop.signal.addEventListener('abort', () => resolve()),
)

function announce(suite: Suite): void {
  const { urls } = suite
  const width = Math.max(...ACCOUNTS.map(({ who }) => who.length))
  console.log(`
Kerbside is ready

  Web app    ${urls.web}
  Auth       ${urls.auth}
  Database   ${urls.database}
  Functions  ${urls.functions}
  Storage    ${urls.storage}

  Sign in with a phone number; the page shows the code.
${ACCOUNTS.map(({ who, mobile, uid }) => `  ${who.padEnd(width)}  ${mobile}  ${uid}`).join('\n')}

  ${suite.accounts} accounts in all. Log: ${suite.log}
  Ctrl-C stops everything; the data stays. \`npm start -- --fresh\` begins again.`)
}

async function main(): Promise<number> {
  const portBase = portBaseFrom(process.env.KERBSIDE_PORT_BASE)
  const suite = await startSuite({
    fresh,
    hosting: !dev,
    signal: stop.signal,
    ...(portBase !== undefined && { portBase }),
  })
  const closeDev = dev ? await (await import('./dev')).serveSources(suite) : undefined
  announce(suite)
  const stopClock = startClock(suite.database, suite.urls.functions)
  const end = await Promise.race([stopped, suite.died])
  stopClock()
  await closeDev?.()
  await suite.stop()
  if (typeof end === 'string') {
    console.error(
      `\nThe emulator suite ended by itself. The end of its log (${suite.log}):\n${end}`,
    )
    return 1
  }
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!signalled) console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  // Stopping a running Kerbside is no failure; stopping one that never got ready is.
  process.exitCode = signalled === 'SIGINT' ? 130 : 1
}
// A watcher or an open socket must not keep a stopped Kerbside waiting.
process.exit()
