import { expect, test } from 'vitest'
import { inferHomeArea, shortenAddress, type HomeArea } from './shortAddress'

const MONTEVIDEO: HomeArea = { countries: ['Uruguay', 'أورغواي'], city: 'Montevideo' }
const NEW_YORK: HomeArea = { countries: ['United States', 'USA'], city: 'New York' }
const LONDON: HomeArea = { countries: ['United Kingdom', 'UK'], city: 'London' }
const VIENNA: HomeArea = { countries: ['Austria', 'Österreich'], city: 'Wien' }
const SAO_PAULO: HomeArea = { countries: ['Brazil', 'Brasil'], city: 'São Paulo' }
const RIYADH: HomeArea = { countries: ['المملكة العربية السعودية', 'السعودية'], city: 'الرياض' }
const HAIFA: HomeArea = { countries: ['ישראל', 'Israel'], city: 'חיפה' }
const DELHI: HomeArea = { countries: ['भारत', 'India'], city: 'नई दिल्ली' }

test.each<[string, HomeArea, string]>([
  ['Rincón 500, Ciudad Vieja, Montevideo, Uruguay', MONTEVIDEO, 'Rincón 500, Ciudad Vieja'],
  ['Bulevar General Artigas 1097, Montevideo, Uruguay', MONTEVIDEO, 'Bulevar General Artigas 1097'],
  [
    '1724, Marcelino Berthelot, Montevideo, 11800, Uruguay',
    MONTEVIDEO,
    '1724, Marcelino Berthelot',
  ],
  ['Convención, 11200 Montevideo, Departamento de Montevideo, Uruguay', MONTEVIDEO, 'Convención'],
  ['350 5th Ave, New York, NY 10118, USA', NEW_YORK, '350 5th Ave'],
  ['1 Main St, New York NY 10118, United States', NEW_YORK, '1 Main St'],
  ['10 Downing Street, London SW1A 2AA, UK', LONDON, '10 Downing Street'],
  ['Elm Road, Ealing, London, Greater London, W5 2AA, UK', LONDON, 'Elm Road, Ealing'],
  ['Stephansplatz 3, 1010 Wien, Österreich', VIENNA, 'Stephansplatz 3'],
  ['Stephansplatz, Wien, Wien, Österreich', VIENNA, 'Stephansplatz'],
  [
    'Av. Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200, Brasil',
    SAO_PAULO,
    'Av. Paulista, 1578 - Bela Vista',
  ],
  ['شارع العليا، حي الورود، الرياض 12251، السعودية', RIYADH, 'شارع العليا، حي الورود'],
  ['הרצל 12, הדר, חיפה, ישראל', HAIFA, 'הרצל 12, הדר'],
  ['कनॉट प्लेस, नई दिल्ली 110001, भारत', DELHI, 'कनॉट प्लेस'],
])('drops the own city and country of %s', (address, home, short) => {
  expect(shortenAddress(address, home)).toBe(short)
})

test.each<[string, HomeArea, string]>([
  ['Calle 5, Canelones, Uruguay', MONTEVIDEO, 'Calle 5, Canelones'],
  ['Esquina, Montevideo, Las Piedras, Uruguay', MONTEVIDEO, 'Esquina, Montevideo, Las Piedras'],
  ['Main St 1, Montevideo, Minnesota, USA', MONTEVIDEO, 'Main St 1, Montevideo, Minnesota, USA'],
  ['Florida, Buenos Aires, Argentina', MONTEVIDEO, 'Florida, Buenos Aires, Argentina'],
  [
    'Temple Bar, Dublin 2, Ireland',
    { countries: ['Ireland'], city: 'Dublin' },
    'Temple Bar, Dublin 2',
  ],
])('keeps what tells where %s is', (address, home, short) => {
  expect(shortenAddress(address, home)).toBe(short)
})

test.each([
  ['Montevideo, Uruguay', 'Montevideo'],
  ['Uruguay', 'Uruguay'],
  ['Uruguay, Montevideo, Uruguay', 'Uruguay'],
  ['Hotel, Montevideo 455, Centro, Montevideo, Uruguay', 'Hotel, Montevideo 455, Centro'],
  ['Montevideo 455, Montevideo, Uruguay', 'Montevideo 455'],
  ['12, Uruguay', '12, Uruguay'],
  ['', ''],
])('never drops the street of %s', (address, short) => {
  expect(shortenAddress(address, MONTEVIDEO)).toBe(short)
})

test('drops only the country while nothing tells the city', () => {
  const home = { countries: ['Deutschland'], city: null }
  expect(shortenAddress('Torstraße 1, 10119 Berlin, Deutschland', home)).toBe(
    'Torstraße 1, 10119 Berlin',
  )
})

test('drops the city that all addresses of a list share, but leaves two parts', () => {
  const countries = ['Deutschland']
  const addresses = [
    'Torstraße 1, Mitte, 10119 Berlin, Deutschland',
    'Hauptstraße 9, Schöneberg, 10827 Berlin, Deutschland',
    'Flughafen, 12529 Berlin, Deutschland',
  ]
  const home = inferHomeArea(addresses, { countries })
  expect(addresses.map((address) => shortenAddress(address, home))).toEqual([
    'Torstraße 1, Mitte',
    'Hauptstraße 9, Schöneberg',
    'Flughafen, 12529 Berlin',
  ])
  const others = [...addresses, 'Alter Markt, Altstadt, 14467 Potsdam, Deutschland']
  expect(inferHomeArea(others, { countries }).city).toBeNull()
  expect(inferHomeArea(addresses.slice(1), { countries }).city).toBeNull()
})
