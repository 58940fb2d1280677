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

const openHere = async (options: JournalOptions = {}): Promise<Journal> => {
  const journal = await openJournal(dir, options)
  opened.push(journal)
  return journal
}

/** Opens the folder, closes it again, and gives what was recovered. */
const recovered = async () => {
  const chunks: string[] = []
  const records: string[] = []
  const journal = await openJournal(dir, {
    onSnapshot: (chunk) => chunks.push(chunk.toString()),
    onRecord: (record) => records.push(record.toString()),
  })
  await journal.close()
  return { chunks, records, recovery: journal.recovery }
}

const write = async (...records: string[]): Promise<void> => {
  const journal = await openJournal(dir)
  for (const record of records) journal.append(record)
  await journal.close()
}

const segment = (generation = 0) => join(dir, `${String(generation).padStart(8, '0')}.log`)

describe('records', () => {
  test('come back in the order they were appended, text and bytes alike', async () => {
    const journal = await openHere()
    journal.append('première')
    journal.append(new Uint8Array([0x61, 0x62]))
    journal.append('')
    await journal.flushed()
    await journal.close()

    expect(await recovered()).toEqual({
      chunks: [],
      records: ['première', 'ab', ''],
      recovery: { chunks: 0, records: 3, droppedBytes: 0, damaged: false },
    })
  })

  test('of one turn of the event loop share a write, and stay in order over many turns', async () => {
    const journal = await openHere()
    const expected: string[] = []
    for (let turn = 0; turn < 50; turn++) {
      for (let i = 0; i <= turn; i++) {
        const record = `${turn}/${i}`
        expected.push(record)
        journal.append(record)
      }
      if (turn % 3 === 0) await journal.flushed()
    }
    await journal.close()

    expect((await recovered()).records).toEqual(expected)
  })

  test('larger than any buffer come back whole', async () => {
    const large = 'kerb'.repeat(1_000_000)
    await write('before', large, 'after')

    expect((await recovered()).records).toEqual(['before', large, 'after'])
  })

  test('are in the file when flushed resolves, before the journal is closed', async () => {
    const journal = await openHere()
    journal.append('here')
    await journal.flushed()

    expect((await readFile(segment())).includes('here')).toBe(true)
  })

  test('survive with fsync as without', async () => {
    const journal = await openHere({ fsync: true })
    journal.append('synced')
    await journal.flushed()
    await journal.close()

    expect((await recovered()).records).toEqual(['synced'])
  })

  test('appended after the journal is closed are refused', async () => {
    const journal = await openHere()
    await journal.close()

    expect(() => journal.append('late')).toThrow('closed')
  })
})

describe('a torn or damaged end', () => {
  test('is dropped wherever the write was cut, and appending goes on after it', async () => {
    await write('one', 'two', 'three')
    const whole = await readFile(segment())
    const ends = [0, 8 + 3, 8 + 3 + 8 + 3, whole.length]
    for (let cut = 0; cut <= whole.length; cut++) {
      await writeFile(segment(), whole.subarray(0, cut))
      await write('four')

      const { records, recovery } = await recovered()
      const kept = ends.filter((end) => end > 0 && end <= cut).length
      expect(records).toEqual([...['one', 'two', 'three'].slice(0, kept), 'four'])
      expect(recovery.damaged).toBe(false)
    }
  })

  test('made of zeros, as a power loss leaves it, is not taken for records', async () => {
    await write('one')
    await appendFile(segment(), Buffer.alloc(4096))

    expect(await recovered()).toMatchObject({ records: ['one'], recovery: { droppedBytes: 4096 } })
  })

  test('of random bytes never adds a record', async () => {
    for (let round = 0; round < 50; round++) {
      await rm(segment(), { force: true })
      await write('one')
      const garbage = Buffer.from(
        Array.from({ length: 1 + ((round * 37) % 90) }, (_, i) => (round * 31 + i * i * 17) % 256),
      )
      await appendFile(segment(), garbage)

      const { records, recovery } = await recovered()
      expect(records).toEqual(['one'])
      expect(recovery.droppedBytes).toBe(garbage.length)
    }
  })

  test('any changed byte ends the history before its record, is told, and is kept aside', async () => {
    await write('one', 'two', 'three')
    const whole = await readFile(segment())
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x40, at)
      await writeFile(segment(), changed)
      await rm(`${segment()}.damaged`, { force: true })

      const { records, recovery } = await recovered()
      expect(records).toEqual(['one', 'two', 'three'].slice(0, records.length))
      expect(records.length).toBe(at < 11 ? 0 : at < 22 ? 1 : 2)
      if (recovery.damaged) expect(await readFile(`${segment()}.damaged`)).toEqual(changed)
    }
  })

  test('in an older segment also ends the history, because later records may build on it', async () => {
    await write('one')
    await copyFile(segment(0), segment(1))
    await appendFile(segment(0), 'x')

    const { records, recovery } = await recovered()
    expect(records).toEqual(['one'])
    expect(recovery.damaged).toBe(true)
    expect(existsSync(`${segment(1)}.damaged`)).toBe(true)
  })
})

