// Why: the suite must never outlive who started it, not even after kill -9. This runs the given command in a process
// group of its own; when its standard input closes, because its owner closed it or is gone, it ends that whole group.
import { spawn } from 'node:child_process'

const PATIENCE_MS = 15_000
const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })

let code = 1
// The group's number is this process's id: whoever is left in it goes, this process last.
const end = () => {
  process.exitCode = code
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

let asked = false
const ask = () => {
  if (asked) return
  asked = true
  child.kill('SIGINT')
  setTimeout(end, PATIENCE_MS).unref()
}
process.stdin.resume()
process.stdin.on('end', ask)
process.stdin.on('error', ask)
process.on('SIGTERM', ask)
process.on('SIGINT', ask)
process.on('SIGHUP', ask)
