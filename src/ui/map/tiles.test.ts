import { PbfWriter } from 'pbf'
import { expect, test } from 'vitest'
import { decodeTile, tileSource } from './tiles'

/** A tile with one road from 0,0 to 10,20. */
const roadTile = (): ArrayBuffer => {
  const tile = new PbfWriter()
  tile.writeMessage(
    3,
    (_, layer: PbfWriter) => {
      layer.writeVarintField(15, 2)
      layer.writeStringField(1, 'road')
      layer.writeMessage(
        2,
        (_none, feature: PbfWriter) => {
          feature.writePackedVarint(2, [0, 0])
          feature.writeVarintField(3, 2)
          feature.writePackedVarint(4, [9, 0, 0, 10, 20, 40])
        },
        null,
      )
      layer.writeStringField(3, 'name')
      layer.writeMessage(4, (_none, value: PbfWriter) => value.writeStringField(1, 'Rivera'), null)
      layer.writeVarintField(5, 4096)
    },
    null,
  )
  const bytes = tile.finish()
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
}

const serving = (answer: () => Response) => {
  const asked: string[] = []
  const load: typeof fetch = (input) => {
    asked.push(String(input))
    return Promise.resolve(answer())
  }
  return { asked, load }
}
const options = { url: '/maps/city', minZoom: 9, maxZoom: 14 }

test('a tile is read with names, lines and how far they reach', () => {
  expect(decodeTile(roadTile())).toEqual({
    road: [
      {
        properties: { name: 'Rivera' },
        type: 2,
        lines: [Int16Array.from([0, 0, 10, 20])],
        box: [0, 0, 10, 20],
      },
    ],
  })
})

test('past the last zoom a part of the last tile is enlarged', async () => {
  const { asked, load } = serving(() => new Response(roadTile()))
  const source = tileSource({ ...options, fetch: load })
  expect(await source.get(16, 5, 6)).toMatchObject({ scale: 4, left: 256, top: 512 })
  expect(await source.get(16, 4, 4)).toMatchObject({ scale: 4, left: 0, top: 0 })
  expect(asked).toEqual(['/maps/city/14/1/1.pbf'])
})

test('nothing is asked for outside the city or above its zooms', async () => {
  const { asked, load } = serving(() => new Response(roadTile()))
  const source = tileSource({ ...options, bounds: [-57, -35, -56, -34], fetch: load })
  expect(await source.get(8, 0, 0)).toBeNull()
  expect(await source.get(12, 0, 0)).toBeNull()
  expect(asked).toEqual([])
  expect(await source.get(12, 1408, 2471)).not.toBeNull()
})

test.each([
  ['a missing tile', () => new Response('', { status: 404 })],
  ['an empty tile', () => new Response(new ArrayBuffer(0))],
  [
    'the start page in its place',
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  ],
])('%s is nothing, and is not asked for again', async (_, answer) => {
  const { asked, load } = serving(answer)
  const source = tileSource({ ...options, fetch: load })
  expect(await source.get(12, 1, 1)).toBeNull()
  expect(await source.get(12, 1, 1)).toBeNull()
  expect(asked).toHaveLength(1)
})

test('a tile that could not be fetched is asked for again', async () => {
  let isOffline = true
  const source = tileSource({
    ...options,
    fetch: () =>
      isOffline
        ? Promise.reject(new TypeError('offline'))
        : Promise.resolve(new Response(roadTile())),
  })
  expect(await source.get(12, 1, 1)).toBeNull()
  isOffline = false
  expect(await source.get(12, 1, 1)).not.toBeNull()
})
