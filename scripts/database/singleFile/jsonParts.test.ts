import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { chooseLength } from '~/domain/testing/endurance'
import { readJsonParts, type JsonPart, type PartLimits } from './jsonParts'

const LIMITS: PartLimits = { level: 2, maxBytes: 1000, maxTextBytes: 2000 }

/** Yields a text in chunks of these sizes, over and over; may cut letters into pieces. */
async function* cut(text: string | Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let begin = 0, at = 0; begin < bytes.length; at++) {
    const end = begin + (sizes[at % sizes.length] ?? 1)
    yield await Promise.resolve(bytes.subarray(begin, end))
    begin = end
  }
}

const readParts = async (
  text: string | Buffer,
  { sizes = [7], ...limits }: { sizes?: readonly number[] } & Partial<PartLimits> = {},
): Promise<JsonPart[]> => {
  const parts: JsonPart[] = []
  const source = readJsonParts('city.json', cut(text, sizes), { ...LIMITS, ...limits })
  for await (const part of source) parts.push(part)
  return parts
}
const listPaths = (parts: readonly JsonPart[]) => parts.map(([keys]) => keys.join('/'))

/** Returns the text with spaces between its tokens. */
const spread = (value: DatabaseValue, indent: string) => JSON.stringify(value, null, indent)

/** Returns what the parts of a text must be, from all of it. */
const splitWhole = (
  value: DatabaseValue,
  keys: readonly string[],
  limits: PartLimits,
): JsonPart[] => {
  const isBranch = typeof value === 'object' && value !== null
  const size = Buffer.byteLength(JSON.stringify(value))
  if (!isBranch || (keys.length >= limits.level && size <= limits.maxBytes)) return [[keys, value]]
  return Object.entries(value).flatMap(([key, child]) => splitWhole(child, [...keys, key], limits))
}

describe('a JSON text', () => {
  const key = fc
    .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
    .filter((text) => !/[.#$/[\]\p{Cc}]/u.test(text) && text !== '__proto__')
  const { tree } = fc.letrec<{ tree: DatabaseValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'large', withCrossShrink: true },
      fc.oneof(
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('"', '\\', '\\"', '}]{[', '\u2028', '😀', '\n'),
      ),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
    ),
  }))
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

  it('has the same parts in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        sizes,
        fc.integer({ min: 0, max: 60 }),
        async (value, cuts, maxBytes) => {
          const limits = { ...LIMITS, maxBytes }
          // JSON has no negative zero.
          const plain = JSON.parse(JSON.stringify(value)) as DatabaseValue
          expect(await readParts(JSON.stringify(value), { sizes: cuts, ...limits })).toEqual(
            splitWhole(plain, [], limits),
          )
        },
      ),
      { seed: 31, numRuns: chooseLength(300, 3000) },
    )
  })

  it('may have spaces and line breaks between its tokens', async () => {
    const value = { a: { b: [1, { c: 'x, y' }], d: {} }, e: [], f: 'g' }
    for (const indent of ['  ', '\t'])
      for (const maxBytes of [0, 1000])
        expect(await readParts(`\r\n ${spread(value, indent)}\r\n\n`, { maxBytes })).toEqual(
          await readParts(JSON.stringify(value), { maxBytes }),
        )
  })

  it('has one value without keys', async () => {
    expect(await readParts(' 12 ')).toEqual([[[], 12]])
    expect(await readParts('{}')).toEqual([])
  })

  it('is read in parts as large as the limit, however it is cut', async () => {
    const record = { short: 'x'.repeat(10), list: ['y'.repeat(10), { z: 1 }] }
    const size = JSON.stringify(record).length
    const text = JSON.stringify({ all: { one: record, two: 2 } })
    for (const cuts of [[1], [17], [1000]]) {
      expect(listPaths(await readParts(text, { sizes: cuts, maxBytes: size }))).toEqual([
        'all/one',
        'all/two',
      ])
      expect(listPaths(await readParts(text, { sizes: cuts, maxBytes: size - 1 }))).toEqual([
        'all/one/short',
        'all/one/list',
        'all/two',
      ])
    }
  })
})

