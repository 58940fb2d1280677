import fc from 'fast-check'
import topLevelDomains from 'tlds'
import { expect, test } from 'vitest'
import { ABBREVIATIONS } from './abbreviations'
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
  'kerbsidepay.T.ME',
  'pay.x.co',
  'x.gd',
  'X.Co',
  'X.Li',
  'kerbside❤.ws',
  'kerbside❤️.ws',
  'kerbside👍🏽.ws',
  'pay_.ws',
  'kerbside.ws❤',
  '365.de',
  '365.de jetzt',
  '777.RU',
  '12.ru',
  'Kerbside.Casino',
  'Prof.express',
  'Prof.Express',
  'dr.best',
  'pay.Dr.Best',
  'Dr.Best/pay',
  'J.Page?pay',
  'J.page',
  'J.Casino',
  'pay.J.Page',
  'приз.москва',
  'Приз.Москва',
  'пр.москва',
  'Evil.Travel/pay',
  'Corp.Link',
  'Inc.Press',
  'TV.Love',
  'Avda.de',
  'Avda.de/la Paz',
  'evil.de la Paz',
  'evil.co.ltd',
  'wallet.C.So',
  'विजय.भारत',
  'פרס.קום',
  'جائزة.موقع',
]
const NAMES = [
  'J.P. Morgan',
  'J.P.Morgan',
  'j.smith',
  'St.Gallen',
  'St.gallen',
  'Av. 18 de Julio',
  'Av.La Paz',
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
  'Dr.Best',
  'DR.BEST',
  'Prof.Li',
  'J.Page',
  'A.J.Ford',
  'St.John',
  'Bd.St.Michel',
  'Prof.Dr.Maier',
  'Gent.ma Sig.na Rossi',
  'C.H.Beck',
  'S.A.de C.V.',
  'Cia.Ltda',
  'Dr.med.Weber',
  'Mme.Leclerc',
  'Profa.Ana',
  'Dra.Li',
  'Sra.da Silva',
  "ד'ר.כהן",
  'א.ב.יהושע',
  'डॉ.शर्मा',
  'श्री.राम',
  'أ.د.أحمد',
]

test.each(LINKS)('finds the link in %s, and none after its split', (words) => {
  expect(hasLink(words)).toBe(true)
  expect(hasLink(splitLinks(words))).toBe(false)
})

test.each(NAMES)('finds no link in the name %s, and leaves it as it is', (words) => {
  expect(hasLink(words)).toBe(false)
  expect(splitLinks(words)).toBe(words)
  expect(splitLinks(`${words}, evil.com`)).toBe(`${words}, evil. com`)
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

/** Labels that begin a host and no name: words, numbers, signs, and one letter behind a word. */
const HOST_LABELS = [
  fc
    .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 12 })
    .filter((label) => !ABBREVIATIONS.has(label)),
  fc.integer({ min: 100, max: 99_999 }).map(String),
  fc.constantFrom('kerbside❤', '❤', 'pay_', 'pay-2', '24x7', 'pay.x', 'такси', 'भुगतान', 'تاكسي'),
]
const CASES = [
  (host: string) => host.toLowerCase(),
  (host: string) => host.toUpperCase(),
  (host: string) => host.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase()),
]

test.each(CASES)('finds a host under every top-level domain, in case %#', (toCase) => {
  const ends = fc.constantFrom('', '.', '/pay', ' now', ': 5', '❤')
  const host = fc.record({ label: fc.oneof(...HOST_LABELS), end: ends })
  for (const domain of topLevelDomains)
    fc.assert(
      fc.property(host, ({ label, end }) => {
        const words = `Ana ${toCase(`${label}.${domain}`)}${end}`
        expect(hasLink(words)).toBe(true)
        expect(hasLink(splitLinks(words))).toBe(false)
      }),
      { seed: 63, numRuns: 6 },
    )
})

/** Titles and common family names of the languages of the app. */
const PEOPLE: Readonly<Record<string, readonly [titles: string, names: string]>> = {
  ar: ['د أ م', 'محمد أحمد حسن إبراهيم العلي منصور'],
  de: ['Dr Prof Ing Hr Fr St', 'Müller Schmidt Weber Wagner Best Bosch Schwarz Pohl Maier Weiß'],
  en: ['Mr Mrs Ms Dr Rev Capt St Jr', 'Page Ford Fox Black Smith Love Bond Glass King Young Price'],
  es: ['Sr Sra Srta Dr Dra Ing Lic Prof Abg', 'García López Muñoz Martínez Gil Rey Sanz Paz'],
  fr: ['Mme Mlle Dr Me Pr St Ste', 'Martin Leclerc Petit Garnier Faure Lévêque Rich'],
  he: ['ד"ר פרופ גב', 'כהן לוי מזרחי פרץ ביטון'],
  hi: ['डॉ श्री प्रो', 'शर्मा वर्मा गुप्ता सिंह पटेल'],
  pt: ['Sr Sra Dr Dra Eng Prof Profa Pe', 'Silva Santos Sousa Pereira Lima Gallo Cruz'],
}

test.each(Object.entries(PEOPLE))('finds no link in the names of people in %s', (_, people) => {
  const [titles, names] = people.map((words) => words.split(' '))
  for (const title of titles!)
    for (const name of names!)
      for (const words of [
        `${title}.${name}`,
        `${title}. ${name}`,
        `${name[0]}.${name}`,
        `A.${name[0]}.${name}`,
        `${title}.${name}-${names![0]}`,
      ]) {
        expect([words, hasLink(words)]).toEqual([words, false])
        expect(splitLinks(words)).toBe(words)
      }
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
