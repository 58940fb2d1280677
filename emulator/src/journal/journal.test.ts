import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from './journal'
import type { Journal, JournalOptions } from './journal'

let dir: string
const opened: Journal[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'journal-'))
})

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close()
  await rm(dir, { recursive: true, force: true })
})

const openTestJournal = async (options: JournalOptions = {}): Promise<Journal> => {
  const journal = await openJournal(dir, options)
  opened.push(journal)
  return journal
}

/** Opens and closes the folder, and returns the recovered data. */
const readRecovered = async () => {
  const chunks: string[] = []
  const records: string[] = []
  const journal = await openJournal(dir, {
    onSnapshot: (chunk) => chunks.push(chunk.toString()),
    onRecord: (record) => records.push(record.toString()),
  })
  await journal.close()
  return { chunks, records, recovery: journal.recovery }
}

const writeRecords = async (...records: string[]): Promise<void> => {
  const journal = await openJournal(dir)
  for (const record of records) journal.append(record)
  await journal.close()
}

const segmentPath = (generation = 0) => join(dir, `${String(generation).padStart(8, '0')}.log`)

describe('records', () => {
  test('are recovered in the order of their appends, as text and bytes', async () => {
    const journal = await openTestJournal()
    journal.append('première')
    journal.append(new Uint8Array([0x61, 0x62]))
    journal.append('')
    await journal.whenFlushed()
    await journal.close()

    expect(await readRecovered()).toEqual({
      chunks: [],
      records: ['première', 'ab', ''],
      recovery: { chunks: 0, records: 3, droppedBytes: 0, isDamaged: false },
    })
  })

  test('of one event-loop turn share a write and stay in order over many turns', async () => {
    const journal = await openTestJournal()
    const expected: string[] = []
    for (let turn = 0; turn < 50; turn++) {
      for (let i = 0; i <= turn; i++) {
        const record = `${turn}/${i}`
        expected.push(record)
        journal.append(record)
      }
      if (turn % 3 === 0) await journal.whenFlushed()
    }
    await journal.close()

    expect((await readRecovered()).records).toEqual(expected)
  })

  test('larger than any buffer are recovered completely', async () => {
    const large = 'kerb'.repeat(1_000_000)
    await writeRecords('before', large, 'after')

    expect((await readRecovered()).records).toEqual(['before', large, 'after'])
  })

  test('are in the file when whenFlushed resolves, before the journal closes', async () => {
    const journal = await openTestJournal()
    journal.append('here')
    await journal.whenFlushed()

    expect((await readFile(segmentPath())).includes('here')).toBe(true)
  })

  test('are recovered with fsync enabled', async () => {
    const journal = await openTestJournal({ fsync: true })
    journal.append('synced')
    await journal.whenFlushed()
    await journal.close()

    expect((await readRecovered()).records).toEqual(['synced'])
  })

  test('are refused after the journal closes', async () => {
    const journal = await openTestJournal()
    await journal.close()

    expect(() => journal.append('late')).toThrow('closed')
  })
})

describe('a torn or damaged end', () => {
  test('is dropped wherever the write was cut, and appends continue after the valid part', async () => {
    await writeRecords('one', 'two', 'three')
    const whole = await readFile(segmentPath())
    const ends = [0, 8 + 3, 8 + 3 + 8 + 3, whole.length]
    for (let cut = 0; cut <= whole.length; cut++) {
      await writeFile(segmentPath(), whole.subarray(0, cut))
      await writeRecords('four')

      const { records, recovery } = await readRecovered()
      const kept = ends.filter((end) => end > 0 && end <= cut).length
      expect(records).toEqual([...['one', 'two', 'three'].slice(0, kept), 'four'])
      expect(recovery.isDamaged).toBe(false)
    }
  })

  test('of zeros, as after a power loss, adds no record', async () => {
    await writeRecords('one')
    await appendFile(segmentPath(), Buffer.alloc(4096))

    expect(await readRecovered()).toMatchObject({
      records: ['one'],
      recovery: { droppedBytes: 4096 },
    })
  })

  test('of random bytes adds no record', async () => {
    for (let round = 0; round < 50; round++) {
      await rm(segmentPath(), { force: true })
      await writeRecords('one')
      const garbage = Buffer.from(
        Array.from({ length: 1 + ((round * 37) % 90) }, (_, i) => (round * 31 + i * i * 17) % 256),
      )
      await appendFile(segmentPath(), garbage)

      const { records, recovery } = await readRecovered()
      expect(records).toEqual(['one'])
      expect(recovery.droppedBytes).toBe(garbage.length)
    }
  })

  test('with any changed byte ends the history before its record, is reported, and is saved separately', async () => {
    await writeRecords('one', 'two', 'three')
    const whole = await readFile(segmentPath())
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x40, at)
      await writeFile(segmentPath(), changed)
      await rm(`${segmentPath()}.damaged`, { force: true })

      const { records, recovery } = await readRecovered()
      expect(records).toEqual(['one', 'two', 'three'].slice(0, records.length))
      expect(records.length).toBe(at < 11 ? 0 : at < 22 ? 1 : 2)
      if (recovery.isDamaged) expect(await readFile(`${segmentPath()}.damaged`)).toEqual(changed)
    }
  })

  test('in an older segment also ends the history, because later records may depend on it', async () => {
    await writeRecords('one')
    await copyFile(segmentPath(0), segmentPath(1))
    await appendFile(segmentPath(0), 'x')

    const { records, recovery } = await readRecovered()
    expect(records).toEqual(['one'])
    expect(recovery.isDamaged).toBe(true)
    expect(existsSync(`${segmentPath(1)}.damaged`)).toBe(true)
  })
})

