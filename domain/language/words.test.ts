import { describe, expect, it, test } from 'vitest'
import { cleanWords, findWordsProblem, normalizeWords, type WordsKind } from './words'

const check = (words: string, kind: WordsKind = 'name') =>
  findWordsProblem(normalizeWords(words), kind)

test.each([
  'Ana María O’Neill-Gómez',
  'Ma. del Carmen',
  'J.R. Smith Jr.',
  'Иван Петров',
  'محمد علی',
  'می\u200cخواهم',
  'क्\u200dष',
  'हिन्दी',
  'ไทย ๔',
  'רות',
  '山田太郎',
  'Av.Italia 2345, Esq.Colón',
  'Avda.de la Paz 3, 2.º B',
  'C/ Mayor, 12 (bajo)',
  'St.Mary’s Rd 5/7 #3',
  'Dom. 3.de Febrero',
  'B-KD 1234',
  '👩\u200d👧 Familie',
  'I \u2764\ufe0f\u200d🔥 you',
  '1\ufe0f\u20e3',
])('accepts the name or address %s as it is', (words) => {
  expect(check(words)).toBeUndefined()
  expect(normalizeWords(words)).toBe(words)
})

test.each([
  ['a NUL', 'Ana\u0000Paz'],
  ['an escape', '\u001b[31mAna'],
  ['a line break in a name', 'Ana\nPay here'],
  ['a line separator', 'Ana\u2028Paz'],
  ['an override of the direction', 'Ana\u202egnp.exe'],
  ['an isolate', '\u2066Ana\u2069'],
  ['a space without width', 'A\u200bna'],
  ['a joiner between Latin letters', 'A\u200dna'],
  ['a Hangul filler', '\u3164'],
  ['a braille blank', '\u2800\u2800'],
  ['tags', 'Ana\u{e0041}\u{e0042}'],
  ['half of a character', 'Ana\ud83d'],
  ['a word joiner', 'ev\u2060il'],
  ['joiners only', '\u200d\u200c\u200d'],
  ['a style of nothing', '\ufe0f'],
  ['note heads without a shape', '\u{1d159}\u{1d159}'],
  ['a Khitan filler', '\u{16fe4}'],
  ['the place of an object', '\ufffc'],
  ['controls of hieroglyphs', '\u{13437}\u{13430}'],
  ['a combining mark without a letter', '\u0301'],
  ['a name of signs only', '-'],
])('refuses %s', (_, words) => {
  expect(check(words)).toBe('text_not_allowed')
  const cleaned = cleanWords(words, 'name')
  expect(check(cleaned)).toBeUndefined()
})

test.each(['line', 'text', 'remark'] as const)('accepts signs without letters in a %s', (kind) => {
  expect(findWordsProblem(normalizeWords('👍 !!'), kind)).toBeUndefined()
  expect(cleanWords('👍 !!', kind)).toBe('👍 !!')
})

test.each([
  ...[
    'SBA 1234',
    'B-KD 1234',
    'S.B.A. 12',
    'AB–123',
    'А123ВС 77',
    '京A·12345',
    '品川 300 あ ・・12',
  ],
  ...['1กก 1234', 'बा १ च २३४५', '١٢٣٤ أ ب ج', '12 ב 345', '가 1234'],
])('accepts the plate %s as it is', (plate) => {
  expect(check(plate, 'plate')).toBeUndefined()
  expect(normalizeWords(plate)).toBe(plate)
})

test.each(['Win $100', 'CALL +1555', 'A/B 12', 'SBA#12', '★ 12', '👍 12', 'Ana, 12', 'A @B'])(
  'refuses the plate %s, and keeps it readable when it is stored',
  (plate) => {
    expect(check(plate, 'plate')).toBe('plate_not_allowed')
    expect(check(plate)).toBeUndefined()
    expect(cleanWords(plate, 'plate')).toBe(plate)
  },
)

test.each([
  ['evil.com', 'link_not_allowed'],
  ['evil❤.ws', 'link_not_allowed'],
  ['S\u202eBA', 'text_not_allowed'],
  ['S\nBA', 'text_not_allowed'],
  ['-', 'text_not_allowed'],
])('refuses the plate %j as any name', (plate, problem) => {
  expect(check(plate, 'plate')).toBe(problem)
})

test('accepts an empty name, which a required field refuses by itself', () => {
  expect(check('')).toBeUndefined()
})

test.each([
  'https://evil.example/pay',
  'Visit www.evil.example',
  'evil.com',
  'Pay at EVIL.COM now',
  'bit.ly/3xyz',
  'evil.de/login',
  'eve@evil.example',
  'tg://resolve?domain=eve',
])('refuses the link in the name %s, and keeps it in a note', (words) => {
  expect(check(words)).toBe('link_not_allowed')
  expect(check(words, 'text')).toBeUndefined()
  expect(check(cleanWords(words, 'name'))).toBeUndefined()
})

describe('a text with several lines', () => {
  it('keeps its line breaks in one form, and may not be in one line', () => {
    expect(normalizeWords(' Ring twice\r\nThen wait \n')).toBe('Ring twice\nThen wait')
    expect(check('Ring twice\nThen wait', 'text')).toBeUndefined()
    expect(check('Ring twice\nThen wait', 'line')).toBe('text_not_allowed')
    expect(cleanWords('Ring twice\nThen wait', 'line')).toBe('Ring twice Then wait')
    expect(cleanWords('Ring\u0007 twice\nThen', 'text')).toBe('Ring twice\nThen')
  })
})

test('takes equal texts as one, and drops the marks of copied ones', () => {
  expect(normalizeWords('Jose\u0301')).toBe('José')
  expect(normalizeWords('\u200fشارع 5\u200e')).toBe('شارع 5')
  expect(normalizeWords('\ufeffAna')).toBe('Ana')
})

test('a cleaned address keeps its words, and a device finds no link in it', () => {
  expect(cleanWords('Avda.de la Paz, evil.de', 'name')).toBe('Avda.de la Paz, evil. de')
  expect(cleanWords('https://evil.example/x', 'name')).toBe('https: evil. example/x')
  expect(cleanWords('Ana\u202e \u0000Paz', 'name')).toBe('Ana Paz')
})
