import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GLIDE_MS } from './markerMotion'
import { createMarkerLayer } from './markerLayer'
import type { Pose } from './markerMotion'
import type { ClusterSpec } from './markerLayer'
import type { MarkerSpec } from './mapPort'
import type { LatLng } from '~/domain/geo/types'

/** Returns a screen on which a thousandth of a degree is one pixel. */
const screen = () => {
  const shown = new Map<string, { pose: Pose; label: string | undefined; isVisible: boolean }>()
  let drawn = 0
  const bubbles: ClusterSpec[] = []
  let isSliding = false
  const pins = createMarkerLayer({
    drawMarker: ({ id, label }) => {
      drawn++
      const one = { pose: { lat: 0, lng: 0, heading: 0 }, label, isVisible: true }
      shown.set(id, one)
      return {
        setPose: (pose) => (one.pose = pose),
        update: (spec) => (one.label = spec.label),
        setVisible: (isVisible) => (one.isVisible = isVisible),
        remove: () => shown.delete(id),
      }
    },
    drawCluster: (bubble) => {
      bubbles.push(bubble)
      return { remove: () => bubbles.splice(bubbles.indexOf(bubble), 1) }
    },
    project: ({ lat, lng }: LatLng) => ({ x: lng * 1_000, y: lat * 1_000 }),
    isAnimating: () => isSliding,
  })
  return {
    pins,
    shown,
    bubbles,
    slide: (is: boolean) => (isSliding = is),
    draws: () => drawn,
    at: (id: string) => shown.get(id)!.pose,
  }
}
const car = (lng: number, more: Partial<MarkerSpec> = {}): MarkerSpec => ({
  id: 'car',
  kind: 'vehicle',
  position: { lat: 0, lng },
  ...more,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['vehicle', 'image'] as const)('glides a %s to its new position', (kind) => {
  const { pins, at } = screen()
  pins.set([car(0, { kind })], false)
  pins.set([car(0.01, { kind })], false)
  expect(at('car').lng).toBe(0)
  vi.advanceTimersByTime(GLIDE_MS / 2)
  expect(at('car').lng).toBeGreaterThan(0.003)
  expect(at('car').lng).toBeLessThan(0.007)
  expect(at('car').heading).toBe(90)
  vi.advanceTimersByTime(GLIDE_MS)
  expect(at('car').lng).toBe(0.01)
})

test('keeps the arrival time when a moving marker gets the same position again', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(0.01)], false)
  for (let count = 0; count < 4; count++) {
    vi.advanceTimersByTime(GLIDE_MS / 4 + 5)
    pins.set([car(0.01)], false)
  }
  expect(at('car').lng).toBe(0.01)
})

test('continues from its current position when a moving marker gets a new position', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(0.01)], false)
  vi.advanceTimersByTime(GLIDE_MS / 2)
  const { lng } = at('car')
  pins.set([car(0)], false)
  expect(at('car').lng).toBe(lng)
  vi.advanceTimersByTime(20)
  expect(at('car').lng).toBeLessThan(lng)
  expect(at('car').lng).toBeGreaterThan(lng - 0.001)
})

test('jumps on a correction across the city, and when the user prefers reduced motion', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(1)], false)
  expect(at('car').lng).toBe(1)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  pins.set([car(1.01)], false)
  expect(at('car').lng).toBe(1.01)
})

test('moves no marker during a zoom animation and places all of them afterwards', () => {
  const { pins, at, slide } = screen()
  pins.set([car(0)], false)
  slide(true)
  pins.set([car(0.01)], false)
  vi.advanceTimersByTime(GLIDE_MS * 2)
  expect(at('car').lng).toBe(0)
  slide(false)
  pins.rescale()
  expect(at('car').lng).toBe(0.01)
})

test('draws a marker once, updates its label in place, and redraws it when its kind changes', () => {
  const { pins, shown, draws } = screen()
  pins.set([car(0, { label: 'Ana' })], false)
  pins.set([car(0, { label: 'Ana, busy' })], false)
  expect([draws(), shown.get('car')?.label]).toEqual([1, 'Ana, busy'])
  pins.set([car(0, { kind: 'dot' })], false)
  expect(draws()).toBe(2)
  pins.set([], false)
  expect(shown.size).toBe(0)
})

test('clusters nearby markers and names them, but not distant ones or the ends of a route', () => {
  const { pins, shown, bubbles } = screen()
  const markers: MarkerSpec[] = [
    ...[1, 2, 3].map((n) => car(n / 1_000, { id: `car${n}`, label: `Car ${n}` })),
    car(1, { id: 'far' }),
    { id: 'start', kind: 'start', position: { lat: 0, lng: 0 } },
  ]
  pins.set(markers, true)
  expect(bubbles).toMatchObject([{ label: 'Car 1, Car 2, Car 3' }])
  expect(bubbles[0]?.positions).toHaveLength(3)
  const visible = () => [...shown].flatMap(([id, { isVisible }]) => (isVisible ? [id] : []))
  expect(visible()).toEqual(['far', 'start'])
  pins.rescale()
  expect(bubbles).toHaveLength(1)
  pins.set(markers, false)
  expect(bubbles).toHaveLength(0)
  expect(visible()).toHaveLength(5)
})

test('removes all markers and stops all motion at the end', () => {
  const { pins, shown, bubbles } = screen()
  pins.set(
    [1, 2, 3].map((n) => car(n / 1_000, { id: `car${n}` })),
    true,
  )
  pins.set(
    [1, 2, 3].map((n) => car(n / 500, { id: `car${n}` })),
    true,
  )
  pins.clear()
  expect([shown.size, bubbles.length, vi.getTimerCount()]).toEqual([0, 0, 0])
})