describe('a snapshot', () => {
  test('replaces earlier records and keeps later ones', async () => {
    const journal = await openTestJournal()
    journal.append('old')
    await journal.whenFlushed()
    const done = journal.replaceHistory(['state', ' so far'])
    journal.append('during')
    await done
    journal.append('after')
    await journal.close()

    expect(await readRecovered()).toMatchObject({
      chunks: ['state', ' so far'],
      records: ['during', 'after'],
    })
    expect((await readdir(dir)).sort()).toEqual(['00000001.log', '00000001.snapshot'])
  })

  test('reads an async stream of chunks while the journal continues to acknowledge records', async () => {
    const journal = await openTestJournal()
    let acknowledged = 0
    const chunks = async function* () {
      for (let i = 0; i < 5; i++) {
        journal.append(`during ${i}`)
        await journal.whenFlushed()
        acknowledged++
        yield `chunk ${i}`
      }
    }
    await journal.replaceHistory(chunks())
    await journal.close()

    expect(acknowledged).toBe(5)
    const { chunks: found, records } = await readRecovered()
    expect(found).toHaveLength(5)
    expect(records).toEqual([0, 1, 2, 3, 4].map((i) => `during ${i}`))
  })

  test('interrupted before its rename leaves the history unchanged', async () => {
    await writeRecords('one', 'two')
    await writeFile(join(dir, '00000001.snapshot.tmp'), 'half a snap')

    expect(await readRecovered()).toMatchObject({ chunks: [], records: ['one', 'two'] })
    expect(await readdir(dir)).toEqual(['00000000.log'])
  })

  test('interrupted between its rename and the removal of old segments is the only one used', async () => {
    const journal = await openTestJournal()
    journal.append('old')
    await journal.whenFlushed()
    await copyFile(segmentPath(0), join(dir, 'saved'))
    await journal.replaceHistory(['state'])
    journal.append('new')
    await journal.close()
    await copyFile(join(dir, 'saved'), segmentPath(0))

    expect(await readRecovered()).toMatchObject({ chunks: ['state'], records: ['new'] })
    expect(existsSync(segmentPath(0))).toBe(false)
  })

  test('that is damaged causes an error, never an empty database', async () => {
    const journal = await openTestJournal()
    await journal.replaceHistory(['state'])
    await journal.close()
    const path = join(dir, '00000001.snapshot')
    const whole = await readFile(path)
    for (const broken of [whole.subarray(0, -1), whole.subarray(0, 13), Buffer.alloc(0)]) {
      await writeFile(path, broken)
      await expect(readRecovered()).rejects.toThrow('damaged')
    }
    await writeFile(path, whole)
    expect((await readRecovered()).chunks).toEqual(['state'])
  })

  test('with a failing source changes nothing', async () => {
    const journal = await openTestJournal()
    journal.append('one')
    const broken = function* () {
      yield 'half'
      throw new Error('no more')
    }
    await expect(journal.replaceHistory(broken())).rejects.toThrow('no more')
    journal.append('two')
    await journal.close()

    expect(await readRecovered()).toMatchObject({ chunks: [], records: ['one', 'two'] })
  })

  test('is due when the records exceed the limit and the last snapshot', async () => {
    const journal = await openTestJournal({ snapshotAfterBytes: 100 })
    expect(journal.isSnapshotDue).toBe(false)
    journal.append('x'.repeat(101))
    expect(journal.isSnapshotDue).toBe(true)
    await journal.replaceHistory(['y'.repeat(1000)])
    expect(journal.isSnapshotDue).toBe(false)
    journal.append('x'.repeat(500))
    expect(journal.isSnapshotDue).toBe(false)
    journal.append('x'.repeat(700))
    expect(journal.isSnapshotDue).toBe(true)
  })

  test('is refused while another one is in progress', async () => {
    const journal = await openTestJournal()
    const first = journal.replaceHistory(['state'])
    await expect(journal.replaceHistory(['state'])).rejects.toThrow('already')
    await first
  })
})

