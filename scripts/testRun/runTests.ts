// Runs the steps of `npm test`, also after one has failed, as many side by side as there are cores.
// Prints each step as it ends and then a summary. `npm test -- PATH or STEP …` runs a part. The
// reports, the logs and the times are in .kerbside/test/.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT } from '../local/build'
import { isOfficialRequested } from '../official/officialEmulators'
import { runScript } from '../local/scriptRunner'
import { listChangedFiles, readLines } from './changedFiles'
import { getEvidenceFolder } from './evidence'
import { runNode, stopAll } from './testCommands'
import { createRunFolder, removeRunFolder } from './runFolder'
import { parseArguments, planSteps, type PlannedStep, type TestFile } from './selection'
import { DATABASE_PROJECTS, TEST_STEPS } from './steps'
import { countResults, formatSummary, type StepResult } from './summary'
import { readVitestReport, shortenMessage, type Failure, type VitestReport } from './vitestReport'
import type { Seconds } from '~/domain/language/units'

const REPORTS = process.env.KERBSIDE_TEST_REPORTS ?? join(ROOT, '.kerbside', 'test')
const VITEST = 'node_modules/vitest/vitest.mjs'
const TAIL_LINES = 15
/** Kerbsides that run side by side. Each takes about a gigabyte of memory. */
const MAX_SUITES = 4

let isInterrupted = false

const toFileName = (name: string) => name.replace(/\W+/g, '-')
const getLogFile = (name: string) => join(REPORTS, `${toFileName(name)}.log`)

const readTail = (log: string, lines = TAIL_LINES) =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')

/** Runs the checks of a step; each passes or fails as a whole. */
async function runCommands({ step }: PlannedStep, isLive: boolean) {
  const log = getLogFile(step.name)
  let passed = 0
  const failures: Failure[] = []
  for (const [index, command] of (step.commands ?? []).entries()) {
    const part = join(REPORTS, `${toFileName(step.name)}-${index + 1}.log`)
    const ok = await runNode(command, {
      log: part,
      isLive,
      variables: step.variables ?? {},
    })
    writeFileSync(log, readFileSync(part), { flag: 'a' })
    if (ok) passed += 1
    else
      failures.push({
        name: (step.commands ?? []).length > 1 ? `${step.name}: ${command.at(-1)}` : step.name,
        message: shortenMessage(readTail(part)),
        command: `npm test -- ${step.name}`,
      })
    rmSync(part)
  }
  return { passed, failures, slowest: [] }
}

const findEvidence = (file: string, titles: readonly string[]): string | undefined => {
  const folder = join(REPORTS, getEvidenceFolder(file, titles))
  return existsSync(folder) ? relative(ROOT, folder) : undefined
}

