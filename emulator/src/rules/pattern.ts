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
  const fold = flags === 'i'
  let nestedCounts = false
  const chars = Array.from(source)
  let at = 0
  const fail = (message: string) => new PatternError(message, chars.slice(0, at).join('').length)

  /** Parses the text after a backslash: one character, or the inside of a class. */
  const escape = (): { char: string } | { set: string } => {
    const name = chars[at] ?? ''
    const set = CHARACTER_CLASSES[name] ?? NEGATED_CLASSES[name]
    if (set === undefined && CONTROL_ESCAPES[name] === undefined && /^[0-9A-Za-z]?$/.test(name)) {
      throw fail(`Unsupported escape '\\${name}'.`)
    }
    at++
    return set === undefined ? { char: CONTROL_ESCAPES[name] ?? name } : { set }
  }

  const literal = (char: string): string => {
    const other = fold ? swapCase(char) : null
    return other === null ? quoteCharacter(char) : `[${quoteInClass(char)}${quoteInClass(other)}]`
  }

  const classItem = (): { char: string } | { set: string } => {
    const char = chars[at] ?? ''
    at++
    return char === '\\' ? escape() : { char }
  }

  const characterClass = (): string => {
    const negated = chars[at] === '^'
    if (negated) at++
    let items = ''
    while (chars[at] !== ']') {
      if (at >= chars.length) throw fail("Missing ']'.")
      const from = classItem()
      if ('set' in from) {
        items += from.set
      } else if (chars[at] !== '-' || chars[at + 1] === ']' || at + 1 >= chars.length) {
        items += quoteInClass(from.char) + quoteInClass((fold && swapCase(from.char)) || '')
      } else {
        at++
        const to = classItem()
        if ('set' in to || (to.char.codePointAt(0) ?? 0) < (from.char.codePointAt(0) ?? 0)) {
          throw fail('Invalid range in a character class.')
        }
        items += `${quoteInClass(from.char)}-${quoteInClass(to.char)}`
        if (fold) items += foldRangeCase(from.char, to.char)
      }
    }
    at++
    if (items === '') throw fail('Empty character class.')
    return `[${negated ? '^' : ''}${items}]`
  }

  const group = (): string => {
    // Firebase reads `(?:x)` as an ordinary group that starts with a literal question mark.
    let start = ''
    if (chars[at] === '?') {
      if (chars[at + 1] !== ':') throw fail('Unsupported group.')
      at++
      start = '\\?'
    }
    const body = alternatives(start)
    if (chars[at] !== ')') throw fail("Missing ')'.")
    at++
    return `(?:${body})`
  }

  const atom = (): string => {
    const char = chars[at] ?? ''
    at++
    switch (char) {
      case '(':
        return group()
      case '[':
        return characterClass()
      case '.':
        return '[^\\n\\r\\x{2028}\\x{2029}]'
      case '\\': {
        const escaped = escape()
        return 'set' in escaped ? `[${escaped.set}]` : literal(escaped.char)
      }
      case '^':
      case '$':
        at--
        throw fail(`'${char}' is only allowed at the ${char === '^' ? 'start' : 'end'}.`)
      case '*':
      case '+':
      case '?':
      case '{':
        at--
        throw fail(`'${char}' has nothing to repeat.`)
      default:
        return literal(char)
    }
  }

  const repeated = (item: string, min: number, max: number): string => {
    if (Math.max(min, Number.isFinite(max) ? max : 0) > MAX_REPEAT) {
      throw fail(`More than ${MAX_REPEAT} repetitions.`)
    }
    if (max < min) throw fail('Repetition out of order.')
    // RE2 counts only to 1000, including nested counts, so larger counts are expanded.
    const pieces: string[] = []
    if (REPEAT_COUNT.test(item)) {
      nestedCounts = true
      const copies = Number.isFinite(max) ? max : min
      if (copies * item.length > MAX_EXPANDED_LENGTH) throw fail('Too many repetitions.')
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

  const quantified = (item: string): string => {
    const char = chars[at]
    if (char === '*' || char === '+' || char === '?') {
      at++
      return `(?:${item}${char})`
    }
    if (char !== '{') return item
    const count = /^\{(\d+)(?:(,)(\d*))?\}/.exec(chars.slice(at, at + 24).join(''))
    if (!count) throw fail("Invalid '{'.")
    const min = Number(count[1])
    const max = count[2] === undefined ? min : count[3] === '' ? Infinity : Number(count[3])
    const result = repeated(item, min, max)
    at += count[0].length
    return result
  }

  const ends = () =>
    at >= chars.length ||
    chars[at] === '|' ||
    chars[at] === ')' ||
    (chars[at] === '$' && at === chars.length - 1)

  const sequence = (start: string): string => {
    let result = start === '' ? '' : quantified(start)
    while (!ends()) {
      let item = atom()
      for (let next = quantified(item); next !== item; next = quantified(item)) item = next
      result += item
    }
    if (result === '') throw fail('Empty alternative.')
    return result
  }

  const alternatives = (start = ''): string => {
    let result = sequence(start)
    while (chars[at] === '|') {
      at++
      result += `|${sequence('')}`
    }
    return result
  }

  const anchored = chars[0] === '^'
  if (anchored) at++
  let pattern = alternatives()
  if (chars[at] === '$' && at === chars.length - 1) {
    at++
    pattern += '\\z'
  }
  if (at < chars.length) throw fail(`Unexpected '${chars[at]}'.`)
  if (anchored) pattern = `\\A${pattern}`
  try {
    const re = RE2JS.compile(pattern)
    if (re.programSize() <= (nestedCounts ? MAX_NESTED_PROGRAM : MAX_PROGRAM))
      return (text) => re.test(text)
  } catch {
    // The error follows below: RE2 refuses only patterns that are too large for it.
  }
  throw new PatternError('The pattern is too large.', 0)
}
