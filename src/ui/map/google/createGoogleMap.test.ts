import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createGoogleMap } from './createGoogleMap'
import type { LatLng } from '~/domain/entities'
import type { MapHandle, MapOptions } from '../port'

// Google's script cannot be had in a test: this is as much of it as the adapter uses, with one pixel
// for each thousandth of a degree.
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
  look: 'light',
  language: 'en',
  interactive: true,
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

describe('markers on Google’s map', () => {
  test('are placed, named, chosen and removed', () => {
    handle.setMarkers([{ id: 'a', kind: 'start', at: A, label: 'Pickup' }], false)
    expect(pins()[0]?.style.transform).toBe('translate(100px, -100px)')
    expect(pins()[0]?.getAttribute('aria-label')).toBe('Pickup')
    pins()[0]?.click()
    expect(events.onMarker).toHaveBeenCalledWith('a')
    handle.setMarkers([], false)
    expect(pins()).toHaveLength(0)
  })

  test('keep their element while they move', () => {
    handle.setMarkers([{ id: 'a', kind: 'vehicle', at: A }], false)
    const [first] = pins()
    handle.setMarkers([{ id: 'a', kind: 'vehicle', at: { lat: 5, lng: 5 }, heading: 90 }], false)
    expect(pins()).toEqual([first])
    expect(first?.style.transform).toBe('translate(5000px, -5000px)')
    expect((first?.firstElementChild as HTMLElement).style.transform).toBe('rotate(90.0deg)')
  })

  test('that lie on each other become a group one can open', () => {
    const cars = Array.from({ length: 5 }, (_, i) => ({
      id: `${i}`,
      kind: 'vehicle' as const,
      at: { lat: 0.1, lng: 0.1 + i / 1_000 },
      label: `Car ${i}`,
    }))
    handle.setMarkers(cars, true)
    const visible = pins().filter(({ style }) => style.display !== 'none')
    expect(visible.map(({ textContent }) => textContent)).toEqual(['5'])
    visible[0]?.click()
    expect(map.fitted[0]).toHaveLength(5)
  })
})

test('a path is drawn in what lies behind and what lies ahead', () => {
  handle.setPaths([{ id: 'way', points: [A, B], progress: 0.5 }])
  expect(lines).toHaveLength(3)
  handle.setPaths([])
  expect(lines.every((line) => line.map === null)).toBe(true)
})

test('a path takes the colours of the map it is on when they change', () => {
  const drawn = () =>
    lines.filter(({ map }) => map !== null).map(({ options: { strokeColor } }) => strokeColor)
  handle.setPaths([{ id: 'way', points: [A, B], progress: 0.5 }])
  const light = drawn()
  handle.setLook('dark')
  expect(drawn()).toHaveLength(light.length)
  expect(drawn().some((colour) => light.includes(colour))).toBe(false)
})

test('what is followed is fitted once, and again only when it leaves the view', () => {
  handle.fit([A, B], {})
  handle.fit([A, { lat: 0.3, lng: 0 }], {})
  expect(map.fitted).toHaveLength(1)
  handle.fit([A, { lat: 3, lng: 0 }], {})
  expect(map.fitted).toHaveLength(2)
})

test('a move by hand is told apart from one of ours', () => {
  map.emit('idle')
  expect(events.onMove).toHaveBeenLastCalledWith({ lat: 0, lng: 0 }, false)
  map.emit('dragstart')
  map.emit('idle')
  expect(events.onMove).toHaveBeenLastCalledWith({ lat: 0, lng: 0 }, true)
})

test('nothing is left behind', () => {
  handle.setMarkers([{ id: 'a', kind: 'dot', at: A }], false)
  handle.setPaths([{ id: 'way', points: [A, B] }])
  handle.destroy()
  expect(pins()).toHaveLength(0)
  expect(lines.every((line) => line.map === null)).toBe(true)
  expect(map.listeners.size).toBe(0)
})
