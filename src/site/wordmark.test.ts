import { expect, test } from 'vitest'
import { wordmark } from './wordmark'

const getTexts = (name: string) => wordmark(name).lines.map(({ text }) => text)

test.each([
  ['Kerbside', ['Kerbside']],
  ['Zip', ['Zip']],
  ['Zippy Cabs', ['Zippy Cabs']],
  ['Metropolitan Taxi Company', ['Metropolitan', 'Taxi Company']],
  ['مشاوير', ['مشاوير']],
])('shows the whole name %s', (name, lines) => {
  expect(getTexts(name)).toEqual(lines)
})

test('draws the usual name at full width and does not stretch a short one', () => {
  expect(wordmark('Kerbside').lines).toEqual([{ text: 'Kerbside', isFull: true }])
  expect(wordmark('Kerbside').size).toBeGreaterThan(20)
  expect(wordmark('Zip').lines).toEqual([{ text: 'Zip', isFull: false }])
})

test.each(['W'.repeat(100), `${'W'.repeat(50)} ${'W'.repeat(49)}`, '出租车'.repeat(20)])(
  'shortens the name %s and keeps its letters readable',
  (name) => {
    const { size, lines } = wordmark(name)
    expect(size).toBe(12)
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const { text } of lines) expect(text).toMatch(/…$/)
  },
)
