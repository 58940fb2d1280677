// Why: one command says whether the whole of Kerbside is well. Runs every check in order, stops at the first that fails,
// and ends with `N passed, N failed` alone on its line.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, installMissing } from './install.mjs'

const root = join(import.meta.dirname, '..')
const reports = join(root, '.kerbside', 'test')

checkNode()
installMissing()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const bin = (name) => join(root, 'node_modules', name)
const run = (args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    .status === 0

let passed = 0
let failed = 0

/** A check that passes or fails as a whole. */
const check =
  (script, ...args) =>
  () => {
    const ok = run([bin(script), ...args])
    if (ok) passed += 1
    else failed += 1
    return ok
  }

// These tests bring a stand-in along, unless they are given Google's own database.
const throughOfficial = ['--import', 'tsx', join(root, 'scripts', 'officialDatabase.ts')]
const usesDatabase = (projects) =>
  process.env.KERBSIDE_OFFICIAL_EMULATORS === '1' &&
  projects.some((project) => project === 'rules' || project === 'conformance')

/** Vitest projects that may run together. A run in which no test ran has failed. */
const vitest =
  (...projects) =>
  () => {
    const report = join(reports, `${projects.join('-')}.json`)
    const ok = run([
      ...(usesDatabase(projects) ? throughOfficial : []),
      bin('vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    try {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
      passed += numPassedTests
      failed += numFailedTests
      if (!ok && numFailedTests === 0) failed += 1
      return ok && numPassedTests > 0
    } catch {
      failed += 1
      return false
    }
  }

const STEPS = [
  ['typecheck', check('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json')],
  ['lint', check('eslint/bin/eslint.js', '.', '--max-warnings', '0')],
  ['layout', check('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  ['unit and web', vitest('unit', 'web')],
  ['rules', vitest('rules')],
  ['conformance', vitest('conformance')],
  ['functions and end to end', vitest('functions', 'e2e')],
]

for (const [name, step] of STEPS) {
  const began = Date.now()
  console.log(`\n── ${name}`)
  const ok = step()
  console.log(
    `── ${name}: ${ok ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - began) / 1000)} s`,
  )
  if (!ok) {
    failed = Math.max(failed, 1)
    break
  }
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
