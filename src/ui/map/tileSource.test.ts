import { PbfWriter } from 'pbf'
import { expect, test } from 'vitest'
import { decodeTile, createTileSource } from './tileSource'

/** Returns a tile with one road from 0,0 to 10,20. */
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
  const urls: string[] = []
  const load: typeof fetch = (input) => {
    urls.push(input instanceof Request ? input.url : input.toString())
    return Promise.resolve(answer())
  }
  return { urls, load }
}
const options = { url: '/maps/city', minZoom: 9, maxZoom: 14 }

test('reads a tile with its names, lines and bounding boxes', () => {
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

test('enlarges a part of the last tile beyond the maximum zoom level', async () => {
  const { urls, load } = serving(() => new Response(roadTile()))
  const source = createTileSource({ ...options, fetch: load })
  expect(await source.get(16, 5, 6)).toMatchObject({ scale: 4, left: 256, top: 512 })
  expect(await source.get(16, 4, 4)).toMatchObject({ scale: 4, left: 0, top: 0 })
  expect(urls).toEqual(['/maps/city/14/1/1.pbf'])
})

test('requests nothing outside the city or above its zoom levels', async () => {
  const { urls, load } = serving(() => new Response(roadTile()))
  const source = createTileSource({ ...options, bounds: [-57, -35, -56, -34], fetch: load })
  expect(await source.get(8, 0, 0)).toBeNull()
  expect(await source.get(12, 0, 0)).toBeNull()
  expect(urls).toEqual([])
  expect(await source.get(12, 1408, 2471)).not.toBeNull()
})

test.each([
  ['a missing tile', () => new Response('', { status: 404 })],
  ['an empty tile', () => new Response(new ArrayBuffer(0))],
  [
    'the start page instead of a tile',
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  ],
])('treats %s as a missing tile and does not request it again', async (_, answer) => {
  const { urls, load } = serving(answer)
  const source = createTileSource({ ...options, fetch: load })
  expect(await source.get(12, 1, 1)).toBeNull()
  expect(await source.get(12, 1, 1)).toBeNull()
  expect(urls).toHaveLength(1)
})

test('requests a tile again after a failed fetch', async () => {
  let isOffline = true
  const source = createTileSource({
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