describe('a snapshot', () => {
  test('replaces what came before it, and keeps what comes after', async () => {
    const journal = await openHere()
    journal.append('old')
    await journal.flushed()
    const done = journal.snapshot(['state', ' so far'])
    journal.append('during')
    await done
    journal.append('after')
    await journal.close()

    expect(await recovered()).toMatchObject({
      chunks: ['state', ' so far'],
      records: ['during', 'after'],
    })
    expect((await readdir(dir)).sort()).toEqual(['00000001.log', '00000001.snapshot'])
  })

  test('takes an async stream of chunks while records go on being acknowledged', async () => {
    const journal = await openHere()
    let acknowledged = 0
    const chunks = async function* () {
      for (let i = 0; i < 5; i++) {
        journal.append(`during ${i}`)
        await journal.flushed()
        acknowledged++
        yield `chunk ${i}`
      }
    }
    await journal.snapshot(chunks())
    await journal.close()

    expect(acknowledged).toBe(5)
    const { chunks: found, records } = await recovered()
    expect(found).toHaveLength(5)
    expect(records).toEqual([0, 1, 2, 3, 4].map((i) => `during ${i}`))
  })

  test('cut off before its rename leaves the history as it was', async () => {
    await write('one', 'two')
    await writeFile(join(dir, '00000001.snapshot.tmp'), 'half a snap')

    expect(await recovered()).toMatchObject({ chunks: [], records: ['one', 'two'] })
    expect(await readdir(dir)).toEqual(['00000000.log'])
  })

  test('cut off between its rename and the removal of old segments counts alone', async () => {
    const journal = await openHere()
    journal.append('old')
    await journal.flushed()
    await copyFile(segment(0), join(dir, 'saved'))
    await journal.snapshot(['state'])
    journal.append('new')
    await journal.close()
    await copyFile(join(dir, 'saved'), segment(0))

    expect(await recovered()).toMatchObject({ chunks: ['state'], records: ['new'] })
    expect(existsSync(segment(0))).toBe(false)
  })

  test('that is damaged is an error, and never an empty database', async () => {
    const journal = await openHere()
    await journal.snapshot(['state'])
    await journal.close()
    const path = join(dir, '00000001.snapshot')
    const whole = await readFile(path)
    for (const broken of [whole.subarray(0, -1), whole.subarray(0, 13), Buffer.alloc(0)]) {
      await writeFile(path, broken)
      await expect(recovered()).rejects.toThrow('damaged')
    }
    await writeFile(path, whole)
    expect((await recovered()).chunks).toEqual(['state'])
  })

  test('whose source fails changes nothing', async () => {
    const journal = await openHere()
    journal.append('one')
    const broken = function* () {
      yield 'half'
      throw new Error('no more')
    }
    await expect(journal.snapshot(broken())).rejects.toThrow('no more')
    journal.append('two')
    await journal.close()

    expect(await recovered()).toMatchObject({ chunks: [], records: ['one', 'two'] })
  })

  test('is due when the records outgrow the limit and the last snapshot', async () => {
    const journal = await openHere({ snapshotAfter: 100 })
    expect(journal.snapshotDue).toBe(false)
    journal.append('x'.repeat(101))
    expect(journal.snapshotDue).toBe(true)
    await journal.snapshot(['y'.repeat(1000)])
    expect(journal.snapshotDue).toBe(false)
    journal.append('x'.repeat(500))
    expect(journal.snapshotDue).toBe(false)
    journal.append('x'.repeat(700))
    expect(journal.snapshotDue).toBe(true)
  })

  test('is refused while another is being written', async () => {
    const journal = await openHere()
    const first = journal.snapshot(['state'])
    await expect(journal.snapshot(['state'])).rejects.toThrow('already')
    await first
  })
})

