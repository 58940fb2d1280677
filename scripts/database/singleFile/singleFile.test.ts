import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { ROOT } from '../../local/build'
import { openBackup } from '../backupFolder'
import type { BackupEntry } from '../backupFormat'

const run = promisify(execFile)

let folder: string
let temporary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kerbside-single-'))
  temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const CITY = { settings: { appName: 'Kerbside' }, users: { u1: { firstName: 'Ada' } } }

const writeExport = (name: string, content: DatabaseValue | Buffer): string => {
  const file = join(folder, name)
  const text = Buffer.isBuffer(content) ? content : JSON.stringify(content)
  writeFileSync(file, text)
  return file
}
const readEntries = async (file: string): Promise<BackupEntry[]> => {
  const backup = await openBackup(file)
  try {
    const entries: BackupEntry[] = []
    for (const one of backup.manifest.files)
      for await (const entry of backup.readEntries(one)) entries.push(entry)
    return entries
  } finally {
    backup.close()
  }
}

describe('a database in one file', () => {
  it('has the entries that a saved folder would have', async () => {
    const file = writeExport('city.json', {
      ...CITY,
      // Google writes children with the keys 0, 1, 2 … as a list, with null for missing ones.
      languages: ['English', null, 'Türkçe 😀'],
      single: 'one value',
      numbers: { b: 1, '10': { x: 1 }, '9': 2, '-1': 3 },
      empty: {},
      cartypes: { taxi: { rates: [], slabs: [{ fee: 1 }, null, { fee: 0 }], none: {} }, gone: {} },
      rate_limits: { someone: 4 },
      schema: { version: 7, texts: 'abc' },
    })
    expect(await readEntries(file)).toEqual([
      ['settings/appName', 'Kerbside'],
      ['users/u1', { firstName: 'Ada' }],
      ['languages/0', 'English'],
      ['languages/2', 'Türkçe 😀'],
      ['single', 'one value'],
      ['numbers/-1', 3],
      ['numbers/9', 2],
      ['numbers/10', { x: 1 }],
      ['numbers/b', 1],
      ['cartypes/taxi', { slabs: { '0': { fee: 1 }, '2': { fee: 0 } } }],
    ])
    const { manifest, close } = await openBackup(file)
    close()
    expect(manifest.schema).toBe(7)
    expect(manifest.collections).toEqual([
      ...['settings', 'users', 'languages', 'single', 'numbers', 'cartypes'],
    ])
  })

  it('is recognized by its content, because a download may unpack it', async () => {
    const text = JSON.stringify(CITY)
    const expected = await readEntries(writeExport('city.json', CITY))
    const half = text.length >> 1
    const members = [text.slice(0, half), text.slice(half)].map((part) => gzipSync(part))
    expect(await readEntries(writeExport('a.json.gz', gzipSync(text)))).toEqual(expected)
    expect(await readEntries(writeExport('b.json.gz', Buffer.from(` ${text}`)))).toEqual(expected)
    expect(await readEntries(writeExport('c.json', gzipSync(text)))).toEqual(expected)
    expect(await readEntries(writeExport('d.json.gz', Buffer.concat(members)))).toEqual(expected)
  })

  it('has the same identity at each reading, so that a restore continues', async () => {
    const ids: string[] = []
    for (const name of ['a.json', 'b.json']) {
      const { manifest, close } = await openBackup(writeExport(name, CITY))
      close()
      ids.push(manifest.id)
    }
    const { manifest, close } = await openBackup(writeExport('c.json', { ...CITY, more: 1 }))
    close()
    expect(ids[0]).toBe(ids[1])
    expect(manifest.id).not.toBe(ids[0])
  })

  it('leaves nothing in the temporary folder, also while it is read', async () => {
    const file = writeExport('city.json', CITY)
    const { close } = await openBackup(file)
    expect(readdirSync(temporary)).toEqual([])
    close()
    await expect(openBackup(writeExport('bad.json', Buffer.from('{"a":')))).rejects.toThrow()
    expect(readdirSync(temporary)).toEqual([])
  })

  it('is read in parts when a record is larger than one write', async () => {
    const history = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`h${at}`, { note: 'x'.repeat(100_000) }]),
    )
    const entries = await readEntries(
      writeExport('city.json', { ...CITY, users: { u1: { walletHistory: history } } }),
    )
    expect(entries).toHaveLength(51)
    expect(entries[1]?.[0]).toBe('users/u1/walletHistory/h0')
  })
})

describe('a file that is no whole database is refused', () => {
  const packed = gzipSync(JSON.stringify({ ...CITY, bookings: 'x'.repeat(50_000) }))
  const flipped = Buffer.from(packed)
  flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1

  it.each([
    ['cut.json.gz', packed.subarray(0, packed.length - 9), 'it cannot be unpacked, because it ends before its data does. Copy it again, or use'], // prettier-ignore
    ['flipped.json.gz', flipped, 'it cannot be unpacked. Copy it again, or use'],
    ['text.json.gz', Buffer.from('not packed'), 'it cannot be unpacked. Copy it again, or use'],
    ['cut.json', Buffer.from('{"settings":{"a":1},"users'), 'it ends before its data does'],
    ['empty.json', Buffer.from(''), 'it ends before its data does'],
    ['more.json', Buffer.from(`${JSON.stringify(CITY)}{}`), 'more text follows its data'],
  ])('%s', async (name, content, reason) => {
    const file = writeExport(name, content)
    const refusal = await openBackup(file).catch((error: unknown) => String(error))
    expect(refusal).toContain(`${file} is damaged: `)
    expect(refusal).toContain(reason)
    expect(readdirSync(temporary)).toEqual([])
  })

  it.each([
    ['{"settings":{"a":1},"users":{"u":1},"settings":{"b":1}}', '/settings'],
    ['{"settings":{"a":1},"users":{"u":1,"v":1,"u":2}}', '/users/u'],
  ])('%s, because a path is there twice', async (text, path) => {
    const file = writeExport('twice.json', Buffer.from(text))
    await expect(openBackup(file)).rejects.toThrow(`${file} has ${path} twice. Use another backup.`)
  })

  it('when the temporary folder has no room for it', async () => {
    const noise = Array.from({ length: 20_000 }, (_, at) => Math.sin(at))
    const file = writeExport('city.json', { ...CITY, noise })
    const command = `ulimit -f 64; '${process.execPath}' --import tsx scripts/verifyData.ts '${file}'`
    const failure = await run('bash', ['-c', command], { cwd: ROOT, env: process.env }).catch(
      (error: unknown) => error as { stderr: string },
    )
    expect(failure.stderr).toContain(
      `The temporary folder ${temporary} has no room for a packed copy of the backup. Set TMPDIR to a folder with more room.`,
    )
  })
})
