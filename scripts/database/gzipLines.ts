import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

const NEWLINE = 10

/**
 * Yields the lines of a compressed file, one at a time. Splits at newlines only: readline would
 * also split at U+2028, which JSON leaves in texts.
 */
export async function* readGzipLines(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  const read = pipeline(createReadStream(file), unpacked)
  // The code below awaits it after it has used the data before the error.
  read.catch(() => undefined)
  let rest: Buffer[] = []
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      let begin = 0
      for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, begin)) {
        yield Buffer.concat([...rest, piece.subarray(begin, end)]).toString()
        rest = []
        begin = end + 1
      }
      if (begin < piece.length) rest.push(piece.subarray(begin))
    }
  } catch (error) {
    throw new Error(`${file} cannot be read because it is damaged. Use another backup.`, {
      cause: error,
    })
  }
  await read
  if (rest.length > 0) yield Buffer.concat(rest).toString()
}
