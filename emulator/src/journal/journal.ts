import { copyFile, mkdir, open, readdir, rename, rm, truncate } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FrameBuffer, readFrames } from './frames'
import { lockFolder } from './lock'

export interface JournalOptions {
  /** Waits for the disk itself at each flush, so that records survive a power loss too. */
  readonly fsync?: boolean
  /** Bytes of records, beyond the size of the last snapshot, at which `snapshotDue` turns true. */
  readonly snapshotAfter?: number
  /** Called once per chunk of the newest snapshot, in the order `snapshot` was given them. */
  readonly onSnapshot?: (chunk: Buffer) => void
  /** Called once per record written since that snapshot, oldest first. */
  readonly onRecord?: (record: Buffer) => void
  /** Pretends that the disk is full while it says so. */
  readonly disk?: Disk
}

/** The disk as tests may have it. */
export interface Disk {
  readonly full: boolean
}

/** What opening found. */
export interface Recovery {
  readonly chunks: number
  readonly records: number
  /** Bytes of an unfinished write, or of damage, at the end of the history; they were cut off. */
  readonly droppedBytes: number
  /** True when bytes had changed on disk; what was cut off is kept in `*.damaged` files. */
  readonly damaged: boolean
}

export interface Journal {
  /** Queues one record; throws when the journal has failed. It is durable when `flushed` resolves. */
  append(record: Uint8Array | string): void
  /** Resolves when everything appended so far is with the kernel (the disk with `fsync`). */
  flushed(): Promise<void>
  /** How many records appended since it was opened are durable. */
  readonly written: number
  /** The error that stopped the journal; while set nothing may be acknowledged. A snapshot heals it. */
  readonly failure: Error | null
  /** True when it is time to call `snapshot`, to keep recovery short or to heal a failure. */
  readonly snapshotDue: boolean
  /**
   * Replaces the history so far by `chunks`. Records appended after the call are kept beside it, and
   * replayed over it: the chunks must describe the state at the time of the call, or any mix of it
   * and later states when records say what a place became (and not how it changed).
   */
  snapshot(
    chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  ): Promise<void>
  /**
   * Goes on after a failure when there is room again, without room for a snapshot; rejects when there is none. For who has
   * forgotten all that was not written: what was refused is not in the history.
   */
  mend(): Promise<void>
  readonly recovery: Recovery
  /** Flushes and closes. */
  close(): Promise<void>
}

const DEFAULT_SNAPSHOT_AFTER = 32 << 20
const SNAPSHOT_WRITE_BYTES = 256 << 10
const SNAPSHOT_RETRY_MS = 1000
/** Less would be used up by the next few writes. */
const PROBE_BYTES = 64 << 10

// Segment n holds the records that follow snapshot n; without one it follows segment n - 1.
const fileName = (generation: number, kind: 'log' | 'snapshot') =>
  `${String(generation).padStart(8, '0')}.${kind}`
const FILE_NAME = /^(\d{8,})\.(log|snapshot)$/

interface Batch {
  readonly segment: number
  readonly frames: FrameBuffer
  records: number
  readonly waiters: { resolve: () => void; reject: (error: Error) => void }[]
}

/**
 * Recovers a folder's snapshot and records through the callbacks, then opens it for appending. Rejects
 * when the folder is in use, or when its only snapshot is damaged.
 */