/** Makes writes to a file fail, with the error of a full disk if the system has such a device. */
const breakFile = (path: string) =>
  existsSync('/dev/full') ? symlink('/dev/full', path) : mkdir(path)
const BROKEN_FILE = /ENOSPC|EISDIR/

describe('a full disk', () => {
  test('stops all acknowledgements until a snapshot succeeds', async () => {
    const journal = await openTestJournal()
    await breakFile(segmentPath())
    journal.append('lost')
    const alsoLost = journal.whenFlushed()
    await expect(journal.whenFlushed()).rejects.toThrow(BROKEN_FILE)
    await expect(alsoLost).rejects.toThrow(BROKEN_FILE)
    expect(journal.failure?.message).toMatch(BROKEN_FILE)
    expect(() => journal.append('refused')).toThrow(BROKEN_FILE)
    await expect(journal.whenFlushed()).rejects.toThrow(BROKEN_FILE)
    expect(journal.isSnapshotDue).toBe(true)

    await journal.replaceHistory(['state'])
    expect(journal.failure).toBeNull()
    journal.append('new')
    await journal.whenFlushed()
    await journal.close()
    expect(await readRecovered()).toMatchObject({ chunks: ['state'], records: ['new'] })
  })

  test('resumes when space is available, with all saved records and no refused ones', async () => {
    const disk = { full: false }
    const journal = await openTestJournal({ disk })
    journal.append('kept')
    await journal.whenFlushed()
    disk.full = true
    journal.append('refused')
    await expect(journal.whenFlushed()).rejects.toThrow('ENOSPC')
    await expect(journal.resumeAfterFailure()).rejects.toThrow('ENOSPC')
    expect(journal.failure).not.toBeNull()
    disk.full = false
    await journal.resumeAfterFailure()
    journal.append('new')
    await journal.close()
    expect(await readRecovered()).toMatchObject({ chunks: [], records: ['kept', 'new'] })
  })

  test('during a snapshot keeps the history, and retries a moment later', async () => {
    const journal = await openTestJournal({ snapshotAfterBytes: 1 })
    journal.append('kept')
    await journal.whenFlushed()
    await breakFile(join(dir, '00000001.snapshot.tmp'))
    await expect(journal.replaceHistory(['state'])).rejects.toThrow(BROKEN_FILE)
    expect(journal.failure).toBeNull()
    expect(journal.isSnapshotDue).toBe(false)
    journal.append('also kept')
    await journal.close()

    expect(await readRecovered()).toMatchObject({ chunks: [], records: ['kept', 'also kept'] })
  })
})

describe('a folder', () => {
  test('opens once at a time in a process, and again after it closes', async () => {
    const journal = await openTestJournal()
    await expect(openJournal(dir)).rejects.toThrow('already open')
    await journal.close()
    await expect(readRecovered()).resolves.toBeDefined()
  })

  test('is refused while another running process holds it, but not when the holder is dead or its pid was reused', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    try {
      await writeFile(join(dir, 'lock'), `${child.pid} `)
      await expect(openJournal(dir)).rejects.toThrow('in use')
      if (existsSync('/proc/self/stat')) {
        await writeFile(join(dir, 'lock'), `${child.pid} 1`)
        await expect(readRecovered()).resolves.toBeDefined()
      }
      await writeFile(join(dir, 'lock'), `${child.pid} `)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await expect(readRecovered()).resolves.toBeDefined()
  })
})

test('a process that is killed repeatedly loses no acknowledged record', async () => {
  const program = join(dir, 'writer.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'testing/journalWriter.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const journalDir = join(dir, 'journal')
  let snapshots = 0
  for (let kill = 0; kill < 20; kill++) {
    const child = spawn(process.execPath, [program, journalDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8')
    // Each process runs until a different number of acknowledgements, then dies during a write.
    for await (const text of child.stdout as AsyncIterable<string>) {
      output += text
      if (output.split('\n').length > 5 + ((kill * 7919) % 400)) child.kill('SIGKILL')
    }
    const acknowledged = Number(output.split('\n').at(-2))
    expect(acknowledged).toBeGreaterThan(0)

    const state = new Map<number, number>()
    const apply = (line: Buffer) => {
      const { key, count } = JSON.parse(line.toString()) as { key: number; count: number }
      state.set(key, count)
    }
    const journal = await openJournal(journalDir, { onSnapshot: apply, onRecord: apply })
    await journal.close()
    const newest = Math.max(...state.values())
    expect(newest).toBeGreaterThanOrEqual(acknowledged)
    // No record is missing: every key has the last count written to it.
    for (let count = Math.max(1, newest - 99); count <= newest; count++) {
      expect(state.get(count % 100)).toBe(count)
    }
    expect(journal.recovery.isDamaged).toBe(false)
    if (journal.recovery.chunks > 0) snapshots++
  }
  expect(snapshots).toBeGreaterThan(0)
}, 60_000)
