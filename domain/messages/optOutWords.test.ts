import { expect, test } from 'vitest'
import { parseOptOutWord } from './optOutWords'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['"Stop!"', 'stop'],
  ['Arrêt', 'stop'],
  ['alto', 'stop'],
  ['Sair', 'stop'],
  ['Stopp', 'stop'],
  ['रोकें', 'stop'],
  ['إيقاف', 'stop'],
  ['הסר', 'stop'],
  ['start', 'start'],
  ['UNSTOP', 'start'],
  ['Alta', 'start'],
  ['התחל', 'start'],
  ['Stop at the corner please', undefined],
  ['please stop', undefined],
  ['nonstop', undefined],
  ['', undefined],
  ['👍', undefined],
  ['yes', undefined],
])('understands the answer %j', (text, meaning) => {
  expect(parseOptOutWord(text)).toBe(meaning)
})
