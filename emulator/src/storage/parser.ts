import { StorageRulesSyntaxError } from './syntaxTree'
import type {
  Allow,
  Expression,
  FunctionDeclaration,
  Match,
  PathSegment,
  RulesFile,
} from './syntaxTree'

const BLANK_PATTERN = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const TOKEN_PATTERN =
  /[A-Za-z_]\w*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|==|!=|<=|>=|&&|\|\||\S/y
const SEGMENT_PATTERN = /\/([^\s/{}]+|\{\s*([A-Za-z_]\w*)\s*(=\s*\*\*?)?\s*\})/y
const WILDCARD_PATTERN = /\{\s*\w+\s*(?:=\s*\*\*?)?\s*\}/y
const STRING_PART_PATTERN = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))|[^\\]+/g
const STRING_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
}
const METHODS = ['read', 'get', 'list', 'write', 'create', 'update', 'delete']
const RESERVED_WORDS = [
  ...['allow', 'else', 'false', 'function', 'if', 'in', 'is', 'let', 'match', 'null', 'return'],
  ...['service', 'true'],
]
const SERVICE_NAME = 'firebase.storage'
const MAX_DEPTH = 100
const MAX_INT = 2n ** 63n

// From lowest to highest precedence; all are left-associative.
const BINARY_OPERATORS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in', 'is'],
  ['+', '-'],
  ['*', '/', '%'],
]

/**
 * Parses storage rules. Throws a StorageRulesSyntaxError that names any syntax this stand-in does
 * not support; it never skips anything.
 */
