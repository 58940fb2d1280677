import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runNode, stopAll } from './testCommands'

const run = async (script: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerbside-commands-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const log = join(folder, 'out.log')
  const ended = runNode(['-e', script], { log, isLive: false })
  const readLog = () => readFile(log, 'utf8')
  return { ended, readLog }
}
/** A process that ignores requests to stop. It holds the output open, so no run ends before it. */
const START_STUBBORN = `
  const { spawn } = require('node:child_process')
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')"
  const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] })
`

test.each([
  ['success', 0, true],
  ['a failure', 1, false],
])('a command that ends with %s ends what it started', async (_, code, succeeded) => {
  const { ended } = await run(
    `${START_STUBBORN}; child.stdout.once('data', () => process.exit(${code}))`,
  )
  expect(await ended).toBe(succeeded)
})

test('a command that is stopped ends what it started', async () => {
  const { ended, readLog } = await run(
    `${START_STUBBORN}; child.stdout.once('data', () => console.log('started'))`,
  )
  await expect.poll(readLog).toBe('started\n')
  stopAll()
  expect(await ended).toBe(false)
})

test('keeps what a command prints', async () => {
  const { ended, readLog } = await run("console.log('out'); console.error('err')")
  expect(await ended).toBe(true)
  expect((await readLog()).split('\n').toSorted()).toEqual(['', 'err', 'out'])
})
