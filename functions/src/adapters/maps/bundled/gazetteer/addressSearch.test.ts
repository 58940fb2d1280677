import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuiltCity } from '../../../../testing/builtCity'
import { createBundledMaps } from '../bundledMaps'
import { getDistanceMeters } from '../../../../ports/positions'
import type { MapsPort } from '../../../../ports/mapsPort'

const CENTER = { lat: -34.90643, lng: -56.19871 }
const JULIO = 'Avenida 18 de Julio 1234, Cordón, Montevideo, Uruguay'
const OCTUBRE = 'Avenida 8 de Octubre 2738, La Blanqueada, Montevideo, Uruguay'
const MAYO = '25 de Mayo 455, Ciudad Vieja, Montevideo, Uruguay'
const SAN_JOSE = 'San José 1234, Centro, Montevideo, Uruguay'
const ITALIA = 'Avenida Italia, Malvín, Montevideo, Uruguay'

let maps: MapsPort
beforeAll(() => {
  maps = createBundledMaps(ensureBuiltCity())
})

const search = (typed: string, near = CENTER) => maps.autocomplete(typed, { country: 'UY', near })
const describeAll = async (typed: string) =>
  (await search(typed)).map(({ description }) => description)

describe('an address', () => {
  test.each([
    [JULIO, JULIO],
    ['18 de Julio 1234, Cordón', JULIO],
    ['18 de julio 1234 cordon montevideo uruguay', JULIO],
    ['Uruguay, Montevideo, Cordón, 18 de Julio 1234', JULIO],
    ['cordon 18 de julio 1234', JULIO],
    ['1234 18 de julio', JULIO],
    ['1234, Avenida 18 de Julio, Montevideo', JULIO],
    ['Avenida 18 de Julio, 1234 - Cordón, Montevideo - UY', JULIO],
    ['Av. 18 de Julio ١٢٣٤', JULIO],
    ['18 de Julio 1234, 11100 Montevideo', JULIO],
    ['18 de Julio 1234, Departamento de Montevideo, Уругвай', JULIO],
    ['Av. 8 de Octubre 2738', OCTUBRE],
    ['AVDA 8 DE OCTUBRE 2738, BARRIO LA BLANQUEADA', OCTUBRE],
    ['Calle 25 de Mayo 455', MAYO],
    ['455 25 de mayo', MAYO],
    ['San José nro 1234', SAN_JOSE],
    ['San José N° 1234', SAN_JOSE],
    ['San José nº1234', SAN_JOSE],
    ['San José número 1234', SAN_JOSE],
    ['San José 1234 apto 3', SAN_JOSE],
    ['San José 1234 bis, piso 3, Centro', SAN_JOSE],
    ['Edificio Sol, San José 1234, Centro', SAN_JOSE],
    ['Rincón 500, Pocitos', 'Rincón 500, Ciudad Vieja, Montevideo, Uruguay'],
    [
      'Convención, 11200 Montevideo, Departamento de Montevideo, Uruguay',
      'Convención, Barrio Sur, Montevideo, Uruguay',
    ],
    [
      'Camino Carrasco, Departamento de Montevideo, Uruguay',
      'Camino Carrasco, Las Canteras, Montevideo, Uruguay',
    ],
    ['San José 1234, Departamento 501, Montevideo', SAN_JOSE],
    ['Br. Artigas 1825', 'Bulevar General Artigas 1825, La Comercial, Montevideo, Uruguay'],
    ['Blvd Artigas 1825', 'Bulevar General Artigas 1825, La Comercial, Montevideo, Uruguay'],
    ['21 de septiembre 2800', '21 de Setiembre 2798, Punta Carretas, Montevideo, Uruguay'],
    ['Pasaje 1 4508', 'Pasaje 1 4508, Casavalle, Montevideo, Uruguay'],
  ])('typed as "%s" finds %s first', async (typed, first) => {
    expect((await describeAll(typed))[0]).toBe(first)
  })

  test('with a number that the map lacks finds the street', async () => {
    expect(await describeAll('Avenida Italia 9999')).toEqual([ITALIA])
    expect((await describeAll('18 de julio 99999, Cordón'))[0]).toBe(
      'Avenida 18 de Julio, Cordón, Montevideo, Uruguay',
    )
  })

  test('with a number near one of the map finds that one, under its own number', async () => {
    expect((await describeAll('Avenida Italia 3000')).slice(0, 2)).toEqual([
      'Avenida Italia 3002, Malvín, Montevideo, Uruguay',
      ITALIA,
    ])
  })

  test('in a quarter where the map does not see the street is found nevertheless', async () => {
    expect((await describeAll('Avenida Italia 3002, La Blanqueada, Montevideo'))[0]).toBe(
      'Avenida Italia 3002, Malvín, Montevideo, Uruguay',
    )
  })

  test('does not take a number inside the name for the house number', async () => {
    expect((await describeAll('calle 12 1'))[0]).toMatch(/^Calle 12, /)
  })

  test('resolves to the position of the house', async () => {
    const [house] = await search(JULIO)
    const place = await maps.getCoords(house!.place_id)
    const [same] = await search('18 de julio 1234')
    expect(getDistanceMeters(place!, same!.coords!)).toBeLessThan(1)
    expect(house).toMatchObject({ kind: 'address', mainText: 'Avenida 18 de Julio 1234' })
  })

  test.each(['xyzzy plugh', 'pizzeria inexistente pocitos', 'xyzzy, plugh, Montevideo'])(
    'of a place that does not exist finds nothing ("%s")',
    async (typed) => {
      expect(await describeAll(typed)).toEqual([])
    },
  )
})

