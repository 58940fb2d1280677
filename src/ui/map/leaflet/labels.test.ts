import { describe, expect, test } from 'vitest'
import { clipLine, getLocalizedName, placeLabels, findStraightestSection, wrapText } from './labels'
import { MAP_COLORS } from './mapColors'
import { getWidthAt } from './tilePainter'
import type { Tile, TileFeature } from '../tileSource'

const options = {
  zoom: 15,
  width: 256,
  height: 256,
  language: 'en',
  colors: MAP_COLORS.light,
  hasFewerLabels: false,
}
const measure = (text: string, size: number) => text.length * size * 0.55
const feature = (properties: TileFeature['properties'], ...points: number[]): TileFeature => ({
  properties,
  type: points.length > 2 ? 2 : 1,
  lines: [Int16Array.from(points)],
  box: [0, 0, 4096, 4096],
})
const place = (tile: Tile, over = {}, scale = 1) =>
  placeLabels(
    [{ parts: [{ tile, scale, left: 0, top: 0 }], x: 0, y: 0, size: 256 }],
    { ...options, ...over },
    measure,
  ).map(({ text }) => text)

describe('the name of a street', () => {
  const road = { class: 'minor', rank: 4, name: 'Rivera' }

  test('is written along its longest straight stretch', () => {
    const stretch = findStraightestSection([
      [0, 0],
      [10, 0],
      [20, 1],
      [100, 0],
      [100, 30],
    ])
    expect(stretch).toMatchObject({ x: 50, y: 0, length: 100 })
    expect(stretch?.angle).toBeCloseTo(0, 5)
  })

  test('is never upside down', () => {
    expect(
      findStraightestSection([
        [100, 0],
        [0, 1],
      ])?.angle,
    ).toBeCloseTo(0, 1)
    expect(findStraightestSection([[0, 0]])).toBeNull()
  })

  test('is left out where it does not fit', () => {
    expect(place({ road: [feature(road, 0, 2_000, 4_000, 2_000)] })).toEqual(['Rivera'])
    expect(place({ road: [feature(road, 0, 2_000, 300, 2_000)] })).toEqual([])
  })

  test('is not repeated next to itself', () => {
    const twice = [feature(road, 0, 1_000, 4_000, 1_000), feature(road, 0, 3_000, 4_000, 3_000)]
    expect(place({ road: twice })).toEqual(['Rivera'])
  })

  test('appears for a side street only at a high zoom level', () => {
    const tile = { road: [feature(road, 0, 2_000, 4_000, 2_000)] }
    expect(place(tile, { zoom: 14 })).toEqual([])
  })

  test('is placed on the visible part of a long street', () => {
    // The tile is enlarged 16 times, so the street's middle is two thousand pixels away.
    expect(place({ road: [feature(road, 0, 100, 4_000, 100)] }, { zoom: 18 }, 16)).toEqual([
      'Rivera',
    ])
  })
})

describe('names of places', () => {
  const poi = (name: string, rank: number, x: number, y: number) =>
    feature({ name, rank, kind: 'hotel' }, x, y)

  test('do not overlap: the more important one stays', () => {
    const tile = { poi: [poi('Kiosk', 5, 2_000, 2_000), poi('Hospital', 8, 2_010, 2_010)] }
    expect(place(tile, { zoom: 16 })).toEqual(['Hospital'])
  })

  test('are fewer when the map shows a route', () => {
    const tile = { poi: [poi('Hospital', 7, 2_000, 2_000)] }
    expect(place(tile, { zoom: 14 })).toEqual(['Hospital'])
    expect(place(tile, { zoom: 14, hasFewerLabels: true })).toEqual([])
  })

  test('use the reader’s language where the map has it', () => {
    const old = { properties: { name: 'Ciudad Vieja', 'name:en': 'Old City' } }
    expect(getLocalizedName(old, 'en-GB')).toBe('Old City')
    expect(getLocalizedName(old, 'es')).toBe('Ciudad Vieja')
  })

  test('come from the browser for countries', () => {
    const tile = { country: [feature({ name: 'Uruguay', code: 'JP', area: 1 }, 2_000, 2_000)] }
    expect(place(tile, { zoom: 4, language: 'es' })).toEqual(['JAPÓN'])
  })

  test('move aside for a larger city', () => {
    const city = (name: string, population: number) =>
      feature({ name, population, from: 3 }, 2_000, 2_000)
    const tile = { city: [city('Montevideo', 1_200_000), city('Buenos Aires', 13_000_000)] }
    expect(place(tile, { zoom: 5 })).toEqual(['Buenos Aires', 'Montevideo'])
  })

  test('break into readable lines', () => {
    expect(wrapText('Universidad de la Empresa')).toEqual(['Universidad de', 'la Empresa'])
    expect(wrapText('Centro')).toEqual(['Centro'])
  })
})

test('clips a line to a box, into one piece for each time it enters the box', () => {
  const box = [0, 0, 10, 10] as const
  expect(
    clipLine(
      [
        [-5, 5],
        [15, 5],
      ],
      box,
    ),
  ).toEqual([
    [
      [0, 5],
      [10, 5],
    ],
  ])
  expect(
    clipLine(
      [
        [5, 5],
        [5, 20],
        [8, 20],
        [8, 5],
      ],
      box,
    ),
  ).toEqual([
    [
      [5, 5],
      [5, 10],
    ],
    [
      [8, 10],
      [8, 5],
    ],
  ])
  expect(
    clipLine(
      [
        [20, 0],
        [20, 10],
      ],
      box,
    ),
  ).toEqual([])
})

test('widens a street as the map zooms in', () => {
  const stops = [
    [10, 1],
    [14, 5],
    [18, 30],
  ] as const
  expect(getWidthAt(stops, 8)).toBe(1)
  expect(getWidthAt(stops, 14)).toBe(5)
  expect(getWidthAt(stops, 20)).toBe(30)
  expect(getWidthAt(stops, 16)).toBeGreaterThan(5)
  expect(getWidthAt(stops, 16)).toBeLessThan(17)
})
