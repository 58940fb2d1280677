import { expect, test } from 'vitest'
import { expandWord, joinCanonically, splitAddressWords } from './addressWords'

test.each([
  ['av', 'avenida'],
  ['avda', 'avenida'],
  ['bd', 'bulevar'],
  ['blvd', 'bulevar'],
  ['blvr', 'bulevar'],
  ['br', 'bulevar'],
  ['bv', 'bulevar'],
  ['bvar', 'bulevar'],
  ['cmno', 'camino'],
  ['cnel', 'coronel'],
  ['cno', 'camino'],
  ['dr', 'doctor'],
  ['gral', 'general'],
  ['ing', 'ingeniero'],
  ['mcal', 'mariscal'],
  ['pje', 'pasaje'],
  ['pres', 'presidente'],
  ['psje', 'pasaje'],
  ['rbla', 'rambla'],
  ['sgto', 'sargento'],
  ['tte', 'teniente'],
])('“%s” is read as %s', (short, word) => {
  expect(expandWord(short)).toContain(word)
  expect(joinCanonically([short, 'x'])).toBe(`${word} x`)
})

test.each([
  ['Av. Italia', 'Avenida Italia'],
  ['Boulevard Artigas', 'Bulevar Artigas'],
  ['Bd Artigas', 'Br. Artigas'],
  ['21 de septiembre', '21 de Setiembre'],
])('“%s” and “%s” are the same name', (one, other) => {
  const toText = (name: string) => joinCanonically(splitAddressWords(name))
  expect(toText(one)).toBe(toText(other))
})
