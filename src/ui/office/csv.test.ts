import { expect, test } from 'vitest'
import { toCsv } from './csv'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 3.5]])).toBe(
    '\uFEFF"a,b","say ""hi""","two\nlines",3.5\r\n',
  )
})

test('a text that a spreadsheet would run as a formula is made harmless', () => {
  expect(toCsv([['=1+1', '@sum', '-2+cmd', '+HYPERLINK(1)']])).toBe(
    "\uFEFF'=1+1,'@sum,'-2+cmd,'+HYPERLINK(1)\r\n",
  )
})

test.each(['\t=1', '\r=1', '\n=1', '＝1+1', '＠SUM(A1)', '＋1', '－1', "=cmd|' /C calc'!A0"])(
  'nor is %j, which some spreadsheet would run too',
  (hostile) => {
    const [, , first] = /^\uFEFF("?)(.)/.exec(toCsv([[hostile]])) ?? []
    expect(first).toBe("'")
  },
)

test('a phone number stays a phone number', () => {
  expect(toCsv([['+15555550100', '-12']])).toBe('\uFEFF+15555550100,-12\r\n')
})
