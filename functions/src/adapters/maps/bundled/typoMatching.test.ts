import { describe, expect, test } from 'vitest'
import { countBits, getLetterMask, countTypos } from './typoMatching'

describe('counting typos', () => {
  test.each([
    ['montevideo', 'montevideo', 0],
    ['monte', 'montevideo', 0],
    ['monteviedo', 'montevideo', 1],
    ['shoping', 'shopping', 1],
    ['palasio', 'palacio', 1],
    ['carrrasco', 'carrasco', 1],
    ['pocitso', 'pocitos', 1],
    ['xxcitos', 'pocitos', 2],
    ['zzzzzz', 'pocitos', 3],
  ])('compares "%s" with %s and finds %i typos', (typed, word, count) => {
    expect(countTypos(typed, word, 2)).toBe(count)
  })

  test('can start inside a name', () => {
    expect(countTypos('crucez', 'tres cruces', 1, 5)).toBe(1)
  })

  test('works for long words', () => {
    expect(countTypos('x'.repeat(500), 'x'.repeat(500), 2)).toBe(3)
  })
})

test('a letter mask has one bit for each letter', () => {
  expect(countBits(getLetterMask('banana'))).toBe(3)
  expect(countBits(getLetterMask('café') & ~getLetterMask('caf'))).toBe(1)
})
