import { expect, test } from 'vitest'
import { toCsv } from './csv'

test('quotes cells with commas, quotes and line breaks', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 3.5]])).toBe(
    '\uFEFF"a,b","say ""hi""","two\nlines",3.5\r\n',
  )
})

test('escapes text that a spreadsheet would run as a formula', () => {
  expect(toCsv([['=1+1', '@sum', '-2+cmd', '+HYPERLINK(1)']])).toBe(
    "\uFEFF'=1+1,'@sum,'-2+cmd,'+HYPERLINK(1)\r\n",
  )
})

test.each(['\t=1', '\r=1', '\n=1', '＝1+1', '＠SUM(A1)', '＋1', '－1', "=cmd|' /C calc'!A0"])(
  'escapes %j, which some spreadsheets would also run',
  (hostile) => {
    const [, , first] = /^\uFEFF("?)(.)/.exec(toCsv([[hostile]])) ?? []
    expect(first).toBe("'")
  },
)

test.each(['+15555550100', '+598 99 123 456', '099 123 456', '0044', '1234567890123456789'])(
  'lets a spreadsheet take %j as text, with its plus sign, zeros and digits',
  (number) => {
    expect(toCsv([[number]])).toBe(`\uFEFF'${number}\r\n`)
  },
)

test('leaves times, amounts and years as they are', () => {
  expect(toCsv([['2026-11-02T09:06:00-03:00', '-12', '0.5', '12 %', '2026', 7]])).toBe(
    '\uFEFF2026-11-02T09:06:00-03:00,-12,0.5,12 %,2026,7\r\n',
  )
})

test('lets a spreadsheet take an id that begins with a hyphen as text', () => {
  expect(toCsv([['-OAbcdefghijklmnopqr', '-Of752Xz_-1234567890']])).toBe(
    "\uFEFF'-OAbcdefghijklmnopqr,'-Of752Xz_-1234567890\r\n",
  )
})

test.each(['-OAbcdefghijklmnopq(', '-OAbcdefghijklmnopq+1', '-cmd|OAbcdefghijklmn'])(
  'escapes %j',
  (hostile) => {
    expect(toCsv([[hostile]])).toBe(`\uFEFF'${hostile}\r\n`)
  },
)
