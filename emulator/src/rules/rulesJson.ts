import { createLoadError } from './rulesLoadError'

/** The JSON of a rules file, with the start offset of each value. */
export type RulesJson = RulesObject | RulesArray | RulesString | RulesLiteral
export interface RulesObject {
  readonly kind: 'object'
  readonly at: number
  readonly entries: readonly { readonly key: RulesString; readonly value: RulesJson }[]
}
interface RulesArray {
  readonly kind: 'array'
  readonly at: number
  readonly items: readonly RulesJson[]
}
export interface RulesString {
  readonly kind: 'string'
  readonly at: number
  readonly value: string
}
interface RulesLiteral {
  readonly kind: 'literal'
  readonly at: number
  readonly value: number | boolean | null
}

const MAX_DEPTH = 100
const STRING_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const TOKEN_PATTERN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const BLANKS_AND_COMMENTS = /(?:[ \t\r\n\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y

/**
 * Returns the source length and the value of the string character at an offset, or null when
 * malformed.
 */
const readStringCharacter = (text: string, at: number): { size: number; char: string } | null => {
  const first = text[at]
  if (first === undefined) return null
  if (first !== '\\') return { size: 1, char: first }
  const name = text[at + 1] ?? ''
  if (name === 'u') {
    const hex = text.slice(at + 2, at + 6)
    return /^[\da-fA-F]{4}$/.test(hex)
      ? { size: 6, char: String.fromCharCode(parseInt(hex, 16)) }
      : null
  }
  return Object.hasOwn(STRING_ESCAPES, name) ? { size: 2, char: STRING_ESCAPES[name] ?? '' } : null
}

/**
 * Parses a rules file: JSON with comments and with line breaks inside strings, which no JSON
 * library supports. With the offsets, an error inside an expression can report its position in the
 * file.
 */
export const parseRulesJson = (text: string): RulesJson => {
  let at = 0
  const fail = (offset = at) => createLoadError(text, offset, 'Parse error.')

  const skip = () => {
    BLANKS_AND_COMMENTS.lastIndex = at
    BLANKS_AND_COMMENTS.test(text)
    at = BLANKS_AND_COMMENTS.lastIndex
  }
  const take = (char: string) => {
    skip()
    if (text[at] !== char) return false
    at++
    return true
  }
  const expect = (char: string) => {
    if (!take(char)) throw fail()
  }

  const string = (): RulesString => {
    skip()
    const start = at
    expect('"')
    let value = ''
    while (text[at] !== '"') {
      const unit = readStringCharacter(text, at)
      if (!unit) throw fail()
      value += unit.char
      at += unit.size
    }
    at++
    return { kind: 'string', at: start, value }
  }

  const object = (depth: number): RulesObject => {
    const start = at - 1
    const entries: { key: RulesString; value: RulesJson }[] = []
    const usedKeys = new Set<string>()
    if (take('}')) return { kind: 'object', at: start, entries }
    do {
      const key = string()
      if (usedKeys.has(key.value))
        throw createLoadError(text, key.at, `Duplicate key '${key.value}'.`)
      usedKeys.add(key.value)
      expect(':')
      entries.push({ key, value: value(depth) })
    } while (take(','))
    expect('}')
    return { kind: 'object', at: start, entries }
  }

  const array = (depth: number): RulesArray => {
    const start = at - 1
    const items: RulesJson[] = []
    if (take(']')) return { kind: 'array', at: start, items }
    do items.push(value(depth))
    while (take(','))
    expect(']')
    return { kind: 'array', at: start, items }
  }

  const value = (depth: number): RulesJson => {
    if (depth > MAX_DEPTH) throw createLoadError(text, at, 'Rules are nested too deeply.')
    if (take('{')) return object(depth + 1)
    if (take('[')) return array(depth + 1)
    if (text[at] === '"') return string()
    TOKEN_PATTERN.lastIndex = at
    const token = TOKEN_PATTERN.exec(text)?.[0]
    if (token === undefined) throw fail()
    const start = at
    at += token.length
    return { kind: 'literal', at: start, value: JSON.parse(token) as number | boolean | null }
  }

  const root = value(0)
  skip()
  if (at < text.length) throw fail()
  return root
}

/** Returns the offset in the file of a character of a string value. */
export const findOffsetInString = (text: string, string: RulesString, index: number): number => {
  let at = string.at + 1
  for (let characters = 0; characters < index; characters++)
    at += readStringCharacter(text, at)?.size ?? 1
  return at
}

/** Returns the JSON without comments and offsets, for strict parsers. */
export const toPlainJson = (json: RulesJson): unknown => {
  if (json.kind === 'object') {
    return Object.fromEntries(json.entries.map(({ key, value }) => [key.value, toPlainJson(value)]))
  }
  return json.kind === 'array' ? json.items.map(toPlainJson) : json.value
}
