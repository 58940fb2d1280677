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

class Parser {
  /** The index in the text at which parsing continues. */
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {}

  parseFile(): RulesFile {
    const version = this.parseVersion()
    const functions: FunctionDeclaration[] = []
    while (this.peek() === 'function') functions.push(this.parseFunction())
    const matches = this.parseService(functions)
    if (this.peek() !== '') throw this.fail(`Unexpected ${this.describeNext()}`)
    return { version, functions, matches }
  }

  private fail(message: string, offset = this.at): StorageRulesSyntaxError {
    return new StorageRulesSyntaxError(message, offset)
  }

  private skipBlanks() {
    BLANK_PATTERN.lastIndex = this.at
    BLANK_PATTERN.test(this.text)
    this.at = BLANK_PATTERN.lastIndex
  }

  private peek(): string {
    this.skipBlanks()
    TOKEN_PATTERN.lastIndex = this.at
    return TOKEN_PATTERN.exec(this.text)?.[0] ?? ''
  }

  private take(token: string): boolean {
    if (this.peek() !== token) return false
    this.at += token.length
    return true
  }

  private describeNext() {
    const token = this.peek()
    return token === '' ? 'the end of the file' : `'${token}'`
  }

  private expect(token: string) {
    if (!this.take(token)) throw this.fail(`Expected '${token}', found ${this.describeNext()}`)
  }

  private parseName(what: string): string {
    const token = this.peek()
    if (!/^[A-Za-z_]/.test(token)) throw this.fail(`Expected ${what}, found ${this.describeNext()}`)
    if (RESERVED_WORDS.includes(token))
      throw this.fail(`'${token}' is a word of the language, not ${what}`)
    this.at += token.length
    return token
  }

  /** Parses `item`s up to a closing token, separated by commas. */
  private parseList<T>(close: string, item: () => T): T[] {
    const items: T[] = []
    if (this.take(close)) return items
    do items.push(item())
    while (this.take(','))
    this.expect(close)
    return items
  }

  private parseNested<T>(parse: () => T): T {
    if (++this.depth > MAX_DEPTH) throw this.fail('Nested too deeply')
    const result = parse()
    this.depth--
    return result
  }

  private parseString(token: string): string {
    return token
      .slice(1, -1)
      .replace(STRING_PART_PATTERN, (part, u?: string, x?: string, char?: string) => {
        if (u ?? x) return String.fromCharCode(parseInt(u ?? x ?? '', 16))
        if (char === undefined) return part
        const meaning = STRING_ESCAPES[char]
        if (meaning === undefined) throw this.fail(`Unknown escape '\\${char}' in a string`)
        return meaning
      })
  }

