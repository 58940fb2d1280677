import { isUtf8 } from 'node:buffer'
import type { DatabaseValue } from '~/domain/data/databaseValue'

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
/** Marks the end of the text. */
const END = -1
/** Google allows 768 bytes; JSON may write each of them as six characters. */
const MAX_KEY_BYTES = 6 * 768
/** Google allows 32 levels. */
const MAX_LEVELS = 100
const INITIAL_WINDOW_BYTES = 1024 * 1024
/** Matches keys that no database has, because they would be read as paths. */
const INVALID_KEY = /^$|[.#$/[\]\p{Cc}]/u

/** A value and its keys from the root. */
export type JsonPart = readonly [keys: readonly string[], value: DatabaseValue]

export interface PartLimits {
  /** Objects and lists below this level are parts. */
  level: number
  /** Maximum JSON of an object or a list in bytes; a larger one is read as several parts. */
  maxBytes: number
  /** Maximum JSON of a single text or number in bytes. */
  maxTextBytes: number
}

const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9

/** How far the search for the end of a value has come. */
interface ValueSearch {
  /** Bytes from the start of the value. */
  length: number
  levels: number
  /** Most levels so far. */
  deepest: number
  isInText: boolean
}

/**
 * Continues the search for the end of a value in the bytes that are there. Returns true when it
 * has the end; otherwise it needs more bytes. Does not check the JSON in between.
 */
const findEnd = (bytes: Buffer, start: number, end: number, search: ValueSearch): boolean => {
  let { levels, deepest, isInText } = search
  let at = start + search.length
  let hasEnd = false
  while (at < end && !hasEnd) {
    const byte = bytes[at] ?? 0
    if (isInText) {
      if (byte === QUOTE) {
        isInText = false
        hasEnd = levels === 0
      } else if (byte === BACKSLASH) at += 1
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      levels += 1
      if (levels > deepest) deepest = levels
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      // Closes what contains the number or word before it.
      if (levels === 0) break
      levels -= 1
      hasEnd = levels === 0
    } else if (levels === 0 && (byte === COMMA || isSpace(byte))) break
    at += 1
  }
  search.length = at - start
  search.levels = levels
  search.deepest = deepest
  search.isInText = isInText
  return hasEnd || (at < end && levels === 0 && !isInText)
}

/** The bytes of a text between the present position and the last byte that was read. */
const createWindow = (chunks: AsyncIterator<Buffer, unknown>) => {
  let bytes: Buffer = Buffer.allocUnsafe(INITIAL_WINDOW_BYTES)
  let [start, end, skipped] = [0, 0, 0]
  const makeRoom = (size: number) => {
    if (end + size <= bytes.length) return
    const rest = bytes.subarray(start, end)
    // A window that stays less than half full moves each byte once on average.
    const target =
      2 * (rest.length + size) <= bytes.length
        ? bytes
        : Buffer.allocUnsafe(2 * Math.max(bytes.length, rest.length + size))
    target.set(rest)
    bytes = target
    skipped += start
    end -= start
    start = 0
  }
  return {
    getPosition: () => skipped + start,
    /** Reads more bytes; returns false at the end of the text. */
    async fill(): Promise<boolean> {
      const next = await chunks.next()
      if (next.done === true) return false
      makeRoom(next.value.length)
      bytes.set(next.value, end)
      end += next.value.length
      return true
    },
    getByte: () => (start < end ? (bytes[start] ?? END) : END),
    find: (search: ValueSearch) => findEnd(bytes, start, end, search),
    skip() {
      start += 1
    },
    take(length: number): Buffer {
      const chunk = bytes.subarray(start, Math.min(start + length, end))
      start += chunk.length
      return chunk
    },
  }
}

type Keys = readonly string[]

/** A JSON text that is being read, and the name of its file for errors. */
interface JsonSource {
  path: string
  window: ReturnType<typeof createWindow>
}

const createError = ({ path }: JsonSource, reason: string, cause?: unknown) =>
  new Error(
    `${path} is damaged: it is not valid JSON, because ${reason}. Copy it again, or use another backup.`,
    { cause },
  )
const createEndError = (source: JsonSource) => createError(source, 'it ends before its data does')
const describePlace = ({ window }: JsonSource, keys: Keys) =>
  `at byte ${window.getPosition()}, in /${keys.join('/')}`
const createMistakeError = (source: JsonSource, keys: Keys) =>
  createError(source, `it has a mistake ${describePlace(source, keys)}`)

/** Returns the next byte that is no space, without taking it; `END` at the end of the text. */
const peek = async ({ window }: JsonSource): Promise<number> => {
  for (;;) {
    const byte = window.getByte()
    if (byte === END) {
      if (!(await window.fill())) return END
    } else if (isSpace(byte)) window.skip()
    else return byte
  }
}

/** Takes a value; returns undefined when its JSON is larger than `limit` bytes. */
const takeValue = async (
  source: JsonSource,
  keys: Keys,
  limit: number,
): Promise<{ value: DatabaseValue } | undefined> => {
  const { window } = source
  const search: ValueSearch = { length: 0, levels: 0, deepest: 0, isInText: false }
  for (;;) {
    const hasEnd = window.find(search)
    if (keys.length + search.deepest > MAX_LEVELS)
      throw createError(
        source,
        `it has more than ${MAX_LEVELS} levels ${describePlace(source, keys)}`,
      )
    if (hasEnd) break
    if (search.length > limit) return undefined
    if (await window.fill()) continue
    if (search.isInText || search.levels > 0 || search.length === 0) throw createEndError(source)
    break
  }
  // Depends on the value alone, so that reading it again gives the same parts.
  if (search.length > limit) return undefined
  const place = describePlace(source, keys)
  const bytes = window.take(search.length)
  if (!isUtf8(bytes)) throw createError(source, `it is not UTF-8 ${place}`)
  try {
    return { value: JSON.parse(bytes.toString()) as DatabaseValue }
  } catch (cause) {
    throw createError(source, `it has a mistake ${place}`, cause)
  }
}

const takeKey = async (source: JsonSource, keys: Keys): Promise<string> => {
  const place = describePlace(source, keys)
  const byte = await peek(source)
  if (byte === END) throw createEndError(source)
  if (byte !== QUOTE) throw createError(source, `it has a mistake ${place}`)
  const key = (await takeValue(source, keys, MAX_KEY_BYTES))?.value
  if (typeof key !== 'string' || INVALID_KEY.test(key))
    throw new Error(
      `${source.path} is no export of a database: it has a key that no database has, ${place}. Use another backup.`,
    )
  return key
}

/** Takes a comma or the closing bracket; returns true when more children follow. */
const takeSeparator = async (source: JsonSource, keys: Keys, close: number): Promise<boolean> => {
  const byte = await peek(source)
  if (byte === END) throw createEndError(source)
  if (byte !== COMMA && byte !== close) throw createMistakeError(source, keys)
  source.window.skip()
  return byte === COMMA
}

async function* readChildren(
  source: JsonSource,
  keys: Keys,
  open: number,
  limits: PartLimits,
): AsyncGenerator<JsonPart> {
  const { window } = source
  const close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST
  window.skip()
  if ((await peek(source)) === close) {
    window.skip()
    return
  }
  let index = 0
  do {
    const key = open === OPEN_OBJECT ? await takeKey(source, keys) : String(index++)
    if (open === OPEN_OBJECT) {
      if ((await peek(source)) !== COLON) throw createMistakeError(source, keys)
      window.skip()
    }
    yield* readPart(source, [...keys, key], limits)
  } while (await takeSeparator(source, keys, close))
}

async function* readPart(
  source: JsonSource,
  keys: Keys,
  limits: PartLimits,
): AsyncGenerator<JsonPart> {
  const { level, maxBytes, maxTextBytes } = limits
  const first = await peek(source)
  const isBranch = first === OPEN_OBJECT || first === OPEN_LIST
  if (!isBranch || keys.length >= level) {
    const part = await takeValue(source, keys, isBranch ? maxBytes : maxTextBytes)
    if (part) {
      yield [keys, part.value]
      return
    }
    if (!isBranch)
      throw new Error(
        `${source.path} has a text of more than ${maxTextBytes / 1e6} MB at /${keys.join('/')}, which no database takes. Use another backup.`,
      )
  }
  yield* readChildren(source, keys, first, limits)
}

/**
 * Yields the parts of a JSON text of any size, in the order of the text. Finds only where each part
 * begins and ends, and leaves its content to JSON.parse. Holds one part at a time. `path` names
 * the file in errors.
 */
export async function* readJsonParts(
  path: string,
  chunks: AsyncIterable<Buffer>,
  limits: PartLimits,
): AsyncGenerator<JsonPart, void> {
  const iterator = chunks[Symbol.asyncIterator]()
  const source: JsonSource = { path, window: createWindow(iterator) }
  try {
    yield* readPart(source, [], limits)
    if ((await peek(source)) !== END)
      throw createError(source, `more text follows its data at byte ${source.window.getPosition()}`)
  } finally {
    // Closes the file when the reader stops early.
    await iterator.return?.()
  }
}
