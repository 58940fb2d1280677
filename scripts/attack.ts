// Why: a platform is trusted when somebody has tried to break it. Sends more than 100,000 hostile requests to every door of a
// Kerbside of its own: functions, the database's REST side and websocket, the store of files; then slow and oversize ones.
// Nothing may fail inside, leak, grow without bound or change what an honest caller could not change.
// `npm run attack -- --seed N --share 0.1`; the same seed sends the same requests.
import { parseArgs } from 'node:util'
import { attack, LARGE } from './attack/run'
import { SURFACES } from './attack/surfaces'
import type { Report } from './attack/witness'
import { runToEnd } from './runToEnd'
import { startOwnSuite } from './suite'

const textOf = ({ seed, sent, answers, wrong, foreign, violations, held, seconds }: Report) => {
  const most = (list: Report['held']['after'], process: string) =>
    Math.max(0, ...list.filter((one) => one.process === process).map((one) => one.megabytes))
  const total = SURFACES.reduce((sum, surface) => sum + sent[surface], 0)
  return [
    `Attack with seed ${seed}: ${total} requests in ${seconds} s`,
    ...SURFACES.map((surface) => {
      const of = Object.entries(answers)
        .filter(([name]) => name.startsWith(`${surface} `))
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, times]) => `${name.slice(surface.length + 1)}: ${times}`)
      return `  ${surface.padEnd(10)} ${String(sent[surface]).padStart(6)}   ${of.join(', ')}`
    }),
    ...['database', 'function', 'suite'].map(
      (process) =>
        `  ${process.padEnd(10)} at most ${most(held.before, process)} MB before, ${most(held.after, process)} MB after`,
    ),
    ...Object.entries(foreign).map(
      ([name, times]) => `  The Emulator Suite's own fault, ${times} times: ${name}`,
    ),
    ...violations.map((line) => `  VIOLATION ${line}`),
    ...wrong.map((line) => `  WRONG ${line}`),
    wrong.length + violations.length === 0 ? 'Nothing gave way.' : 'Something gave way.',
  ].join('\n')
}

const EVERY_MS = 2000

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, share: { type: 'string' } },
  })
  const seed = Number(values.seed ?? 1)
  const share = Number(values.share ?? 1)
  if (!Number.isInteger(seed) || !(share > 0))
    throw new Error('--seed must be a whole number and --share a number above 0.')
  const requests = Object.fromEntries(
    SURFACES.map((surface) => [surface, Math.ceil(LARGE.requests[surface] * share)]),
  ) as Report['sent']
  const suite = await startOwnSuite('attack')
  try {
    let last = 0
    const report = await attack({ ...LARGE, seed, requests }, suite, {
      progress: (sent, of, wrong) => {
        if (sent < of && Date.now() - last < EVERY_MS) return
        last = Date.now()
        const line = `${sent} of ${of} requests, ${wrong} wrong`
        if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`)
        else console.log(line)
      },
    })
    console.log(`\n${textOf(report)}`)
    return report.wrong.length + report.violations.length > 0 ? 1 : 0
  } finally {
    await suite.stop()
  }
}

await runToEnd(main)
