import { expect, test } from 'vitest'
import { foldText, splitWords } from './foldedWords'

test('ignores accents and capitals', () => {
  expect(foldText('Rincón ÑANDÚ')).toBe('rincon nandu')
  expect(splitWords('Av. 18 de Julio, 1234-B')).toEqual(['av', '18', 'de', 'julio', '1234', 'b'])
})
