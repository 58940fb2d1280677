import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { fnv1a } from '~/domain/data/fnv1a'
import {
  CHECKED_COLLECTIONS,
  removeUncheckedFields,
  getChecksOfRecord,
  runCheck,
} from '~/domain/data/invariants'
import { createTotalsCheck } from '~/domain/data/invariants/totals'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { toStatsSettings } from '~/domain/money/stats'
import { readGzipLines } from './gzipLines'
import { readLeaves, readRecords } from './databasePages'
import type { RestDatabase } from './restDatabase'
import type { Booking } from '~/domain/booking/types'
import type { ClosedAccount } from '~/domain/accounts/types'

/** The data to verify, record by record. */
export interface DataSource {
  readCurrency(): Promise<Pick<DatabaseTree, 'settings' | 'currency'>>
  readRecords(collection: string): AsyncIterable<[key: string, record: DatabaseValue]>
  /** Yields every value below a collection with its path. */
  readLeaves(collection: string): AsyncIterable<[path: string, value: DatabaseValue]>
}

export const createDatabaseSource = (db: RestDatabase): DataSource => ({
  readCurrency: async () => {
    const values = await Promise.all([db.get('settings'), db.get('currency')])
    const [settings, currency] = values.map((one) => one ?? undefined)
    return { settings, currency } as Pick<DatabaseTree, 'settings' | 'currency'>
  },
  readRecords: (collection) => readRecords(db, collection),
  readLeaves: (collection) => readLeaves(db, collection),
})

export interface VerificationResult {
  /** Number of violations, and the first ones as sentences. */
  violationCount: number
  sentences: string[]
  /** Characters of the longest part, which is in memory while its records are compared. */
  maxPartLength: number
}

interface VerifyOptions {
  /** Number of parts into which records are split; each is verified in memory separately. */
  parts?: number
  /** Characters of a part that stay in memory; a longer part goes to a file. */
  maxBufferLength?: number
  progress?: (text: string) => void
  /** Called for each record, so that a lease does not expire meanwhile. */
  renewLease?: () => Promise<void>
}

const DEFAULT_PARTS = 128
const DEFAULT_MAX_BUFFER_LENGTH = 128 * 1024
const MAX_SENTENCES = 1000
const PROGRESS_EVERY = 1000

/** The same key always comes to the same part. */
const choosePart = (key: string, parts: number): number => fnv1a(key) % parts

type JsonLine = [checks: string[], collection: string, key: string, record: object]

/** Creates `parts` empty lists of JSON lines. A long list goes to a compressed file. */
const createParts = (parts: number, maxBufferLength: number) => {
  const buffers = Array.from({ length: parts }, () => '')
  const files = new Map<number, string>()
  let folder: string | undefined
  const flush = async (part: number) => {
    folder ??= await mkdtemp(join(tmpdir(), 'kerbside-verify-'))
    const file = join(folder, `${part}.ndjson.gz`)
    files.set(part, file)
    // Concatenated gzip members form one valid file.
    const packed = gzipSync(buffers[part] ?? '', { level: 1 })
    buffers[part] = ''
    await appendFile(file, packed)
  }
  return {
    async add(part: number, line: JsonLine) {
      const buffer = `${buffers[part]}${JSON.stringify(line)}\n`
      buffers[part] = buffer
      if (buffer.length >= maxBufferLength) await flush(part)
    },
    /** Yields the lines of a part and forgets those in memory. */
    async *takeLines(part: number): AsyncGenerator<[JsonLine, length: number]> {
      const file = files.get(part)
      if (file)
        for await (const text of readGzipLines(file))
          yield [JSON.parse(text) as JsonLine, text.length]
      const buffered = buffers[part] ?? ''
      buffers[part] = ''
      for (const text of buffered.split('\n'))
        if (text !== '') yield [JSON.parse(text) as JsonLine, text.length]
    },
    async remove() {
      if (folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Finds violations in data of any size: reads each record once and groups it with the records it
 * must agree with, on disk when there are many. Counts totals in memory, so memory grows only with
 * the number of totals.
 */
export const verifyData = async (
  source: DataSource,
  {
    parts = DEFAULT_PARTS,
    maxBufferLength = DEFAULT_MAX_BUFFER_LENGTH,
    progress = () => undefined,
    renewLease,
  }: VerifyOptions = {},
): Promise<VerificationResult> => {
  const money = await source.readCurrency()
  const verdict: VerificationResult = { violationCount: 0, sentences: [], maxPartLength: 0 }
  const sentences = new Set<string>()
  const wrong = (sentence: string) => {
    if (sentences.has(sentence)) return
    verdict.violationCount += 1
    if (sentences.size < MAX_SENTENCES) sentences.add(sentence)
  }
  const lists = createParts(parts, maxBufferLength)
  try {
    const totals = createTotalsCheck(toStatsSettings(money))
    for (const collection of CHECKED_COLLECTIONS) {
      let recordCount = 0
      for await (const [key, value] of source.readRecords(collection)) {
        await renewLease?.()
        const record = value as object
        if (collection === 'bookings') totals.addBooking({ ...record, id: key } as Booking)
        if (collection === 'closed_accounts') totals.addClosedAccount(record as ClosedAccount)
        const byPart = new Map<number, Set<string>>()
        for (const [of, checks] of getChecksOfRecord(collection, record, key)) {
          const part = choosePart(of, parts)
          byPart.set(part, new Set([...(byPart.get(part) ?? []), ...checks]))
        }
        for (const [part, checks] of byPart)
          await lists.add(part, [
            [...checks],
            collection,
            key,
            removeUncheckedFields(collection, record),
          ])
        if (++recordCount % PROGRESS_EVERY === 0) progress(`Reading ${collection}: ${recordCount}`)
      }
    }
    for await (const [path, value] of source.readLeaves('stats')) {
      await renewLease?.()
      totals.kept(path, value)
    }
    for (const sentence of totals.listMismatches()) wrong(sentence)
    for (let part = 0; part < parts; part++) {
      await renewLease?.()
      progress(`Comparing: ${part + 1} of ${parts}`)
      const trees = new Map<string, Record<string, Record<string, object>>>()
      let partLength = 0
      for await (const [[checks, collection, key, record], length] of lists.takeLines(part)) {
        partLength += length
        for (const check of checks) {
          const tree = trees.get(check) ?? {}
          trees.set(check, tree)
          const records = (tree[collection] ??= {})
          records[key] = record
        }
      }
      verdict.maxPartLength = Math.max(verdict.maxPartLength, partLength)
      const problems = [...trees].flatMap(([check, tree]) =>
        runCheck(check, { ...tree, ...money }, (key) => choosePart(key, parts) === part),
      )
      for (const sentence of new Set(problems)) wrong(sentence)
    }
    return { ...verdict, sentences: [...sentences] }
  } finally {
    await lists.remove()
  }
}
