import { copyFile, mkdir, open, readdir, rename, rm, truncate } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FrameBuffer, readFrames } from './recordFrames'
import { lockFolder } from './folderLock'

export interface JournalOptions {
  /** Waits for the disk at each flush, so that records also survive a power loss. */
  readonly fsync?: boolean
  /**
   * Bytes of records, beyond the size of the last snapshot, after which `isSnapshotDue` is true.
   */
  readonly snapshotAfterBytes?: number
  /** Called once for each chunk of the newest snapshot, in the order of `replaceHistory`. */
  readonly onSnapshot?: (chunk: Buffer) => void
  /** Called once for each record written since that snapshot, oldest first. */
  readonly onRecord?: (record: Buffer) => void
  /** Simulates a full disk while its `full` is true. */
  readonly disk?: DiskState
}

/** The simulated disk for tests. */
export interface DiskState {
  readonly full: boolean
}

/** The result of opening a journal. */
export interface RecoverySummary {
  readonly chunks: number
  readonly records: number
  /** Bytes of an unfinished write or of damage that were removed from the end of the history. */
  readonly droppedBytes: number
  /** True when bytes on disk have changed; `*.damaged` files contain the removed part. */
  readonly isDamaged: boolean
}

export interface Journal {
  /**
   * Queues one record. It is durable when `whenFlushed` resolves. Throws when the journal has
   * failed.
   */
  append(record: Uint8Array | string): void
  /** Resolves when the kernel (with `fsync`, the disk) has everything appended so far. */
  whenFlushed(): Promise<void>
  /** Number of durable records appended since the journal was opened. */
  readonly writtenRecords: number
  /**
   * The error that stopped the journal. While it is set, nothing may be acknowledged. A snapshot
   * clears it.
   */
  readonly failure: Error | null
  /** True when `replaceHistory` is due, to keep recovery short or to clear a failure. */
  readonly isSnapshotDue: boolean
  /**
   * Replaces the history so far with `chunks`. Records appended after the call are stored
   * separately and replayed over it. The chunks must describe the state at the time of the call.
   * They may mix it with later states if records contain a place's new value (and not the change).
   */
  replaceHistory(
    chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  ): Promise<void>
  /**
   * Resumes after a failure when the disk has space, but not enough for a snapshot; rejects when it
   * has none. The caller must have discarded all unwritten records, because the history does not
   * contain them.
   */
  resumeAfterFailure(): Promise<void>
  readonly recovery: RecoverySummary
  /** Flushes and closes the journal. */
  close(): Promise<void>
}

const DEFAULT_SNAPSHOT_AFTER_BYTES = 32 << 20
const SNAPSHOT_WRITE_BYTES = 256 << 10
const SNAPSHOT_RETRY_MS = 1000
/** The next few writes would use up less space than this. */
const MIN_FREE_BYTES = 64 << 10

// Segment n contains the records after snapshot n; without that snapshot it follows segment n - 1.
const toFileName = (generation: number, kind: 'log' | 'snapshot') =>
  `${String(generation).padStart(8, '0')}.${kind}`
const FILE_NAME_PATTERN = /^(\d{8,})\.(log|snapshot)$/

interface Batch {
  readonly segment: number
  readonly frames: FrameBuffer
  records: number
  readonly waiters: { resolve: () => void; reject: (error: Error) => void }[]
}

/**
 * Recovers a folder's snapshot and records through the callbacks, then opens it for appending.
 * Rejects when the folder is in use or its only snapshot is damaged.
 */
