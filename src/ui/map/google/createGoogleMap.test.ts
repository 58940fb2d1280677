import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createGoogleMap } from './createGoogleMap'
import type { MapHandle, MapOptions } from '../mapPort'
import type { LatLng } from '~/domain/geo/types'

// Google's script is not available in tests. This fake covers only what the adapter uses, with one
// pixel per thousandth of a degree.
type Listener = (event?: unknown) => void
const lines: { options: { path?: LatLng[]; strokeColor?: string }; map: unknown }[] = []

class FakeMap {
  readonly listeners = new Map<string, Listener[]>()
  readonly layer = document.createElement('div')
  center: LatLng = { lat: 0, lng: 0 }
  zoom = 12
  fitted: LatLng[][] = []
  addListener(name: string, listener: Listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
    return { remove: () => this.listeners.delete(name) }
  }
  emit(name: string, event?: unknown) {
    for (const listener of this.listeners.get(name) ?? []) listener(event)
  }
  getCenter() {
    return { toJSON: () => this.center }
  }
  getZoom() {
    return this.zoom
  }
  setZoom(zoom: number) {
    this.zoom = zoom
  }
  panTo(center: LatLng) {
    this.center = center
  }
  getBounds() {
    return { contains: (point: LatLng) => Math.abs(point.lat) < 1 }
  }
  fitBounds({ points }: { points: LatLng[] }) {
    this.fitted.push(points)
  }
  setOptions = vi.fn()
}

class FakeOverlay {
  static preventMapHitsFrom = () => undefined
  private map: FakeMap | null = null
  onAdd = () => undefined
  onRemove = () => undefined
  draw = () => undefined
  setMap(map: FakeMap | null) {
    if (map) {
      this.map = map
      this.onAdd()
      this.draw()
    } else this.onRemove()
  }
  getPanes() {
    return { overlayMouseTarget: this.map?.layer }
  }
  getProjection() {
    return {
      fromLatLngToDivPixel: ({ lat, lng }: LatLng) => ({ x: lng * 1_000, y: -lat * 1_000 }),
      fromDivPixelToLatLng: ({ x, y }: { x: number; y: number }) => ({
        toJSON: () => ({ lat: -y / 1_000, lng: x / 1_000 }),
      }),
    }
  }
}

class FakeLine {
  map: unknown
  constructor(public options: { map: unknown; path?: LatLng[]; strokeColor?: string }) {
    this.map = options.map
    lines.push(this)
  }
  setMap(map: unknown) {
    this.map = map
  }
}

class FakeBounds {
  points: LatLng[] = []
  extend(point: LatLng) {
    this.points.push(point)
  }
}

const events = {
  onMarker: vi.fn(),
  onClick: vi.fn(),
  onMove: vi.fn(),
  onIdle: vi.fn(),
}
const options: MapOptions = {
  center: { lat: 0, lng: 0 },
  zoom: 12,
  theme: 'light',
  language: 'en',
  isInteractive: true,
  ...events,
}
const A = { lat: 0.1, lng: 0.1 }
const B = { lat: 0.2, lng: 0.2 }

let map: FakeMap
let handle: MapHandle
beforeEach(() => {
  lines.length = 0
  vi.clearAllMocks()
  vi.stubGlobal('google', {
    maps: {
      OverlayView: FakeOverlay,
      Polyline: FakeLine,
      LatLngBounds: FakeBounds,
      LatLng: class {
        lat: number
        lng: number
        constructor({ lat, lng }: LatLng) {
          this.lat = lat
          this.lng = lng
        }
      },
      Point: class {
        constructor(
          public x: number,
          public y: number,
        ) {}
      },
      event: { addListenerOnce: () => undefined },
    },
  })
  map = new FakeMap()
  handle = createGoogleMap(map as unknown as google.maps.Map, options)
})

const pins = () => [...map.layer.children] as HTMLElement[]

