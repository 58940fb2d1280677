import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuiltCity } from '../../../../testing/builtCity'
import { createBundledMaps } from '../bundledMaps'
import { decodeColumnFile, type Column } from '../columnFile'
import type { MapsPort, Suggestion } from '../../../../ports/mapsPort'
import { splitAddressWords } from './addressWords'

const LEAST_SHARE = 0.99

interface Header {
  kinds: string[]
  names: string[]
}

let maps: MapsPort
let streets: string[]
beforeAll(() => {
  const directory = ensureBuiltCity()
  maps = createBundledMaps(directory)
  const { header, columns } = decodeColumnFile<Header, { kind: Column }>(
    readFileSync(join(directory, 'gaz.bin')),
  )
  streets = header.names.filter((_, item) => header.kinds[columns.kind[item]!] === 'street')
})

const toWords = (name: string) => splitAddressWords(name).join(' ')

/** Returns true for the street of a name, or a house of it. */
const isOnStreet = (name: string, { mainText, kind }: Suggestion) =>
  toWords(mainText) === toWords(name) ||
  (kind === 'address' && toWords(mainText).startsWith(`${toWords(name)} `))

test.each([
  ['NAME 1234', (name: string) => `${name} 1234`],
  ['NAME 99999', (name: string) => `${name} 99999`],
  ['1234 NAME', (name: string) => `1234 ${name}`],
  ['NAME 1234/5', (name: string) => `${name} 1234/5`],
  ['NAME 1234 apto 501', (name: string) => `${name} 1234 apto 501`],
  ['NAME 1234 bis', (name: string) => `${name} 1234 bis`],
  ['NAME, 1234, apto 3, Montevideo', (name: string) => `${name}, 1234, apto 3, Montevideo`],
  ['NAME 1234 torre 2 apto 12B', (name: string) => `${name} 1234 torre 2 apto 12B`],
  ['NAME manzana 3 solar 12', (name: string) => `${name} manzana 3 solar 12`],
  [
    'NAME, 11200 Montevideo, Departamento de Montevideo',
    (name: string) => `${name}, 11200 Montevideo, Departamento de Montevideo, Uruguay`,
  ],
  [
    'NAME 1234, Montevideo Department',
    (name: string) => `${name} 1234, Montevideo Department, Uruguay`,
  ],
])('the street of exactly the typed name is first in “%s”', async (_, toTyped) => {
  const failures: string[] = []
  for (const name of streets) {
    const [first] = await maps.autocomplete(toTyped(name), { country: 'UY' })
    if (!first || !isOnStreet(name, first)) failures.push(`${toTyped(name)} → ${first?.mainText}`)
  }
  const share = 1 - failures.length / streets.length
  expect(streets.length).toBeGreaterThan(4_000)
  expect(share, failures.slice(0, 30).join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE)
})

test.each([
  ['NAME', (name: string) => name],
  ['NAME s/n', (name: string) => `${name} s/n`],
])('the street of exactly the typed name is among the places of “%s”', async (_, toTyped) => {
  const missing: string[] = []
  for (const name of streets) {
    const places = await maps.autocomplete(toTyped(name), { country: 'UY' })
    if (!places.some((place) => isOnStreet(name, place))) missing.push(name)
  }
  expect(missing.length, missing.join('\n')).toBeLessThan(streets.length * (1 - LEAST_SHARE))
})

test.each([
  ['Avenida', ['Av.', 'Avda', 'AVE']],
  ['Bulevar', ['Br.', 'Bv', 'Blvr.', 'Bvar.', 'Boulevard']],
  ['Camino', ['Cno.', 'Cmno']],
  ['Coronel', ['Cnel.']],
  ['Doctor', ['Dr.']],
  ['General', ['Gral.']],
  ['Ingeniero', ['Ing.']],
  ['Pasaje', ['Pje.', 'Psje']],
  ['Presidente', ['Pres.', 'Pte.']],
  ['Rambla', ['Rbla.']],
  ['Teniente', ['Tte.']],
])('streets with “%s” are first with %j too', async (word, shortForms) => {
  const names = streets.filter((name) => name.split(' ').includes(word))
  const failures: string[] = []
  for (const name of names)
    for (const short of shortForms) {
      const typed = `${name.replace(word, short)} 1234`
      const [first] = await maps.autocomplete(typed, { country: 'UY' })
      if (!first || !isOnStreet(name, first)) failures.push(`${typed} → ${first?.mainText}`)
    }
  expect(names.length).toBeGreaterThan(0)
  expect(failures.length, failures.join('\n')).toBeLessThanOrEqual(names.length * 0.02)
})

test.each([
  ['San Pedro 1234', 'San Pedro'],
  ['1 de Mayo 1234', '1 de Mayo'],
  ['San Felipe 1234', 'San Felipe'],
  ['Santa María 1234', 'Santa María'],
  ['Las Palmeras 1234', 'Las Palmeras'],
  ['Farias 99999', 'Farias'],
  ['calle san pedro 1234', 'San Pedro'],
])('“%s” finds the street %s first', async (typed, street) => {
  const [first] = await maps.autocomplete(typed, { country: 'UY' })
  expect(first?.mainText).toBe(street)
})