describe('two streets that cross', () => {
  const CROSSING = 'Avenida 18 de Julio & Ejido, Montevideo, Uruguay'
  test.each([
    '18 de julio y ejido',
    '18 de Julio esq. Ejido',
    'Av. 18 de Julio esquina Ejido, Montevideo',
    '18 de julio / ejido',
    '18 de julio y ejido montevideo uruguay',
    CROSSING,
  ])('typed as “%s” are offered as their crossing and each', async (typed) => {
    const places = await search(typed)
    expect(places.map(({ mainText }) => mainText)).toEqual([
      'Avenida 18 de Julio & Ejido',
      'Avenida 18 de Julio',
      'Ejido',
    ])
    const [house] = await search('18 de julio 1360')
    expect(places[0]?.description).toBe(CROSSING)
    expect(getDistanceMeters(places[0]!.coords!, house!.coords!)).toBeLessThan(250)
  })

  test.each([
    ['8 de octubre y garibaldi', 'Avenida 8 de Octubre & Avenida General José Garibaldi'],
    ['bvar artigas y rivera', 'Bulevar General Artigas & Avenida General Rivera'],
  ])('are found by a part of their names: “%s”', async (typed, crossing) => {
    expect((await search(typed))[0]?.mainText).toBe(crossing)
  })

  test('are not read from a house number and its corner', async () => {
    const [first] = await search('18 de julio 1300 esq ejido')
    expect(first?.mainText).toBe('Avenida 18 de Julio 1300')
  })

  test('are both offered when they do not meet', async () => {
    const places = await search('Avenida Italia y Rincón')
    expect(places.map(({ mainText }) => mainText)).toEqual(['Avenida Italia', 'Rincón'])
  })

  test('are not read from the name of one street', async () => {
    expect((await search('José Batlle y Ordóñez'))[0]?.mainText).toMatch(/José Batlle y Ordóñez$/)
  })
})

describe('of several places with the same name, the search offers first', () => {
  test.each([
    ['tres cruces', 'Terminal Tres Cruces'],
    ['3 cruces', 'Terminal Tres Cruces'],
    ['trescruces', 'Terminal Tres Cruces'],
    ['Tres Cruces Terminal', 'Terminal Tres Cruces'],
    ['cagancha', 'Plaza Cagancha'],
    ['britanico', 'Hospital Británico'],
    ['puntacarretas shopping', 'Punta Carretas Shopping'],
    ['carrasco aeropuerto', 'Aeropuerto Internacional de Carrasco'],
    ['dieciocho de julio 1234', 'Avenida 18 de Julio 1234'],
    ['18dejulio 1234', 'Avenida 18 de Julio 1234'],
  ])('the important place also to a person without a position: “%s”', async (typed, name) => {
    const [first] = await maps.autocomplete(typed, { country: 'UY' })
    expect(first?.mainText).toBe(name)
  })

  test('an important place nearby rather than a street far away', async () => {
    const [first] = await search('tres cruces')
    expect(first?.description).toBe('Terminal Tres Cruces, La Blanqueada, Montevideo, Uruguay')
    expect(getDistanceMeters(first!.coords!, CENTER)).toBeLessThan(4_000)
  })

  test('a street nearby rather than an important place far away', async () => {
    const street = (await search('tres cruces')).find(({ kind }) => kind === 'street')
    const [first] = await search('tres cruces', street?.coords)
    expect(first).toMatchObject({ kind: 'street', mainText: 'Tres Cruces' })
  })

  test('the one whose quarter was typed', async () => {
    const [, , street] = await search('tres cruces')
    expect((await search(street!.description))[0]).toEqual(street)
  })
})

describe('a town elsewhere', () => {
  test.each([
    ['Punta del Este, Uruguay', 'UY'],
    ['Paso de Carrasco, Uruguay', 'UY'],
    ['Albany, TX, United States', 'US'],
    ['Saint-Cyr-sur-Menthon, France', 'FR'],
    ['San Rafael, Peru', undefined],
  ])('finds itself by its shown text: %s', async (text, country) => {
    const [first] = await maps.autocomplete(text, { near: CENTER, ...(country && { country }) })
    expect(first?.description).toBe(text)
  })
})
