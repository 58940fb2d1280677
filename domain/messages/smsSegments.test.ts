import { expect, test } from 'vitest'
import { measureSms } from './smsSegments'

test.each([
  ['an empty text', '', 'GSM-7', 0, 0],
  ['160 plain characters', 'a'.repeat(160), 'GSM-7', 160, 1],
  ['161 plain characters', 'a'.repeat(161), 'GSM-7', 161, 2],
  ['306 plain characters', 'a'.repeat(306), 'GSM-7', 306, 2],
  ['307 plain characters', 'a'.repeat(307), 'GSM-7', 307, 3],
  ['80 euro signs, which take two septets', '€'.repeat(80), 'GSM-7', 160, 1],
  [
    'a euro sign that would span two parts',
    `${'a'.repeat(152)}€${'a'.repeat(152)}`,
    'GSM-7',
    306,
    3,
  ],
  ['accents of the alphabet', 'Señor Müller è qui', 'GSM-7', 18, 1],
  ['70 Hebrew letters', 'א'.repeat(70), 'UCS-2', 70, 1],
  ['71 Hebrew letters', 'א'.repeat(71), 'UCS-2', 71, 2],
  ['one accent outside the alphabet', `${'a'.repeat(70)}ê`, 'UCS-2', 71, 2],
  ['emoji, which take two units', '🚕'.repeat(35), 'UCS-2', 70, 1],
  ['an emoji that would span two parts', `${'ж'.repeat(66)}🚕${'ж'.repeat(66)}`, 'UCS-2', 134, 3],
])('counts the parts of %s', (_, text, encoding, units, segments) => {
  expect(measureSms(text)).toEqual({ encoding, units, segments })
})