describe('a damaged JSON text', () => {
  const whole = JSON.stringify({ a: { b: { c: ['é', true, -1.5e3, null] }, d: 'x\\"' }, e: 12 })

  it('is refused wherever it was cut off', async () => {
    const bytes = Buffer.from(whole)
    for (let length = 0; length < bytes.length; length++)
      await expect(readParts(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        /^city\.json is damaged: it is not valid JSON, because .*\. Copy it again, or use another backup\.$/,
      )
    await expect(readParts(bytes.subarray(0, 20))).rejects.toThrow('it ends before its data does')
  })

  it.each([
    ['{"a":{"b":tru}}', 'it has a mistake at byte 10, in /a/b'],
    ['{"a":{"b":{"c":01}}}', 'it has a mistake at byte 10, in /a/b'],
    ['{"a":{"b":{"c":1]}}', 'it has a mistake at byte 10, in /a/b'],
    ['{"a":{"b":[1,]}}', 'it has a mistake at byte 10, in /a/b'],
    ['{"a":{"b":"x\ny"}}', 'it has a mistake at byte 10, in /a/b'],
    ['{"a":{"b":1,}}', 'it has a mistake at byte 12, in /a'],
    ['{"a":{"b":1 "c":2}}', 'it has a mistake at byte 12, in /a'],
    ['{"a":[1 2]}', 'it has a mistake at byte 8, in /a'],
    ['{"a":[1,]}', 'it has a mistake at byte 8, in /a/1'],
    ['{"a":{b:1}}', 'it has a mistake at byte 6, in /a'],
    ['{"a" 1}', 'it has a mistake at byte 5, in /'],
    ['{"a":1]', 'it has a mistake at byte 6, in /'],
    ['{"a":}', 'it has a mistake at byte 5, in /a'],
    ['\uFEFF{"a":1}', 'it has a mistake at byte 0, in /'],
    ['{"a":1}{"b":2}', 'more text follows its data at byte 7'],
    ['{"a":1} x', 'more text follows its data at byte 8'],
  ])('%j: %s', async (text, reason) => {
    await expect(readParts(text)).rejects.toThrow(
      `city.json is damaged: it is not valid JSON, because ${reason}. Copy it again, or use another backup.`,
    )
  })

  it('is refused with letters that are not UTF-8', async () => {
    const bytes = Buffer.from('{"a":{"b":"é"}}')
    bytes[bytes.length - 4] = 0xff
    await expect(readParts(bytes)).rejects.toThrow('it is not UTF-8 at byte 10, in /a/b')
  })

  it.each(['a/b', '', 'a.b', 'a$', 'a[0]', 'a\u0001'])(
    'is refused with the key %j, which no database has',
    async (key) => {
      await expect(readParts(JSON.stringify({ all: { [key]: 1 } }))).rejects.toThrow(
        'city.json is no export of a database: it has a key that no database has, at byte 8, in /all.',
      )
    },
  )

  it('is refused with more levels than a database has, in one part and in many', async () => {
    const nest = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
    expect(await readParts(nest(100))).toHaveLength(1)
    for (const maxBytes of [0, 1_000_000])
      for (const levels of [101, 50_000])
        await expect(readParts(nest(levels), { maxBytes })).rejects.toThrow(
          'it has more than 100 levels',
        )
    await expect(readParts('['.repeat(50_000))).rejects.toThrow('it has more than 100 levels')
  })

  it('is refused with a text that no database takes, before all of it was read', async () => {
    let readBytes = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":{"b":{"c":"')
      for (;;) {
        readBytes += 100
        yield await Promise.resolve(Buffer.alloc(100, 'x'))
      }
    }
    const parts = readJsonParts('city.json', endless(), LIMITS)
    await expect(parts.next()).rejects.toThrow(
      'city.json has a text of more than 0.002 MB at /a/b/c, which no database takes. Use another backup.',
    )
    expect(readBytes).toBeLessThan(3000)
  })
})
