import { describe, expect, test } from 'vitest'
import { compilePattern, PatternError } from './pattern'

const matchedCases: [source: string, flags: string, text: string, found: boolean][] = [
  ['bar', '', 'foobarbaz', true],
  ['bar', '', 'BAR', false],
  ['bar', 'i', 'xBaRx', true],
  ['^foo', '', 'foobar', true],
  ['^foo', '', 'barfoo', false],
  ['foo$', '', 'barfoo', true],
  ['foo$', '', 'foo\n', false],
  ['^foo$', '', 'foo', true],
  ['^foo$', '', 'foofoo', false],
  // An anchor binds more tightly than an alternative, as in JavaScript.
  ['^a|b$', '', 'ax', true],
  ['^a|b$', '', 'xb', true],
  ['^a|b$', '', 'xax', false],
  ['^(a|b)$', '', 'ax', false],
  ['^(a|b)$', '', 'b', true],
  ['^(a|b)$', '', 'a|b', false],
  ['^(a|b)$', '', 'b\n', false],
  ['^(a|b)$', 'i', 'B', true],
  ['^(constructor|b)$', '', 'valueOf', false],
  ['^.$', '', 'é', true],
  ['^.$', '', '\n', false],
  ['^\\d{3}-\\d{4}$', '', '555-0100', true],
  ['^\\d{3}-\\d{4}$', '', '555-010', false],
  ['^\\d$', '', '٣', false],
  ['^\\D$', '', 'a', true],
  ['^\\w+$', '', 'aZ_9', true],
  ['^\\w+$', '', 'é', false],
  ['^\\W$', '', 'é', true],
  ['^\\s+$', '', ' \t\n\v\f\r', true],
  ['^\\S$', '', '\v', false],
  ['^[\\S]$', '', '\v', false],
  ['^[\\s\\d]+$', '', '1 2', true],
  ['^[\\D]$', '', '7', false],
  ['^[^\\W]$', '', 'a', true],
  ['^[-a-c?]+$', '', 'a-?', true],
  ['^[a-c-]+$', '', 'b-', true],
  ['^[^a-c]+$', '', 'xyz', true],
  ['^[^a-c]+$', '', 'xbz', false],
  ['^[\\]\\\\]+$', '', ']\\', true],
  ['^[.$*+(){}|]+$', '', '.$*+(){}|', true],
  ['^[a-z]+$', 'i', 'KERB', true],
  ['^[A-F]+$', 'i', 'abG', false],
  ['^[^a-z]$', 'i', 'Q', false],
  // Unicode case folding would treat these as s and k.
  ['^[a-z]$', 'i', 'ſ', false],
  ['^k$', 'i', '\u212a', false],
  ['^É$', 'i', 'é', true],
  ['^a?b+c*$', '', 'bbb', true],
  ['^a{2}$', '', 'aa', true],
  ['^a{2,}$', '', 'a', false],
  ['^a{2,3}$', '', 'aaaa', false],
  ['^(ab){2}$', '', 'abab', true],
  ['^a{0}b$', '', 'b', true],
  ['^(a{1,60}b){1,40}$', '', 'aab'.repeat(40), true],
  ['^(a{1,60}b){1,40}$', '', 'aab'.repeat(41), false],
  ['^(a{1,2}){2,}$', '', 'a'.repeat(99), true],
  ['^(a+?b)??$', '', 'aab', true],
  ['\\{foo}', '', '{foo}', true],
  ['^}$', '', '}', true],
  ['^a\\.b$', '', 'axb', false],
  ['^a\\/b$', '', 'a/b', true],
  ['^\\t\\n$', '', '\t\n', true],
  ['\\$5', '', 'for $5', true],
  // An ordinary group whose text starts with a question mark.
  ['^(?:foo)$', '', '?:foo', true],
  ['^(?:foo)$', '', 'foo', false],
]
test.each(matchedCases)('/%s/%s tested on %j gives %s', (source, flags, text, expected) => {
  expect(compilePattern(source, flags)(text)).toBe(expected)
})

test.each([
  ['^a{1500}$', 1500, 1500],
  ['^a{10,2500}$', 10, 2500],
  ['^a{2500,}$', 2500, 9999],
  ['^.{0,4900}$', 0, 4900],
])('/%s/ accepts %i to %i characters', (source, least, most) => {
  const test = compilePattern(source, '')
  expect([least - 1, least, most].map((n) => test('a'.repeat(Math.max(0, n))))).toEqual([
    least === 0,
    true,
    true,
  ])
  if (most < 9999) expect(test('a'.repeat(most + 1))).toBe(false)
})

const rejectedCases: [source: string, flags: string, index: number][] = [
  ['bar', 'ig', 3],
  ['bar', 'g', 3],
  ['bar', 'u', 3],
  ['(^foo$|bar)', '', 1],
  ['^(foo|)$', '', 6],
  ['(|foo)', '', 1],
  ['a|', '', 2],
  ['^', '', 1],
  ['^$', '', 1],
  ['a^b', '', 1],
  ['a$b', '', 1],
  ['(a$)', '', 2],
  ['(a', '', 2],
  ['a)', '', 1],
  ['()', '', 1],
  ['(?=a)', '', 1],
  ['(?!a)', '', 1],
  ['(?<name>a)', '', 1],
  ['[]', '', 2],
  ['[^]', '', 3],
  ['[abc', '', 4],
  ['[z-a]', '', 4],
  ['[\\w-z]x[a-\\d]', '', 12],
  ['*a', '', 0],
  ['a{x}', '', 1],
  ['a{', '', 1],
  ['a{3,2}', '', 1],
  ['a{10001}', '', 1],
  ['(a{99}){9999}', '', 7],
  ['(a{1,99}){1,99}', '', 0],
  ['\\bword', '', 1],
  ['(a)\\1', '', 4],
  ['\\p{L}', '', 1],
  ['\\u0041', '', 1],
  ['a\\', '', 2],
]
test.each(rejectedCases)('/%s/%s is refused at index %i', (source, flags, index) => {
  expect(() => compilePattern(source, flags)).toThrow(PatternError)
  try {
    compilePattern(source, flags)
  } catch (error) {
    expect(error).toMatchObject({ index })
  }
})

describe('patterns that hang a backtracking matcher', () => {
  test.each(['^(a+)+$', '^(a|aa)+$', '^(a*)*b', '(x+x+)+y', '^([a-z]+)*[0-9]$'])(
    'finish quickly: /%s/',
    (source) => {
      expect(compilePattern(source, '')(`${'a'.repeat(100_000)}!`)).toBe(false)
    },
  )

  test('finish quickly with many counted repetitions', () => {
    expect(compilePattern('^([a-z]{1,30}){1,30}$', '')(`${'a'.repeat(3_000)}!`)).toBe(false)
  })
})
