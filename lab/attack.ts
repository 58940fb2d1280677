// Sends more than 100,000 hostile requests to every entry point of its own Kerbside: the functions,
// the database's REST API and websocket, and file storage; then slow and oversized requests.
// Nothing may fail internally, leak, grow without bound or change data that an honest caller could
// not change. `npm run attack -- --seed N --share 0.1`; the same seed sends the same requests.
import { parseArgs } from 'node:util'
import { runAttack, LARGE_ATTACK } from './attack/attackRun'
import type { AttackReport } from './attack/attackRecorder'
import { runScript } from '~/scripts/local/scriptRunner'
import { startOwnSuite } from '~/scripts/local/suite'
import { SURFACES } from './attack/surfaces'

const formatReport = ({
  seed,
  sentCounts,
  answers,
  problems,
  probes,
  emulatorFaults,
  violations,
  memory,
  seconds,
}: AttackReport) => {
  const most = (list: AttackReport['memory']['after'], process: string) =>
    Math.max(0, ...list.filter((one) => one.process === process).map((one) => one.megabytes))
  const total = SURFACES.reduce((sum, surface) => sum + sentCounts[surface], 0)
  return [
    `Attack with seed ${seed}: ${total} requests in ${seconds} s`,
    `  families   ${String(probes).padStart(6)}   attacks with an aim`,
    ...SURFACES.map((surface) => {
      const of = Object.entries(answers)
        .filter(([name]) => name.startsWith(`${surface} `))
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, times]) => `${name.slice(surface.length + 1)}: ${times}`)
      return `  ${surface.padEnd(10)} ${String(sentCounts[surface]).padStart(6)}   ${of.join(', ')}`
    }),
    ...['database', 'function', 'suite'].map(
      (process) =>
        `  ${process.padEnd(10)} at most ${most(memory.before, process)} MB before, ${most(memory.after, process)} MB after`,
    ),
    ...Object.entries(emulatorFaults).map(
      ([name, times]) => `  The Emulator Suite's own fault, ${times} times: ${name}`,
    ),
    ...violations.map((line) => `  VIOLATION ${line}`),
    ...problems.map((line) => `  WRONG ${line}`),
    problems.length + violations.length === 0 ? 'Nothing gave way.' : 'Something gave way.',
  ].join('\n')
}

const PROGRESS_INTERVAL_MS = 2000

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, share: { type: 'string' } },
  })
  const seed = Number(values.seed ?? 1)
  const share = Number(values.share ?? 1)
  if (!Number.isInteger(seed) || !(share > 0))
    throw new Error('--seed must be a whole number and --share a number above 0.')
  const requests = Object.fromEntries(
    SURFACES.map((surface) => [surface, Math.ceil(LARGE_ATTACK.requests[surface] * share)]),
  ) as AttackReport['sentCounts']
  const suite = await startOwnSuite('attack')
  try {
    let last = 0
    const report = await runAttack({ ...LARGE_ATTACK, seed, requests }, suite, {
      onProgress: (sentCount, of, wrong) => {
        if (sentCount < of && Date.now() - last < PROGRESS_INTERVAL_MS) return
        last = Date.now()
        const line = `${sentCount} of ${of} requests, ${wrong} wrong`
        if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`)
        else console.log(line)
      },
    })
    console.log(`\n${formatReport(report)}`)
    return report.problems.length + report.violations.length > 0 ? 1 : 0
  } finally {
    await suite.stop()
  }
}

await runScript(main)
