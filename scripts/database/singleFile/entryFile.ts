import { closeSync, mkdtempSync, openSync, read, rmSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { BackupEntry } from '../backupFormat'

const compress = promisify(gzip)
const decompress = promisify(gunzip)
const readAt = promisify(read)
const writeAt = promisify(write)

const NEWLINE = 10
const NO_ROOM_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** A piece of the file, in bytes. */
export interface FilePiece {
  readonly position: number
  readonly bytes: number
}

/** A file of packed entries in the temporary folder. */
export interface EntryFile {
  /** Packs lines and appends them. Throws a readable error when the disk has no room. */
  append(lines: string): Promise<FilePiece>
  /** Yields the entries of a piece; holds the piece unpacked. */
  read(piece: FilePiece): AsyncGenerator<BackupEntry, void>
  close(): void
}

/**
 * Creates a file that has no name, so that the system removes it when this process ends, however it
 * ends.
 */
const openNamelessFile = (): number => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-backup-'))
  try {
    return openSync(join(folder, 'entries'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const describeWriteFailure = (error: unknown): unknown => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!NO_ROOM_CODES.includes(code)) return error
  return new Error(
    `The temporary folder ${tmpdir()} has no room for a packed copy of the backup. Set TMPDIR to a folder with more room.`,
    { cause: error },
  )
}

/** Opens an empty file. */
export const openEntryFile = (): EntryFile => {
  const fd = openNamelessFile()
  let end = 0
  return {
    async append(lines) {
      const packed = await compress(lines, { level: constants.Z_BEST_SPEED })
      const piece = { position: end, bytes: packed.length }
      try {
        for (let length = 0; length < packed.length;) {
          const rest = packed.length - length
          length += (await writeAt(fd, packed, length, rest, end + length)).bytesWritten
        }
      } catch (error) {
        throw describeWriteFailure(error)
      }
      end += packed.length
      return piece
    },
    async *read({ position, bytes }) {
      const packed = Buffer.alloc(bytes)
      for (let length = 0; length < bytes;)
        length += (await readAt(fd, packed, length, bytes - length, position + length)).bytesRead
      const lines = await decompress(packed)
      for (let begin = 0; begin < lines.length;) {
        const newline = lines.indexOf(NEWLINE, begin)
        yield JSON.parse(lines.toString('utf8', begin, newline)) as BackupEntry
        begin = newline + 1
      }
    },
    close: () => closeSync(fd),
  }
}
