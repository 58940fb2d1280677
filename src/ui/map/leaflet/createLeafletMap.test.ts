import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { MapHandle } from '../mapPort'
import { createLeafletMap } from './createLeafletMap'
import type { LatLng } from '~/domain/geo/types'

const ROUTE: LatLng[] = [
  { lat: -34.9, lng: -56.2 },
  { lat: -34.88, lng: -56.18 },
]
const PADDING = { top: 40, bottom: 40, left: 40, right: 40 }

beforeEach(() => {
  // Tests have no built map.
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })))
})

/** Creates a map in a container with a size, which jsdom does not compute. */
const openMap = (width: number, height: number) => {
  const element = document.createElement('div')
  const setSize = (to: { width: number; height: number }) => {
    Object.defineProperty(element, 'clientWidth', { configurable: true, value: to.width })
    Object.defineProperty(element, 'clientHeight', { configurable: true, value: to.height })
  }
  setSize({ width, height })
  document.body.append(element)
  const noop = () => undefined
  const map = createLeafletMap(
    element,
    { kind: 'bundled' },
    {
      center: ROUTE[0],
      zoom: 13,
      ...{ theme: 'light', language: 'en', isInteractive: true },
      ...{ onMarker: noop, onClick: noop, onMove: noop, onIdle: noop },
    },
  )
  onTestFinished(() => {
    map.destroy()
    element.remove()
  })
  return {
    map,
    resize: (to: { width: number; height: number }) => {
      setSize(to)
      map.resize()
    },
  }
}

const getSpan = (map: MapHandle) => {
  const { north, south } = map.getBounds()
  return north - south
}
const getMiddle = (map: MapHandle) => {
  const { north, south } = map.getBounds()
  return (north + south) / 2
}

test('a route fills a container that grows, and fits into one that shrinks', () => {
  const { map, resize } = openMap(360, 200)
  map.fit(ROUTE, PADDING)
  const small = getSpan(map) / 200
  resize({ width: 1000, height: 900 })
  // Degrees of one pixel: each level of the zoom halves them.
  expect(getSpan(map) / 900).toBeLessThan(small / 1.9)
  resize({ width: 360, height: 200 })
  expect(getSpan(map) / 200).toBeCloseTo(small, 5)
  expect(getMiddle(map)).toBeCloseTo(-34.89, 3)
})

test('a container that shrinks keeps the padding around the route', () => {
  const { map, resize } = openMap(360, 600)
  map.fit(ROUTE, PADDING)
  const before = getSpan(map) / 600
  // The whole route would still be in view, without any space around it.
  const height = Math.ceil(0.02 / before) + 20
  resize({ width: 360, height })
  const { north, south } = map.getBounds()
  const perPixel = (north - south) / height
  expect(north - -34.88).toBeGreaterThan(30 * perPixel)
  expect(-34.9 - south).toBeGreaterThan(30 * perPixel)
})

test('positions that come during a zoom are fitted after it', async () => {
  const { map } = openMap(360, 300)
  map.fit(ROUTE, PADDING)
  const near = [ROUTE[0] as LatLng, { lat: -34.8999, lng: -56.1999 }]
  map.fit(near, PADDING)
  await vi.waitFor(() => expect(getSpan(map)).toBeLessThan(0.01))
})
