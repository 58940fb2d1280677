import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Gazetteer } from '~/functions/src/adapters/maps/bundled/gazetteer/gazetteer'
import { readCity } from './import'
import { encodeOsmExtract } from './osmExtract'
import { buildPlaces } from './places'

const STREETS = [
  'Rua do Almada',
  'Rua 31 de Janeiro',
  'Rua 1º de Dezembro',
  'Avenida Doutor Antunes Guimarães',
  'R. Nova da Alfândega',
  'Praça 9 de Abril',
  'Travessa da Rua Nova de São Crispim',
  'Rua Nova de São Crispim',
  'Rua do Dr. Barbosa de Castro',
]
const NUMBERS = ['7', '12', '31', '120', '126 A', '130-132', '134']

/** Returns streets in Porto with the same house numbers, 100 meters apart. */
const createPorto = () =>
  encodeOsmExtract({
    nodes: STREETS.flatMap((street, row) => {
      const lat = 41.14 + row * 0.001
      const houses = NUMBERS.map((number, i) => ({
        id: row * 100 + i + 10,
        lat,
        lon: -8.62 + i * 0.001,
        tags: { 'addr:street': street, 'addr:housenumber': number },
      }))
      return [
        { id: row * 100 + 1, lat, lon: -8.62 },
        { id: row * 100 + 2, lat, lon: -8.61 },
        ...houses,
      ]
    }),
    ways: STREETS.map((name, row) => ({
      id: 10_000 + row,
      refs: [row * 100 + 1, row * 100 + 2],
      tags: { highway: 'residential', name },
    })),
  })

let folder: string
let places: Gazetteer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porto-'))
  const file = join(folder, 'porto.osm.pbf')
  writeFileSync(file, createPorto())
  places = new Gazetteer(buildPlaces(await readCity(file, { name: 'Porto', country: 'PT' })).file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const findName = (typed: string) => places.search(typed, { limit: 6 })[0]?.name

describe('in an imported city', () => {
  test('every street and house number finds itself by its shown text', () => {
    const names = STREETS.flatMap((street) => [
      street,
      ...NUMBERS.map((number) => `${street} ${number}`),
    ])
    const failures = names.filter((name) => findName(`${name}, Porto, Portugal`) !== name)
    expect(failures).toEqual([])
  })

  test.each([
    ['Rua do Almada 120', 'Rua do Almada 120'],
    ['R. do Almada, 120', 'Rua do Almada 120'],
    ['almada 120 porto', 'Rua do Almada 120'],
    ['Rua do Almada 120, 4050-031 Porto', 'Rua do Almada 120'],
    ['Rua do Almada 120 2º Esq., Vitória, Porto', 'Rua do Almada 120'],
    ['Rua do Almada 126-A', 'Rua do Almada 126 A'],
    ['Rua 31 de Janeiro', 'Rua 31 de Janeiro'],
    ['Rua 31 de Janeiro 31', 'Rua 31 de Janeiro 31'],
    ['31 de Janeiro, 120', 'Rua 31 de Janeiro 120'],
    ['Rua 1º de Dezembro 12', 'Rua 1º de Dezembro 12'],
    ['1 de dezembro 12', 'Rua 1º de Dezembro 12'],
    ['Av. Dr. Antunes Guimaraes 7', 'Avenida Doutor Antunes Guimarães 7'],
    ['Rua Nova da Alfandega 7', 'R. Nova da Alfândega 7'],
    ['Pça. 9 de Abril 12', 'Praça 9 de Abril 12'],
    ['Tv. da Rua Nova de São Crispim 7', 'Travessa da Rua Nova de São Crispim 7'],
    ['Rua Nova de São Crispim 7', 'Rua Nova de São Crispim 7'],
    ['Rua do Doutor Barbosa de Castro 7', 'Rua do Dr. Barbosa de Castro 7'],
  ])('"%s" finds %s', (typed, name) => {
    expect(findName(typed)).toBe(name)
  })

  test('a house number that the map lacks finds the street', () => {
    expect(findName('Rua do Almada 2000')).toBe('Rua do Almada')
    expect(findName('Rua 31 de Janeiro, 2000, Porto')).toBe('Rua 31 de Janeiro')
  })
})
