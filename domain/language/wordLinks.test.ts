import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasLink, splitLinks } from './wordLinks'

const LINKS = [
  'evil.ru',
  'Evil.Ru',
  'EVIL.RU',
  'evil.ru.',
  'Pay at evil.travel now',
  'Ana (evil.cn)',
  'evil。com',
  'evil．com',
  'evil｡ru',
  'ｅｖｉｌ．ｒｕ',
  'evil․ru',
  'a.evil.ru.Casa',
  'x.com',
  't.me',
  'm-y.shop',
  '360.cn',
  'evil.xn--p1ai',
  'evil.рф',
  '例え.公司',
  'Evil.Bank',
  'st.ru',
  'av.de/x',
  '1.2.3.4',
  '1.2.3.4/x',
  'Ana 10.0.0.1:80',
  'http://localhost',
  'http：／／evil',
  'tg://x',
  'www.1',
  'eve@evil.example',
  'eve＠evil．example',
]
const NAMES = [
  'J.P. Morgan',
  'J.P.Morgan',
  'j.smith',
  'St.Gallen',
  'St.gallen',
  'Av. 18 de Julio',
  'AV.ITALIA 2345 ESQ.COLON',
  'Avda.de la Paz 3, 2.º B',
  '12.de Octubre',
  '1.er piso, 11.er bloque',
  'S.A.',
  'S.A.C.I.F.',
  'S.de R.L.',
  'Dr.Müller',
  'Dr.Wu',
  'DR.MULLER',
  'Dott.ssa Rossi',
  'Sig.ra Bianchi',
  'V.le Monza, P.za Roma, C.so Italia',
  'Gral.Paz',
  'Ma.del Carmen',
  'Hnos.lopez S.R.L.',
  'Acme Co.Ltd',
  'ACME CO.LTD',
  'ул.Ленина, д.5',
  'د.محمد',
  'Paz…pero',
  'ID.3',
  '51A-123.45',
  'ABC.123',
  '123.AB',
  '10.000.000',
  '01.23.45.67.89',
  '3.14',
  'e.V.',
  'a.m. y p.m.',
]

test.each(LINKS)('finds the link in %s, and none after its split', (words) => {
  expect(hasLink(words)).toBe(true)
  expect(hasLink(splitLinks(words))).toBe(false)
})

test.each(NAMES)('finds no link in the name %s', (words) => {
  expect(hasLink(words)).toBe(false)
})

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'bcfghjkqwxz'), minLength, maxLength })
const dots = fc.constantFrom('.', '。', '｡', '．', '․', '﹒')
const around = fc.constantFrom('', ' ', '(', ', ', '"', '/')

test('finds every host of letters, whatever its dots and neighbors', () => {
  fc.assert(
    fc.property(letters(3, 10), letters(2, 8), dots, around, (name, ending, dot, sign) => {
      for (const host of [name + dot + ending, (name + dot + ending).toUpperCase()]) {
        const words = `Ana${sign === '' ? ' ' : sign}${host}${sign}`
        expect(hasLink(words)).toBe(true)
        expect(hasLink(splitLinks(words))).toBe(false)
      }
    }),
    { seed: 60, numRuns: 500 },
  )
})

test('finds no link in words whose dots have a space behind them', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom(..."abzÁñ5-'"), maxLength: 8 }))
  fc.assert(
    fc.property(words, (parts) => {
      expect(hasLink(parts.join('. '))).toBe(false)
    }),
    { seed: 61, numRuns: 500 },
  )
})

test('splits any text so that it has no link', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'aéRu1.。．:/@-_？#www'), maxLength: 24 })
  fc.assert(
    fc.property(signs, (words) => {
      expect(hasLink(splitLinks(words))).toBe(false)
    }),
    { seed: 62, numRuns: 2000 },
  )
})