export const parseStorageRules = (text: string): RulesFile => {
  let at = 0
  let depth = 0

  const fail = (message: string, offset = at) => new StorageRulesSyntaxError(message, offset)
  const skip = () => {
    BLANK_PATTERN.lastIndex = at
    BLANK_PATTERN.test(text)
    at = BLANK_PATTERN.lastIndex
  }
  const peek = (): string => {
    skip()
    TOKEN_PATTERN.lastIndex = at
    return TOKEN_PATTERN.exec(text)?.[0] ?? ''
  }
  const take = (token: string): boolean => {
    if (peek() !== token) return false
    at += token.length
    return true
  }
  const described = () => {
    const token = peek()
    return token === '' ? 'the end of the file' : `'${token}'`
  }
  const expect = (token: string) => {
    if (!take(token)) throw fail(`Expected '${token}', found ${described()}`)
  }
  const name = (what: string): string => {
    const token = peek()
    if (!/^[A-Za-z_]/.test(token)) throw fail(`Expected ${what}, found ${described()}`)
    if (RESERVED_WORDS.includes(token))
      throw fail(`'${token}' is a word of the language, not ${what}`)
    at += token.length
    return token
  }
  /** Parses `item`s up to a closing token, separated by commas. */
  const list = <T>(close: string, item: () => T): T[] => {
    const items: T[] = []
    if (take(close)) return items
    do items.push(item())
    while (take(','))
    expect(close)
    return items
  }
  const nested = <T>(parse: () => T): T => {
    if (++depth > MAX_DEPTH) throw fail('Nested too deeply')
    const result = parse()
    depth--
    return result
  }

  const string = (token: string): string =>
    token
      .slice(1, -1)
      .replace(STRING_PART_PATTERN, (part, u?: string, x?: string, char?: string) => {
        if (u ?? x) return String.fromCharCode(parseInt(u ?? x ?? '', 16))
        if (char === undefined) return part
        const meaning = STRING_ESCAPES[char]
        if (meaning === undefined) throw fail(`Unknown escape '\\${char}' in a string`)
        return meaning
      })

  const literal = (token: string): Expression | null => {
    const start = at
    const make = (value: null | boolean | bigint | number | string): Expression => {
      at = start + token.length
      return { kind: 'literal', at: start, value }
    }
    if (token === 'null') return make(null)
    if (token === 'true' || token === 'false') return make(token === 'true')
    if (/^["']./.test(token)) return make(string(token))
    if (!/^\d/.test(token)) return null
    if (/[.eE]/.test(token)) return make(Number(token))
    if (BigInt(token) >= MAX_INT) throw fail('Integer out of range')
    return make(BigInt(token))
  }

  const primary = (): Expression => {
    const token = peek()
    const start = at
    const value = literal(token)
    if (value) return value
    if (take('(')) {
      const inner = expression()
      expect(')')
      return inner
    }
    if (take('[')) return { kind: 'list', at: start, items: list(']', expression) }
    if (take('{')) {
      const entries = list('}', (): [Expression, Expression] => {
        const key = expression()
        expect(':')
        return [key, expression()]
      })
      return { kind: 'map', at: start, entries }
    }
    if (token === 'firestore') {
      throw fail('Looking into Firestore (firestore.get, firestore.exists) is not supported here')
    }
    if (token === '/') throw fail('Path literals are not supported here')
    const word = name('an expression')
    return take('(')
      ? { kind: 'call', at: start, name: word, arguments: list(')', expression) }
      : { kind: 'name', at: start, name: word }
  }

  const postfix = (): Expression => {
    let result = primary()
    for (;;) {
      if (take('.')) {
        skip()
        const start = at
        const member = name('a property or method')
        result = take('(')
          ? {
              kind: 'method',
              at: start,
              object: result,
              name: member,
              arguments: list(')', expression),
            }
          : { kind: 'member', at: start, object: result, name: member }
      } else if (peek() === '[') {
        const start = at
        expect('[')
        const from = expression()
        const to = take(':') ? expression() : null
        expect(']')
        result = to
          ? { kind: 'slice', at: start, object: result, from, to }
          : { kind: 'index', at: start, object: result, index: from }
      } else {
        return result
      }
    }
  }

  const unary = (): Expression =>
    nested(() => {
      const operator = peek()
      const start = at
      if (operator !== '!' && operator !== '-') return postfix()
      expect(operator)
      return { kind: 'unary', at: start, operator, operand: unary() }
    })

  const binary = (level: number): Expression => {
    const operators = BINARY_OPERATORS[level]
    if (!operators) return unary()
    let left = binary(level + 1)
    for (let operator = peek(); operators.includes(operator); operator = peek()) {
      const start = at
      expect(operator)
      left =
        operator === 'is'
          ? { kind: 'is', at: start, operand: left, type: name('a type') }
          : { kind: 'binary', at: start, operator, left, right: binary(level + 1) }
    }
    return left
  }

  const expression = (): Expression =>
    nested(() => {
      const test = binary(0)
      const start = at
      if (!take('?')) return test
      const whenTrue = expression()
      expect(':')
      return { kind: 'conditional', at: start, test, whenTrue, whenFalse: expression() }
    })

  const pathPattern = (): PathSegment[] => {
    const segments: PathSegment[] = []
    skip()
    const start = at
    for (;;) {
      SEGMENT_PATTERN.lastIndex = at
      const segmentMatch = SEGMENT_PATTERN.exec(text)
      if (!segmentMatch) break
      const [whole, segment = '', wild, glob] = segmentMatch
      if (wild === undefined) segments.push({ kind: 'literal', text: segment })
      else segments.push({ kind: glob?.endsWith('**') ? 'many' : 'one', name: wild, at: at + 2 })
      at += whole.length
    }
    if (segments.length === 0) throw fail(`Expected a path, found ${described()}`, start)
    // A block may follow without a space, but another wildcard may not.
    WILDCARD_PATTERN.lastIndex = at
    if (text[at] === '/' || WILDCARD_PATTERN.test(text)) {
      throw fail('A path segment is a name or a whole {wildcard}')
    }
    return segments
  }

  const functionDeclaration = (): FunctionDeclaration => {
    const start = at
    expect('function')
    const called = name('a function name')
    expect('(')
    const parameters = list(')', () => name('a parameter'))
    expect('{')
    const lets: { name: string; value: Expression }[] = []
    while (take('let')) {
      const variable = name('a variable')
      expect('=')
      lets.push({ name: variable, value: expression() })
      expect(';')
    }
    expect('return')
    const result = expression()
    expect(';')
    expect('}')
    return { at: start, name: called, parameters, variables: lets, result }
  }

  const allow = (): Allow => {
    const start = at
    expect('allow')
    const methods: string[] = []
    do {
      const method = peek()
      if (!METHODS.includes(method)) throw fail(`Unknown method ${described()}`)
      expect(method)
      methods.push(method)
    } while (take(','))
    let condition: Expression | null = null
    if (take(':')) {
      expect('if')
      condition = expression()
    }
    expect(';')
    return { at: start, methods, condition }
  }

  const match = (): Match =>
    nested(() => {
      const start = at
      expect('match')
      const path = pathPattern()
      expect('{')
      const functions: FunctionDeclaration[] = []
      const allows: Allow[] = []
      const matches: Match[] = []
      while (!take('}')) {
        const word = peek()
        if (word === 'allow') allows.push(allow())
        else if (word === 'match') matches.push(match())
        else if (word === 'function') functions.push(functionDeclaration())
        else throw fail(`Expected 'allow', 'match' or 'function', found ${described()}`)
      }
      return { at: start, path, functions, allows, matches }
    })

  const version = (): 1 | 2 => {
    if (!take('rules_version')) return 1
    expect('=')
    const token = peek()
    if (!/^(['"])[12]\1$/.test(token)) throw fail(`Unknown rules_version ${described()}`)
    expect(token)
    expect(';')
    return token.includes('2') ? 2 : 1
  }

  const service = (functions: FunctionDeclaration[]): Match[] => {
    skip()
    const start = at
    expect('service')
    const called = `${name('a service')}${take('.') ? `.${name('a service')}` : ''}`
    if (called !== SERVICE_NAME)
      throw fail(`Expected service ${SERVICE_NAME}, found ${called}`, start)
    expect('{')
    const matches: Match[] = []
    while (!take('}')) {
      const word = peek()
      if (word === 'match') matches.push(match())
      else if (word === 'function') functions.push(functionDeclaration())
      else throw fail(`Expected 'match' or 'function', found ${described()}`)
    }
    return matches
  }

  const rulesVersion = version()
  const functions: FunctionDeclaration[] = []
  while (peek() === 'function') functions.push(functionDeclaration())
  const matches = service(functions)
  if (peek() !== '') throw fail(`Unexpected ${described()}`)
  return { version: rulesVersion, functions, matches }
}
