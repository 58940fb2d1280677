// Installs missing packages, so that `npm start` and `npm test` work on a fresh clone. Uses plain
// JavaScript and Node.js modules only, because no package is installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'node_modules', '.kerbside-lock')
const read = (file) => readFileSync(join(root, file), 'utf8')

/** Prints the error and what to do, then exits with code 1. */
function fail(sentence) {
  console.error(`\n${sentence}\n`)
  process.exit(1)
}

/**
 * Exits with an error when this Node.js is older than package.json requires, or the system cannot
 * run a shim.
 */
export function checkNode() {
  const minNode = JSON.parse(read('package.json')).engines.node.replace('>=', '')
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [least = 0, leastMinor = 0] = minNode.split('.').map(Number)
  if (major < least || (major === least && minor < leastMinor)) {
    fail(
      `Kerbside needs Node.js ${minNode} or newer; this is ${process.versions.node}. ` +
        'Install a newer one from nodejs.org and run the command again.',
    )
  }
  if (process.platform === 'win32') {
    fail(
      'On Windows, run Kerbside inside WSL (wsl --install): its stand-ins are started as Unix programs.',
    )
  }
}

/**
 * Returns true when npm's record of installed packages matches the lock file. Compares npm's own
 * record, so that packages from a manual `npm install` are not installed again.
 */
function installed(lock) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const there = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(JSON.parse(lock).packages).every(
    ([path, requirement]) =>
      !path.includes('node_modules/') ||
      requirement.optional ||
      requirement.devOptional ||
      requirement.link ||
      there[path]?.version === requirement.version,
  )
}

/** Installs exactly the packages in package-lock.json when the installed ones differ. */
export function installMissing() {
  const lock = read('package-lock.json')
  const hash = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  if (!installed(lock)) {
    console.log('Installing packages …')
    const npm = process.env.npm_execpath
    const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
    const { status } = spawnSync(
      command,
      [...before, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: root, stdio: 'inherit' },
    )
    if (status !== 0) {
      fail(
        'The packages could not be installed; npm says why above. ' +
          'Check that the registry npm is set to (`npm config get registry`) can be reached, then run the command again.',
      )
    }
  }
  writeFileSync(stamp, hash)
}