describe('markers on a Google map', () => {
  test('are placed, named, chosen and removed', () => {
    handle.setMarkers([{ id: 'a', kind: 'start', position: A, label: 'Pickup' }], false)
    expect(pins()[0]?.style.transform).toBe('translate(100px, -100px)')
    expect(pins()[0]).toHaveAttribute('aria-label', 'Pickup')
    pins()[0]?.click()
    expect(events.onMarker).toHaveBeenCalledWith('a')
    handle.setMarkers([], false)
    expect(pins()).toHaveLength(0)
  })

  test('keep their element while they move', () => {
    handle.setMarkers([{ id: 'a', kind: 'vehicle', position: A }], false)
    const [first] = pins()
    handle.setMarkers(
      [{ id: 'a', kind: 'vehicle', position: { lat: 5, lng: 5 }, heading: 90 }],
      false,
    )
    expect(pins()).toEqual([first])
    expect(first?.style.transform).toBe('translate(5000px, -5000px)')
    expect(first?.firstElementChild).toHaveStyle({ transform: 'rotate(90.0deg)' })
  })

  test('form a cluster that opens when they overlap', () => {
    const cars = Array.from({ length: 5 }, (_, i) => ({
      id: `${i}`,
      kind: 'vehicle' as const,
      position: { lat: 0.1, lng: 0.1 + i / 1_000 },
      label: `Car ${i}`,
    }))
    handle.setMarkers(cars, true)
    const visible = pins().filter(({ style }) => style.display !== 'none')
    expect(visible.map(({ textContent }) => textContent)).toEqual(['5'])
    visible[0]?.click()
    expect(map.fitted[0]).toHaveLength(5)
  })
})

test('draws a line in two parts, behind and ahead of the vehicle', () => {
  handle.setPolylines([{ id: 'way', positions: [A, B], progress: 0.5 }])
  expect(lines).toHaveLength(3)
  handle.setPolylines([])
  expect(lines.every((line) => line.map === null)).toBe(true)
})

test("updates the colors of a line when the map's colors change", () => {
  const drawn = () =>
    lines.filter(({ map }) => map !== null).map(({ options: { strokeColor } }) => strokeColor)
  handle.setPolylines([{ id: 'way', positions: [A, B], progress: 0.5 }])
  const light = drawn()
  handle.setTheme('dark')
  expect(drawn()).toHaveLength(light.length)
  expect(drawn().some((color) => light.includes(color))).toBe(false)
})

test('fits followed positions once, and again only when they leave the view', () => {
  handle.fit([A, B], {})
  handle.fit([A, { lat: 0.3, lng: 0 }], {})
  expect(map.fitted).toHaveLength(1)
  handle.fit([A, { lat: 3, lng: 0 }], {})
  expect(map.fitted).toHaveLength(2)
})

test('fits them again in another size, until the user moves the map', () => {
  handle.fit([A, B], {})
  handle.resize()
  expect(map.fitted).toHaveLength(2)
  map.emit('dragstart')
  map.emit('idle')
  handle.resize()
  expect(map.fitted).toHaveLength(2)
  handle.fit([A, B], {})
  expect(map.fitted).toHaveLength(3)
  handle.setView(A)
  handle.resize()
  expect(map.fitted).toHaveLength(3)
})

test('distinguishes a move by the user from one by the code', () => {
  map.emit('idle')
  expect(events.onMove).toHaveBeenLastCalledWith({ lat: 0, lng: 0 }, false)
  map.emit('dragstart')
  map.emit('idle')
  expect(events.onMove).toHaveBeenLastCalledWith({ lat: 0, lng: 0 }, true)
})

test('removes everything when the map is destroyed', () => {
  handle.setMarkers([{ id: 'a', kind: 'dot', position: A }], false)
  handle.setPolylines([{ id: 'way', positions: [A, B] }])
  handle.destroy()
  expect(pins()).toHaveLength(0)
  expect(lines.every((line) => line.map === null)).toBe(true)
  expect(map.listeners.size).toBe(0)
})
