// Runs every check of Kerbside in order, also after one has failed, and ends with `N passed, N
// failed` on its own line.
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

/** Returns a check that passes or fails as a whole. */
const check =
  (script, ...args) =>
  () => {
    const ok = run([bin(script), ...args])
    if (ok) passed += 1
    else failed += 1
    return ok
  }

// These tests start a stand-in, unless they run with Google's own database.
const throughOfficial = [
  '--import',
  'tsx',
  join(root, 'scripts', 'official', 'officialDatabase.ts'),
]
const usesDatabase = (projects) =>
  process.env.KERBSIDE_OFFICIAL_EMULATORS === '1' &&
  projects.some((project) => project === 'rules' || project === 'conformance')

/** Returns a check that runs several Vitest projects together. It fails when no test ran. */
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
  // Also compiles each layer alone: the domain has no access to the DOM or Node.js, the functions
  // none to the DOM, and the web app none to Node.js.
  ...['tsconfig.json', 'tsconfig.domain.json', 'tsconfig.node.json', 'tsconfig.web.json'].map(
    (config) => [`types (${config})`, check('typescript/bin/tsc', '--noEmit', '-p', config)],
  ),
  ['lint', check('eslint/bin/eslint.js', '.', '--max-warnings', '0')],
  ['layout', check('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  ['wording', check('tsx/dist/cli.mjs', join(root, 'scripts/checks/wording.ts'))],
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
  if (!ok) failed = Math.max(failed, 1)
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
