import { expect, test } from 'vitest'
import { createCityWords, parseAddress } from './addressText'
import { splitAddressWords } from './addressWords'
import { selectFreeNumbers } from './houseReading'
import { hasPosition } from './wordMask'

const CITY = createCityWords(['Montevideo', 'Uruguay'], ['Ciudad Vieja', 'Parque Rodó'])

test('an address is split into folded words and ASCII digits', () => {
  expect(splitAddressWords('Rúa 1º de Maio, Straße Łódź ١٢ ۳')).toEqual([
    'rua',
    '1',
    'de',
    'maio',
    'strasse',
    'lodz',
    '12',
    '3',
  ])
})

test('only the whole name of a quarter is a quarter', () => {
  const getRoles = (typed: string) => parseAddress(typed, CITY)[0]?.words.map(({ role }) => role)
  expect(getRoles('Ciudad Vieja')).toEqual(['area', 'area'])
  expect(getRoles('Pque. Rodo')).toEqual(['area', 'area'])
  expect(getRoles('Ciudad del Sol')).toEqual(['name', 'stop', 'name'])
  expect(getRoles('Calle Montevideo 12')).toEqual(['streetType', 'city', 'number'])
})

test.each([
  ['Rincón 12, 11200 Montevideo, Departamento de Montevideo', ['11200', 'departamento', 'de']],
  ['Rincón 12, Montevideo 11200, Montevideo Department', ['11200', 'department']],
  ['Rincón 12, CP 1200, Departamento Montevideo', ['cp', '1200', 'departamento']],
  ['Rincón 12, Département de Canelones', ['departement', 'de', 'canelones']],
  ['Rincón 12 departamento de Montevideo', ['departamento', 'de']],
  ['Rincón 12, Estado do Rio Grande do Sul', 'estado do rio grande do sul'.split(' ')],
  ['Rincón 12, محافظة مونتيفيديو', ['محافظة', 'مونتيفيديو']],
  ['Rincón 12, מחוז מונטווידאו', ['מחוז', 'מונטווידאו']],
  ['Rincón 12, apto 3, Montevideo', ['apto', '3']],
  ['Rincón manzana 3 solar 12', ['manzana', '3', 'solar', '12']],
  ['Casa 3, Montevideo', []],
  ['Departamento de Medicina, Montevideo', []],
  ['Rincón, 1234, Montevideo', []],
  ['Rincón, 1234 Montevideo', []],
])('in “%s” the administrative words, postcodes and units are %j', (typed, words) => {
  const [query] = parseAddress(typed, CITY)
  const regions = query!.words.filter(({ role }) => role === 'ignored').map(({ text }) => text)
  expect(regions.filter((word) => word !== 'montevideo')).toEqual(words)
})

test('each part with a name can be the place, the first one before the others', () => {
  const heads = parseAddress('Montevideo, Torre Sur, San José nro 1234, Ciudad Vieja', CITY)
  expect(heads.map(({ head }) => head)).toEqual(['torre sur', 'san jose 1234'])
  expect(parseAddress('Montevideo, Uruguay', CITY).map(({ head }) => head)).toEqual(['montevideo'])
  expect(parseAddress(' ,;', CITY)).toEqual([])
})

test('a long text is read up to 24 words and three parts', () => {
  const queries = parseAddress('abc 1 2, '.repeat(1_000), CITY)
  expect(queries).toHaveLength(3)
  for (const { words } of queries) expect(words).toHaveLength(24)
  expect(parseAddress('x'.repeat(5_000), CITY)[0]?.words[0]?.text).toHaveLength(300)
})

test.each([
  ['18 de julio 1234', ['1234']],
  ['1234 18 de julio', ['1234']],
  ['18 de julio 18', ['18']],
  ['18 de julio 1', ['1']],
  ['18 de julio', []],
])('in "%s" the numbers outside the name 18 de Julio are %j', (typed, numbers) => {
  const query = parseAddress(typed, CITY)[0]!
  const mask = selectFreeNumbers(query, [['avenida', '18', 'de', 'julio']])
  const free = query.words.filter((_, position) => hasPosition(mask, position))
  expect(free.map(({ text }) => text)).toEqual(numbers)
})