export const openJournal = async (
  folder: string,
  options: JournalOptions = {},
): Promise<Journal> => {
  const dir = resolve(folder)
  await mkdir(dir, { recursive: true })
  const unlock = await lockFolder(dir)
  try {
    const recovered = await recover(dir, options)
    return new FileJournal(dir, options, recovered, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

interface Recovered extends Recovery {
  readonly segment: number
  readonly logBytes: number
  readonly snapshotBytes: number
}

const listGenerations = async (dir: string, kind: 'log' | 'snapshot'): Promise<number[]> => {
  const names = await readdir(dir)
  return names
    .map((name) => FILE_NAME.exec(name))
    .filter((match) => match?.[2] === kind)
    .map((match) => Number(match?.[1]))
    .sort((a, b) => a - b)
}

const recover = async (dir: string, options: JournalOptions): Promise<Recovered> => {
  const path = (generation: number, kind: 'log' | 'snapshot') =>
    join(dir, fileName(generation, kind))
  for (const name of await readdir(dir)) {
    if (name.endsWith('.tmp')) await rm(join(dir, name))
  }

  const base = (await listGenerations(dir, 'snapshot')).at(-1) ?? 0
  let chunks = 0
  let snapshotBytes = 0
  if (base > 0) {
    let ended = false
    const scan = await readFrames(path(base, 'snapshot'), (chunk) => {
      ended = chunk.length === 0
      if (ended) return
      chunks++
      options.onSnapshot?.(chunk)
    })
    if (scan.rest > 0 || !ended) throw new Error(`${path(base, 'snapshot')} is damaged`)
    snapshotBytes = scan.valid
  }
  await removeBefore(dir, base)

  let records = 0
  let logBytes = 0
  let droppedBytes = 0
  let damaged = false
  const segments = await listGenerations(dir, 'log')
  let segment = base
  for (const generation of segments) {
    const file = path(generation, 'log')
    if (damaged) {
      // What follows a gap can't be trusted to fit what precedes it.
      await rename(file, `${file}.damaged`)
      continue
    }
    const scan = await readFrames(file, (record) => {
      records++
      options.onRecord?.(record)
    })
    segment = generation
    logBytes += scan.valid
    droppedBytes += scan.rest
    damaged = scan.damaged || (scan.rest > 0 && generation !== segments.at(-1))
    if (damaged) await copyFile(file, `${file}.damaged`)
    if (scan.rest > 0) await truncate(file, scan.valid)
  }
  return { chunks, records, droppedBytes, damaged, segment, logBytes, snapshotBytes }
}

const removeBefore = async (dir: string, generation: number): Promise<void> => {
  for (const kind of ['log', 'snapshot'] as const) {
    for (const old of await listGenerations(dir, kind)) {
      if (old < generation)
        await rm(join(dir, fileName(old, kind)), { force: true, recursive: true })
    }
  }
}

const syncFolder = async (dir: string): Promise<void> => {
  // Not every system lets a folder be opened; there the rename alone has to do.
  const handle = await open(dir, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

class FileJournal implements Journal {
  failure: Error | null = null
  written = 0
  readonly recovery: Recovery
  private readonly disk: Disk
  private readonly fsync: boolean
  private readonly snapshotAfter: number
  /** The segment that records appended now belong to. */
  private segment: number
  private logBytes: number
  private snapshotBytes: number
  private file: { segment: number; handle: FileHandle; size: number } | null = null
  private readonly queue: Batch[] = []
  private spare: FrameBuffer[] = []
  /** True while the first batch of the queue is on its way to the disk. */
  private writing = false
  private nextSnapshotAt = 0
  private snapshotting: Promise<void> | null = null
  private closed = false

  constructor(
    private readonly dir: string,
    options: JournalOptions,
    recovered: Recovered,
    private readonly unlock: () => Promise<void>,
  ) {
    this.fsync = options.fsync ?? false
    this.disk = options.disk ?? { full: false }
    this.snapshotAfter = options.snapshotAfter ?? DEFAULT_SNAPSHOT_AFTER
    const { segment, logBytes, snapshotBytes, ...recovery } = recovered
    this.segment = segment
    this.logBytes = logBytes
    this.snapshotBytes = snapshotBytes
    this.recovery = recovery
  }

  get snapshotDue(): boolean {
    return (
      !this.snapshotting &&
      Date.now() >= this.nextSnapshotAt &&
      (this.failure !== null || this.logBytes > this.snapshotAfter + this.snapshotBytes)
    )
  }

  append(record: Uint8Array | string): void {
    if (this.closed) throw new Error('The journal is closed')
    if (this.failure) throw this.failure
    const last = this.queue.at(-1)
    const leaving = this.writing && this.queue.length === 1
    const open = last && last.segment === this.segment && !leaving
    const batch = open ? last : this.newBatch()
    const before = batch.frames.length
    batch.frames.add(record)
    batch.records += 1
    this.logBytes += batch.frames.length - before
  }

  flushed(): Promise<void> {
    const last = this.queue.at(-1)
    if (last) {
      return new Promise((resolve, reject) => last.waiters.push({ resolve, reject }))
    }
    return this.failure ? Promise.reject(this.failure) : Promise.resolve()
  }

  snapshot(
    chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  ): Promise<void> {
    if (this.closed) return Promise.reject(new Error('The journal is closed'))
    if (this.snapshotting) return Promise.reject(new Error('A snapshot is already being written'))
    this.segment++
    this.snapshotting = this.writeSnapshot(this.segment, chunks)
      .catch((error: unknown) => {
        this.nextSnapshotAt = Date.now() + SNAPSHOT_RETRY_MS
        throw error
      })
      .finally(() => {
        this.snapshotting = null
      })
    return this.snapshotting
  }

  async mend(): Promise<void> {
    const { failure } = this
    if (failure === null || this.closed || this.snapshotting) return
    const path = join(this.dir, 'probe.tmp')
    const handle = await open(path, 'w')
    try {
      await writeAll(handle, new Uint8Array(PROBE_BYTES), this.disk)
    } finally {
      await handle.close()
      await rm(path, { force: true })
    }
    await this.file?.handle.truncate(this.file.size)
    if (this.failure === failure) this.failure = null
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.snapshotting?.catch(() => undefined)
    await this.flushed().catch(() => undefined)
    await this.file?.handle.close()
    await this.unlock()
  }

  private newBatch(): Batch {
    const frames = this.spare.pop() ?? new FrameBuffer()
    const batch: Batch = { segment: this.segment, frames, records: 0, waiters: [] }
    this.queue.push(batch)
    // Everything the sockets bring in this turn of the event loop shares one write.
    if (this.queue.length === 1) setImmediate(() => void this.flushQueue())
    return batch
  }

  private async flushQueue(): Promise<void> {
    this.writing = true
    for (let batch = this.queue[0]; batch; batch = this.queue[0]) {
      try {
        await this.write(batch)
      } catch (error) {
        this.fail(asError(error))
        break
      }
      this.queue.shift()
      this.written += batch.records
      for (const { resolve } of batch.waiters) resolve()
      batch.frames.clear()
      this.spare.push(batch.frames)
    }
    this.writing = false
  }

  private async write({ segment, frames }: Batch): Promise<void> {
    if (this.file?.segment !== segment) {
      await this.file?.handle.close()
      this.file = null
      const handle = await open(join(this.dir, fileName(segment, 'log')), 'a')
      this.file = { segment, handle, size: (await handle.stat()).size }
      if (this.fsync) await syncFolder(this.dir)
    }
    const { file } = this
    const bytes = frames.bytes()
    try {
      await writeAll(file.handle, bytes, this.disk)
      if (this.fsync) await file.handle.datasync()
      file.size += bytes.length
    } catch (error) {
      // Half a record must not stand between whole ones, should this segment be written again.
      await file.handle.truncate(file.size).catch(() => undefined)
      throw error
    }
  }

  /** Stops the journal: what was not written is refused, and so is all that follows. */
  private fail(error: Error): void {
    this.failure = error
    for (const { waiters } of this.queue.splice(0)) {
      for (const { reject } of waiters) reject(error)
    }
  }

  private async writeSnapshot(
    generation: number,
    chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  ): Promise<void> {
    const path = join(this.dir, fileName(generation, 'snapshot'))
    const bytesBefore = this.logBytes
    const failureBefore = this.failure
    const bytes = await writeFrames(`${path}.tmp`, chunks, this.disk)
    // The chunks may hold records that are still on their way. Should those fail they were never done.
    if (failureBefore === null) await this.flushed()
    await rename(`${path}.tmp`, path)
    await syncFolder(this.dir)
    this.snapshotBytes = bytes
    this.logBytes -= bytesBefore
    // A failure during the snapshot is not healed by it: what was refused then is not in it.
    if (this.failure === failureBefore) this.failure = null
    // An older segment may still be receiving its last batch; it would come back after its removal.
    await this.flushed().catch(() => undefined)
    await removeBefore(this.dir, generation)
  }
}

/** Writes all of it, or throws; then some of it may have been written, as on a real disk. */
const writeAll = async (handle: FileHandle, bytes: Uint8Array, disk: Disk): Promise<void> => {
  const room = disk.full ? bytes.length >> 1 : bytes.length
  for (let done = 0; done < room;) {
    done += (await handle.write(bytes, done, room - done)).bytesWritten
  }
  if (room < bytes.length) throw new Error('ENOSPC: no space left on device (pretended)')
}

/** Writes chunks and an end mark to a new file and waits for the disk; gives its size in bytes. */
const writeFrames = async (
  path: string,
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  disk: Disk,
): Promise<number> => {
  const handle = await open(path, 'w')
  const frames = new FrameBuffer()
  let size = 0
  const write = async () => {
    const bytes = frames.bytes()
    await writeAll(handle, bytes, disk)
    size += bytes.length
    frames.clear()
  }
  try {
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      frames.add(chunk)
      if (frames.length >= SNAPSHOT_WRITE_BYTES) await write()
    }
    frames.add('')
    await write()
    await handle.sync()
    await handle.close()
    return size
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}
