import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { openBackup, readSavedRecords } from '~/scripts/database/backupFolder'
import { listCollections, readRecords } from '~/scripts/database/databasePages'
import { openRestDatabase } from '~/scripts/database/restDatabase'
import { startStandIn } from '../bench/measuredServers'
import { createMeasure, type ResourceUse } from './largeRehearsal'

type ReadRecords = (collection: string) => AsyncIterable<[key: string, record: DatabaseValue]>

/** Yields a database in the form of Google's exports: JSON in one line. */
async function* formatExport(
  collections: readonly string[],
  readCollection: ReadRecords,
  schema: DatabaseValue,
): AsyncGenerator<string> {
  yield '{'
  for (const collection of collections) {
    yield `${JSON.stringify(collection)}:{`
    let separator = ''
    for await (const [key, record] of readCollection(collection)) {
      yield `${separator}${JSON.stringify(key)}:${JSON.stringify(record)}`
      separator = ','
    }
    yield '},'
  }
  yield `"schema":${JSON.stringify(schema)}}`
}

export interface ExportText {
  bytes: number
  /** SHA-256 of the text. */
  hash: string
}

/** Measures a text, and writes it into a file when there is one; packed for a name in `.gz`. */
const writeText = async (text: AsyncIterable<string>, file?: string): Promise<ExportText> => {
  const hash = createHash('sha256')
  let bytes = 0
  async function* observe() {
    for await (const piece of text) {
      const chunk = Buffer.from(piece)
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  if (file === undefined) for await (const chunk of observe()) void chunk
  else
    await pipeline(
      observe(),
      file.endsWith('.gz') ? createGzip({ level: 1 }) : new PassThrough(),
      createWriteStream(file),
    )
  return { bytes, hash: hash.digest('hex') }
}

/**
 * Writes a saved folder as Google would export its database: one JSON file, packed for a name in
 * `.gz`. `change` may make records larger.
 */
export const writeExport = async (
  folder: string,
  file: string,
  change: (collection: string, record: DatabaseValue) => DatabaseValue,
): Promise<ExportText> => {
  const backup = await openBackup(folder)
  async function* readChanged(
    collection: string,
  ): AsyncGenerator<[key: string, record: DatabaseValue]> {
    for await (const [key, record] of readSavedRecords(backup, collection))
      yield [key, change(collection, record)]
  }
  const { collections, schema } = backup.manifest
  return writeText(formatExport(collections, readChanged, { version: schema }), file)
}

export interface ExportRehearsal {
  uses: ResourceUse[]
  /** The restored database in the form of the export. */
  restored: ExportText
}

/**
 * Verifies an export of the database in a saved folder, restores it into an empty database, and
 * exports that again.
 */
export const rehearseExport = async (
  folder: string,
  file: string,
  maxHeapMb: number,
): Promise<ExportRehearsal> => {
  const { collections, schema } = (await openBackup(folder)).manifest
  const uses: ResourceUse[] = []
  const measure = createMeasure(uses, maxHeapMb)
  const server = await startStandIn()
  try {
    await measure(server, 'verify-data of the export', ['verifyData.ts', file])
    await measure(server, 'backup restore of the export', ['backup.ts', 'restore', file])
    const db = openRestDatabase({
      url: `http://127.0.0.1:${server.port}`,
      readAccessToken: () => Promise.resolve('owner'),
    })
    const others = (await listCollections(db)).filter((name) => !collections.includes(name))
    const text = formatExport([...collections, ...others], (name) => readRecords(db, name), {
      version: schema,
    })
    return { uses, restored: await writeText(text) }
  } finally {
    await server.stop()
  }
}
