import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const PROCESS_GROUP_SCRIPT = join(import.meta.dirname, 'processGroup.mjs')
// A program that starts another one, which ignores termination signals, and prints both process
// ids.
const STUBBORN_PROGRAM = `
  const { spawn } = require('node:child_process')
  const inner = spawn(process.execPath, ['-e', 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000)'])
  console.log(process.pid + ' ' + inner.pid)
  setInterval(() => {}, 1000)
`

async function startInGroup(program: string) {
  const group = spawn(process.execPath, [PROCESS_GROUP_SCRIPT, process.execPath, '-e', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: group.stdout }), 'line')) as [string]
  return { group, pids: line.split(' ').map(Number) }
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const waitUntilGone = (pids: number[]) => expect.poll(() => pids.filter(isAlive)).toEqual([])

test('ends everything when the owner closes standard input', async () => {
  const { group, pids } = await startInGroup(STUBBORN_PROGRAM)
  expect(pids.filter(isAlive)).toEqual(pids)
  group.stdin.end()
  await once(group, 'exit')
  await waitUntilGone(pids)
})

test('ends the processes that a program leaves behind', async () => {
  const { group, pids } = await startInGroup(STUBBORN_PROGRAM)
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await once(group, 'exit')
  await waitUntilGone(pids)
})

test('ends everything after a termination signal', async () => {
  const { group, pids } = await startInGroup(STUBBORN_PROGRAM)
  group.kill('SIGTERM')
  await once(group, 'exit')
  await waitUntilGone(pids)
})
