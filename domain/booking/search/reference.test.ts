import { describe, expect, test } from 'vitest'
import { createPushKey } from '../../data/pushKeys'
import { NOON } from '../../testing/builders'
import {
  freeReference,
  parseReference,
  REFERENCE_ALPHABET,
  REFERENCE_PATTERN,
  referenceAt,
} from './reference'

const ids = Array.from({ length: 20_000 }, (_, n) => createPushKey(NOON + n, n))

test('a reference is two groups of three symbols that can be read over the telephone', () => {
  for (const id of ids.slice(0, 500)) expect(referenceAt(id, 0)).toMatch(RegExp(REFERENCE_PATTERN))
  expect([...'0O1IL5S2Z8BUV'].filter((one) => REFERENCE_ALPHABET.includes(one))).toEqual([])
  expect(new Set(REFERENCE_ALPHABET).size).toBe(REFERENCE_ALPHABET.length)
})

test('a booking always has the same candidates', () => {
  expect(referenceAt('-OAbcdefghijklmnopqr', 0)).toBe(referenceAt('-OAbcdefghijklmnopqr', 0))
  expect(referenceAt('-OAbcdefghijklmnopqr', 1)).not.toBe(referenceAt('-OAbcdefghijklmnopqr', 0))
})

test('neighboring booking ids spread over all references', () => {
  const references = ids.map((id) => referenceAt(id, 0))
  // Of 20,000 among 85 million, chance makes two or three collide.
  expect(new Set(references).size).toBeGreaterThan(ids.length - 15)
  for (let place = 0; place < 7; place++) {
    if (place === 3) continue
    const counts = new Map<string, number>()
    for (const one of references) {
      const symbol = one.charAt(place)
      counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
    }
    const fair = ids.length / REFERENCE_ALPHABET.length
    expect(Math.min(...counts.values())).toBeGreaterThan(fair * 0.8)
    expect(Math.max(...counts.values())).toBeLessThan(fair * 1.2)
  }
})

describe('the reference of a booking', () => {
  const ownedBy = (owners: Record<string, string>) => (one: string) =>
    Promise.resolve(owners[one] ?? null)

  test('is the first candidate that no other booking has', async () => {
    expect(await freeReference('b1', ownedBy({}))).toBe(referenceAt('b1', 0))
    expect(
      await freeReference(
        'b1',
        ownedBy({ [referenceAt('b1', 0)]: 'b2', [referenceAt('b1', 1)]: 'b3' }),
      ),
    ).toBe(referenceAt('b1', 2))
  })

  test('is the one that is already listed for it', async () => {
    expect(await freeReference('b1', ownedBy({ [referenceAt('b1', 0)]: 'b1' }))).toBe(
      referenceAt('b1', 0),
    )
  })

  test('is refused with an error when all candidates are taken', async () => {
    await expect(freeReference('b1', () => Promise.resolve('b2'))).rejects.toThrow(
      'All candidates for the reference of bookings/b1 are taken',
    )
  })
})

test.each([
  ['K7M-4QX', 'K7M-4QX'],
  ['k7m4qx', 'K7M-4QX'],
  [' k7m 4qx ', 'K7M-4QX'],
  ['K-7-M-4-Q-X', 'K7M-4QX'],
  ['K7M-4Q', null],
  ['K7M-4QXX', null],
  ['K7M-4Q0', null],
  ['Martina', null],
  ['', null],
])('%j is read as the reference %s', (typed, reference) => {
  expect(parseReference(typed)).toBe(reference)
})