/** Makes writing a file fail: as a full disk does where there is such a device, else otherwise. */
const breakFile = (path: string) =>
  existsSync('/dev/full') ? symlink('/dev/full', path) : mkdir(path)
const BROKEN = /ENOSPC|EISDIR/

describe('a full disk', () => {
  test('refuses, acknowledges nothing more, and is healed by a snapshot', async () => {
    const journal = await openHere()
    await breakFile(segment())
    journal.append('lost')
    const alsoLost = journal.flushed()
    await expect(journal.flushed()).rejects.toThrow(BROKEN)
    await expect(alsoLost).rejects.toThrow(BROKEN)
    expect(journal.failure?.message).toMatch(BROKEN)
    expect(() => journal.append('refused')).toThrow(BROKEN)
    await expect(journal.flushed()).rejects.toThrow(BROKEN)
    expect(journal.snapshotDue).toBe(true)

    await journal.snapshot(['state'])
    expect(journal.failure).toBeNull()
    journal.append('new')
    await journal.flushed()
    await journal.close()
    expect(await recovered()).toMatchObject({ chunks: ['state'], records: ['new'] })
  })

  test('goes on when there is room again, with all it had and nothing it refused', async () => {
    const disk = { full: false }
    const journal = await openHere({ disk })
    journal.append('kept')
    await journal.flushed()
    disk.full = true
    journal.append('refused')
    await expect(journal.flushed()).rejects.toThrow('ENOSPC')
    await expect(journal.mend()).rejects.toThrow('ENOSPC')
    expect(journal.failure).not.toBeNull()
    disk.full = false
    await journal.mend()
    journal.append('new')
    await journal.close()
    expect(await recovered()).toMatchObject({ chunks: [], records: ['kept', 'new'] })
  })

  test('while a snapshot is written leaves the history, and asks again a moment later', async () => {
    const journal = await openHere({ snapshotAfter: 1 })
    journal.append('kept')
    await journal.flushed()
    await breakFile(join(dir, '00000001.snapshot.tmp'))
    await expect(journal.snapshot(['state'])).rejects.toThrow(BROKEN)
    expect(journal.failure).toBeNull()
    expect(journal.snapshotDue).toBe(false)
    journal.append('also kept')
    await journal.close()

    expect(await recovered()).toMatchObject({ chunks: [], records: ['kept', 'also kept'] })
  })
})

describe('a folder', () => {
  test('is opened once at a time in a process, and again after it was closed', async () => {
    const journal = await openHere()
    await expect(openJournal(dir)).rejects.toThrow('already open')
    await journal.close()
    await expect(recovered()).resolves.toBeDefined()
  })

  test('held by another living process is refused, by a dead one or its namesake is not', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    try {
      await writeFile(join(dir, 'lock'), `${child.pid} `)
      await expect(openJournal(dir)).rejects.toThrow('in use')
      if (existsSync('/proc/self/stat')) {
        await writeFile(join(dir, 'lock'), `${child.pid} 1`)
        await expect(recovered()).resolves.toBeDefined()
      }
      await writeFile(join(dir, 'lock'), `${child.pid} `)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await expect(recovered()).resolves.toBeDefined()
  })
})

test('a process killed again and again loses no record it acknowledged', async () => {
  const program = join(dir, 'writer.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'testing/writer.ts')],
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
    // Each life is let live for a different number of acknowledgements, then ends mid-write.
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
    // Nothing is missing in between: every key holds the last count that fell on it.
    for (let count = Math.max(1, newest - 99); count <= newest; count++) {
      expect(state.get(count % 100)).toBe(count)
    }
    expect(journal.recovery.damaged).toBe(false)
    if (journal.recovery.chunks > 0) snapshots++
  }
  expect(snapshots).toBeGreaterThan(0)
}, 60_000)
