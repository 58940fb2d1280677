// Why: a platform is believed when many people have used it at once. Riders, drivers and the office are played through the
// public SDKs against a running Kerbside; in the end the data is verified. `npm run simulate -- --riders 20 --drivers 12
// --minutes 2`; also --bookings N, --seed N, --pace N (times faster than life), --faults, --forever, --dispatch both,
// --start (a city of its own), --record FOLDER (keeps what is seen; a run that was cut short goes on there).
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './build'
import { portBaseFrom, portsFrom, runningPorts } from './ports'
import { runToEnd } from './runToEnd'
import { planFrom } from './simulate/plan'
import { openRecord } from './simulate/record'
import { htmlOf } from './simulate/report'
import { simulate, type Report } from './simulate/run'
import { lineOf, textOf } from './simulate/summary'
import { startSuite, type Suite } from './suite'
import { urlsOf, webConfigOf } from './suiteConfig'

const keep = (report: Report): string => {
  const folder = join(ROOT, '.kerbside', 'reports')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `simulate-${new Date(report.at).toISOString().replace(/[:.]/g, '-')}`)
  writeFileSync(`${file}.html`, htmlOf(report))
  writeFileSync(`${file}.json`, JSON.stringify(report, null, 2))
  return `${file}.html`
}

async function main(): Promise<number> {
  const { plan, start, record } = planFrom(process.argv.slice(2))
  const portBase = portBaseFrom(process.env.KERBSIDE_PORT_BASE)
  const ports = start ? portsFrom(portBase) : await runningPorts(process.env, ', or add --start')
  let suite: Suite | undefined
  if (start)
    suite = await startSuite({
      functions: 'processes',
      // A city of its own: nobody's demo is kept busy, or set to other ways.
      dataDir: resolve(record ?? join(ROOT, '.kerbside', 'simulated')),
      ...(portBase !== undefined && { portBase }),
    })

  const close = new AbortController()
  process.on('SIGINT', () => {
    if (close.signal.aborted) process.exit(130)
    console.log('\nClosing time: everybody finishes. Ctrl-C again ends at once.')
    close.abort()
  })
  const live = process.stdout.isTTY
  let ticks = 0
  try {
    const report = await simulate(
      plan,
      {
        ports,
        webConfig: webConfigOf(ports, urlsOf(ports)),
        functionsParent: suite?.functionsParent,
      },
      {
        say: (line) => console.log(line),
        close: close.signal,
        ...(record !== undefined && { record: openRecord(record) }),
        progress: (observed) => {
          if (live) process.stdout.write(`\r\x1b[2K${lineOf(observed)}`)
          else if (ticks++ % 10 === 9) console.log(lineOf(observed))
        },
      },
    )
    console.log(`\n${textOf(report)}\n\nReport: ${keep(report)}`)
    return report.violations.length + report.surprises.length > 0 ? 1 : 0
  } finally {
    await suite?.stop()
  }
}

await runToEnd(main)
