import { expect, test } from 'vitest'
import { separateCompounds } from './compoundWords'

const WORDS = ['tres', 'cruces', 'punta', 'carretas', 'julio', 'jul', 'rambla', 'ramblas']
const vocabulary = {
  hasWord: (word: string) => WORDS.includes(word),
  hasPrefix: (prefix: string) => WORDS.some((word) => word.startsWith(prefix)),
}

test.each([
  ['trescruces', 'tres cruces'],
  ['TresCruces 12', 'tres cruces 12'],
  ['Terminal 3cruces', 'Terminal 3 cruces'],
  ['18dejulio 1234, Centro', '18 de julio 1234, Centro'],
  ['puntacarretas', 'punta carretas'],
])('“%s” is read as “%s”', (typed, text) => {
  expect(separateCompounds(typed, vocabulary)).toBe(text)
})

test.each(['tres cruces', 'rambl', 'xyzzytres', '1234b', '1234de', '', 'tres'.repeat(30)])(
  'the words of “%s” stay as they are',
  (typed) => {
    expect(separateCompounds(typed, vocabulary)).toBeNull()
  },
)