export const openJournal = async (
  folder: string,
  options: JournalOptions = {},
): Promise<Journal> => {
  const dir = resolve(folder)
  await mkdir(dir, { recursive: true })
  const unlock = await lockFolder(dir)
  try {
    const recovered = await recoverFolder(dir, options)
    return new FileJournal(dir, options, recovered, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

interface RecoveredState extends RecoverySummary {
  readonly segment: number
  readonly logBytes: number
  readonly snapshotBytes: number
}

const listGenerations = async (dir: string, kind: 'log' | 'snapshot'): Promise<number[]> => {
  const names = await readdir(dir)
  return names
    .map((name) => FILE_NAME_PATTERN.exec(name))
    .filter((match) => match?.[2] === kind)
    .map((match) => Number(match?.[1]))
    .sort((a, b) => a - b)
}

const recoverFolder = async (dir: string, options: JournalOptions): Promise<RecoveredState> => {
  const path = (generation: number, kind: 'log' | 'snapshot') =>
    join(dir, toFileName(generation, kind))
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
    if (scan.remainingBytes > 0 || !ended) throw new Error(`${path(base, 'snapshot')} is damaged`)
    snapshotBytes = scan.validBytes
  }
  await removeOlderGenerations(dir, base)

  let records = 0
  let logBytes = 0
  let droppedBytes = 0
  let damaged = false
  const segments = await listGenerations(dir, 'log')
  let segment = base
  for (const generation of segments) {
    const file = path(generation, 'log')
    if (damaged) {
      // Records after a gap may depend on missing ones.
      await rename(file, `${file}.damaged`)
      continue
    }
    const scan = await readFrames(file, (record) => {
      records++
      options.onRecord?.(record)
    })
    segment = generation
    logBytes += scan.validBytes
    droppedBytes += scan.remainingBytes
    damaged = scan.damaged || (scan.remainingBytes > 0 && generation !== segments.at(-1))
    if (damaged) await copyFile(file, `${file}.damaged`)
    if (scan.remainingBytes > 0) await truncate(file, scan.validBytes)
  }
  return { chunks, records, droppedBytes, isDamaged: damaged, segment, logBytes, snapshotBytes }
}

const removeOlderGenerations = async (dir: string, generation: number): Promise<void> => {
  for (const kind of ['log', 'snapshot'] as const) {
    for (const old of await listGenerations(dir, kind)) {
      if (old < generation)
        await rm(join(dir, toFileName(old, kind)), { force: true, recursive: true })
    }
  }
}

const syncFolder = async (dir: string): Promise<void> => {
  // Not every system can open a folder; there, the rename alone must suffice.
  const handle = await open(dir, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

class FileJournal implements Journal {
  failure: Error | null = null
  writtenRecords = 0
  readonly recovery: RecoverySummary
  private readonly disk: DiskState
  private readonly fsync: boolean
  private readonly snapshotAfter: number
  /** The segment for new records. */
  private segment: number
  private logBytes: number
  private snapshotBytes: number
  private file: { segment: number; handle: FileHandle; size: number } | null = null
  private readonly queue: Batch[] = []
  private spare: FrameBuffer[] = []
  /** True while the first batch of the queue is being written to disk. */
  private writing = false
  private nextSnapshotAt = 0
  private snapshotting: Promise<void> | null = null
  private closed = false

  constructor(
    private readonly dir: string,
    options: JournalOptions,
    recovered: RecoveredState,
    private readonly unlock: () => Promise<void>,
  ) {
    this.fsync = options.fsync ?? false
    this.disk = options.disk ?? { full: false }
    this.snapshotAfter = options.snapshotAfterBytes ?? DEFAULT_SNAPSHOT_AFTER_BYTES
    const { segment, logBytes, snapshotBytes, ...recovery } = recovered
    this.segment = segment
    this.logBytes = logBytes
    this.snapshotBytes = snapshotBytes
    this.recovery = recovery
  }

  get isSnapshotDue(): boolean {
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

  whenFlushed(): Promise<void> {
    const last = this.queue.at(-1)
    if (last) {
      return new Promise((resolve, reject) => last.waiters.push({ resolve, reject }))
    }
    return this.failure ? Promise.reject(this.failure) : Promise.resolve()
  }

  replaceHistory(
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

  async resumeAfterFailure(): Promise<void> {
    const { failure } = this
    if (failure === null || this.closed || this.snapshotting) return
    const path = join(this.dir, 'probe.tmp')
    const handle = await open(path, 'w')
    try {
      await writeAll(handle, new Uint8Array(MIN_FREE_BYTES), this.disk)
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
    await this.whenFlushed().catch(() => undefined)
    await this.file?.handle.close()
    await this.unlock()
  }

  private newBatch(): Batch {
    const frames = this.spare.pop() ?? new FrameBuffer()
    const batch: Batch = { segment: this.segment, frames, records: 0, waiters: [] }
    this.queue.push(batch)
    // All records of one event-loop turn share one write.
    if (this.queue.length === 1) setImmediate(() => void this.flushQueue())
    return batch
  }

  private async flushQueue(): Promise<void> {
    this.writing = true
    for (let batch = this.queue[0]; batch; batch = this.queue[0]) {
      try {
        await this.write(batch)
      } catch (error) {
        this.fail(toError(error))
        break
      }
      this.queue.shift()
      this.writtenRecords += batch.records
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
      const handle = await open(join(this.dir, toFileName(segment, 'log')), 'a')
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
      // Half a record must not precede whole ones if this segment is written again.
      await file.handle.truncate(file.size).catch(() => undefined)
      throw error
    }
  }

  /** Stops the journal: refuses all unwritten and all later records. */
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
    const path = join(this.dir, toFileName(generation, 'snapshot'))
    const bytesBefore = this.logBytes
    const failureBefore = this.failure
    const bytes = await writeFrames(`${path}.tmp`, chunks, this.disk)
    // The chunks may contain records that are not written yet. If those fail, the snapshot must not
    // contain them.
    if (failureBefore === null) await this.whenFlushed()
    await rename(`${path}.tmp`, path)
    await syncFolder(this.dir)
    this.snapshotBytes = bytes
    this.logBytes -= bytesBefore
    // A snapshot does not clear a failure that occurred during it, because it lacks the records
    // refused then.
    if (this.failure === failureBefore) this.failure = null
    // An older segment may still receive its last batch, which would recreate the file after its
    // removal.
    await this.whenFlushed().catch(() => undefined)
    await removeOlderGenerations(this.dir, generation)
  }
}

/** Writes all bytes or throws. After an error some bytes may be written, as on a real disk. */
const writeAll = async (handle: FileHandle, bytes: Uint8Array, disk: DiskState): Promise<void> => {
  const room = disk.full ? bytes.length >> 1 : bytes.length
  for (let written = 0; written < room;) {
    written += (await handle.write(bytes, written, room - written)).bytesWritten
  }
  if (room < bytes.length) throw new Error('ENOSPC: no space left on device (pretended)')
}

/**
 * Writes chunks and an end mark to a new file and waits for the disk. Returns its size in bytes.
 */
const writeFrames = async (
  path: string,
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  disk: DiskState,
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
