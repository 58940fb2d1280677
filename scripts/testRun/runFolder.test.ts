import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunFolder, removeRunFolder } from './runFolder'

const openParent = () => {
  const parent = mkdtempSync(join(tmpdir(), 'kerbside-runs-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return parent
}
/** Returns the id of a process that has ended. */
const findEndedPid = () => spawnSync(process.execPath, ['-e', '']).pid

test('deletes the folders of runs that were killed, and no other', async () => {
  const parent = openParent()
  const kept = [`kerbside-run-${process.ppid}`, 'kerbside-run-', 'kerbside-other']
  const killed = `kerbside-run-${findEndedPid()}`
  for (const name of [...kept, killed]) mkdirSync(join(parent, name))
  writeFileSync(join(parent, killed, 'left.txt'), '')
  const own = await createRunFolder(parent)
  expect(readdirSync(parent).sort()).toEqual([...kept, basename(own)].sort())
})

test('deletes a folder together with the record of a suite that has ended', async () => {
  const parent = openParent()
  const folder = await createRunFolder(parent)
  const home = join(folder, 'kerbside-test-1')
  mkdirSync(home)
  const pid = findEndedPid()
  writeFileSync(join(home, 'run.json'), JSON.stringify({ owner: pid, group: pid, ports: {} }))
  await removeRunFolder(folder)
  expect(existsSync(folder)).toBe(false)
})

test('refuses to delete the folder of a suite whose owner still runs', async () => {
  const parent = openParent()
  const folder = await createRunFolder(parent)
  const home = join(folder, 'kerbside-test-1')
  mkdirSync(home)
  // A process group that lives as long as the test.
  const group = Number(spawnSync('ps', ['-o', 'pgid=', '-p', String(process.pid)]).stdout)
  const record = { owner: process.pid, group, ports: { hub: 1, hosting: 1 } }
  writeFileSync(join(home, 'run.json'), JSON.stringify(record))
  await expect(removeRunFolder(folder)).rejects.toThrow('already runs from this folder')
})
