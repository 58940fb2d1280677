// Ends the suite together with its owner, even after kill -9. Runs a command in a separate process
// group. When standard input closes, because the owner closed it or died, it kills that whole group
// and the processes that shim/java listed in the file KERBSIDE_PIDS.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const PATIENCE_MS = 15_000
const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })

const noted = () => {
  try {
    return readFileSync(process.env.KERBSIDE_PIDS ?? '', 'utf8')
      .trim()
      .split('\n')
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}

let code = 1
// The group id is this process's id, so this kills all its members, and this process last.
const end = () => {
  process.exitCode = code
  for (const pid of noted()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  }
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(code)
  }
}
child.on('error', end)
child.on('exit', (status) => {
  code = status ?? 1
  end()
})

let hasAsked = false
const ask = () => {
  if (hasAsked) return
  hasAsked = true
  child.kill('SIGINT')
  setTimeout(end, PATIENCE_MS).unref()
}
process.stdin.resume()
process.stdin.on('end', ask)
process.stdin.on('error', ask)
process.on('SIGTERM', ask)
process.on('SIGINT', ask)
process.on('SIGHUP', ask)
