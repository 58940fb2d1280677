import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { ensureBuiltCity } from '../../../testing/builtCity'
import { createBundledMaps } from './bundledMaps'
import { decodeColumnFile, type Column } from './columnFile'
import { getDistanceMeters, type Position } from '../../../ports/positions'
import type { MapsPort } from '../../../ports/mapsPort'

const LEAST_SHARE = 0.99
const MAX_METERS = 500
/** Every tenth corner of the city is enough in `npm test`. */
const CORNER_STEP = chooseLength(10, 1)

type ColumnName = 'from' | 'to' | 'street' | 'nodeLng' | 'nodeLat'

let maps: MapsPort
let corners: { streets: [string, string]; at: Position }[]

/** Reads the corners of two named streets from the map's file, without the search. */
const readCorners = (directory: string): typeof corners => {
  const { header, columns } = decodeColumnFile<{ streets: string[] }, Record<ColumnName, Column>>(
    readFileSync(join(directory, 'graph.bin')),
  )
  const names = new Map<number, Set<string>>()
  for (let edge = 0; edge < columns.from.length; edge++) {
    const name = header.streets[columns.street[edge]!]
    if (!name) continue
    for (const node of [columns.from[edge]!, columns.to[edge]!])
      names.set(node, (names.get(node) ?? new Set()).add(name))
  }
  return [...names].flatMap(([node, streets]) => {
    const [first, second] = streets
    if (first === undefined || second === undefined) return []
    const at = { lat: columns.nodeLat[node]! / 1e6, lng: columns.nodeLng[node]! / 1e6 }
    return [{ streets: [first, second] satisfies [string, string], at }]
  })
}

beforeAll(() => {
  const directory = ensureBuiltCity()
  maps = createBundledMaps(directory)
  corners = readCorners(directory).filter((_, i) => i % CORNER_STEP === 0)
})

test('two streets that meet lead to their corner', async () => {
  const failures: string[] = []
  for (const { streets, at } of corners) {
    const typed = streets.join(' y ')
    const [first] = await maps.autocomplete(typed, { country: 'UY' })
    if (first?.coords && getDistanceMeters(first.coords, at) < MAX_METERS) continue
    failures.push(`${typed} → ${first?.mainText}`)
  }
  const share = 1 - failures.length / corners.length
  expect(corners.length).toBeGreaterThan(1_000)
  expect(share, failures.slice(0, 30).join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE)
})
