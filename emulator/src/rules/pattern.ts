import { RE2JS } from 're2js'

/** A pattern outside the supported subset. `index` is the position of the error. */
export class PatternError extends Error {
  constructor(
    message: string,
    readonly index: number,
  ) {
    super(message)
    this.name = 'PatternError'
  }
}

const CHARACTER_CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: ' \\t\\n\\v\\f\\r',
}
// RE2's \S would match a vertical tab.
const NEGATED_CLASSES: Readonly<Record<string, string>> = {
  D: '\\D',
  W: '\\W',
  S: '\\x00-\\x08\\x0E-\\x1F!-\\x{10FFFF}',
}
const CONTROL_ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  v: '\v',
}
// A count as parsed below; `\x{2028}` is not one.
const REPEAT_COUNT = /(?<!\\x)\{\d/
// A choice of words, which rules use to compare names, becomes a lookup: ten times as fast as RE2.
const WORD_CHOICE = /^\^\((\w+(?:\|\w+)*)\)\$$/
const RE2_MAX_REPEAT = 1000
const MAX_REPEAT = 10_000
const MAX_EXPANDED_LENGTH = 100_000
// Maximum steps in RE2's program. With nested counts, the cost per character nears the number of
// steps. Otherwise only a few steps are active at a time.
const MAX_PROGRAM = 50_000
const MAX_NESTED_PROGRAM = 10_000

const isAscii = (char: string): boolean => char.charCodeAt(0) < 128
const quoteCharacter = (char: string): string => (/\w/.test(char) ? char : RE2JS.quote(char))
const quoteInClass = (char: string): string => (/[\\\]^[-]/.test(char) ? `\\${char}` : char)

// Folds case as JavaScript does. With RE2's Unicode folding, [a-z] would match a long s and a
// Kelvin sign.
const swapCase = (char: string): string | null => {
  const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
  return other !== char && Array.from(other).length === 1 && isAscii(other) === isAscii(char)
    ? other
    : null
}

const foldRangeCase = (from: string, to: string): string => {
  const piece = (low: string, high: string) => {
    const start = from > low ? from : low
    const end = to < high ? to : high
    return start <= end ? `${swapCase(start) ?? start}-${swapCase(end) ?? end}` : ''
  }
  return piece('a', 'z') + piece('A', 'Z')
}

/**
 * Returns a pattern for at most `count` items, in a form with few active threads on a long text.
 */
const repeatAtMost = (item: string, count: number): string =>
  count <= RE2_MAX_REPEAT
    ? `${item}{0,${count}}`
    : `(?:${item}{0,${RE2_MAX_REPEAT - 1}}|${item}{${RE2_MAX_REPEAT}}${repeatAtMost(item, count - RE2_MAX_REPEAT)})`

/** One character, or the inside of a class. */
type ClassItem = { char: string } | { set: string }

/** Translates a pattern of the rules language to RE2's syntax. */
class PatternTranslator {
  private readonly chars: readonly string[]
  /** The index in the characters at which parsing continues. */
  private at = 0
  private hasNestedCounts = false

  constructor(
    source: string,
    private readonly ignoresCase: boolean,
  ) {
    this.chars = Array.from(source)
  }

  /** Returns the pattern for RE2, and how many steps its program may have. */
  translate(): { pattern: string; maxProgram: number } {
    const isAnchored = this.take('^')
    let pattern = this.parseAlternatives()
    if (this.isFinalDollar()) {
      this.at++
      pattern += '\\z'
    }
    if (this.at < this.chars.length) throw this.fail(`Unexpected '${this.peek()}'.`)
    return {
      pattern: isAnchored ? `\\A${pattern}` : pattern,
      maxProgram: this.hasNestedCounts ? MAX_NESTED_PROGRAM : MAX_PROGRAM,
    }
  }

  private fail(message: string): PatternError {
    return new PatternError(message, this.chars.slice(0, this.at).join('').length)
  }

  /** Returns the next character, or an empty string at the end. */
  private peek(): string {
    return this.chars[this.at] ?? ''
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false
    this.at++
    return true
  }

  private isFinalDollar(): boolean {
    return this.peek() === '$' && this.at === this.chars.length - 1
  }

  private parseAlternatives(start = ''): string {
    let result = this.parseSequence(start)
    while (this.take('|')) result += `|${this.parseSequence('')}`
    return result
  }

  private parseSequence(start: string): string {
    let result = start === '' ? '' : this.parseRepetition(start)
    while (!this.endsSequence()) result += this.parseItem()
    if (result === '') throw this.fail('Empty alternative.')
    return result
  }

  private endsSequence(): boolean {
    return ['', '|', ')'].includes(this.peek()) || this.isFinalDollar()
  }

  /** Parses an atom and all the repetitions after it. */
  private parseItem(): string {
    let item = this.parseAtom()
    for (;;) {
      const repeated = this.parseRepetition(item)
      if (repeated === item) return item
      item = repeated
    }
  }

  private parseAtom(): string {
    const char = this.peek()
    this.at++
    switch (char) {
      case '(':
        return this.parseGroup()
      case '[':
        return this.parseCharacterClass()
      case '.':
        return '[^\\n\\r\\x{2028}\\x{2029}]'
      case '\\': {
        const escaped = this.parseEscape()
        return 'set' in escaped ? `[${escaped.set}]` : this.translateLiteral(escaped.char)
      }
      case '^':
      case '$':
        this.at--
        throw this.fail(`'${char}' is only allowed at the ${char === '^' ? 'start' : 'end'}.`)
      case '*':
      case '+':
      case '?':
      case '{':
        this.at--
        throw this.fail(`'${char}' has nothing to repeat.`)
      default:
        return this.translateLiteral(char)
    }
  }

  private parseGroup(): string {
    // Firebase reads `(?:x)` as an ordinary group that starts with a literal question mark.
    let start = ''
    if (this.peek() === '?') {
      if (this.chars[this.at + 1] !== ':') throw this.fail('Unsupported group.')
      this.at++
      start = '\\?'
    }
    const body = this.parseAlternatives(start)
    if (!this.take(')')) throw this.fail("Missing ')'.")
    return `(?:${body})`
  }

  private parseCharacterClass(): string {
    const isNegated = this.take('^')
    let items = ''
    while (!this.take(']')) {
      if (this.at >= this.chars.length) throw this.fail("Missing ']'.")
      items += this.parseClassItems()
    }
    if (items === '') throw this.fail('Empty character class.')
    return `[${isNegated ? '^' : ''}${items}]`
  }

  /** Parses a character, a range or an escape inside a class. */
  private parseClassItems(): string {
    const from = this.parseClassItem()
    if ('set' in from) return from.set
    const end = this.chars[this.at + 1]
    if (this.peek() !== '-' || end === ']' || end === undefined) {
      const other = this.ignoresCase ? swapCase(from.char) : null
      return quoteInClass(from.char) + quoteInClass(other ?? '')
    }
    this.at++
    const to = this.parseClassItem()
    if ('set' in to || (to.char.codePointAt(0) ?? 0) < (from.char.codePointAt(0) ?? 0)) {
      throw this.fail('Invalid range in a character class.')
    }
    const range = `${quoteInClass(from.char)}-${quoteInClass(to.char)}`
    return this.ignoresCase ? range + foldRangeCase(from.char, to.char) : range
  }

  private parseClassItem(): ClassItem {
    const char = this.peek()
    this.at++
    return char === '\\' ? this.parseEscape() : { char }
  }

  /** Parses the text after a backslash. */
  private parseEscape(): ClassItem {
    const name = this.peek()
    const set = CHARACTER_CLASSES[name] ?? NEGATED_CLASSES[name]
    if (set === undefined && CONTROL_ESCAPES[name] === undefined && /^[0-9A-Za-z]?$/.test(name)) {
      throw this.fail(`Unsupported escape '\\${name}'.`)
    }
    this.at++
    return set === undefined ? { char: CONTROL_ESCAPES[name] ?? name } : { set }
  }

  private translateLiteral(char: string): string {
    const other = this.ignoresCase ? swapCase(char) : null
    return other === null ? quoteCharacter(char) : `[${quoteInClass(char)}${quoteInClass(other)}]`
  }

  /** Parses the repetition after an item, if any. Returns the item itself without one. */
  private parseRepetition(item: string): string {
    const char = this.peek()
    if (char === '*' || char === '+' || char === '?') {
      this.at++
      return `(?:${item}${char})`
    }
    if (char !== '{') return item
    const count = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.chars.slice(this.at, this.at + 24).join(''))
    if (!count) throw this.fail("Invalid '{'.")
    const min = Number(count[1])
    const max = count[2] === undefined ? min : count[3] === '' ? Infinity : Number(count[3])
    const result = this.repeat(item, min, max)
    this.at += count[0].length
    return result
  }

  private repeat(item: string, min: number, max: number): string {
    if (Math.max(min, Number.isFinite(max) ? max : 0) > MAX_REPEAT) {
      throw this.fail(`More than ${MAX_REPEAT} repetitions.`)
    }
    if (max < min) throw this.fail('Repetition out of order.')
    // RE2 counts only to 1000, including nested counts, so larger counts are expanded.
    const pieces: string[] = []
    if (REPEAT_COUNT.test(item)) {
      this.hasNestedCounts = true
      const copies = Number.isFinite(max) ? max : min
      if (copies * item.length > MAX_EXPANDED_LENGTH) throw this.fail('Too many repetitions.')
      pieces.push(item.repeat(min), max === Infinity ? `${item}*` : `${item}?`.repeat(max - min))
      return `(?:${pieces.join('')})`
    }
    for (let left = min; left > 0; left -= RE2_MAX_REPEAT) {
      pieces.push(`${item}{${Math.min(left, RE2_MAX_REPEAT)}}`)
    }
    if (max === Infinity) pieces.push(`${item}*`)
    else if (max > min) pieces.push(repeatAtMost(item, max - min))
    return `(?:${pieces.join('')})`
  }
}

/**
 * Compiles a pattern of the rules language into a test for "found anywhere in the text".
 *
 * Security rules support a subset of JavaScript's patterns. This code parses it and passes it to
 * RE2, which matches in linear time for any pattern, so that no rule can hang.
 */
export const compilePattern = (source: string, flags: string): ((text: string) => boolean) => {
  if (flags !== '' && flags !== 'i') {
    throw new PatternError(`Unsupported flags '${flags}': only 'i' is known.`, source.length)
  }
  const words = flags === '' && WORD_CHOICE.exec(source)?.[1]?.split('|')
  if (words) {
    const allowedWords = new Set(words)
    return (text) => allowedWords.has(text)
  }
  const { pattern, maxProgram } = new PatternTranslator(source, flags === 'i').translate()
  try {
    const re = RE2JS.compile(pattern)
    if (re.programSize() <= maxProgram) return (text) => re.test(text)
  } catch {
    // The error follows below: RE2 refuses only patterns that are too large for it.
  }
  throw new PatternError('The pattern is too large.', 0)
}
