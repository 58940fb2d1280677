import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DatabaseValue } from '~/domain/databaseValue'
import type { Booking, ClosedAccount } from '~/domain/entities'
import { fnv1a } from '~/domain/fnv1a'
import {
  CHECKED_COLLECTIONS,
  removeUncheckedFields,
  createTotalsCheck,
  getChecksOfRecord,
  runCheck,
  type DatabaseTree,
} from '~/domain/invariants'
import { toStatsSettings } from '~/domain/stats'
import { readGzipLines } from './gzipLines'
import { readLeaves, readRecords } from './databasePages'
import type { RestDatabase } from './restDatabase'

/** The data to verify, record by record. */
export interface DataSource {
  readCurrency(): Promise<Pick<DatabaseTree, 'settings' | 'currency'>>
  readRecords(collection: string): AsyncIterable<[key: string, record: DatabaseValue]>
  /** Yields every value below a collection with its path. */
  readLeaves(collection: string): AsyncIterable<[path: string, value: DatabaseValue]>
}

export const createDatabaseSource = (db: RestDatabase): DataSource => ({
  readCurrency: async () => {
    const found = await Promise.all([db.get('settings'), db.get('currency')])
    const [settings, currency] = found.map((one) => one ?? undefined)
    return { settings, currency } as Pick<DatabaseTree, 'settings' | 'currency'>
  },
  readRecords: (collection) => readRecords(db, collection),
  readLeaves: (collection) => readLeaves(db, collection),
})

export interface VerificationResult {
  /** Number of violations, and the first ones as sentences. */
  violationCount: number
  sentences: string[]
  /** Maximum bytes of records held in memory at once. */
  maxHeldBytes: number
}

interface VerifyOptions {
  /** Number of parts into which records are split; each is verified in memory separately. */
  parts?: number
  /** Bytes of a part that stay in memory. */
  heldBytes?: number
  progress?: (text: string) => void
  /** Called for each record, so that a lease does not expire meanwhile. */
  renewLease?: () => Promise<void>
}

const DEFAULT_PARTS = 128
const DEFAULT_HELD_BYTES = 128 * 1024
const MAX_SENTENCES = 1000
const PROGRESS_EVERY = 1000

/** The same key always comes to the same part. */
const choosePart = (key: string, parts: number): number => fnv1a(key) % parts

type JsonLine = [checks: string[], collection: string, key: string, record: object]

/** Opens `parts` lists of JSON lines. A long list is moved to a compressed file. */
const openPartFiles = (folder: string, parts: number, heldBytes: number) => {
  const pending = Array.from({ length: parts }, () => ({ text: '' }))
  const file = (part: number) => join(folder, `${part}.ndjson.gz`)
  const flush = async (part: number) => {
    const block = pending[part]
    if (!block || block.text === '') return
    // Concatenated gzip members form one valid file.
    const packed = gzipSync(block.text, { level: 1 })
    block.text = ''
    await appendFile(file(part), packed)
  }
  return {
    async add(part: number, line: JsonLine) {
      const block = pending[part]
      if (!block) return
      block.text += `${JSON.stringify(line)}\n`
      if (block.text.length >= heldBytes) await flush(part)
    },
    async *lines(part: number): AsyncGenerator<[JsonLine, bytes: number]> {
      if (existsSync(file(part)))
        for await (const text of readGzipLines(file(part)))
          yield [JSON.parse(text) as JsonLine, text.length]
      for (const text of pending[part]?.text.split('\n') ?? [])
        if (text !== '') yield [JSON.parse(text) as JsonLine, text.length]
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
    heldBytes = DEFAULT_HELD_BYTES,
    progress = () => undefined,
    renewLease,
  }: VerifyOptions = {},
): Promise<VerificationResult> => {
  const money = await source.readCurrency()
  const verdict: VerificationResult = { violationCount: 0, sentences: [], maxHeldBytes: 0 }
  const known = new Set<string>()
  const wrong = (sentence: string) => {
    if (known.has(sentence)) return
    verdict.violationCount += 1
    if (known.size < MAX_SENTENCES) known.add(sentence)
  }
  const folder = await mkdtemp(join(tmpdir(), 'kerbside-verify-'))
  try {
    const files = openPartFiles(folder, parts, heldBytes)
    const totals = createTotalsCheck(toStatsSettings(money))
    for (const collection of CHECKED_COLLECTIONS) {
      let seen = 0
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
          await files.add(part, [
            [...checks],
            collection,
            key,
            removeUncheckedFields(collection, record),
          ])
        if (++seen % PROGRESS_EVERY === 0) progress(`Reading ${collection}: ${seen}`)
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
      let held = 0
      for await (const [[checks, collection, key, record], bytes] of files.lines(part)) {
        held += bytes
        for (const check of checks) {
          const tree = trees.get(check) ?? {}
          trees.set(check, tree)
          const records = (tree[collection] ??= {})
          records[key] = record
        }
      }
      verdict.maxHeldBytes = Math.max(verdict.maxHeldBytes, held)
      const found = [...trees].flatMap(([check, tree]) =>
        runCheck(check, { ...tree, ...money }, (key) => choosePart(key, parts) === part),
      )
      for (const sentence of new Set(found)) wrong(sentence)
    }
    return { ...verdict, sentences: [...known] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
