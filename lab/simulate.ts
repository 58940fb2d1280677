// Simulates riders, drivers and the back office through the public SDKs against a running Kerbside
// and verifies the data afterwards. `npm run simulate -- --riders 20 --drivers 12 --minutes 2`;
// also --bookings N, --seed N, --pace N (times faster than real time), --faults, --forever,
// --dispatch both, --start (a separate city), --record FOLDER (stores the observations; an
// interrupted run resumes from there).
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '~/scripts/local/build'
import { parsePortBase, createPorts, findRunningPorts } from '~/scripts/local/ports'
import { runScript } from '~/scripts/local/scriptRunner'
import { parseArguments } from './simulate/simulationArguments'
import { openObservationLog } from './simulate/observationLog'
import { renderHtmlReport } from './simulate/htmlReport'
import { simulate, type SimulationReport } from './simulate/simulationRun'
import { formatProgress, formatReport } from './simulate/textReport'
import { startSuite, type Suite } from '~/scripts/local/suite'
import { createUrls, createWebConfig } from '~/scripts/local/suiteConfig'

const writeReport = (report: SimulationReport): string => {
  const folder = join(ROOT, '.kerbside', 'reports')
  mkdirSync(folder, { recursive: true })
  const file = join(
    folder,
    `simulate-${new Date(report.startedAt).toISOString().replace(/[:.]/g, '-')}`,
  )
  writeFileSync(`${file}.html`, renderHtmlReport(report))
  writeFileSync(`${file}.json`, JSON.stringify(report, null, 2))
  return `${file}.html`
}

async function main(): Promise<number> {
  const { plan, shouldStart, record } = parseArguments(process.argv.slice(2))
  const portBase = parsePortBase(process.env.KERBSIDE_PORT_BASE)
  const ports = shouldStart
    ? createPorts(portBase)
    : await findRunningPorts(process.env, ', or add --start')
  let suite: Suite | undefined
  if (shouldStart)
    suite = await startSuite({
      isForLoad: true,
      // Uses a separate city, so that the simulation does not occupy a demo or change its settings.
      dataDir: resolve(record ?? join(ROOT, '.kerbside', 'simulated')),
      ...(portBase !== undefined && { portBase }),
    })

  const close = new AbortController()
  process.on('SIGINT', () => {
    if (close.signal.aborted) process.exit(130)
    console.log('\nClosing: users finish their trips. Press Ctrl-C again to end at once.')
    close.abort()
  })
  const live = process.stdout.isTTY
  let ticks = 0
  try {
    const report = await simulate(
      plan,
      {
        ports,
        webConfig: createWebConfig(ports, createUrls(ports)),
      },
      {
        onMessage: (line) => console.log(line),
        closeSignal: close.signal,
        ...(record !== undefined && { observationLog: openObservationLog(record) }),
        onProgress: (observed) => {
          if (live) process.stdout.write(`\r\x1b[2K${formatProgress(observed)}`)
          else if (ticks++ % 10 === 9) console.log(formatProgress(observed))
        },
      },
    )
    console.log(`\n${formatReport(report)}\n\nReport: ${writeReport(report)}`)
    return report.violations.length + report.surprises.length > 0 ? 1 : 0
  } finally {
    await suite?.stop()
  }
}

await runScript(main)
