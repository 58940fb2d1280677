import { describe, expect, test } from 'vitest'
import { countBits, fold, letterMask, typos, wordsOf } from './words'

test('accents and capitals do not tell words apart', () => {
  expect(fold('Rincón ÑANDÚ')).toBe('rincon nandu')
  expect(wordsOf('Av. 18 de Julio, 1234-B')).toEqual(['av', '18', 'de', 'julio', '1234', 'b'])
})

describe('typing mistakes', () => {
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
  ])('"%s" is %s with %i mistakes', (typed, word, count) => {
    expect(typos(typed, word, 2)).toBe(count)
  })

  test('counting can start inside a name', () => {
    expect(typos('crucez', 'tres cruces', 1, 5)).toBe(1)
  })

  test('a word of any length is no trouble', () => {
    expect(typos('x'.repeat(500), 'x'.repeat(500), 2)).toBe(3)
  })
})

test('a mask has one bit for each letter used', () => {
  expect(countBits(letterMask('banana'))).toBe(3)
  expect(countBits(letterMask('café') & ~letterMask('caf'))).toBe(1)
})