/** Runs Vitest with the projects of a step. It fails when no test ran. */
async function runVitest({ step, projects, args }: PlannedStep, isLive: boolean) {
  const log = getLogFile(step.name)
  const file = join(REPORTS, `${toFileName(step.name)}.json`)
  const needsOfficial =
    isOfficialRequested() && projects.some((project) => DATABASE_PROJECTS.includes(project))
  const files = args.filter((one) => one.endsWith('.test.ts')).length
  const suites = Math.min(availableParallelism(), MAX_SUITES, files || MAX_SUITES)
  const ok = await runNode(
    [
      ...(needsOfficial
        ? ['--import', 'tsx', join(ROOT, 'scripts', 'official', 'officialDatabase.ts')]
        : []),
      VITEST,
      'run',
      ...args,
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    {
      log,
      isLive,
      variables: { KERBSIDE_TEST_SUITES: String(suites) },
    },
  )
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : null
  const summary = report
    ? readVitestReport(report, ROOT, findEvidence)
    : { passed: 0, failures: [], slowest: [] }
  const hasRun = summary.passed + summary.failures.length > 0 || args.includes('--passWithNoTests')
  if (summary.failures.length === 0 && !(ok && hasRun))
    summary.failures.push({
      name: `${step.name}, outside of the tests`,
      message: shortenMessage(readTail(log)),
      command: `npm test -- '${step.name}'`,
    })
  return summary
}

async function runStep(planned: PlannedStep, isLive: boolean): Promise<StepResult> {
  const { name, budgetSeconds, commands } = planned.step
  const began = Date.now()
  console.log(`\n── ${name}`)
  const result = await (commands ? runCommands : runVitest)(planned, isLive)
  const seconds = (Date.now() - began) / 1000
  const outcome = result.failures.length === 0 ? 'passed' : 'failed'
  if (outcome === 'failed' && !isLive && !isInterrupted)
    console.log(readFileSync(getLogFile(name), 'utf8'))
  console.log(
    `── ${name}: ${outcome === 'passed' ? 'passed' : 'FAILED'} in ${Math.round(seconds)} s`,
  )
  return { name, outcome, seconds, budgetSeconds, ...result }
}

/**
 * Runs all steps in order, as soon as there are cores for them. A step whose needs failed is
 * skipped.
 */
async function runSteps(planned: readonly PlannedStep[]): Promise<StepResult[]> {
  const cores = availableParallelism()
  const results = new Map<string, StepResult>()
  const waiting = [...planned]
  const needed = new Set(planned.flatMap(({ step }) => step.needs ?? []))
  // The output of steps that run side by side would be mixed.
  const isLive = planned.filter(({ step }) => !needed.has(step.name)).length === 1
  const active = new Map<string, Promise<void>>()
  let usedCores = 0
  while (waiting.length > 0 || active.size > 0) {
    const next = waiting[0]
    const needs = next?.step.needs ?? []
    const wantedCores = next?.step.usesAllCores ? cores : 1
    if (
      next &&
      !isInterrupted &&
      usedCores + wantedCores <= cores &&
      !needs.some((name) => active.has(name))
    ) {
      waiting.shift()
      const { name, budgetSeconds } = next.step
      const missing = needs.filter((one) => results.get(one)?.outcome !== 'passed')
      if (missing.length > 0) {
        console.log(`\n── ${name}: skipped, because it needs: ${missing.join(', ')}`)
        results.set(name, {
          ...{ name, outcome: 'skipped', seconds: 0, budgetSeconds, missing },
          ...{ passed: 0, failures: [], slowest: [] },
        })
        continue
      }
      usedCores += wantedCores
      active.set(
        name,
        runStep(next, isLive).then((result) => {
          results.set(name, result)
          active.delete(name)
          usedCores -= wantedCores
        }),
      )
    } else if (active.size > 0) await Promise.race(active.values())
    else break
  }
  return planned.flatMap(({ step }) => results.get(step.name) ?? [])
}

const listTestFiles = (): TestFile[] => {
  const lines = readLines(process.execPath, VITEST, 'list', '--filesOnly', '--json')
  // Vitest ends with success when it is interrupted.
  if (lines.length === 0) throw new Error('Interrupted.')
  const testFiles = JSON.parse(lines.join('\n')) as { file: string; projectName: string }[]
  return testFiles.map(({ file, projectName }) => ({
    file: file.slice(ROOT.length + 1),
    project: projectName,
  }))
}

const listLongTests = (): string[] =>
  readLines('git', 'grep', '-lE', "testing/endurance'|KERBSIDE_ENDURANCE", '--', '*.test.ts')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (isInterrupted) return
    isInterrupted = true
    stopAll()
  })

/** Keeps the time of each step in a file, so that runs can be compared. */
const writeTimes = (results: readonly StepResult[], startedAt: Date, seconds: Seconds) =>
  writeFileSync(
    join(REPORTS, 'times.json'),
    JSON.stringify(
      {
        startedAt: startedAt.toISOString(),
        commit: readLines('git', 'rev-parse', 'HEAD')[0],
        cores: availableParallelism(),
        seconds: Math.round(seconds),
        steps: results.map(({ name, outcome, seconds, budgetSeconds }) => ({
          ...{ name, outcome, seconds: Math.round(seconds), budgetSeconds },
        })),
      },
      null,
      2,
    ),
  )

await runScript(async () => {
  const startedAt = new Date()
  const args = process.argv.slice(2)
  const request = parseArguments(args)
  const planned = planSteps(TEST_STEPS, request, {
    listTestFiles,
    listChangedFiles,
    listLongTests,
  })
  if (request.endurance) process.env.KERBSIDE_ENDURANCE = '1'
  // A part is run again to find a fault, so its traces contain everything.
  process.env.KERBSIDE_TEST_SNAPSHOTS = args.length > 0 ? 'yes' : 'no'
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const runFolder = await createRunFolder()
  process.env.TMPDIR = runFolder
  let results: StepResult[]
  try {
    results = await runSteps(planned)
  } finally {
    await removeRunFolder(runFolder)
  }
  if (isInterrupted) {
    console.log('\nInterrupted.')
    return 130
  }
  const seconds = (Date.now() - startedAt.getTime()) / 1000
  writeTimes(results, startedAt, seconds)
  console.log(`\n${formatSummary(results, seconds)}`)
  return countResults(results).failed > 0 ? 1 : 0
})
