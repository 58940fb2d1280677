export interface JournalOptions {
  /** Waits for the disk itself at each flush, so that records survive a power loss too. */
  readonly fsync?: boolean
  /** `snapshotDue` turns true when the records since the last snapshot exceed this many bytes. */
  readonly snapshotAfter?: number
  /** Called once per chunk of the newest snapshot, in the order `snapshot` was given them. */
  readonly onSnapshot?: (chunk: Buffer) => void
  /** Called once per record written since that snapshot, oldest first. */
  readonly onRecord?: (record: Buffer) => void
}

export interface Journal {
  /** Queues one record; throws when the journal has failed. It is durable when `flushed` resolves. */
  append(record: Uint8Array | string): void
  /** Resolves when everything appended so far is with the kernel (the disk with `fsync`). */
  flushed(): Promise<void>
  /** The error that stopped the journal; while set nothing may be acknowledged. A snapshot heals it. */
  readonly failure: Error | null
  /** True when it is time to call `snapshot`, which keeps recovery short. */
  readonly snapshotDue: boolean
  /**
   * Replaces the history so far by `chunks`. Records appended after the call are kept beside it. The
   * chunks must describe the state at the time of the call or later (records are replayed over it).
   */
  snapshot(
    chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  ): Promise<void>
  /** Flushes and closes. */
  close(): Promise<void>
}

/** Recovers a folder's snapshot and records through the callbacks, then opens it for appending. */
export const openJournal = (dir: string, options: JournalOptions = {}): Promise<Journal> =>
  Promise.reject(new Error(`not opened: ${dir} ${options.fsync}`))
