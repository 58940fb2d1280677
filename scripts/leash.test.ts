import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'

const LEASH = join(import.meta.dirname, 'leash.mjs')
// A program that starts another one which ignores polite signals, and says both ids.
const STUBBORN = `
  const { spawn } = require('node:child_process')
  const inner = spawn(process.execPath, ['-e', 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000)'])
  console.log(process.pid + ' ' + inner.pid)
  setInterval(() => {}, 1000)
`

async function onLeash(program: string) {
  const leash = spawn(process.execPath, [LEASH, process.execPath, '-e', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: leash.stdout }), 'line')) as [string]
  return { leash, pids: line.split(' ').map(Number) }
}
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const allGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(alive)).toEqual([]), { timeout: 10_000 })

test('everything ends when the owner lets go of the leash', async () => {
  const { leash, pids } = await onLeash(STUBBORN)
  expect(pids.filter(alive)).toEqual(pids)
  leash.stdin.end()
  await once(leash, 'exit')
  await allGone(pids)
})

test('what a program leaves behind ends with it', async () => {
  const { leash, pids } = await onLeash(STUBBORN)
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await once(leash, 'exit')
  await allGone(pids)
})

test('a polite signal to the leash ends everything', async () => {
  const { leash, pids } = await onLeash(STUBBORN)
  leash.kill('SIGTERM')
  await once(leash, 'exit')
  await allGone(pids)
})
