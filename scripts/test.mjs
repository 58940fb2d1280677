// Runs the checks of Kerbside: `npm test [-- PATH or STEP …]`. Installs missing packages first, so
// that it works on a fresh clone, and leaves the rest to scripts/testRun/runTests.ts.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkNode, installMissing } from './install.mjs'

const root = join(import.meta.dirname, '..')

checkNode()
installMissing()
const child = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'scripts/testRun/runTests.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
// A terminal interrupts the whole group, so the child gets its signal anyway; `kill` reaches only
// this process.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
