import { errorAt } from './rulesError'

/** The JSON of a rules file, each value with the offset where it begins. */
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
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const IGNORED = /(?:[ \t\r\n\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y

/** Length in the source, and meaning, of the string character at an offset; null when malformed. */
const stringUnit = (text: string, at: number): { size: number; char: string } | null => {
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
  return Object.hasOwn(ESCAPES, name) ? { size: 2, char: ESCAPES[name] ?? '' } : null
}

/**
 * Parses a rules file: JSON with comments, and with line breaks inside strings, which no JSON library
 * allows; the offsets let an error inside an expression name its place in the file.
 */
export const parseRulesJson = (text: string): RulesJson => {
  let at = 0
  const fail = (offset = at) => errorAt(text, offset, 'Parse error.')

  const skip = () => {
    IGNORED.lastIndex = at
    IGNORED.test(text)
    at = IGNORED.lastIndex
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
      const unit = stringUnit(text, at)
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
    const seen = new Set<string>()
    if (take('}')) return { kind: 'object', at: start, entries }
    do {
      const key = string()
      if (seen.has(key.value)) throw errorAt(text, key.at, `Duplicate key '${key.value}'.`)
      seen.add(key.value)
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
    if (depth > MAX_DEPTH) throw errorAt(text, at, 'Rules are nested too deeply.')
    if (take('{')) return object(depth + 1)
    if (take('[')) return array(depth + 1)
    if (text[at] === '"') return string()
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
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

/** The offset in the file of a character of a string's value. */
export const offsetInString = (text: string, string: RulesString, index: number): number => {
  let at = string.at + 1
  for (let seen = 0; seen < index; seen++) at += stringUnit(text, at)?.size ?? 1
  return at
}

/** The same JSON without comments and offsets, as a strict reader of the rules wants it. */
export const toPlainJson = (json: RulesJson): unknown => {
  if (json.kind === 'object') {
    return Object.fromEntries(json.entries.map(({ key, value }) => [key.value, toPlainJson(value)]))
  }
  return json.kind === 'array' ? json.items.map(toPlainJson) : json.value
}