  private parseLiteral(token: string): Expression | null {
    const start = this.at
    const make = (value: null | boolean | bigint | number | string): Expression => {
      this.at = start + token.length
      return { kind: 'literal', at: start, value }
    }
    if (token === 'null') return make(null)
    if (token === 'true' || token === 'false') return make(token === 'true')
    if (/^["']./.test(token)) return make(this.parseString(token))
    if (!/^\d/.test(token)) return null
    if (/[.eE]/.test(token)) return make(Number(token))
    if (BigInt(token) >= MAX_INT) throw this.fail('Integer out of range')
    return make(BigInt(token))
  }

  private parsePrimary(): Expression {
    const token = this.peek()
    const start = this.at
    const value = this.parseLiteral(token)
    if (value) return value
    if (this.take('(')) {
      const inner = this.parseExpression()
      this.expect(')')
      return inner
    }
    if (this.take('['))
      return { kind: 'list', at: start, items: this.parseList(']', () => this.parseExpression()) }
    if (this.take('{')) {
      const entries = this.parseList('}', (): [Expression, Expression] => {
        const key = this.parseExpression()
        this.expect(':')
        return [key, this.parseExpression()]
      })
      return { kind: 'map', at: start, entries }
    }
    if (token === 'firestore') {
      throw this.fail(
        'Looking into Firestore (firestore.get, firestore.exists) is not supported here',
      )
    }
    if (token === '/') throw this.fail('Path literals are not supported here')
    const word = this.parseName('an expression')
    return this.take('(')
      ? {
          kind: 'call',
          at: start,
          name: word,
          arguments: this.parseList(')', () => this.parseExpression()),
        }
      : { kind: 'name', at: start, name: word }
  }

  private parsePostfix(): Expression {
    let result = this.parsePrimary()
    for (;;) {
      if (this.take('.')) {
        this.skipBlanks()
        const start = this.at
        const member = this.parseName('a property or method')
        result = this.take('(')
          ? {
              kind: 'method',
              at: start,
              object: result,
              name: member,
              arguments: this.parseList(')', () => this.parseExpression()),
            }
          : { kind: 'member', at: start, object: result, name: member }
      } else if (this.peek() === '[') {
        const start = this.at
        this.expect('[')
        const from = this.parseExpression()
        const to = this.take(':') ? this.parseExpression() : null
        this.expect(']')
        result = to
          ? { kind: 'slice', at: start, object: result, from, to }
          : { kind: 'index', at: start, object: result, index: from }
      } else {
        return result
      }
    }
  }

  private parseUnary(): Expression {
    return this.parseNested(() => {
      const operator = this.peek()
      const start = this.at
      if (operator !== '!' && operator !== '-') return this.parsePostfix()
      this.expect(operator)
      return { kind: 'unary', at: start, operator, operand: this.parseUnary() }
    })
  }

  private parseBinary(level: number): Expression {
    const operators = BINARY_OPERATORS[level]
    if (!operators) return this.parseUnary()
    let left = this.parseBinary(level + 1)
    for (let operator = this.peek(); operators.includes(operator); operator = this.peek()) {
      const start = this.at
      this.expect(operator)
      left =
        operator === 'is'
          ? { kind: 'is', at: start, operand: left, type: this.parseName('a type') }
          : { kind: 'binary', at: start, operator, left, right: this.parseBinary(level + 1) }
    }
    return left
  }

  private parseExpression(): Expression {
    return this.parseNested(() => {
      const test = this.parseBinary(0)
      const start = this.at
      if (!this.take('?')) return test
      const whenTrue = this.parseExpression()
      this.expect(':')
      return { kind: 'conditional', at: start, test, whenTrue, whenFalse: this.parseExpression() }
    })
  }

  private parsePathPattern(): PathSegment[] {
    const segments: PathSegment[] = []
    this.skipBlanks()
    const start = this.at
    for (;;) {
      SEGMENT_PATTERN.lastIndex = this.at
      const segmentMatch = SEGMENT_PATTERN.exec(this.text)
      if (!segmentMatch) break
      const [whole, segment = '', wild, glob] = segmentMatch
      if (wild === undefined) segments.push({ kind: 'literal', text: segment })
      else
        segments.push({ kind: glob?.endsWith('**') ? 'many' : 'one', name: wild, at: this.at + 2 })
      this.at += whole.length
    }
    if (segments.length === 0)
      throw this.fail(`Expected a path, found ${this.describeNext()}`, start)
    // A block may follow without a space, but another wildcard may not.
    WILDCARD_PATTERN.lastIndex = this.at
    if (this.text[this.at] === '/' || WILDCARD_PATTERN.test(this.text)) {
      throw this.fail('A path segment is a name or a whole {wildcard}')
    }
    return segments
  }

  private parseFunction(): FunctionDeclaration {
    const start = this.at
    this.expect('function')
    const called = this.parseName('a function name')
    this.expect('(')
    const parameters = this.parseList(')', () => this.parseName('a parameter'))
    this.expect('{')
    const lets: { name: string; value: Expression }[] = []
    while (this.take('let')) {
      const variable = this.parseName('a variable')
      this.expect('=')
      lets.push({ name: variable, value: this.parseExpression() })
      this.expect(';')
    }
    this.expect('return')
    const result = this.parseExpression()
    this.expect(';')
    this.expect('}')
    return { at: start, name: called, parameters, variables: lets, result }
  }

  private parseAllow(): Allow {
    const start = this.at
    this.expect('allow')
    const methods: string[] = []
    do {
      const method = this.peek()
      if (!METHODS.includes(method)) throw this.fail(`Unknown method ${this.describeNext()}`)
      this.expect(method)
      methods.push(method)
    } while (this.take(','))
    let condition: Expression | null = null
    if (this.take(':')) {
      this.expect('if')
      condition = this.parseExpression()
    }
    this.expect(';')
    return { at: start, methods, condition }
  }

  private parseMatch(): Match {
    return this.parseNested(() => {
      const start = this.at
      this.expect('match')
      const path = this.parsePathPattern()
      this.expect('{')
      const functions: FunctionDeclaration[] = []
      const allows: Allow[] = []
      const matches: Match[] = []
      while (!this.take('}')) {
        const word = this.peek()
        if (word === 'allow') allows.push(this.parseAllow())
        else if (word === 'match') matches.push(this.parseMatch())
        else if (word === 'function') functions.push(this.parseFunction())
        else
          throw this.fail(`Expected 'allow', 'match' or 'function', found ${this.describeNext()}`)
      }
      return { at: start, path, functions, allows, matches }
    })
  }

  private parseVersion(): 1 | 2 {
    if (!this.take('rules_version')) return 1
    this.expect('=')
    const token = this.peek()
    if (!/^(['"])[12]\1$/.test(token))
      throw this.fail(`Unknown rules_version ${this.describeNext()}`)
    this.expect(token)
    this.expect(';')
    return token.includes('2') ? 2 : 1
  }

  private parseService(functions: FunctionDeclaration[]): Match[] {
    this.skipBlanks()
    const start = this.at
    this.expect('service')
    const called = `${this.parseName('a service')}${this.take('.') ? `.${this.parseName('a service')}` : ''}`
    if (called !== SERVICE_NAME)
      throw this.fail(`Expected service ${SERVICE_NAME}, found ${called}`, start)
    this.expect('{')
    const matches: Match[] = []
    while (!this.take('}')) {
      const word = this.peek()
      if (word === 'match') matches.push(this.parseMatch())
      else if (word === 'function') functions.push(this.parseFunction())
      else throw this.fail(`Expected 'match' or 'function', found ${this.describeNext()}`)
    }
    return matches
  }
}

/**
 * Parses storage rules. Throws a StorageRulesSyntaxError that names any syntax this stand-in does
 * not support; it never skips anything.
 */
export const parseStorageRules = (text: string): RulesFile => new Parser(text).parseFile()
